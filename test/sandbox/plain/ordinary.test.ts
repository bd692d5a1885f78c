import { expect, test } from "vitest";
import { ORDINARY } from "../ordinary-programs.ts";
import { runChecked } from "./run-in-vm.ts";

test("there are at least 30 ordinary programs", () => {
  expect(ORDINARY.length).toBeGreaterThanOrEqual(30);
});

test.each(ORDINARY)("$name passes the check and returns the expected value", ({ code, args, gives }) => {
  expect(runChecked(code, args)).toEqual(gives);
});
