// The activity that the last row of an open thread shows.

import { expect, test } from "vitest";
import { buildRows } from "../../../src/web/features/conversations/transcript/build-transcript-rows.ts";
import { ChatLog } from "./chat-log.ts";

const PLAIN = { outgoing: [], hidesSteps: false };

test.each<[string, (log: ChatLog) => unknown, object]>([
  ["triage", () => {}, { kind: "thinking" }],
  [
    "planning",
    (log) =>
      log.addEvent("triage_completed", {
        decision: "handoff_to_planner",
        strategy: "needs_planning",
        selected_agents: [],
      }),
    { kind: "planning" },
  ],
  [
    "a question",
    (log) => log.addEvent("plan_require_user_input", { content: "How much?", request_id: "req" }),
    { kind: "waiting" },
  ],
  [
    "agents at work",
    (log) =>
      log.plan("th", { task_id: "a", agent_name: "one" }, { task_id: "b" }).addEvent("task_started", {}, { task: "a" }),
    { kind: "working", agents: ["one"], done: 0, total: 2 },
  ],
  [
    "agents at work next to a failed task, which does not count as done",
    (log) =>
      log.plan(
        "th",
        { task_id: "a", agent_name: "one", status: "running" },
        { task_id: "b", status: "failed" },
        { task_id: "c", status: "completed" },
      ),
    { kind: "working", agents: ["one"], done: 1, total: 3 },
  ],
  [
    "a retry",
    (log) =>
      log
        .plan("th", { task_id: "a", title: "Pay" })
        .addEvent("task_retrying", { content: "", attempt: 1 }, { task: "a" }),
    { kind: "retrying", title: "Pay" },
  ],
  [
    "a summary",
    (log) => log.plan("th", { task_id: "a", status: "completed" }, { task_id: "b", status: "failed" }),
    { kind: "summing" },
  ],
  [
    "a streamed answer",
    (log) => log.addText("So", { task: "answer", agent: "SuperAgent" }),
    { kind: "writing", agent: "SuperAgent" },
  ],
])("the last row shows %s", (_name, addEvents, activity) => {
  const log = new ChatLog().startThread("Go");
  addEvents(log);
  expect(buildRows(log.view(), PLAIN).at(-1)).toMatchObject({ kind: "working", activity });
});
