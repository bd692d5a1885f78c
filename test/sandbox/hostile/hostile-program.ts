// Random hostile programs of known tricks, reproducible by their seed. Each returns what it reached, with entries
// that begin with "leaked", or how it failed.

import { createRandom, type RandomSource } from "../plain/random.ts";
import { createResourceBomb } from "./resource-bombs.ts";
import { createNameExpression, createValueExpression } from "./value-expressions.ts";

/** A value that a program finds if it escapes. The host has it, the isolate must not. */
export const CANARY = "canary_5f3b";

const GLOBALS = `fetch process env LOADER ${CANARY} navigator setTimeout WebAssembly Function eval globalThis self caches crypto`;
const BUILT_IN =
  "Math JSON Intl console Object Array String Number Boolean BigInt Date Map Set RegExp Error TypeError parseInt btoa";

/** Inspects a reached value, tries to create code from it, and marks it. */
const PRELUDE = `const found = [];
let looks = 0;
const leak = (what) => { if (found.length < 20) found.push("leaked " + what); };
const C = ["const", "ructor"].join(""), P = ["__pro", "to__"].join(""), T = "proto" + "type";
const attempt = (work) => { try { return work(); } catch (e) { return e; } };
const hosts = "${GLOBALS}".split(" ");
const paths = ["isolate.js", "tool.js", "main.js", "$" + "g_", "file:", "/work/", "/tmp/", "${CANARY}", "[native"];
const read = (t) => { for (const p of paths) if (t.length < 1000 && t.includes(p)) leak("text: " + t.slice(0, 200)); };
const made = (F) => attempt(() => {
  for (const code of ["return 6*7", "6*7"]) {
    const f = F(code);
    if (f === 42 || (typeof f === "function" && f() === 42)) leak("code from " + typeof F);
  }
});
const see = (v) => {
  if (v === null || v === undefined || looks++ > 300) return v;
  if (typeof v === "string") read(v);
  if (typeof v !== "object" && typeof v !== "function") return v;
  for (const h of hosts) attempt(() => { if (v[h] !== undefined) leak("host " + h); });
  if (typeof v === "function") { made(v); attempt(() => read(String(v))); }
  for (const n of [C, P, T]) attempt(() => { const w = v[n]; if (typeof w === "function") made(w); mark(w); });
  mark(v);
  return v;
};
const mark = (v) => {
  if (typeof v !== "object" && typeof v !== "function") return;
  attempt(() => { v.mark = 1; });
  attempt(() => { v["ma" + "rk"] = 1; });
  attempt(() => Object.assign(v, { mark: 1, toString: see, valueOf: see }));
};
const builtIns = [${BUILT_IN.split(" ").join(", ")}];
const clean = (when) => {
  const fresh = [{}, [], "", 1, 1n, true, () => 1, new Date(0), new Map(), new Set(), /a/, new Error("x"), [].values(), class {}];
  for (const v of [...fresh, ...builtIns]) if (v.mark !== undefined) leak("mark " + when + " on " + typeof v);
  if ([3, 1, 2].sort().map((x) => x * 2).join() !== "2,4,6" || "ab".toUpperCase() !== "AB" || Math.max(1, 2) !== 2) leak("broken " + when);
};
clean("before");
`;

export type HostileProgram = { readonly seed: number; readonly code: string };

export function createHostileProgram(seed: number): HostileProgram {
  const random = createRandom(seed);
  const lines = Array.from({ length: 1 + random.int(6) }, () => createAttack(random));
  // Most programs try to reach the host; the others use its time and memory.
  if (random.int(4) === 0) lines.splice(random.int(lines.length + 1), 0, createResourceBomb(random));
  const body = lines.map((line) => `attempt(() => { ${line} });`).join("\n");
  return { seed, code: `function run(given) {\n${PRELUDE}${body}\nclean("after");\nreturn found;\n}` };
}

