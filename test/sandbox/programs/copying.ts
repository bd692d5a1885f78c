// Programs that make the engine copy long texts, which it puts off as long as it can, and keep the copies.

import { runs, type Escape } from "./escape.ts";

const LONG = 240_000;

/** Joins by `join` and reads by `read` for ever, and keeps the text, and what reading it answered. */
function copies(name: string, length: number, join: string, read: string): Escape {
  return runs(
    `copies of ${length} characters: ${name}`,
    "exhausted",
    `const first = "中".repeat(${length}), kept = [], o = {}, m = new Map(), all = new Set();
let s = first, i = 0;
for (;;) { i += 1; const t = ${join}; const r = ${read}; kept.push(t, r); }`,
  );
}

const ADDED = "s + i";
const tried = (code: string): string => `(() => { try { ${code} } catch (e) { return e.message; } })()`;

const JOINS: readonly (readonly [name: string, join: string])[] = [
  ["added in front", "i + s"],
  ["+=", "(() => { let u = s; u += i; return u; })()"],
  ["a template", "`${s}${i}`"],
  ["concat", "s.concat(i)"],
  ["join", '[s, i].join("")'],
  ["a list as a text", "String([s, i])"],
  ["padStart by a text", "s.padStart(s.length + 30, i + first)"],
  ["repeat", `(s.slice(0, ${LONG / 4}) + i).repeat(4)`],
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
  ["a position of what a call gives", "({ f: () => t })?.f()[0]"],
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
  ["what is looked for", "first.startsWith(t)"],
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
  ["the message of an error", tried("null[t];")],
  ["the message of a failed assignment", tried("t.x = 1;")],
];

export const COPYING: readonly Escape[] = [
  ...JOINS.map(([name, join]) => copies(`${name}, read`, LONG, join, "t[0]")),
  ...READS.map(([name, read]) => copies(`${name}`, LONG, ADDED, read)),
  ...[70, 1_000, 5_000, 40_000].map((length) => copies("joined and read", length, ADDED, "t[i % 9]")),
  copies("padStart of what was joined", 10_000, '(s + i).padStart(s.length + 20, "ab")', "t[9]"),
  runs(
    "copies of a growing text",
    "exhausted",
    `const kept = [];\nlet s = "中";\nfor (;;) { s = s + "x"; kept.push(s, s[s.length >> 1]); if (s.length > 200000) s = "中"; }`,
  ),
  runs(
    "parts of a text as names",
    "exhausted",
    `const s = "中".repeat(240000) + "x", kept = [], o = {};\nfor (let i = 0; ; i++) { const t = s.slice(i); kept.push(t, o[t]); }`,
  ),
  runs(
    "errors that hold each other as texts",
    "exhausted",
    `const e = new Error("x");\nfor (;;) { const t = String(e); e.name = t; e.message = t; }`,
  ),
  runs(
    "patterns as texts",
    "exhausted",
    `const p = new RegExp("中".repeat(1900)), kept = [[]];\nfor (;;) { const t = p.toString(); kept.push(t, t[7]); if (kept.length > 1e5) kept.splice(0, 1e5, kept.slice()); }`,
  ),
];
