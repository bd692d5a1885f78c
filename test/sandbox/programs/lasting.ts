// Programs without an end, and unusable results.

import { createRejected, createAccepted, type EscapeProgram } from "./escape-program.ts";

/** Each class creates two instances of the previous one, only in its fields. */
const CLASSES = Array.from({ length: 33 }, (_, i) => `class C${i + 1} { a = new C${i}; b = [new C${i}].length }`).join(
  "\n",
);

const LOOPS: readonly EscapeProgram[] = [
  createAccepted(
    "fields that make objects with fields",
    "exhausted",
    `class C0 { a }\n${CLASSES}\nreturn new C33().b;`,
  ),
  createAccepted("a pattern of nothing, often", "harmless", `return /(?:(?:(?:){20000}){20000}){20000}/.test("x");`),
  createAccepted(
    "a pattern of nothing, built at runtime",
    "harmless",
    `return new RegExp("(?:(?:(?:){19999}){19999}){19999}").test("x");`,
  ),
  createAccepted("for", "exhausted", `for (;;);`),
  createAccepted(
    "holes in a pattern",
    "exhausted",
    `const s = "x".repeat(200000);\nfor (;;) { const [${",".repeat(15_000)}] = s; }`,
  ),
  createAccepted("while", "exhausted", `while (true) {}`),
  createAccepted("do", "exhausted", `do {} while (1);`),
  createAccepted("continue to a label", "exhausted", `outer: for (;;) { for (;;) continue outer; }`),
  createAccepted("for of over a list that grows", "exhausted", `const a = [1];\nfor (const x of a) a.push(x);`),
  createAccepted(
    "for of over a Set that grows",
    "exhausted",
    `const s = new Set([0]);\nfor (const x of s) { s.delete(x); s.add(x + 1); }`,
  ),
  createAccepted(
    "Map.forEach that grows",
    "exhausted",
    `const m = new Map([[0, 0]]);\nm.forEach((v, k) => m.set(k + 1, v));`,
  ),
  createAccepted("a pattern as a result", "threw", `return /a/g;`),
  createAccepted("recursion", "exhausted", `const f = (n) => f(n + 1) + 1;\nreturn f(0);`),
  createAccepted(
    "mutual recursion that catches",
    "exhausted",
    `const a = () => { try { b(); } catch { b(); } }, b = () => { try { a(); } catch { a(); } };\na();`,
  ),
  createAccepted("recursion by toString", "exhausted", `const o = { toString: () => "" + o };\nreturn String(o);`),
  createAccepted("recursion by valueOf", "exhausted", `const o = { valueOf: () => o + 1 };\nreturn o * 2;`),
  createAccepted(
    "recursion by toJSON",
    "exhausted",
    `const o = { toJSON: () => JSON.stringify(o) };\nreturn JSON.stringify(o);`,
  ),
  createAccepted("recursion by replace", "exhausted", `const f = () => "a".replace("a", f);\nreturn f();`),
  createAccepted("recursion by sort", "exhausted", `const f = () => [1, 2].sort(f);\nreturn f();`),
  createAccepted(
    "exponential recursion",
    "exhausted",
    `const f = (n) => (n < 2 ? 1 : f(n - 1) + f(n - 2) + f(n - 3));\nreturn f(60);`,
  ),
  createAccepted("catching the end of the budget", "exhausted", `for (;;) { try { for (;;); } catch { } }`),
  createAccepted(
    "finally against the end of the budget",
    "exhausted",
    `for (;;) { try { for (;;); } finally { continue; } }`,
  ),
  createAccepted("returning from finally", "exhausted", `try { for (;;); } finally { return "leaked"; }`),
  createAccepted("throwing and catching", "exhausted", `for (;;) { try { null.x; } catch { } }`),
  createAccepted(
    "a comparison that never agrees",
    "harmless",
    `return Array.from({ length: 1000 }, (_, i) => i).sort(() => Math.random() - 0.5).length;`,
  ),
  createAccepted(
    "sorting a million",
    "exhausted",
    `const a = Array.from({ length: 1000000 }, () => Math.random());\nfor (;;) a.sort();`,
  ),
  createAccepted(
    "nested loops",
    "exhausted",
    `let n = 0;\nfor (let i = 0; i < 1e6; i++) for (let j = 0; j < 1e6; j++) n ^= j;\nreturn n;`,
  ),
  createAccepted("a false length", "exhausted", `return Array.from({ length: 1e9 }, () => 0).length;`),
  createAccepted("apply with a false length", "exhausted", `return Math.max.apply(null, { length: 134217728 });`),
  createAccepted("a sparse list", "exhausted", `const a = [];\na[4294967294] = 1;\nreturn a.indexOf(2);`),
  createAccepted("a set length", "exhausted", `const a = [];\na.length = 4294967295;\nreturn a.map((x) => x);`),
  createAccepted(
    "a length set with brackets",
    "exhausted",
    `const a = [];\na["len" + "gth"] = 4294967295;\na.forEach(() => 1);`,
  ),
  createAccepted(
    "a length by assign",
    "exhausted",
    `const a = Object.assign([], { length: 4e9 });\nreturn a.join("x").length;`,
  ),
  createAccepted(
    "comparing long texts",
    "exhausted",
    `const a = "a".repeat(200000), b = "a".repeat(199999) + "a";\nlet n = 0;\nfor (;;) if (a === b) n++;`,
  ),
  createAccepted(
    "long texts as numbers",
    "exhausted",
    `const s = "1".repeat(200000);\nlet n = 0;\nfor (;;) n += s - 1;`,
  ),
  createAccepted(
    "long texts as names",
    "exhausted",
    `const o = {};\nfor (let i = 0; ; i++) o["x".repeat(100000) + i];`,
  ),
  createAccepted(
    "looking for long texts",
    "exhausted",
    `const s = "a".repeat(200000), t = "b" + "a".repeat(99999);\nfor (;;) s.indexOf(t);`,
  ),
  createAccepted(
    "integers that collide",
    "exhausted",
    `const m = new Map();\nfor (let i = 0; ; i++) m.set(i * 1048576, i);`,
  ),
  createAccepted(
    "switch over long texts",
    "exhausted",
    `const a = "a".repeat(200000), b = "a".repeat(199999) + "a";\nfor (;;) switch (a) { case b + "": break; }`,
  ),
];