function createAttack(random: RandomSource): string {
  const v = (): string => createValueExpression(random, 1 + random.int(3));
  const name = (): string => createNameExpression(random);
  switch (random.int(20)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return `see(${v()});`;
    case 4:
      return `const v = ${v()}; for (const n of Object.keys(v ?? {})) see(v[n]);`;
    case 5:
      return `const o = {}; o[${name()}] = ${v()}; see(o); see(o[${name()}]);`;
    case 6:
      return `see(Object.fromEntries([[${name()}, ${v()}], [P, { mark: 1 }]]));`;
    case 7:
      return `const merge = (a, b) => { for (const k in b) { if (typeof b[k] === "object") merge(a[k] ?? (a[k] = {}), b[k]); else a[k] = b[k]; } return a; };
see(merge({}, JSON.parse('{"__proto__":{"mark":1},"const' + 'ructor":{"proto' + 'type":{"mark":1}}}')));`;
    case 8:
      return `let n = 0; const k = { toString: () => (n++ % 2 ? "x" : ${name()}) }; const v = ${v()}; see(v[k]); see(v[k]);`;
    case 9:
      return `[3, 1, 2, ${v()}].${random.pick(["sort", "map", "find", "reduce", "forEach", "flatMap", "toSorted", "findLast"])}(function (...all) { see(this); all.forEach(see); return ${random.pick(["0", "-1", "NaN", "all", "{}", "this"])}; });`;
    case 10:
      return `see("a1b2c3".replace(${random.pick(["/(?<x>[a-c])(\\d)/g", "/x*/g", "'a'", "/$/"])}, function (...all) { see(this); all.forEach(see); return ${v()}; }));`;
    case 11:
      return `see(JSON.parse('{"a":[1,{"__proto__":{"mark":1}}],"b":{"x":1}}', function (k, w) { see(this); see(w); ${random.pick(["this.mark = 1;", "delete this[k];", "this.length = 5;", "this[k + 1] = w;", ""])} return ${random.pick(["w", "this", v(), "undefined"])}; }));`;
    case 12:
      return `see(JSON.stringify({ a: ${v()}, toJSON(k) { see(this); see(k); return ${random.pick(["{ ...this, toJSON: 0 }", v(), "[this, k]", "1n"])}; } }, ${random.pick(["null", "function (k, w) { see(this); return see(w); }", "['a']", "[{ toString: () => C }]"])}, ${random.pick(["0", "99", "'\\u0000'", "{}"])}));`;
    case 13:
      return `const { ${random.pick(["length", "name", "mark", "x"])}: a = ${v()}, [${name()}]: b = ${v()}, ...rest } = ${v()}; see(a); see(b); see(rest);`;
    case 14:
      return `class A { [${name()}] = ${v()}; #p = ${v()}; m() { see(this); see(this.#p); return this; } static s = ${v()}; static [${name()}]() { return see(this); } } see(new A().m()); see(A); see(A.s);`;
    case 15:
      return `const o = { a: ${v()}, valueOf() { see(this); return ${random.pick(["1", "{}", "'1'", "1n"])}; }, toString() { see(this); return ${name()}; } }; see(${random.pick(["o + o", "`${o}`", "[][o]", "o < 1", "[o].join()", "Number(o)", "new Date(o)", "o in {}", "Math.max(o)", "'x'.repeat(o)", "[1, 2].at(o)", "'abc'.split(o)", "new Intl.NumberFormat(o)", "parseInt(o)", "new RegExp(o, o)", "isNaN(o)", "BigInt(o)"])});`;
    case 16:
      return `see(attempt(() => { ${random.pick(["null.x", "undefined()", "x", "1n + 1", "new Array(-1)", "(1).toFixed(999)", "'x'.repeat(-1)", "JSON.parse('{')", "new RegExp('(')", "decodeURIComponent('%')", "[].reduce(see)", "({})()", "Object[C]()", "new Date(NaN).toISOString()", "[...1]", "const { y } = null", "Symbol()", "given.x.y", "new (class { #a; m(o) { return o.#a; } })().m({})", "BigInt(1.5)", "Object.freeze([1]).push(2)", "let q = q", "new 5", "(() => {}).call.call(1)", "''.normalize('x')", "new Intl.NumberFormat('x y')", "throw { stack: 1 }", "[].at.call(null)", "Map()", "({}) in 1", "1 in 1", "({}) instanceof 1"])}; })); const e = attempt(() => { ${v()}(); null.x; }); for (const n of ["st" + "ack", "message", "cause", "name", "file" + "Name", C, P]) see(e[n]); read(\`\${e}\`);`;
    case 17:
      return `out: for (const x of ${random.pick(["[1, 2, 3]", "'abc'", "new Map([[1, 2]])", "new Set([1])", "[].entries()", v()])}) { see(x); for (const y in ${v()}) { see(y); if (y) continue out; break out; } }`;
    case 18:
      return createRejectedCode(random, v, name);
    default:
      return `const f = function (...all) { all.forEach(see); return this; }; see(f.${random.pick(["call", "apply"])}(${v()}, [${v()}])); see(((a, b = ${v()}, ...r) => [a, b, r])(...${random.pick(["[1]", "'ab'", "new Set([1])", v()])}));`;
  }
}

/** Code that the check rejects: the guards and the isolate must hold without the check. */
function createRejectedCode(random: RandomSource, v: () => string, name: () => string): string {
  return random.pick([
    `const p = new Proxy({}, { get: (t, k) => see(k) }); see(p.x); see(p + "");`,
    `see(Reflect.construct(${v()}, [], ${v()}));`,
    `see(Symbol); const o = { [Symbol.toPrimitive]: see, [Symbol.iterator]: see }; see(o + 1); see([...o]);`,
    `const tag = (s, ...x) => { see(s); see(s.raw); mark(s); mark(s.raw); return x; }; see(tag\`a\${${v()}}b\`);`,
    `const o = { get [${name()}]() { return see(this); }, set x(y) { see(y); } }; see(o.x); o.x = ${v()}; see(o[${name()}]);`,
    `class A extends ${random.pick(["Array", "Object", "Map", "Error", "Date", "RegExp", "(() => 1)[C]"])} { m() { return see(super.constructor); } } see(new A(1).m()); see(new A(3).map?.(see));`,
    `function* g() { see(this); see(yield ${v()}); } const it = g(); see(it.next()); see(it[C]); see(it[P]); see(g[C]); see(g[T]);`,
    `const f = async () => ${v()}; see(f[C]); see(f()[C]); see(f().then(see)); see(f()[P]);`,
    `(function () { see(this); see(arguments); see(arguments.callee); see(arguments[C]); })(${v()});`,
    `see(eval); see(globalThis); see(this); see(new.target);`,
    `import("node:fs").then(see); see(import("cloudflare:sockets")); see(import.meta);`,
    `with (${v()}) { see(fetch); }`,
    `see(Object.getOwnPropertyDescriptor(${v()}, ${name()})); see(Object.getPrototypeOf(${v()}));`,
    `[].${random.pick(["concat", "map", "filter", "slice", "splice", "flat"])}.call({ [C]: { [Symbol.species]: see }, length: 2 }, see);`,
    `see(new Error("x", { cause: ${v()} }).stack); Error.prepareStackTrace = (e, s) => { see(s); see(s[0]); leak("frames"); return s; }; Error.stackTraceLimit = 99; see(attempt(() => null.x).stack);`,
    `structuredClone(${v()}); see(new WeakMap()); see(new Uint8Array(9).buffer[C]); see(queueMicrotask);`,
  ]);
}
