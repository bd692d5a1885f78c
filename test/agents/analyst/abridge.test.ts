import { expect, test } from "vitest";
import { truncateToFit } from "../../../src/agents/analyst/truncate-json.ts";

test("a value that does not fit is cut between characters, and says so", () => {
  const short = String(truncateToFit(`x${"🌍".repeat(100)}`, 50));
  expect(short).toMatch(/^"x🌍{20,}.?…$/u);
  expect(short.isWellFormed()).toBe(true);
  expect(String(truncateToFit(`${"🌍".repeat(100)}`, 50)).isWellFormed()).toBe(true);
});
