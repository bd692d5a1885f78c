// The policy as data: which names, syntax and properties code may use. The check refuses by it, the isolate offers the
// same names, and `formatPolicy` tells authors, so the three always agree.

import { LIMITS } from "./sandbox-limits.ts";

/** The names that code may use without declaring them. `isolate/harden.ts` defines their members. */
export const ALLOWED_GLOBALS: ReadonlySet<string> = new Set([
  "undefined",
  "NaN",
  "Infinity",
  "Math",
  "JSON",
  "Intl",
  "console",
  "Object",
  "Array",
  "String",
  "Number",
  "Boolean",
  "BigInt",
  "Date",
  "Map",
  "Set",
  "RegExp",
  "Error",
  "TypeError",
  "RangeError",
  "SyntaxError",
  "EvalError",
  "ReferenceError",
  "URIError",
  "parseInt",
  "parseFloat",
  "isNaN",
  "isFinite",
  "encodeURIComponent",
  "decodeURIComponent",
  "encodeURI",
  "decodeURI",
  "btoa",
  "atob",
]);

// Advice for authors, by the kind of refusal.
const NETWORK = "there is no network; compute from the arguments alone";
const TIMERS = "there are no timers and nothing is asynchronous; compute the result and return it";
const DYNAMIC = "code cannot make code; write the functions out";
const HOST = "there is nothing of the host here; compute from the arguments alone";
const REFLECTION = "objects are not inspected or changed behind their back; use plain properties";
const MEMORY = "use plain lists, objects, Map and Set";

/** Frequently used names that are not available, each with advice. All other unknown names are refused as well. */
export const REFUSED_GLOBALS: Readonly<Record<string, string>> = {
  ...mapNames(
    NETWORK,
    "fetch XMLHttpRequest WebSocket WebSocketPair EventSource Request Response Headers caches navigator",
  ),
  ...mapNames(
    TIMERS,
    "setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask scheduler Promise AbortController performance",
  ),
  ...mapNames(DYNAMIC, "eval Function AsyncFunction GeneratorFunction WebAssembly"),
  ...mapNames(
    HOST,
    "globalThis window self global process require module exports Buffer Deno Bun __dirname __filename env crypto " +
      "localStorage sessionStorage document location postMessage MessageChannel BroadcastChannel importScripts Worker",
  ),
  ...mapNames(REFLECTION, "Reflect Proxy Symbol arguments WeakRef FinalizationRegistry"),
  ...mapNames(
    MEMORY,
    "ArrayBuffer SharedArrayBuffer Atomics DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array " +
      "Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array WeakMap WeakSet Iterator",
  ),
  structuredClone: "use JSON.parse(JSON.stringify(value))",
  escape: "use encodeURIComponent",
  unescape: "use decodeURIComponent",
};

const PROTOTYPES = "prototypes are closed; use plain functions and objects";

/** Property names that are refused wherever they occur literally. */
export const REFUSED_PROPERTIES: Readonly<Record<string, string>> = {
  ...mapNames(
    PROTOTYPES,
    "constructor prototype __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__",
  ),
  ...mapNames(
    REFLECTION,
    "caller callee defineProperty defineProperties getPrototypeOf setPrototypeOf getOwnPropertyDescriptor " +
      "getOwnPropertyDescriptors getOwnPropertySymbols preventExtensions",
  ),
  ...mapNames("read the message of the error", "stack captureStackTrace prepareStackTrace stackTraceLimit"),
};

/** The allowed node types of ESTree. All others are refused. */
export const ALLOWED_SYNTAX: ReadonlySet<string> = new Set(
  (
    "Program ExpressionStatement BlockStatement EmptyStatement ReturnStatement LabeledStatement BreakStatement " +
    "ContinueStatement IfStatement SwitchStatement SwitchCase ThrowStatement TryStatement CatchClause WhileStatement " +
    "DoWhileStatement ForStatement ForInStatement ForOfStatement FunctionDeclaration VariableDeclaration " +
    "VariableDeclarator ThisExpression ArrayExpression ObjectExpression Property FunctionExpression UnaryExpression " +
    "UpdateExpression BinaryExpression AssignmentExpression LogicalExpression MemberExpression ConditionalExpression " +
    "CallExpression NewExpression SequenceExpression ArrowFunctionExpression SpreadElement TemplateLiteral " +
    "TemplateElement ObjectPattern ArrayPattern RestElement AssignmentPattern ClassDeclaration ClassExpression " +
    "ClassBody MethodDefinition PropertyDefinition PrivateIdentifier ChainExpression ParenthesizedExpression " +
    "Identifier Literal"
  ).split(" "),
);

