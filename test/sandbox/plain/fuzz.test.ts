// Random programs with a fixed seed.

import { expect, test } from "vitest";
import { checkProgram, type SandboxProgram } from "../../../src/sandbox/check-program.ts";
import type { SandboxOutcome } from "../../../src/sandbox/sandbox.ts";
import { reduceSteps, STEP_DIVISOR } from "../reduce-steps.ts";
import { getCpuMs } from "../../support/cpu-time.ts";
import { createRandom, type RandomSource } from "./random.ts";
import { createIsolate } from "./run-in-vm.ts";
import { isLongRun, pickByLength } from "../../support/run-length.ts";

const TURNS = pickByLength(20, 5_000);
const MAX_MS = 2_000;
const MAX_MB = 256;
const TIMEOUT_MS = 60_000 + 1_000 * TURNS;

const NAMES = ["a", "b", "c", "o", "s", "l", "m"];
const START = `let a = 3, b = -1.5, c = 10n, o = { x: 1, "y z": [1, 2], n: null }, s = "hé中llo", l = [3, 1, 2, "k"], m = new Map([["k", 1]]);\n`;

/** Creates a random expression of bounded size. */
function createExpression(random: RandomSource, depth: number): string {
  const inner = (): string => createExpression(random, depth - 1);
  if (depth <= 0)
    return random
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
  switch (random.int(22)) {
    case 0:
    case 1:
    case 2:
      return `(${inner()} ${random.pick(["+", "-", "*", "%", "/", "**", "<<", ">>", ">>>", "&", "|", "^"])} ${inner()})`.replace(
        /\((-[^ ]*) \*\*/,
        "(($1) **",
      );
    case 3:
    case 4:
      return `(${inner()} ${random.pick(["<", ">", "<=", ">=", "==", "!=", "===", "!=="])} ${inner()})`;
    case 5:
      return `(${inner()} ${random.pick(["&&", "||"])} ${inner()})`;
    case 6:
      return `(${inner()} ? ${inner()} : ${inner()})`;
    case 7:
      return `${random.pick(["-", "+", "~", "!", "typeof ", "void "])}(${inner()})`;
    case 8:
      return `[${inner()}, ...${random.pick(["l", "s", "[...m.keys()]"])}, ${inner()}]`;
    case 9:
      return `({ x: ${inner()}, [${inner()}]: ${inner()}, ...o })`;
    case 10:
      return `(${random.pick(["a", "b", "o.x", "o['x']", "l[0]", "l[a]", "o[s]", "s"])} ${random.pick(["+=", "-=", "=", "??=", "||=", "&&="])} ${inner()})`;
    case 11:
      return random.pick(["a++", "--b", "o.x++", "++l[1]", "l[a]--", "o['n']++", "c++"]);
    case 12:
      return `${random.pick(["o", "l", "s", "m", "a"])}?.[${inner()}]`;
    case 13:
      return "`${" + inner() + "}-${" + inner() + "}`";
    case 14:
      return `(${inner()} in o)`;
    case 15:
      return `s.${random.pick(["slice", "at", "charCodeAt", "padEnd", "repeat", "indexOf", "split", "includes", "replace", "concat"])}(${inner()})`;
    case 16:
      return `l.${random.pick(["slice", "indexOf", "at", "join", "concat", "includes", "push", "flat", "fill"])}(${inner()})`;
    case 17:
      return `l.${random.pick(["map", "filter", "some", "find", "flatMap", "toSorted", "forEach"])}((p, q) => ${inner()})`;
    case 18:
      return `${random.pick(["Math.max", "Math.floor", "Number", "String", "parseInt", "Boolean", "Array.isArray", "Object.keys", "JSON.stringify", "isNaN", "BigInt", "Array.of", "Object.entries"])}(${inner()})`;
    case 19:
      return `((x, y = ${inner()}, ...r) => [x, y, r])(${inner()}, ${inner()})`;
    case 20:
      return `(([h, ...t]) => [h, t])(${random.pick(["l", "s", "[...m]", "[a, b]"])})`;
    default:
      return `(() => { try { return ${inner()}; } catch (e) { return e.name; } finally { a = 1; } })()`;
  }
}

/** Formats a value as text that distinguishes as many values as possible. */
const SHOW_SOURCE = `const show = (v, d = 0) => d > 6 ? "…" : typeof v === "string" ? JSON.stringify(v) : typeof v === "bigint" ? v + "n" : Array.isArray(v) ? "[" + Array.from(v, (x) => show(x, d + 1)).join() + "]" : v instanceof Map ? "map" : v !== null && typeof v === "object" ? "{" + Object.keys(v).map((k) => k + ":" + show(v[k], d + 1)).join() + "}" : typeof v === "function" ? "function" : Object.is(v, -0) ? "-0" : String(v);\n`;

/** One isolate for all programs: none of them may leave state in it. */
const isolate = createIsolate();

function runGuarded(program: string): string {
  const verdict = checkProgram(program, []);
  if (!verdict.ok) return `refused: ${verdict.issues[0]?.message}`;
  const outcome = JSON.parse(isolate(verdict.program.module, "{}")) as SandboxOutcome;
  return outcome.kind === "returned" ? String(outcome.value) : `${outcome.reason}: ${outcome.message}`;
}

function runNative(program: string): string {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- the same program without any guard
    const run = new Function(`"use strict";${program}`) as () => unknown;
    return String(run());
  } catch (thrown) {
    return `native: ${(thrown as Error).name}`;
  }
}

