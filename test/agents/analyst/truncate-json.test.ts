import { expect, test } from "vitest";
import { truncateToFit } from "../../../src/agents/analyst/truncate-json.ts";

test("truncateToFit cuts a value between characters and marks the cut with an ellipsis", () => {
  const short = String(truncateToFit(`x${"🌍".repeat(100)}`, 50));
  expect(short).toMatch(/^"x🌍{20,}.?…$/u);
  expect(short.isWellFormed()).toBe(true);
  expect(String(truncateToFit(`${"🌍".repeat(100)}`, 50)).isWellFormed()).toBe(true);
});
