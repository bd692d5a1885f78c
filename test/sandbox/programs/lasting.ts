// Programs that do not end, and results that nobody wants.

import { refused, runs, type Escape } from "./escape.ts";

/** Each class makes two of the one before, in its fields and nowhere else. */
const CLASSES = Array.from({ length: 33 }, (_, i) => `class C${i + 1} { a = new C${i}; b = [new C${i}].length }`).join(
  "\n",
);

const LOOPS: readonly Escape[] = [
  runs("fields that make objects with fields", "exhausted", `class C0 { a }\n${CLASSES}\nreturn new C33().b;`),
  runs("a pattern of nothing, often", "harmless", `return /(?:(?:(?:){20000}){20000}){20000}/.test("x");`),
  runs("the same, made while it runs", "harmless", `return new RegExp("(?:(?:(?:){19999}){19999}){19999}").test("x");`),
  runs("for", "exhausted", `for (;;);`),
  runs(
    "holes in a pattern",
    "exhausted",
    `const s = "x".repeat(200000);\nfor (;;) { const [${",".repeat(15_000)}] = s; }`,
  ),
  runs("while", "exhausted", `while (true) {}`),
  runs("do", "exhausted", `do {} while (1);`),
  runs("continue to a label", "exhausted", `outer: for (;;) { for (;;) continue outer; }`),
  runs("for of over a list that grows", "exhausted", `const a = [1];\nfor (const x of a) a.push(x);`),
  runs(
    "for of over a Set that grows",
    "exhausted",
    `const s = new Set([0]);\nfor (const x of s) { s.delete(x); s.add(x + 1); }`,
  ),
  runs("Map.forEach that grows", "exhausted", `const m = new Map([[0, 0]]);\nm.forEach((v, k) => m.set(k + 1, v));`),
  runs("a pattern as a result", "threw", `return /a/g;`),
  runs("recursion", "exhausted", `const f = (n) => f(n + 1) + 1;\nreturn f(0);`),
  runs(
    "mutual recursion that catches",
    "exhausted",
    `const a = () => { try { b(); } catch { b(); } }, b = () => { try { a(); } catch { a(); } };\na();`,
  ),
  runs("recursion by toString", "exhausted", `const o = { toString: () => "" + o };\nreturn String(o);`),
  runs("recursion by valueOf", "exhausted", `const o = { valueOf: () => o + 1 };\nreturn o * 2;`),
  runs("recursion by toJSON", "exhausted", `const o = { toJSON: () => JSON.stringify(o) };\nreturn JSON.stringify(o);`),
  runs("recursion by replace", "exhausted", `const f = () => "a".replace("a", f);\nreturn f();`),
  runs("recursion by sort", "exhausted", `const f = () => [1, 2].sort(f);\nreturn f();`),
  runs(
    "exponential recursion",
    "exhausted",
    `const f = (n) => (n < 2 ? 1 : f(n - 1) + f(n - 2) + f(n - 3));\nreturn f(60);`,
  ),
  runs("catching the end of the budget", "exhausted", `for (;;) { try { for (;;); } catch { } }`),
  runs("finally against the end of the budget", "exhausted", `for (;;) { try { for (;;); } finally { continue; } }`),
  runs("returning from finally", "exhausted", `try { for (;;); } finally { return "leaked"; }`),
  runs("throwing and catching", "exhausted", `for (;;) { try { null.x; } catch { } }`),
  runs(
    "a comparison that never agrees",
    "harmless",
    `return Array.from({ length: 1000 }, (_, i) => i).sort(() => Math.random() - 0.5).length;`,
  ),
  runs(
    "sorting a million",
    "exhausted",
    `const a = Array.from({ length: 1000000 }, () => Math.random());\nfor (;;) a.sort();`,
  ),
  runs(
    "nested loops",
    "exhausted",
    `let n = 0;\nfor (let i = 0; i < 1e6; i++) for (let j = 0; j < 1e6; j++) n ^= j;\nreturn n;`,
  ),
  runs("a length that is a lie", "exhausted", `return Array.from({ length: 1e9 }, () => 0).length;`),
  runs("apply with a length that is a lie", "exhausted", `return Math.max.apply(null, { length: 134217728 });`),
  runs("a sparse list", "exhausted", `const a = [];\na[4294967294] = 1;\nreturn a.indexOf(2);`),
  runs("a set length", "exhausted", `const a = [];\na.length = 4294967295;\nreturn a.map((x) => x);`),
  runs("a length set with brackets", "exhausted", `const a = [];\na["len" + "gth"] = 4294967295;\na.forEach(() => 1);`),
  runs("a length by assign", "exhausted", `const a = Object.assign([], { length: 4e9 });\nreturn a.join("x").length;`),
  runs(
    "comparing long texts",
    "exhausted",
    `const a = "a".repeat(200000), b = "a".repeat(199999) + "a";\nlet n = 0;\nfor (;;) if (a === b) n++;`,
  ),
  runs("long texts as numbers", "exhausted", `const s = "1".repeat(200000);\nlet n = 0;\nfor (;;) n += s - 1;`),
  runs("long texts as names", "exhausted", `const o = {};\nfor (let i = 0; ; i++) o["x".repeat(100000) + i];`),
  runs(
    "looking for long texts",
    "exhausted",
    `const s = "a".repeat(200000), t = "b" + "a".repeat(99999);\nfor (;;) s.indexOf(t);`,
  ),
  runs("integers that collide", "exhausted", `const m = new Map();\nfor (let i = 0; ; i++) m.set(i * 1048576, i);`),
  runs(
    "switch over long texts",
    "exhausted",
    `const a = "a".repeat(200000), b = "a".repeat(199999) + "a";\nfor (;;) switch (a) { case b + "": break; }`,
  ),
];