/** Names and advice for refused node types. */
export const REFUSED_SYNTAX: Readonly<Record<string, readonly [name: string, instead: string]>> = {
  ImportDeclaration: ["import", "there are no modules; write what you need"],
  ImportExpression: ["import()", "there are no modules; write what you need"],
  MetaProperty: ["import.meta and new.target", "write plain functions"],
  ExportAllDeclaration: ["export *", "define the function itself"],
  AwaitExpression: ["await", TIMERS],
  YieldExpression: ["yield", "collect the values in a list and return it"],
  TaggedTemplateExpression: ["a tagged template", "call the function with plain arguments"],
  Super: ["super", "use plain functions and objects"],
  StaticBlock: ["a static block", "use plain functions and objects"],
  DebuggerStatement: ["debugger", "leave it out"],
  WithStatement: ["with", "name the object"],
  Decorator: ["a decorator", "use plain functions and objects"],
};

/** Refused forms of allowed syntax, with their name and advice. */
export const REFUSED_FORMS = {
  async: ["async", TIMERS],
  forAwait: ["for await", TIMERS],
  generator: ["a generator", "collect the values in a list and return it"],
  accessor: ["a getter or setter", "use a function"],
  extends: ["extends", "use plain functions and objects"],
  thisOutside: ["this outside a method", "use the arguments of the function"],
  nestedRest: ["a rest inside another pattern", "take it apart in two steps"],
  patternTarget: ["this target in a pattern", "assign it by itself"],
  patternPosition: ["a position in this pattern", "read it by itself"],
  optionalMethod: ["a position after `a.b?.()`", "take it apart in two steps"],
  reserved: ["a name that begins with $g_", "choose another name"],
} as const satisfies Readonly<Record<string, readonly [name: string, instead: string]>>;

/** Returns the policy as instructions for an author, person or model. */
export function formatPolicy(): string {
  return [
    "Write plain, synchronous JavaScript: no import, export is optional, no TypeScript.",
    `Available without declaring them: ${[...ALLOWED_GLOBALS].join(", ")}. Nothing else: no network, files, timers or environment.`,
    "Array, String, Map, Set, Date, Math, JSON and Intl (DateTimeFormat, NumberFormat, Collator, PluralRules, ListFormat, " +
      "RelativeTimeFormat, DisplayNames) have their usual methods; Object has keys, values, entries, assign, fromEntries, " +
      "groupBy, freeze, is, hasOwn and create(null).",
    `Refused syntax: ${[...Object.values(REFUSED_SYNTAX), ...Object.values(REFUSED_FORMS)].map(([name]) => name).join(", ")}.`,
    `Refused names: ${Object.keys(REFUSED_GLOBALS).slice(0, 40).join(", ")} and the like.`,
    `Refused properties: ${Object.keys(REFUSED_PROPERTIES).join(", ")}.`,
    `Limits: ${LIMITS.source} characters of code, ${LIMITS.steps / 1_000_000} million steps, ${LIMITS.computing} ms, texts of ` +
      `${LIMITS.text} characters, lists of ${LIMITS.items} elements, a result of ${LIMITS.result / 1_024} KB as JSON.`,
    "The result is a JSON value: a Date becomes its ISO text and a BigInt its digits; undefined, functions, NaN, Infinity, " +
      "Map and Set are errors as a result. Nothing is kept from one call to the next.",
  ].join("\n");
}

/** Returns a table with the same advice for each of the names. */
function mapNames(instead: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, instead]));
}
