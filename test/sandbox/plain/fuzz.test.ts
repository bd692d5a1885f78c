// Programs put together at random, the same ones each time. SANDBOX_FUZZ=5000 asks for more of them.

import { expect, test } from "vitest";
import { checkProgram, type SandboxProgram } from "../../../src/sandbox/check-program.ts";
import type { SandboxOutcome } from "../../../src/sandbox/sandbox.ts";
import { hurried, HURRY } from "../hurried.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { random, type Random } from "./random.ts";
import { fresh } from "./vm.ts";

const GIVEN = process.env["SANDBOX_FUZZ"];
const TURNS = Number(GIVEN ?? 40);
const MOST_MS = 2_000;
const MOST_MB = 256;
const TIMEOUT_MS = 60_000 + 1_000 * TURNS;

const NAMES = ["a", "b", "c", "o", "s", "l", "m"];
const START = `let a = 3, b = -1.5, c = 10n, o = { x: 1, "y z": [1, 2], n: null }, s = "hé中llo", l = [3, 1, 2, "k"], m = new Map([["k", 1]]);\n`;

/** An expression without an end that is far away. */
function expression(from: Random, depth: number): string {
  const inner = (): string => expression(from, depth - 1);
  if (depth <= 0)
    return from
      .pick([
        ...NAMES,
        "0",
        "1",
        "2",
        "-3",
        "0.5",
        "NaN",
        "true",
        "null",
        "undefined",
        "''",
        "'x'",
        "5n",
        "[]",
        "{}",
        "'k'",
      ])
      .replace("{}", "({})");
  switch (from.int(22)) {
    case 0:
    case 1:
    case 2:
      return `(${inner()} ${from.pick(["+", "-", "*", "%", "/", "**", "<<", ">>", ">>>", "&", "|", "^"])} ${inner()})`.replace(
        /\((-[^ ]*) \*\*/,
        "(($1) **",
      );
    case 3:
    case 4:
      return `(${inner()} ${from.pick(["<", ">", "<=", ">=", "==", "!=", "===", "!=="])} ${inner()})`;
    case 5:
      return `(${inner()} ${from.pick(["&&", "||"])} ${inner()})`;
    case 6:
      return `(${inner()} ? ${inner()} : ${inner()})`;
    case 7:
      return `${from.pick(["-", "+", "~", "!", "typeof ", "void "])}(${inner()})`;
    case 8:
      return `[${inner()}, ...${from.pick(["l", "s", "[...m.keys()]"])}, ${inner()}]`;
    case 9:
      return `({ x: ${inner()}, [${inner()}]: ${inner()}, ...o })`;
    case 10:
      return `(${from.pick(["a", "b", "o.x", "o['x']", "l[0]", "l[a]", "o[s]", "s"])} ${from.pick(["+=", "-=", "=", "??=", "||=", "&&="])} ${inner()})`;
    case 11:
      return from.pick(["a++", "--b", "o.x++", "++l[1]", "l[a]--", "o['n']++", "c++"]);
    case 12:
      return `${from.pick(["o", "l", "s", "m", "a"])}?.[${inner()}]`;
    case 13:
      return "`${" + inner() + "}-${" + inner() + "}`";
    case 14:
      return `(${inner()} in o)`;
    case 15:
      return `s.${from.pick(["slice", "at", "charCodeAt", "padEnd", "repeat", "indexOf", "split", "includes", "replace", "concat"])}(${inner()})`;
    case 16:
      return `l.${from.pick(["slice", "indexOf", "at", "join", "concat", "includes", "push", "flat", "fill"])}(${inner()})`;
    case 17:
      return `l.${from.pick(["map", "filter", "some", "find", "flatMap", "toSorted", "forEach"])}((p, q) => ${inner()})`;
    case 18:
      return `${from.pick(["Math.max", "Math.floor", "Number", "String", "parseInt", "Boolean", "Array.isArray", "Object.keys", "JSON.stringify", "isNaN", "BigInt", "Array.of", "Object.entries"])}(${inner()})`;
    case 19:
      return `((x, y = ${inner()}, ...r) => [x, y, r])(${inner()}, ${inner()})`;
    case 20:
      return `(([h, ...t]) => [h, t])(${from.pick(["l", "s", "[...m]", "[a, b]"])})`;
    default:
      return `(() => { try { return ${inner()}; } catch (e) { return e.name; } finally { a = 1; } })()`;
  }
}

/** The value as text, told apart as well as one can. */
const SHOW = `const show = (v, d = 0) => d > 6 ? "…" : typeof v === "string" ? JSON.stringify(v) : typeof v === "bigint" ? v + "n" : Array.isArray(v) ? "[" + Array.from(v, (x) => show(x, d + 1)).join() + "]" : v instanceof Map ? "map" : v !== null && typeof v === "object" ? "{" + Object.keys(v).map((k) => k + ":" + show(v[k], d + 1)).join() + "}" : typeof v === "function" ? "function" : Object.is(v, -0) ? "-0" : String(v);\n`;

/** One for all of them: nothing may stay in it from one to the next. */
const isolate = fresh();

function guarded(program: string): string {
  const verdict = checkProgram(program, []);
  if (!verdict.ok) return `refused: ${verdict.issues[0]?.message}`;
  const outcome = JSON.parse(isolate(verdict.program.module, "{}")) as SandboxOutcome;
  return outcome.kind === "returned" ? String(outcome.value) : `${outcome.reason}: ${outcome.message}`;
}

function native(program: string): string {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- the same program without any guard
    const run = new Function(`"use strict";${program}`) as () => unknown;
    return String(run());
  } catch (thrown) {
    return `native: ${(thrown as Error).name}`;
  }
}