const PATTERNS: readonly EscapeProgram[] = [
  createAccepted("(a+)+", "exhausted", `return /^(a+)+$/.test("a".repeat(50) + "b");`),
  createAccepted("(a|a)*", "exhausted", `return /^(a|a)*$/.test("a".repeat(50) + "b");`),
  createAccepted("(a|aa)+", "exhausted", `return /^(a|aa)+$/.test("a".repeat(100) + "b");`),
  createAccepted("(.*)*", "exhausted", `return /^(.*)*x$/s.test("a".repeat(40));`),
  createAccepted(
    "many optional atoms",
    "exhausted",
    `return new RegExp("^" + "a?".repeat(40) + "a".repeat(40) + "$").test("a".repeat(39));`,
  ),
  createAccepted("polynomial", "exhausted", `return /^\\s*\\s*\\s*\\s*x/.test(" ".repeat(20000));`),
  createAccepted("backreference", "exhausted", `return /^(.*)(.*)(.*)\\1\\2\\3x$/.test("a".repeat(2000));`),
  createAccepted("look-ahead", "exhausted", `return /^(?=(a+)+b)a/.test("a".repeat(40));`),
  createAccepted("a pattern given as a text", "exhausted", `return "a".repeat(50).match("^(a+)+b$");`),
  createAccepted("split by a slow pattern", "exhausted", `return ("a".repeat(50) + "b").split(/(a+)+c/).length;`),
  createAccepted("a counted pattern", "exhausted", `return /^(a{1,100}){1,100}$/.test("a".repeat(9000) + "b");`),
  createAccepted("a large pattern", "exhausted", `return new RegExp("(a{1000}){1000}").test("a");`),
  createAccepted(
    "many different patterns",
    "exhausted",
    `for (let i = 0; ; i++) new RegExp("a" + i + "[b-z]".repeat(300), "i").test("x");`,
  ),
  createAccepted("deep parentheses", "threw", `return new RegExp("(".repeat(990) + "a" + ")".repeat(989)).test("a");`),
];

const RESULTS: readonly EscapeProgram[] = [
  createAccepted("a giant text", "too_large", `return "x".repeat(70000);`),
  createAccepted("a giant list", "too_large", `return new Array(50000).fill(0);`),
  createAccepted(
    "a giant list of the same",
    "too_large",
    `const row = new Array(1000).fill("xxxxxxxxxx");\nreturn new Array(1000).fill(row);`,
  ),
  createAccepted("a net", "too_large", `let a = ["x"];\nfor (let i = 0; i < 40; i++) a = [a, a];\nreturn a;`),
  createAccepted("a giant in Chinese", "too_large", `return "中".repeat(30000);`),
  createAccepted("itself", "threw", `const a = [];\na.push(a);\nreturn a;`),
  createAccepted("very deep", "threw", `let a = [];\nfor (let i = 0; i < 10000; i++) a = [a];\nreturn a;`),
  createAccepted("nothing", "threw", `const x = 1;`),
  createAccepted("a function", "threw", `return () => 1;`),
  createAccepted("a function inside", "threw", `return { a: [() => 1] };`),
  createAccepted("NaN", "threw", `return { mean: 0 / 0 };`),
  createAccepted("a Map", "threw", `return new Map();`),
  createAccepted("a built-in", "harmless", `return Math;`),
  createAccepted("an error", "threw", `return new Error("x");`),
  createAccepted("throwing nothing", "threw", `throw undefined;`),
  createAccepted(
    "throwing an object that fights back",
    "exhausted",
    `throw { get: 1, message: { toString() { for (;;); } } };`,
  ),
  createAccepted(
    "throwing an error with a changed name",
    "threw",
    `const e = new Error("x");\ne.name = { toString() { throw 1; } };\nthrow e;`,
  ),
  createAccepted("throwing a giant", "threw", `throw new Error("x".repeat(200000));`),
  createAccepted(
    "a result that pretends to be an outcome",
    "harmless",
    `return { kind: "failed", reason: "threw", message: "x" };`,
  ),
  createAccepted("toJSON that runs for ever", "threw", `return { toJSON() { for (;;); } };`),
];

const ASYNC: readonly EscapeProgram[] = [
  createRejected("an async function", /async/, `(async () => { for (;;) await null; })();\nreturn "begun";`),
  createRejected(
    "await for ever afterwards",
    /async/,
    `const f = async () => { await null; for (;;); };\nf();\nreturn "begun";`,
  ),
  createRejected(
    "a generator without end",
    /a generator/,
    `const g = function* () { for (;;) yield 1; };\nreturn [...g()].length;`,
    "exhausted",
  ),
  createRejected(
    "then without end",
    /async/,
    `const f = async () => {};\nconst again = () => f().then(again);\nagain();\nreturn "begun";`,
  ),
  createRejected(
    "a thenable",
    /async/,
    `const t = { then(r) { r(t); } };\n(async () => { await t; })();\nreturn "begun";`,
  ),
  createRejected("for await", /await|async/, `(async () => { for await (const x of [1]) x; })();\nreturn "begun";`),
];

export const LASTING: readonly EscapeProgram[] = [...LOOPS, ...PATTERNS, ...RESULTS, ...ASYNC];
