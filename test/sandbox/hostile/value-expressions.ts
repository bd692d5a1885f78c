// Values that a program can reach, and expressions that continue from them.

import type { RandomSource } from "../plain/random.ts";

const NAMES =
  "constructor __proto__ prototype caller callee arguments stack call apply bind toString valueOf toLocaleString toJSON then " +
  "next return throw length name lastIndex groups index input raw cause indices __defineGetter__ __lookupGetter__ " +
  "__defineSetter__ __lookupSetter__ hasOwnProperty isPrototypeOf exec compile flags source format resolvedOptions supportedLocalesOf " +
  "formatToParts size keys entries values at mark get set has species iterator description prepareStackTrace captureStackTrace " +
  "stackTraceLimit getOwnPropertyDescriptor defineProperty setPrototypeOf getPrototypeOf assign fromAsync raw construct getFunction";
const MEMBER_NAMES = [...new Set(NAMES.split(" "))];

/** Creates an expression for a name that the check cannot recognize. */
export function createNameExpression(random: RandomSource): string {
  const name = random.pick(MEMBER_NAMES);
  const splitIndex = 1 + random.int(Math.max(1, name.length - 1));
  const [head, tail] = [name.slice(0, splitIndex), name.slice(splitIndex)];
  return random.pick([
    `"${head}" + "${tail}"`,
    `["${head}", "${tail}"].join("")`,
    `\`${head}\${"${tail}"}\``,
    `"${[...name].toReversed().join("")}".split("").reverse().join("")`,
    `[["${head}${tail}"]]`,
    `({ toString: () => "${head}" + "${tail}" })`,
    `"${head}x${tail}".replace("x", "")`,
    `atob("${btoa(name)}")`,
    `String.fromCharCode(${[...name].map((sign) => sign.charCodeAt(0)).join(", ")})`,
  ]);
}

const VALUES = [
  "given",
  "see",
  "(() => 1)",
  "(function () { return this; })",
  "({ m() { return this; } }).m",
  "class { static x = 1; m() {} }",
  "[]",
  "[1, [2]]",
  "({})",
  "({ a: { b: 1 } })",
  "Object.create(null)",
  '""',
  '"text"',
  "1",
  "-0",
  "NaN",
  "10n",
  "true",
  "null",
  "undefined",
  "/a(b)?/g",
  "new RegExp('x', 'y')",
  '"ab".match(/(?<x>a)(b)?/)',
  '"ab".matchAll(/a/g)',
  "[].values()",
  "[].entries()",
  '""[["values"]]',
  "new Map([[1, 2]]).entries()",
  "new Set([1]).values()",
  "new Map([[{}, []]])",
  "new Set([1, {}])",
  "new Date(0)",
  "Date.now",
  "Math",
  "Math.max",
  "JSON",
  "JSON.parse",
  "Intl",
  "Intl.NumberFormat",
  'new Intl.NumberFormat("en")',
  'new Intl.NumberFormat("en").format',
  'new Intl.DateTimeFormat("en").formatToParts(0)',
  'new Intl.Collator("de").compare',
  'new Intl.DateTimeFormat("en").resolvedOptions()',
  "console",
  "console.log",
  "Object",
  "Object.assign",
  "Object.entries({ a: 1 })",
  "Array",
  "Array.from",
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
  "parseInt",
  "encodeURI",
  "btoa",
  'new Error("x", { cause: see })',
  "attempt(() => null.x)",
  "attempt(() => see.x.y.z)",
  "attempt(() => { throw see; })",
  "Object.groupBy([1, 2], (x) => x)",
  "Object.freeze({ a: 1 })",
  'JSON.parse(\'{"__proto__":{"a":1}}\')',
  "[].map",
  '"".replace',
  "(0, [].sort)",
  "Object.prototype.toString.call",
  "Array.prototype.slice.apply",
];

/** Creates an expression for a value, `depth` steps from a directly available one. */
export function createValueExpression(random: RandomSource, depth: number): string {
  if (depth <= 0) return random.pick(VALUES);
  const inner = (): string => createValueExpression(random, depth - 1);
  switch (random.int(9)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return `attempt(() => (${inner()})[${createNameExpression(random)}])`;
    case 4:
      return `attempt(() => (${inner()})(${inner()}, ${inner()}))`;
    case 5:
      return `attempt(() => new (${inner()})(${inner()}))`;
    case 6:
      return `attempt(() => (${inner()})[${createNameExpression(random)}](${inner()}))`;
    case 7:
      return `attempt(() => (${inner()}).${random.pick(["call", "apply"])}(${inner()}, ${inner()}))`;
    default:
      return random.pick([`[${inner()}, ...(${inner()} ?? [])]`, `({ ...${inner()} })`, `(${inner()} ?? ${inner()})`]);
  }
}