test("what is computed is what the language says", { timeout: TIMEOUT_MS }, () => {
  const from = random(2_026);
  for (let turn = 0; turn < 5 * TURNS; turn += 1) {
    const program = `${START}${SHOW}let r; try { r = ${expression(from, 3)}; } catch (e) { r = e.name; }\nreturn show([r, a, b, o, s, l]);`;
    const theirs = native(program);
    const ours = guarded(program);
    if (/^(?:exhausted|too_large)/.test(ours) || theirs.startsWith("native: SyntaxError")) continue;
    expect(ours, program).toBe(theirs);
  }
});

/** A statement that may well have no end, or want all memory there is. */
function statement(from: Random, depth: number): string {
  const inner = (): string => statement(from, depth - 1);
  const value = (): string => expression(from, 2);
  switch (depth <= 0 ? 9 + from.int(5) : from.int(14)) {
    case 0:
      return `for (let i = 0; i < ${from.pick(["5", "1e4", "1e9", "l.length"])}; i++) { ${inner()} }`;
    case 1:
      return `while (${value()}) { ${inner()} ${inner()} }`;
    case 2:
      return `for (const v of ${from.pick(["l", "s", "m", "new Set(l)"])}) { ${inner()} l.push(v); }`;
    case 3:
      return `try { ${inner()} } catch { ${inner()} } finally { ${inner()} }`;
    case 4:
      return `const f = (n) => { ${inner()} return n > 0 ? f(n - 1) + f(n - 2) : ${value()}; }; f(${from.pick(["3", "25", "1e9"])});`;
    case 5:
      return `do { ${inner()} } while (${value()});`;
    case 6:
      return `for (const k in o) { ${inner()} o[k + a++] = ${value()}; }`;
    case 7:
      return `if (${value()}) { ${inner()} } else { ${inner()} }`;
    case 8:
      return `switch (${value()}) { case 1: ${inner()} default: ${inner()} }`;
    case 9:
      return from.pick([
        "s += s;",
        "s = s.repeat(9);",
        "s = s.padEnd(a * 1e5);",
        "s = s.replace(/(.*)+x/g, '$&$&');",
        "s = s.split('').join(s);",
      ]);
    case 10:
      return from.pick([
        "l = [l, l];",
        "l = [...l, ...l];",
        "l = l.concat(l);",
        "l.length = a * 1e6;",
        "l[a * 1e5] = l;",
        "l = l.flatMap((x) => [x, x]);",
        "l.sort(() => a++ % 3 - 1);",
      ]);
    case 11:
      return from.pick(["c = c * c;", "c <<= c;", "c **= 3n;", "a = a ** 2;", "b = s - 1;"]);
    case 12:
      return from.pick([
        "o = { o, l, s };",
        "m.set(s, l);",
        "s = JSON.stringify(o);",
        "o = JSON.parse(JSON.stringify([o, l]));",
        "l = Array.from({ length: a * 1e5 }, () => o);",
      ]);
    default:
      return `${value()};`;
  }
}

test(
  "whatever they try, they end soon, answer and leave nothing large behind",
  { timeout: TIMEOUT_MS, retry: 1 },
  () => {
    const from = random(1_121);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const program = `${START}${statement(from, 3)}\n${statement(from, 3)}\nreturn [a, s, l];`;
      const verdict = checkProgram(program, []);
      if (!verdict.ok) continue;
      const cost = (program: SandboxProgram): number => {
        const before = process.memoryUsage().rss;
        const began = cpuMs();
        const outcome = JSON.parse(fresh()(program.module, "{}")) as SandboxOutcome;
        expect(cpuMs() - began, program.source).toBeLessThan(MOST_MS);
        expect(["returned", "failed"]).toContain(outcome.kind);
        return (process.memoryUsage().rss - before) / 1_048_576;
      };
      // Who asks for more of them gets them with all their steps; else where a part of them costs more than that part.
      if (GIVEN === undefined && cost(hurried(verdict.program)) < MOST_MB / HURRY) continue;
      expect(cost(verdict.program), program).toBeLessThan(MOST_MB);
    }
  },
);
