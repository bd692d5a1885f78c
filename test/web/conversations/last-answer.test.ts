// The text that screen readers announce when a thread ends.

import { expect, test } from "vitest";
import { findLastAnswer } from "../../../src/web/features/conversations/transcript/last-answer.ts";
import { ChatLog } from "./chat-log.ts";

const runResult = { schedule_id: "task", status: "failed", result: "Nothing can be divided by zero.", due_at: 0 };

const createComponent = (component_type: string, content: object) => ({
  component_type,
  content: JSON.stringify(content),
});

test("the last answer of a scheduled run is its result, not the JSON of its components", () => {
  const log = new ChatLog()
    .addEvent("component_generator", createComponent("scheduled_task_result", runResult), {
      agent: "assistant",
      task: "task",
    })
    .addEvent("component_generator", createComponent("scheduled_task_controller", { task_id: "task" }), {
      agent: "assistant",
    })
    .endThread();
  expect(findLastAnswer(log.view(), "th")).toEqual({ agent: "assistant", text: runResult.result });
});

test("the last answer is the last text, even if a component follows it", () => {
  const log = new ChatLog()
    .startThread("Compare the classes")
    .addText("The mean is 74.")
    .addEvent("component_generator", createComponent("page", { page: {} }), { agent: "analyst", task: "task" })
    .endThread();
  expect(findLastAnswer(log.view(), "th")).toEqual({ agent: "assistant", text: "The mean is 74." });
  expect(findLastAnswer(new ChatLog().startThread("Stop").endThread().view(), "th")).toBeUndefined();
});