const PATTERNS: readonly Escape[] = [
  runs("(a+)+", "exhausted", `return /^(a+)+$/.test("a".repeat(50) + "b");`),
  runs("(a|a)*", "exhausted", `return /^(a|a)*$/.test("a".repeat(50) + "b");`),
  runs("(a|aa)+", "exhausted", `return /^(a|aa)+$/.test("a".repeat(100) + "b");`),
  runs("(.*)*", "exhausted", `return /^(.*)*x$/s.test("a".repeat(40));`),
  runs(
    "many optional ones",
    "exhausted",
    `return new RegExp("^" + "a?".repeat(40) + "a".repeat(40) + "$").test("a".repeat(39));`,
  ),
  runs("polynomial", "exhausted", `return /^\\s*\\s*\\s*\\s*x/.test(" ".repeat(20000));`),
  runs("backreference", "exhausted", `return /^(.*)(.*)(.*)\\1\\2\\3x$/.test("a".repeat(2000));`),
  runs("look-ahead", "exhausted", `return /^(?=(a+)+b)a/.test("a".repeat(40));`),
  runs("a pattern given as a text", "exhausted", `return "a".repeat(50).match("^(a+)+b$");`),
  runs("split by a bad one", "exhausted", `return ("a".repeat(50) + "b").split(/(a+)+c/).length;`),
  runs("a counted one", "exhausted", `return /^(a{1,100}){1,100}$/.test("a".repeat(9000) + "b");`),
  runs("a large one", "exhausted", `return new RegExp("(a{1000}){1000}").test("a");`),
  runs(
    "many different ones",
    "exhausted",
    `for (let i = 0; ; i++) new RegExp("a" + i + "[b-z]".repeat(300), "i").test("x");`,
  ),
  runs("deep parentheses", "threw", `return new RegExp("(".repeat(990) + "a" + ")".repeat(989)).test("a");`),
];

const RESULTS: readonly Escape[] = [
  runs("a giant text", "too_large", `return "x".repeat(70000);`),
  runs("a giant list", "too_large", `return new Array(50000).fill(0);`),
  runs(
    "a giant list of the same",
    "too_large",
    `const row = new Array(1000).fill("xxxxxxxxxx");\nreturn new Array(1000).fill(row);`,
  ),
  runs("a net", "too_large", `let a = ["x"];\nfor (let i = 0; i < 40; i++) a = [a, a];\nreturn a;`),
  runs("a giant in Chinese", "too_large", `return "中".repeat(30000);`),
  runs("itself", "threw", `const a = [];\na.push(a);\nreturn a;`),
  runs("very deep", "threw", `let a = [];\nfor (let i = 0; i < 10000; i++) a = [a];\nreturn a;`),
  runs("nothing", "threw", `const x = 1;`),
  runs("a function", "threw", `return () => 1;`),
  runs("a function inside", "threw", `return { a: [() => 1] };`),
  runs("NaN", "threw", `return { mean: 0 / 0 };`),
  runs("a Map", "threw", `return new Map();`),
  runs("a built-in", "harmless", `return Math;`),
  runs("an error", "threw", `return new Error("x");`),
  runs("throwing nothing", "threw", `throw undefined;`),
  runs("throwing an object that fights back", "exhausted", `throw { get: 1, message: { toString() { for (;;); } } };`),
  runs(
    "throwing an error with a changed name",
    "threw",
    `const e = new Error("x");\ne.name = { toString() { throw 1; } };\nthrow e;`,
  ),
  runs("throwing a giant", "threw", `throw new Error("x".repeat(200000));`),
  runs(
    "a result that pretends to be an outcome",
    "harmless",
    `return { kind: "failed", reason: "threw", message: "x" };`,
  ),
  runs("toJSON that runs for ever", "threw", `return { toJSON() { for (;;); } };`),
];

const ASYNC: readonly Escape[] = [
  refused("an async function", /async/, `(async () => { for (;;) await null; })();\nreturn "begun";`),
  refused(
    "await for ever afterwards",
    /async/,
    `const f = async () => { await null; for (;;); };\nf();\nreturn "begun";`,
  ),
  refused(
    "a generator without end",
    /a generator/,
    `const g = function* () { for (;;) yield 1; };\nreturn [...g()].length;`,
    "exhausted",
  ),
  refused(
    "then without end",
    /async/,
    `const f = async () => {};\nconst again = () => f().then(again);\nagain();\nreturn "begun";`,
  ),
  refused("a thenable", /async/, `const t = { then(r) { r(t); } };\n(async () => { await t; })();\nreturn "begun";`),
  refused("for await", /await|async/, `(async () => { for await (const x of [1]) x; })();\nreturn "begun";`),
];

export const LASTING: readonly Escape[] = [...LOOPS, ...PATTERNS, ...RESULTS, ...ASYNC];
