import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ConversationEvent, EventName } from "../../src/protocol/wire/events.ts";
import { isFinalTaskStatus, taskStatusSchema, type Plan, type Task } from "../../src/protocol/plans/task-plan.ts";
import { foldTask, foldPlans, canTransition } from "../../src/protocol/plans/fold-plans.ts";

const task: Task = {
  task_id: "task-1",
  plan_id: "plan-1",
  conversation_id: "conv-1",
  thread_id: "th-1",
  title: "One",
  query: "one",
  agent_name: "a",
  depends_on: [],
  pattern: "once",
  handoff_from_super_agent: false,
  metadata: {},
  status: "pending",
  created_at: 0,
};
const fields = {
  conversation_id: "conv-1",
  item_id: "item-1",
  thread_id: "th-1",
  task_id: "task-1",
  role: "agent",
} as const;
const createEvent = (event: EventName, payload: object = {}) =>
  ({ event, data: { ...fields, payload } }) as ConversationEvent;

const SIGNALS = [
  createEvent("task_started"),
  createEvent("message_chunk", { content: "x" }),
  createEvent("task_waiting", { content: "which?", request_id: "req-1" }),
  createEvent("task_retrying", { content: "again", attempt: 2 }),
  createEvent("task_completed"),
  createEvent("task_failed", { content: "broke" }),
  createEvent("task_cancelled", { content: "stopped" }),
];

describe("task state machine", () => {
  test("[F43] [I18] makes only legal transitions and never leaves a final status, for any order of events", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...SIGNALS), { maxLength: 12 }), (signals) => {
        let before = task;
        for (const signal of signals) {
          const after = foldTask(before, signal, 5);
          if (after.status !== before.status) expect(canTransition(before.status, after.status)).toBe(true);
          if (isFinalTaskStatus(before.status)) expect(after).toBe(before);
          before = after;
        }
      }),
      { seed: 7 },
    );
  });

  test("[F43] can leave every status except the final ones", () => {
    for (const from of taskStatusSchema.options) {
      const next = taskStatusSchema.options.filter((to) => canTransition(from, to));
      expect(next.length === 0).toBe(isFinalTaskStatus(from));
    }
  });

  test("[F42] [F71] sets result, error and times from the events", () => {
    const done = [SIGNALS[0], SIGNALS[1], SIGNALS[1], SIGNALS[4]].reduce(
      (t, s, i) => (s === undefined ? t : foldTask(t, s, i)),
      task,
    );
    expect(done).toMatchObject({ status: "completed", result: "xx", started_at: 0, completed_at: 3 });
    expect(foldTask(task, createEvent("task_failed", { content: "broke" }))).toMatchObject({
      status: "failed",
      error: "broke",
    });
  });

  test("clears the result when a task restarts", () => {
    const half = [SIGNALS[0], SIGNALS[1], SIGNALS[3]].reduce((t, s) => (s === undefined ? t : foldTask(t, s)), task);
    expect(half.status).toBe("retrying");
    expect(half.result).toBeUndefined();
  });

  test("returns the same plans for an event of another task", () => {
    const plan: Plan = {
      plan_id: "plan-1",
      conversation_id: "conv-1",
      thread_id: "th-1",
      user_id: "u",
      orig_query: "",
      query: "",
      reasoning: "",
      created_at: 0,
      tasks: [task],
    };
    const plans = [plan];
    const other = createEvent("task_completed");
    expect(foldPlans(plans, { ...other, data: { ...other.data, task_id: "task-9" } } as ConversationEvent)).toBe(plans);
  });
});
