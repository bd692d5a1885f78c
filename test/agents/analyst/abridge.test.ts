import { expect, test } from "vitest";
import { fitting } from "../../../src/agents/analyst/abridge.ts";

test("a value that does not fit is cut between characters, and says so", () => {
  const short = String(fitting(`x${"🌍".repeat(100)}`, 50));
  expect(short).toMatch(/^"x🌍{20,}.?…$/u);
  expect(short.isWellFormed()).toBe(true);
  expect(String(fitting(`${"🌍".repeat(100)}`, 50)).isWellFormed()).toBe(true);
});
