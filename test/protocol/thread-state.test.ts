import { describe, expect, test } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { foldThread, INITIAL_THREAD_STATE, type ThreadState } from "../../src/protocol/wire/thread-state.ts";

/** A thread with a task for each event; they end with these. */
function endedWith(ends: readonly string[], metadata: object = {}): ThreadState {
  const tasks = ends.map((_, i) => ({ task_id: `task-${i}`, title: `Task ${i}`, status: "running" }));
  const happens = (seq: number, event: string, data: object): Frame =>
    ({ seq, event, data: { conversation_id: "conv-1", thread_id: "th-1", item_id: `item-${seq}`, ...data } }) as Frame;
  const frames = [
    happens(1, "thread_started", { payload: { content: "go" } }),
    happens(2, "plan_created", { payload: { plan: { tasks } } }),
    ...ends.map((event, i) =>
      happens(3 + i, event, { task_id: `task-${i}`, payload: { content: `It was ${event}.` } }),
    ),
    happens(9, "done", { metadata }),
  ];
  return frames.reduce(foldThread, INITIAL_THREAD_STATE);
}

describe("how a thread ended", () => {
  test.each([
    [["task_completed", "task_completed"], "completed"],
    [["task_completed", "task_failed"], "failed"],
    [["task_failed", "task_cancelled"], "failed"],
    [["task_completed", "task_cancelled"], "completed"],
    [["task_cancelled", "task_cancelled"], "cancelled"],
    [["task_cancelled"], "cancelled"],
    [[], "completed"],
  ])("[F15] with %j it is %s: what the person has stopped is no failure", (ends, status) => {
    expect(endedWith(ends)).toMatchObject({ status });
    expect(endedWith(ends, { cancelled: true }).status).toBe("cancelled");
  });

  test("a failure is told with the words of its task", () => {
    expect(endedWith(["task_cancelled", "task_failed"]).failure?.content).toBe("It was task_failed.");
    expect(endedWith(["task_cancelled"]).failure).toBeUndefined();
  });
});
