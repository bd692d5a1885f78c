// Programs that try to reach the host.

import { createRejected, createAccepted, type EscapeProgram } from "./escape-program.ts";

const NETWORK: readonly EscapeProgram[] = [
  createRejected(
    "fetch",
    /`fetch` is not available: there is no network/,
    `return "leaked " + typeof fetch("http://127.0.0.1:8787/health");`,
  ),
  createRejected("WebSocket", /`WebSocket`/, `return "leaked " + typeof new WebSocket("ws://127.0.0.1:8787");`),
  createRejected("XMLHttpRequest", /`XMLHttpRequest`/, `return "leaked " + typeof new XMLHttpRequest();`),
  createRejected("EventSource", /`EventSource`/, `return "leaked " + typeof new EventSource("http://127.0.0.1");`),
  createRejected("Request and Response", /`Request`/, `return "leaked " + new Request("http://127.0.0.1").url;`),
  createRejected("caches", /`caches`/, `return "leaked " + typeof caches.default;`),
  createRejected(
    "navigator.sendBeacon",
    /`navigator`/,
    `return "leaked " + navigator.sendBeacon("http://127.0.0.1", "x");`,
  ),
  createRejected("fetch under another name", /`fetch`/, `const get = fetch;\nreturn "leaked " + typeof get;`),
  createRejected(
    "dynamic import of sockets",
    /import\(\) is not allowed/,
    `const module = import("cloudflare:sockets");\nmodule.then(({ connect }) => connect("127.0.0.1:8787"));\nreturn "got a promise";`,
  ),
  createRejected(
    "dynamic import of node",
    /import\(\)/,
    `import("node:fs").then((fs) => fs.readFileSync("/etc/passwd"));\nreturn "got a promise";`,
  ),
  createRejected("import.meta", /import.meta/, `return "seen " + typeof import.meta.url;`),
  createRejected("require", /`require`/, `return "leaked " + require("fs");`),
  createRejected("process.env", /`process`/, `return "leaked " + JSON.stringify(process.env);`),
  createRejected("crypto", /`crypto`/, `return "leaked " + crypto.randomUUID();`),
  createRejected("env", /`env`/, `return "leaked " + Object.keys(env);`),
];

const DYNAMIC: readonly EscapeProgram[] = [
  createRejected("eval", /`eval` is not available/, `return "leaked " + eval("1 + 1");`),
  createRejected("indirect eval", /`eval`/, `return "leaked " + (0, eval)("1 + 1");`),
  createRejected("Function", /`Function`/, `return "leaked " + Function("return this")();`),
  createRejected("new Function", /`Function`/, `return "leaked " + new Function("return 1")();`),
  createRejected(
    "constructor of a function",
    /`constructor` is not allowed/,
    `return "leaked " + (() => 1).constructor("return 1")();`,
  ),
  createRejected(
    "constructor chain",
    /`constructor`/,
    `return "leaked " + [].constructor.constructor("return this")();`,
  ),
  createRejected(
    "constructor as a text",
    /`constructor`/,
    `return "leaked " + (() => 1)["constructor"]("return 1")();`,
  ),
  createRejected(
    "constructor in a template",
    /`constructor`/,
    'return "leaked " + (() => 1)[`constructor`]("return 1")();',
  ),
  createRejected(
    "constructor taken apart",
    /`constructor`/,
    `const { constructor: F } = () => 1;\nreturn "leaked " + F("return 1")();`,
  ),
  createAccepted(
    "constructor put together",
    "threw",
    `const f = () => 1;\nreturn "leaked " + f["con" + "structor"]("return 1")();`,
  ),
  createAccepted(
    "constructor chain put together",
    "threw",
    `const c = "con".concat("structor");\nreturn "leaked " + ""[c][c]("return this")();`,
  ),
  createAccepted(
    "constructor from codes",
    "threw",
    `const c = String.fromCharCode(99, 111, 110, 115, 116, 114, 117, 99, 116, 111, 114);\nreturn "leaked " + (() => 1)[c]("return 1")();`,
  ),
  createAccepted(
    "constructor through an object as a key",
    "threw",
    `const key = { toString: () => "constructor" };\nreturn "leaked " + (() => 1)[key]("return 1")();`,
  ),
  createAccepted(
    "constructor through a key that changes",
    "threw",
    `let n = 0;\nconst key = { toString: () => (n++ ? "constructor" : "name") };\nconst f = () => 1;\nreturn "leaked " + (f[key], f[key])("return 1")();`,
  ),
  createAccepted(
    "constructor through a list as a key",
    "threw",
    `return "leaked " + (() => 1)[["constructor"]]("return 1")();`,
  ),
  createAccepted(
    "constructor through taking apart",
    "threw",
    `const name = "constr" + "uctor";\nconst { [name]: F } = () => 1;\nreturn "leaked " + F("return 1")();`,
  ),
  createAccepted(
    "constructor of a reviver's holder",
    "harmless",
    `let seen = "nothing";\nJSON.parse("[1]", function (k, v) { seen = typeof this["construc" + "tor"]; return v; });\nreturn seen === "function" ? "leaked" : seen;`,
  ),
  createAccepted(
    "constructor of an error that the engine made",
    "threw",
    `try { null.x; } catch (error) { const c = "const" + "ructor"; return "leaked " + error[c][c]("return 1")(); }`,
  ),
  createAccepted(
    "constructor of a match",
    "threw",
    `const c = "const" + "ructor";\nreturn "leaked " + "a".match(/a/)[c][c]("return 1")();`,
  ),
  createAccepted(
    "constructor of an iterator",
    "threw",
    `const c = "const" + "ructor";\nreturn "leaked " + [1].values()[c][c]("return 1")();`,
  ),
  createAccepted(
    "constructor of Math, JSON and Intl",
    "threw",
    `const c = "const" + "ructor";\nreturn "leaked " + [Math, JSON, Intl].map((o) => o[c][c]("return 1")());`,
  ),
  createAccepted(
    "constructor of an Intl object",
    "threw",
    `const c = "const" + "ructor";\nreturn "leaked " + new Intl.NumberFormat("en")[c][c]("return 1")();`,
  ),
  createRejected(
    "generator's constructor",
    /a generator is not allowed/,
    `function* g() {}\nreturn "leaked " + g["const" + "ructor"]("yield 1")().next().value;`,
    "threw",
  ),
  createRejected(
    "async function's constructor",
    /async is not allowed/,
    `const f = async () => 1;\nreturn "leaked " + f["const" + "ructor"]("return 1");`,
    "threw",
  ),
  createRejected("WebAssembly", /`WebAssembly`/, `return "leaked " + typeof WebAssembly.Module;`),
  createRejected("setTimeout with code", /`setTimeout`/, `setTimeout("1", 0);\nreturn "leaked";`),
];

