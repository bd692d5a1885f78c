import { expect, test } from "vitest";
import { ORDINARY } from "../ordinary.ts";
import { play } from "./vm.ts";

test("there are enough of them", () => {
  expect(ORDINARY.length).toBeGreaterThanOrEqual(60);
});

test.each(ORDINARY)("$name passes and gives the right value", ({ code, args, gives }) => {
  expect(play(code, args)).toEqual(gives);
});
