// Programs that allocate without limit.

import { COPYING } from "./copying.ts";
import { createAccepted, type EscapeProgram } from "./escape-program.ts";

/** Long literals. */
const NAMES = Array.from({ length: 1_500 }, (_, i) => `a${i.toString(36)}`);
const writeNames = (count: number, write: (name: string) => string): string =>
  NAMES.slice(0, count).map(write).join("");
const OBJECTS = `[${"{},".repeat(4_000)}]`;

const WRITTEN_OUT: readonly EscapeProgram[] = [
  createAccepted(
    "the head of a loop that never iterates",
    "exhausted",
    `let o;\nfor (;;) for (const x of ((o = { o, p: ${OBJECTS} }), []));`,
  ),
  createAccepted(
    "the condition of a loop that never iterates",
    "exhausted",
    `let o;\nfor (;;) while (!(o = { o, p: ${OBJECTS} }));`,
  ),
  createAccepted(
    "default values of missing arguments",
    "exhausted",
    `let o;\nconst f = (a = (o = { o, p: ${OBJECTS} }), b = a.none.x) => b;\nfor (;;) { try { f(); } finally { continue; } }`,
  ),
  createAccepted(
    "a name in a pattern of arguments",
    "exhausted",
    `let o;\nconst f = ({ [((o = { o, p: ${OBJECTS} }), "a")]: a, b = a.none.x }) => b;\nfor (;;) { try { f({}); } finally { continue; } }`,
  ),
  createAccepted(
    "variables that a function keeps",
    "exhausted",
    `const kept = [];\nconst f = () => { let ${NAMES.join()}; return () => [${NAMES.join()}]; };\nfor (;;) kept.push(f());`,
  ),
  createAccepted(
    "members added one by one",
    "exhausted",
    `const kept = [];\nfor (;;) { const o = {}; ${writeNames(95, (name) => `o.${name}=1;`)} kept.push(o); }`,
  ),
  createAccepted(
    "members added to an object without a prototype",
    "exhausted",
    `const kept = [];\nfor (;;) { const o = Object.create(null); ${writeNames(95, (name) => `o.${name}=1;`)} kept.push(o); }`,
  ),
  createAccepted(
    "very many members added one by one",
    "exhausted",
    `const kept = [];\nfor (;;) { const o = {}; ${writeNames(1_500, (name) => `o.${name}=1;`)} kept.push(o); }`,
  ),
  createAccepted(
    "very many members of a literal",
    "exhausted",
    `const kept = [];\nfor (;;) kept.push({ ${writeNames(1_500, (name) => `${name}:1,`)} });`,
  ),
  createAccepted(
    "members of which one is deleted",
    "exhausted",
    `const kept = [];\nfor (;;) { const o = { ${writeNames(95, (name) => `${name}:1,`)} }; delete o.a1; kept.push(o); }`,
  ),
  createAccepted(
    "very many arguments",
    "exhausted",
    `const kept = [], f = (...all) => kept.push(all);\nfor (;;) f(${"0,".repeat(7_500)});`,
  ),
  createAccepted(
    "new of new functions",
    "exhausted",
    `const kept = [];\nfor (;;) { const f = function () {}; kept.push(new f()); }`,
  ),
];

