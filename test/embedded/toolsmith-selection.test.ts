// The selection of the toolsmith among the built-in agents, and its replies about invalid dates.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { analystCard as analyst } from "../../src/agents/analyst/analyst-card.ts";
import { assistant } from "../../src/agents/assistant/assistant.ts";
import { toolsmithCard as toolsmith } from "../../src/agents/toolsmith/toolsmith-card.ts";
import { selectAgent, parseCards } from "../../src/embedded/agent-selection.ts";
import { runRequest, NOW, planSubtasks } from "./toolsmith-runner.ts";

beforeAll(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
});
afterAll(() => {
  vi.useRealTimers();
});

const cards = parseCards([assistant.card, toolsmith, analyst]);

test.each([
  ["97是质数吗", "toolsmith"],
  ["Is 97 prime?", "toolsmith"],
  ["median of 4 5 6", "toolsmith"],
  ["What is the median of 4, 5 and 6?", "toolsmith"],
  ["4 5 6的中位数", "toolsmith"],
  ["打印2026年2月的月历", "toolsmith"],
  ["show me a calendar for March 2027", "toolsmith"],
  ["今天星期几", "assistant"],
  ["678*8776", "assistant"],
  ["median price by region", undefined],
])("[F07] %s is assigned to %s", (text, name) => {
  expect(selectAgent(text, cards)?.name).toBe(name);
});

test.each([
  "How many days between 2026-02-30 and 2026-03-01?",
  "What day of the week is 2026-02-30?",
  "2026年2月30日是星期几",
  "Which quarter is 2026-02-30 in?",
  "2026-02-30加3天是几号",
])("an invalid date is reported as such: %s", (request) => {
  expect(runRequest(request, []).answer).toMatch(/no such date|没有这个日期/);
});

test("text next to a number in scientific notation is not ignored", () => {
  expect(planSubtasks("sin(30) to 2 decimals")).toContain("OPENAI_API_KEY");
});
