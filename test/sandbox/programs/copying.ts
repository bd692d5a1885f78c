// Programs that make the engine copy long strings, which it delays as long as possible, and keep the copies.

import { createAccepted, type EscapeProgram } from "./escape-program.ts";

const LONG_LENGTH = 240_000;

/** Creates a program that joins by `join` and reads by `read` in a loop, and keeps all strings and results. */
function createCopyProgram(name: string, length: number, join: string, read: string): EscapeProgram {
  return createAccepted(
    `copies of ${length} characters: ${name}`,
    "exhausted",
    `const first = "中".repeat(${length}), kept = [], o = {}, m = new Map(), all = new Set();
let s = first, i = 0;
for (;;) { i += 1; const t = ${join}; const r = ${read}; kept.push(t, r); }`,
  );
}

const APPEND = "s + i";
const catchMessage = (code: string): string => `(() => { try { ${code} } catch (e) { return e.message; } })()`;

const JOINS: readonly (readonly [name: string, join: string])[] = [
  ["added in front", "i + s"],
  ["+=", "(() => { let u = s; u += i; return u; })()"],
  ["a template", "`${s}${i}`"],
  ["concat", "s.concat(i)"],
  ["join", '[s, i].join("")'],
  ["a list as a text", "String([s, i])"],
  ["padStart by a text", "s.padStart(s.length + 30, i + first)"],
  ["repeat", `(s.slice(0, ${LONG_LENGTH / 4}) + i).repeat(4)`],
  ["replace", 's.replace("中", i)'],
  ["replace by a pattern", "s.replace(/^./, (x) => x + i)"],
  ["JSON", "JSON.stringify([s, i])"],
  ["an error as a text", 'String(Object.assign(new Error(s), { name: "n" + i }))'],
  ["reduce", '[s, i].reduce((a, b) => a + b, "")'],
];

const READS: readonly (readonly [name: string, read: string])[] = [
  ["a position", "t[i]"],
  ["the first character", "t[0]"],
  ["a position as a text", 't["0"]'],
  ["a position at the end of a chain", "({ o: { t } })?.o.t[0]"],
  ["a position of a call result", "({ f: () => t })?.f()[0]"],
  ["for of", "(() => { for (const c of t) return c; })()"],
  ["a pattern", "(([c]) => c)(t)"],
  ["a pattern with a position", "(() => { const { 0: c } = t; return c; })()"],
  ["a pattern with a name", "(() => { let c; ({ [i]: c } = t); return c; })()"],
  ["at", "t.at(-1)"],
  ["charCodeAt", "t.charCodeAt(9)"],
  ["codePointAt", "t.codePointAt(9)"],
  ["a short slice", "t.slice(0, 20)"],
  ["indexOf", 't.indexOf("x")'],
  ["startsWith", 't.startsWith("x")'],
  ["a search text", "first.startsWith(t)"],
  ["a pattern of characters", "t.match(/^./)"],
  ["less than", "t < first"],
  ["as long", "t === s + (i + 1)"],
  ["switch", "(() => { switch (t) { case s + (i + 1): return 1; } })()"],
  ["a name", "o[t]"],
  ["in", "t in o"],
  ["a name in a literal", "Object.keys({ [t]: 1 })"],
  ["a key of a Map", "m.get(t)"],
  ["a Set", "all.add(t)"],
  ["JSON", "JSON.stringify(t).length"],
  ["names for JSON", "JSON.stringify(o, [t])"],
  ["a number", "Number(t)"],
  ["sort", "[t, first].sort().length"],
  ["a list that is searched", "[s + (i + 1)].includes(t)"],
  ["split", 't.split("x")'],
  ["localeCompare", "t.localeCompare(first)"],
  ["trim", "t.trim()"],
  ["the message of an error", catchMessage("null[t];")],
  ["the message of a failed assignment", catchMessage("t.x = 1;")],
];

export const COPYING: readonly EscapeProgram[] = [
  ...JOINS.map(([name, join]) => createCopyProgram(`${name}, read`, LONG_LENGTH, join, "t[0]")),
  ...READS.map(([name, read]) => createCopyProgram(`${name}`, LONG_LENGTH, APPEND, read)),
  ...[70, 1_000, 5_000, 40_000].map((length) => createCopyProgram("joined and read", length, APPEND, "t[i % 9]")),
  createCopyProgram("padStart of a joined text", 10_000, '(s + i).padStart(s.length + 20, "ab")', "t[9]"),
  createAccepted(
    "copies of a growing text",
    "exhausted",
    `const kept = [];\nlet s = "中";\nfor (;;) { s = s + "x"; kept.push(s, s[s.length >> 1]); if (s.length > 200000) s = "中"; }`,
  ),
  createAccepted(
    "parts of a text as names",
    "exhausted",
    `const s = "中".repeat(240000) + "x", kept = [], o = {};\nfor (let i = 0; ; i++) { const t = s.slice(i); kept.push(t, o[t]); }`,
  ),
  createAccepted(
    "errors that hold each other as texts",
    "exhausted",
    `const e = new Error("x");\nfor (;;) { const t = String(e); e.name = t; e.message = t; }`,
  ),
  createAccepted(
    "patterns as texts",
    "exhausted",
    `const p = new RegExp("中".repeat(1900)), kept = [[]];\nfor (;;) { const t = p.toString(); kept.push(t, t[7]); if (kept.length > 1e5) kept.splice(0, 1e5, kept.slice()); }`,
  ),
];