const GLOBALS: readonly EscapeProgram[] = [
  createRejected("globalThis", /`globalThis`/, `return "leaked " + Object.keys(globalThis);`),
  createRejected("self", /`self`/, `return "leaked " + typeof self.fetch;`),
  createAccepted(
    "this in an arrow function",
    "harmless",
    `return (() => this)() === undefined ? "nothing" : "leaked";`,
  ),
  createAccepted(
    "this of a function that is called alone",
    "harmless",
    `function f() { return this; }\nreturn f() === undefined ? "nothing" : "leaked";`,
  ),
  createAccepted(
    "this of a callback",
    "harmless",
    `return [1].map(function () { return this; })[0] === undefined ? "nothing" : "leaked";`,
  ),
  createAccepted(
    "this through call",
    "harmless",
    `return (function () { return this; }).call(null) === null ? "nothing" : "leaked";`,
  ),
  createRejected("arguments", /`arguments`/, `return arguments.length > 5 ? "leaked" : "seen";`),
  createRejected("caller", /`caller` is not allowed/, `return run.caller ? "leaked" : "seen";`),
  createRejected("callee", /`callee`/, `return "leaked " + (function () { return arguments.callee; })();`),
  createRejected("a declaration elsewhere hides nothing", /`fetch`/, `{ const fetch = 1; }\nreturn "leaked " + fetch;`),
  createRejected("the guards", /a name that begins with \$g_/, `$g_budget.left = 1e15;\nfor (;;);`),
  createRejected("Reflect", /`Reflect`/, `return "leaked " + Reflect.ownKeys({});`),
  createRejected("Proxy", /`Proxy`/, `return "leaked " + new Proxy({}, {}).x;`),
  createRejected("Symbol", /`Symbol`/, `return "leaked " + ({ [Symbol.toPrimitive]: () => 1 } + 1);`),
  createRejected("Promise", /`Promise`/, `Promise.resolve().then(() => 1);\nreturn "leaked";`),
  createRejected("queueMicrotask", /`queueMicrotask`/, `queueMicrotask(() => 1);\nreturn "leaked";`),
  createRejected("stack of an error", /`stack` is not allowed/, `return "seen " + typeof new Error("x").stack;`),
  createRejected(
    "prepareStackTrace",
    /`prepareStackTrace`/,
    `Error.prepareStackTrace = (_, sites) => sites;\nreturn "leaked " + new Error("x").stack[0].getThis();`,
  ),
  createAccepted(
    "prepareStackTrace put together",
    "threw",
    `Error["prepareStack" + "Trace"] = (_, sites) => sites;\nreturn "leaked";`,
  ),
  createRejected(
    "SharedArrayBuffer and Atomics",
    /`SharedArrayBuffer`/,
    `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);\nreturn "leaked";`,
  ),
  createRejected("performance", /`performance`/, `return "leaked " + performance.now();`),
  createAccepted(
    "the clock stands still",
    "harmless",
    `const start = Date.now();\nlet n = 0;\nfor (let i = 0; i < 3000000; i++) n += i;\nreturn Date.now() === start && new Date().getTime() === start ? "still" : "leaked";`,
  ),
];

