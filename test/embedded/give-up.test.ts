// A request of which nothing could be done ends as failed, with the reason; a partial result does not.

import { expect, test } from "vitest";
import { askAssistant } from "../agents/fixtures/ask-assistant.ts";
import { joinTextEvents } from "../agents/fixtures/local-agent.ts";

async function askForEnd(query: string) {
  const events = await askAssistant(query);
  return { text: joinTextEvents(events), end: events.at(-1) };
}

test.each([
  ["calculate 5/0", "5 ÷ 0", "Can’t divide by zero."],
  ["计算5除以0", "5 ÷ 0", "不能除以零。"],
  ["what time is it in Springfield", "current time", "Unknown time zone Springfield."],
  ["write a poem about rain", "write a poem about rain", "There is no tool for it."],
  ["给我画一只猫", "给我画一只猫", "没有适合这件事的工具。"],
])("%j fails with the failed work and the reason", async (query, what, why) => {
  const { text, end } = await askForEnd(query);
  expect(text).toContain(what);
  expect(text).not.toContain("Error:");
  expect(end).toMatchObject({ type: "failed", code: "tool_failed", reason: expect.stringContaining(why) as unknown });
});

test.each([
  ["What is 2+2, and what time is it in Springfield?", /2 \+ 2 = 4[\s\S]*did not work .*Unknown time zone Springfield/],
  ["计算3加4，然后写一首诗", /3 \+ 4 = 7[\s\S]*做不到：写一首诗/],
])("%j completes and reports what worked and what failed", async (query, pattern) => {
  const { text, end } = await askForEnd(query);
  expect(text).toMatch(pattern);
  expect(end).toEqual({ type: "completed" });
});