export const GROWING: readonly EscapeProgram[] = [
  ...COPYING,
  ...WRITTEN_OUT,
  createAccepted("doubling a text", "exhausted", `let s = "x";\nfor (;;) s += s;`),
  createAccepted("repeat", "exhausted", `return "x".repeat(2 ** 29);`),
  createAccepted("padStart", "exhausted", `return "x".padStart(1e9, "ab");`),
  createAccepted(
    "padEnd of many",
    "exhausted",
    `const a = [];\nfor (let i = 0; ; i++) a.push("".padEnd(200000, String(i)));`,
  ),
  createAccepted("join", "exhausted", `return new Array(1e6).fill("xxxxxxxxxx").join("yyyyyyyyyyyyyyyy");`),
  createAccepted(
    "join of lists in lists",
    "exhausted",
    `let a = "xxxxxxxxxx";\nfor (let i = 0; i < 40; i++) a = [a, a];\nreturn a.join();`,
  ),
  createAccepted(
    "replace with what was found",
    "exhausted",
    `return "a".repeat(100000).replaceAll("a", "$&$&$&$&$&$&$&$&");`,
  ),
  createAccepted("replace with what is around", "exhausted", "return 'a'.repeat(100000).replace(/a/g, \"$`$'\");"),
  createAccepted("concat of texts", "exhausted", `let s = "ab";\nfor (;;) s = s.concat(s, s);`),
  createAccepted("a template", "exhausted", "let s = 'ab';\nfor (;;) s = `${s}${s}${s}`;"),
  createAccepted("Array", "exhausted", `return new Array(2 ** 32 - 1).fill(0);`),
  createAccepted("lists of lists", "exhausted", `let a = [];\nfor (;;) a = [a, a, new Array(1000).fill(a)];`),
  createAccepted("push", "exhausted", `const a = [];\nfor (;;) a.push(a.length);`),
  createAccepted("push of spread", "exhausted", `const a = [1];\nfor (;;) a.push(...a);`),
  createAccepted("concat", "exhausted", `let a = [1];\nfor (;;) a = a.concat(a);`),
  createAccepted("spread", "exhausted", `let a = [1];\nfor (;;) a = [...a, ...a];`),
  createAccepted(
    "rest",
    "exhausted",
    `const big = new Array(1000000).fill(0);\nconst kept = [];\nfor (;;) { const [...copy] = big; kept.push(copy); }`,
  ),
  createAccepted(
    "rest of arguments",
    "exhausted",
    `const big = new Array(100000).fill(0);\nconst kept = [];\nconst f = (...all) => kept.push(all);\nfor (;;) f(...big);`,
  ),
  createAccepted(
    "flat",
    "exhausted",
    `let a = [1];\nfor (let i = 0; i < 40; i++) a = [a, a];\nreturn a.flat(Infinity).length;`,
  ),
  createAccepted("flat of itself", "exhausted", `const a = [1];\na.push(a);\nreturn a.flat(Infinity).length;`),
  createAccepted("flatMap", "exhausted", `let a = [1];\nfor (;;) a = a.flatMap((x) => [x, x]);`),
  createAccepted("splice", "exhausted", `const a = [1, 2];\nfor (;;) a.splice(0, 0, ...a);`),
  createAccepted(
    "slices",
    "exhausted",
    `const a = new Array(100000).fill(1), kept = [];\nfor (;;) kept.push(a.slice());`,
  ),
  createAccepted("split", "exhausted", `const s = "ab".repeat(100000), kept = [];\nfor (;;) kept.push(s.split(""));`),
  createAccepted(
    "sparse lists",
    "exhausted",
    `const kept = [];\nfor (;;) { const a = []; a[1000] = 1; kept.push(a); }`,
  ),
  createAccepted(
    "positions of objects",
    "exhausted",
    `const kept = [];\nfor (;;) { const o = {}; o[4999] = 1; kept.push(o); }`,
  ),
  createAccepted(
    "positions in literals",
    "exhausted",
    `const kept = [], n = 4999;\nfor (;;) kept.push({ [n]: 1 }, { 4998: 1 });`,
  ),
  createAccepted("objects", "exhausted", `let o = null;\nfor (;;) o = { o, p: [o] };`),
  createAccepted("names", "exhausted", `const o = {};\nfor (let i = 0; ; i++) o["k" + i] = i;`),
  createAccepted(
    "copies of an object",
    "exhausted",
    `let o = {};\nfor (let i = 0; i < 1000; i++) o["k" + i] = i;\nconst kept = [];\nfor (;;) kept.push({ ...o });`,
  ),
  createAccepted("closures", "exhausted", `const kept = [];\nfor (let i = 0; ; i++) kept.push(() => i);`),
  createAccepted("Map", "exhausted", `const m = new Map();\nfor (let i = 0; ; i++) m.set("k" + i, i);`),
  createAccepted("Set", "exhausted", `const s = new Set();\nfor (let i = 0; ; i++) s.add({});`),
  createAccepted("dates", "exhausted", `const kept = [];\nfor (;;) kept.push(new Date());`),
  createAccepted("errors", "exhausted", `const kept = [];\nfor (;;) kept.push(new Error("x".repeat(100)));`),
  createAccepted(
    "formats",
    "exhausted",
    `const kept = [];\nfor (let i = 0; ; i++) kept.push(new Intl.NumberFormat("en", { minimumFractionDigits: i % 90 }), new Intl.DateTimeFormat("de", { timeZone: i % 2 ? "UTC" : "Asia/Tokyo", weekday: i % 3 ? "long" : "short" }));`,
  ),
  createAccepted(
    "formats of the moon",
    "exhausted",
    `for (let i = 0; ; i++) new Date(i * 1e11).toLocaleDateString("zh-u-ca-chinese", { dateStyle: "full" });`,
  ),
  createAccepted("BigInt powers", "exhausted", `return String(9n ** 999999n).length;`),
  createAccepted("BigInt shifts", "exhausted", `return String(1n << 1073741823n).length;`),
  createAccepted("BigInt shifts backwards", "exhausted", `return String(1n >> -1073741823n).length;`),
  createAccepted("BigInt squares", "exhausted", `let n = 3n;\nfor (;;) n *= n;`),
  createAccepted("BigInt widths", "exhausted", `return String(BigInt.asUintN(1000000000, -1n)).length;`),
  createAccepted(
    "BigInt widths that are kept",
    "exhausted",
    `const kept = [];\nfor (;;) kept.push(BigInt.asUintN(65536, -1n));`,
  ),
  createAccepted("BigInt from a text", "exhausted", `return String(BigInt("9".repeat(250000))).length;`),
  createAccepted("BigInt growing by minus", "exhausted", `let n = 1n;\nfor (;;) n = n - -n;`),
  createAccepted(
    "JSON of a net",
    "exhausted",
    `let a = [1];\nfor (let i = 0; i < 40; i++) a = [a, a];\nreturn JSON.stringify(a).length;`,
  ),
  createAccepted(
    "JSON.parse",
    "exhausted",
    `const kept = [], s = "[" + "[],".repeat(80000) + "[]]";\nfor (;;) kept.push(JSON.parse(s));`,
  ),
  createAccepted("normalize", "exhausted", `const s = "\\uFDFA".repeat(200000);\nfor (;;) s.normalize("NFKD");`),
  createAccepted("upper case", "exhausted", `let s = "ß".repeat(200000);\nfor (;;) s = s.toUpperCase();`),
  createAccepted("encodeURIComponent", "exhausted", `return encodeURIComponent("é".repeat(250000)).length;`),
  createAccepted(
    "groupBy",
    "exhausted",
    `const a = new Array(1000000).fill(0), kept = [];\nfor (;;) kept.push(Object.groupBy(a, (_, i) => i));`,
  ),
  createAccepted(
    "combining characters out of order",
    "exhausted",
    `return ("a" + "\\u0315\\u0300\\u05ae".repeat(80000)).normalize("NFC").length;`,
  ),
  createAccepted(
    "combining characters out of order, compared",
    "exhausted",
    `const s = "\\u0315\\u0300\\u05ae".repeat(80000);\nreturn ("a" + s).localeCompare("b" + s + "x");`,
  ),
  createAccepted(
    "looking backwards",
    "exhausted",
    `const s = "a".repeat(260000), t = "a".repeat(10000) + "b";\nfor (;;) s.lastIndexOf(t);`,
  ),
  createAccepted("digits to format", "threw", `return new Intl.NumberFormat("en").format("9".repeat(250000)).length;`),
  createAccepted(
    "a list as a sentence",
    "exhausted",
    `return new Intl.ListFormat("en").format(Array(200000).fill("x".repeat(10)));`,
  ),
];
