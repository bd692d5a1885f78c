// What is read out of a thread once it is over.

import { expect, test } from "vitest";
import { findLastAnswer } from "../../src/web/chat/last-answer.ts";
import { ChatLog } from "./chat-log.ts";

const run = { schedule_id: "task", status: "failed", result: "Nothing can be divided by zero.", due_at: 0 };

const shown = (component_type: string, content: object) => ({ component_type, content: JSON.stringify(content) });

test("a scheduled run is read out by its result, and nothing by the JSON that shows it", () => {
  const log = new ChatLog()
    .tell("component_generator", shown("scheduled_task_result", run), { agent: "assistant", task: "task" })
    .tell("component_generator", shown("scheduled_task_controller", { task_id: "task" }), { agent: "assistant" })
    .done();
  expect(findLastAnswer(log.view(), "th")).toEqual({ agent: "assistant", text: run.result });
});

test("the last that was said is read out, whatever was shown after it", () => {
  const log = new ChatLog()
    .ask("Compare the classes")
    .say("The mean is 74.")
    .tell("component_generator", shown("page", { page: {} }), { agent: "analyst", task: "task" })
    .done();
  expect(findLastAnswer(log.view(), "th")).toEqual({ agent: "assistant", text: "The mean is 74." });
  expect(findLastAnswer(new ChatLog().ask("Stop").done().view(), "th")).toBeUndefined();
});
