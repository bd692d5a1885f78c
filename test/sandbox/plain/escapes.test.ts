// What the check says of the escape programs, and what those that want memory leave behind. That all of them get
// nothing is shown in the real engine, in `../escapes.test.ts`.

import { expect, test } from "vitest";
import { checkProgram, createUncheckedProgram, type SandboxProgram } from "../../../src/sandbox/check-program.ts";
import { ESCAPES } from "../escapes.ts";
import { GROWING } from "../programs/growing.ts";
import { hurried, HURRY } from "../hurried.ts";
import { runProgram } from "./vm.ts";

const MEGABYTES = 256;

test("there are enough of them", () => {
  expect(ESCAPES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ESCAPES.map(({ name }) => name)).size).toBe(ESCAPES.length);
});

test.each(ESCAPES)("the check says of $name what it should", ({ code, refused }) => {
  const verdict = checkProgram(code, []);
  const said = verdict.ok ? "" : verdict.issues.map(({ message }) => message).join("\n");
  if (refused === undefined) expect(said).toBe("");
  else expect(said).toMatch(refused);
});

test.each(GROWING)("$name costs less than 256 MB", ({ code, ends }) => {
  const program = createUncheckedProgram(code, []);
  const cost = (some: SandboxProgram): number => {
    const before = process.memoryUsage().rss;
    expect(runProgram(some, {})).toMatchObject({ kind: "failed", reason: ends });
    return (process.memoryUsage().rss - before) / 1_048_576;
  };
  // With a part of the steps it may cost that part, or else it has to show what it costs with all of them.
  if (cost(ends === "exhausted" ? hurried(program) : program) < MEGABYTES / HURRY) return;
  expect(cost(program)).toBeLessThan(MEGABYTES);
});