test("a random expression has its standard value", { timeout: TIMEOUT_MS }, () => {
  const random = createRandom(2_026);
  for (let turn = 0; turn < 5 * TURNS; turn += 1) {
    const program = `${START}${SHOW_SOURCE}let r; try { r = ${createExpression(random, 3)}; } catch (e) { r = e.name; }\nreturn show([r, a, b, o, s, l]);`;
    const expected = runNative(program);
    const actual = runGuarded(program);
    if (/^(?:exhausted|too_large)/.test(actual) || expected.startsWith("native: SyntaxError")) continue;
    expect(actual, program).toBe(expected);
  }
});

/** Creates a random statement that may run without end or allocate without limit. */
function createStatement(random: RandomSource, depth: number): string {
  const inner = (): string => createStatement(random, depth - 1);
  const value = (): string => createExpression(random, 2);
  switch (depth <= 0 ? 9 + random.int(5) : random.int(14)) {
    case 0:
      return `for (let i = 0; i < ${random.pick(["5", "1e4", "1e9", "l.length"])}; i++) { ${inner()} }`;
    case 1:
      return `while (${value()}) { ${inner()} ${inner()} }`;
    case 2:
      return `for (const v of ${random.pick(["l", "s", "m", "new Set(l)"])}) { ${inner()} l.push(v); }`;
    case 3:
      return `try { ${inner()} } catch { ${inner()} } finally { ${inner()} }`;
    case 4:
      return `const f = (n) => { ${inner()} return n > 0 ? f(n - 1) + f(n - 2) : ${value()}; }; f(${random.pick(["3", "25", "1e9"])});`;
    case 5:
      return `do { ${inner()} } while (${value()});`;
    case 6:
      return `for (const k in o) { ${inner()} o[k + a++] = ${value()}; }`;
    case 7:
      return `if (${value()}) { ${inner()} } else { ${inner()} }`;
    case 8:
      return `switch (${value()}) { case 1: ${inner()} default: ${inner()} }`;
    case 9:
      return random.pick([
        "s += s;",
        "s = s.repeat(9);",
        "s = s.padEnd(a * 1e5);",
        "s = s.replace(/(.*)+x/g, '$&$&');",
        "s = s.split('').join(s);",
      ]);
    case 10:
      return random.pick([
        "l = [l, l];",
        "l = [...l, ...l];",
        "l = l.concat(l);",
        "l.length = a * 1e6;",
        "l[a * 1e5] = l;",
        "l = l.flatMap((x) => [x, x]);",
        "l.sort(() => a++ % 3 - 1);",
      ]);
    case 11:
      return random.pick(["c = c * c;", "c <<= c;", "c **= 3n;", "a = a ** 2;", "b = s - 1;"]);
    case 12:
      return random.pick([
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

test("random statements end soon with an outcome and release their memory", { timeout: TIMEOUT_MS, retry: 1 }, () => {
  const random = createRandom(1_121);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const program = `${START}${createStatement(random, 3)}\n${createStatement(random, 3)}\nreturn [a, s, l];`;
    const verdict = checkProgram(program, []);
    if (!verdict.ok) continue;
    const measureMb = (program: SandboxProgram): number => {
      const before = process.memoryUsage().rss;
      const startedAt = getCpuMs();
      const outcome = JSON.parse(createIsolate()(program.module, "{}")) as SandboxOutcome;
      expect(getCpuMs() - startedAt, program.source).toBeLessThan(MAX_MS);
      expect(["returned", "failed"]).toContain(outcome.kind);
      return (process.memoryUsage().rss - before) / 1_048_576;
    };
    // A long run uses all steps; a short one only for those programs that exceed their part of the memory.
    if (!isLongRun && measureMb(reduceSteps(verdict.program)) < MAX_MB / STEP_DIVISOR) continue;
    expect(measureMb(verdict.program), program).toBeLessThan(MAX_MB);
  }
});