const PROTOTYPES: readonly EscapeProgram[] = [
  createRejected(
    "__proto__",
    /`__proto__` is not allowed/,
    `({}).__proto__.polluted = 1;\nreturn ({}).polluted ? "leaked" : "nothing";`,
  ),
  createRejected(
    "__proto__ in a literal",
    /`__proto__`/,
    `const o = { __proto__: { x: 1 } };\nreturn o.x ? "seen" : "nothing";`,
  ),
  createRejected(
    "Array.prototype",
    /`prototype` is not allowed/,
    `Array.prototype.map = () => "leaked";\nreturn [].map();`,
  ),
  createRejected(
    "Object.defineProperty",
    /`defineProperty` is not allowed/,
    `Object.defineProperty(Math, "x", { value: 1 });\nreturn "leaked";`,
  ),
  createRejected("Object.setPrototypeOf", /`setPrototypeOf`/, `Object.setPrototypeOf([], null);\nreturn "leaked";`),
  createRejected(
    "Object.getPrototypeOf",
    /`getPrototypeOf`/,
    `Object.getPrototypeOf([]).x = 1;\nreturn [].x ? "leaked" : "nothing";`,
  ),
  createRejected("__defineGetter__", /`__defineGetter__`/, `({}).__defineGetter__("x", () => 1);\nreturn "leaked";`),
  createAccepted(
    "__proto__ put together",
    "harmless",
    `const o = {};\no["__pro" + "to__"] = { polluted: 1 };\nreturn ({}).polluted || o.polluted ? "leaked" : "nothing";`,
  ),
  createAccepted(
    "prototype put together",
    "threw",
    `const p = "proto" + "type";\nArray[p].map = () => "leaked";\nreturn [].map();`,
  ),
  createAccepted(
    "pollution by JSON.parse and assign",
    "harmless",
    `const bad = JSON.parse('{"__proto__": {"polluted": 1}}');\nconst o = Object.assign({}, bad);\nreturn ({}).polluted || o.polluted ? "leaked" : "nothing";`,
  ),
  createAccepted(
    "pollution by a deep merge",
    "harmless",
    `const merge = (to, from) => { for (const k in from) { if (typeof from[k] === "object") { to[k] ??= {}; merge(to[k], from[k]); } else to[k] = from[k]; } return to; };\nmerge({}, JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'));\nreturn ({}).polluted || [].polluted ? "leaked" : "nothing";`,
  ),
  createAccepted(
    "pollution by fromEntries",
    "harmless",
    `Object.fromEntries([["__proto__", { polluted: 1 }]]);\nreturn ({}).polluted ? "leaked" : "nothing";`,
  ),
  createAccepted("assigning to Math", "threw", `Math.floor = () => "leaked";\nreturn Math.floor(1.5);`),
  createAccepted("assigning to JSON", "threw", `JSON.stringify = () => "leaked";\nreturn JSON.stringify(1);`),
  createAccepted("assigning to Object", "threw", `Object.keys = () => "leaked";\nreturn Object.keys({});`),
  createAccepted("replacing a global", "threw", `Math = { floor: () => "leaked" };\nreturn Math.floor(1);`),
  createAccepted("a member of a method", "threw", `[].map.hidden = "leaked";\nreturn [].map.hidden;`),
  createAccepted(
    "a global by forgetting to declare it",
    "threw",
    `(function () { Object.freeze = 1; })();\nreturn "leaked";`,
  ),
  createRejected("a name that is not declared", /`counter` is not defined/, `counter = 1;\nreturn "leaked";`),
  createRejected("a getter", /a getter or setter is not allowed/, `return { get x() { return "seen"; } }.x;`),
  createRejected(
    "extends",
    /extends is not allowed/,
    `class List extends Array { push() { return "seen"; } }\nreturn new List().push(1);`,
  ),
  createRejected("with", /Syntax error|with/, `with ({}) { return 1; }`),
  createAccepted("delete of a built-in", "threw", `delete Math.floor;\nreturn "leaked";`),
];

export const REACHING: readonly EscapeProgram[] = [...NETWORK, ...DYNAMIC, ...GLOBALS, ...PROTOTYPES];
