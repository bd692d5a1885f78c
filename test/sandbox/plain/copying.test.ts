// Joined, read and stored strings: each copy that the engine makes costs steps, and none costs them twice.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createUncheckedProgram } from "../../../src/sandbox/check-program.ts";
import { reduceSteps } from "../reduce-steps.ts";
import { COPYING } from "../programs/copying.ts";
import { runChecked, runProgram } from "./run-in-vm.ts";
import { isLongRun, pickByLength } from "../../support/run-length.ts";

const MEGABYTES = 256;
const COST = join(import.meta.dirname, "measure-memory.ts");

test.each(COPYING.filter((_, index) => index % pickByLength(3, 1) === 0))(
  "$name is stopped by its steps, not by the time limit",
  { retry: 2 },
  ({ code }) => {
    const outcome = runProgram(reduceSteps(createUncheckedProgram(code, [])), {});
    expect(outcome).toMatchObject({
      kind: "failed",
      message: expect.stringMatching(/^It (?:takes too many steps|makes a)/) as string,
    });
  },
);

const MEASURED_NAMES = ["a template, read", "parts of"];

// Runs in a separate process, so that memory of earlier tests does not hide anything.
test.each(COPYING.filter(({ name }) => isLongRun || MEASURED_NAMES.some((part) => name.includes(part))))(
  "$name uses less than 256 MB with all its steps",
  { timeout: 30_000 },
  ({ code }) => {
    const stdout = execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", COST], { input: code });
    const { outcome, grown } = JSON.parse(String(stdout)) as { outcome: unknown; grown: number };
    expect(outcome).toMatchObject({ kind: "failed", reason: "exhausted" });
    expect(grown).toBeLessThan(MEGABYTES);
  },
);

/** Programs that need less than a quarter of the steps. */
const CHEAP_PROGRAMS: readonly (readonly [name: string, code: string, gives: unknown])[] = [
  [
    "a text of 200,000 characters, built one by one and read one by one",
    `let s = "", n = 0; for (let i = 0; i < 200000; i++) s += i % 10;
     for (let i = 0; i < s.length; i++) if (s[i] === "7") n++;
     for (let i = 0; i < s.length; i++) if (s.charCodeAt(i) === 55) n++;
     for (const c of s) if (c === "7") n++;
     return n;`,
    60_000,
  ],
  [
    "lines that are split and read",
    `const lines = "some line with more than sixty-four characters, so that it counts as long\\n".repeat(3000).split("\\n");
     let n = 0; for (let k = 0; k < 20; k++) for (const line of lines) if (line[0] === "s" && line.at(-1) === "g") n++;
     return n;`,
    60_000,
  ],
  [
    "a list of one text, joined repeatedly",
    'const s = "x".repeat(9999); let n = 0; for (let i = 0; i < 9999; i++) if ([s + ""].join()[i] === `${s}`.at(i)) n++; return n;',
    9_999,
  ],
];

test.each(CHEAP_PROGRAMS)("a reduced step budget is sufficient for %s", (_, code, gives) => {
  expect(runProgram(reduceSteps(createUncheckedProgram(code, []), 4), {})).toEqual({ kind: "returned", value: gives });
});

/** Expressions that must return the standard value although reads by index are rewritten. */
const EXPRESSIONS = [
  "o?.t[0]",
  "o?.t?.[0]",
  "o?.none?.[0].x",
  "none?.t[0].x[1]",
  "o.none?.t[0].x[1]",
  "none?.[0][1][2]",
  "o?.f()[0]",
  "o?.f?.().length",
  "o?.['t'][0] + o?.[k][1]",
  "o?.l[1]?.x[0]",
  "o?.l[1].g?.call(o)[0]",
  "o?.l[0]?.x.y[1]",
  "o?.me()[0].x",
  "delete o?.l[1].x ? o.l[1] : 0",
  "delete none?.l[0].x",
  "delete o?.l[0] ? o.l : 0",
  "(o?.l)[1].x",
  "new o.classes[0](2).v",
  "new o.classes[0]",
  "new (o.make())[0](5).v",
  "o['me']()[0].x + o[k][0] + o['f']()[1]",
  "(() => { const { 0: a, [k.length]: b, ...r } = o.l; return [a, b, r]; })()",
  "(() => { const { 0: a, [k.length]: b = 3 } = o.t; return a + b; })()",
  "(() => { let a; ({ [k]: a } = o); return a; })()",
  "[o].map(({ [k]: a, l: [b] }) => a + b)",
  "(() => { for (const { [k]: a } of [o]) return a; })()",
  "(() => { try { throw o.t; } catch ({ 0: c }) { return c; } })()",
  "(() => { try { return o?.none[0]; } catch (e) { return e.name; } })()",
  "(() => { try { return o?.none.x[0]; } catch (e) { return e.message; } })()",
  "(() => { try { return o.l[7](); } catch (e) { return e.name; } })()",
  "[...o.t, ...'é😀'].length + [...new Set('hello')].join('')",
  "o\n?.l\n[1]\n.x",
  "(o.l[0]++, o.l[0] += 2, o.l[k.length] ??= 4, o.l)",
];

test.each(EXPRESSIONS)("%s has its standard value", (expression) => {
  const source = `const none = null, k = "t", o = { t: "text", l: [1, { x: "y" }], f: () => "called", none: undefined,
      make() { return this.classes; }, me() { return [{ x: this.t }]; }, classes: [class { constructor(v) { this.v = v; } }] };
    try { return [(${expression}) ?? "nothing"]; } catch (e) { return e.name; }`;
  // oxlint-disable-next-line typescript/no-implied-eval -- the same expression without any guard
  const native = new Function(`"use strict";${source}`) as () => unknown;
  expect(runChecked(source)).toEqual(JSON.parse(JSON.stringify(native())));
});

test("a read that cannot be metered is rejected with a message", () => {
  const parameter = runChecked("return (({ 0: a }) => a)('x');");
  expect(parameter).toEqual({ issues: ["1: a position in this pattern is not allowed: read it by itself"] });
  const method = runChecked("const o = { f: () => 'x' }; return o.f?.()[0];");
  expect(method).toEqual({ issues: ["1: a position after `a.b?.()` is not allowed: take it apart in two steps"] });
  const name = runChecked("const k = 0; return (({ [k]: a }) => a)('x');");
  expect(name).toEqual({ threw: "TypeError: Take the position 0 apart by itself, outside the pattern (line 1)" });
});

test("an error names the missing member", () => {
  expect(runChecked("const o = { l: [] }, i = 3; return o.l[i]();")).toEqual({
    threw: "TypeError: o.l[…] is not a function (line 1)",
  });
});
