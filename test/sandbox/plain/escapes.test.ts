// The result of the check for the escape programs, and the memory use of the growing ones. `../escapes.test.ts` shows
// in the real engine that none of them reaches anything.

import { expect, test } from "vitest";
import { checkProgram, createUncheckedProgram, type SandboxProgram } from "../../../src/sandbox/check-program.ts";
import { ESCAPES } from "../escape-programs.ts";
import { GROWING } from "../programs/growing.ts";
import { reduceSteps, STEP_DIVISOR } from "../reduce-steps.ts";
import { runProgram } from "./run-in-vm.ts";
import { pickByLength } from "../../support/run-length.ts";

const MEGABYTES = 256;

test("there are at least 60 escape programs with unique names", () => {
  expect(ESCAPES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ESCAPES.map(({ name }) => name)).size).toBe(ESCAPES.length);
});

test.each(ESCAPES)("the check reports the expected issues of $name", ({ code, refused }) => {
  const verdict = checkProgram(code, []);
  const messages = verdict.ok ? "" : verdict.issues.map(({ message }) => message).join("\n");
  if (refused === undefined) expect(messages).toBe("");
  else expect(messages).toMatch(refused);
});

test.each(GROWING.filter((_, index) => index % pickByLength(3, 1) === 0))(
  "$name uses less than 256 MB",
  ({ code, ends }) => {
    const program = createUncheckedProgram(code, []);
    const measureMb = (candidate: SandboxProgram): number => {
      const before = process.memoryUsage().rss;
      expect(runProgram(candidate, {})).toMatchObject({ kind: "failed", reason: ends });
      return (process.memoryUsage().rss - before) / 1_048_576;
    };
    // With reduced steps a program may use that part of the memory; otherwise it is measured with all steps.
    if (measureMb(ends === "exhausted" ? reduceSteps(program) : program) < MEGABYTES / STEP_DIVISOR) return;
    expect(measureMb(program)).toBeLessThan(MEGABYTES);
  },
);
