// Answers to the question at what time a schedule is to run.

import { expect, test } from "vitest";
import { runPlanner, createToolSpec, type ChatMessageParam } from "./embedded-client.ts";

const askUser = createToolSpec("ask_user", "Asks the person.", { question: { type: "string" } });

const createAnswer = (content: string): ChatMessageParam[] => [
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call", type: "function", function: { name: "ask_user", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "call", content },
];

test.each([
  ["every evening tell me the time", "8", "20:00"],
  ["every evening tell me the time", "8am", "08:00"],
  ["every morning tell me the time", "8", "08:00"],
  ["每天晚上告诉我时间", "8点半", "20:30"],
  ["每天晚上告诉我时间", "20:30", "20:30"],
  ["每天下午告诉我时间", "三点", "15:00"],
  ["每天下午告诉我时间", "上午9点", "09:00"],
  ["每天告诉我时间", "8点", "08:00"],
])("[F26] the answer refers to the requested part of the day: %s, %s", async (request, answer, daily_time) => {
  const { calls } = await runPlanner(request, createAnswer(answer), [askUser]);
  expect(calls).toMatchObject([{ name: "create_plan", arguments: { tasks: [{ schedule_config: { daily_time } }] } }]);
});

test.each(["early", "25:00", "早上", "😀", "whenever you like"])(
  "[F26] the time is requested again after an answer without a time: %s",
  async (answer) => {
    const { calls } = await runPlanner("every morning tell me the time", createAnswer(answer), [askUser]);
    expect(calls.map(({ name }) => name)).toEqual(["ask_user"]);
  },
);

test.each(["no", "不用了", "cancel"])("[F26] nothing is scheduled after the answer %s", async (answer) => {
  const { calls } = await runPlanner("every morning tell me the time", createAnswer(answer), [askUser]);
  expect(calls).toMatchObject([{ name: "create_plan", arguments: { tasks: [], adequate: false } }]);
  expect(JSON.stringify(calls)).toContain("nothing was scheduled");
});
