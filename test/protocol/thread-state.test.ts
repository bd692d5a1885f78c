import { describe, expect, test } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { foldThread, INITIAL_THREAD_STATE, type ThreadState } from "../../src/protocol/wire/thread-state.ts";

/** Folds a thread with one task per event; each event ends its task. */
function foldEnds(ends: readonly string[], metadata: object = {}): ThreadState {
  const tasks = ends.map((_, i) => ({ task_id: `task-${i}`, title: `Task ${i}`, status: "running" }));
  const createFrame = (seq: number, event: string, data: object): Frame =>
    ({ seq, event, data: { conversation_id: "conv-1", thread_id: "th-1", item_id: `item-${seq}`, ...data } }) as Frame;
  const frames = [
    createFrame(1, "thread_started", { payload: { content: "go" } }),
    createFrame(2, "plan_created", { payload: { plan: { tasks } } }),
    ...ends.map((event, i) =>
      createFrame(3 + i, event, { task_id: `task-${i}`, payload: { content: `It was ${event}.` } }),
    ),
    createFrame(9, "done", { metadata }),
  ];
  return frames.reduce(foldThread, INITIAL_THREAD_STATE);
}

describe("final status of a thread", () => {
  test.each([
    [["task_completed", "task_completed"], "completed"],
    [["task_completed", "task_failed"], "failed"],
    [["task_failed", "task_cancelled"], "failed"],
    [["task_completed", "task_cancelled"], "completed"],
    [["task_cancelled", "task_cancelled"], "cancelled"],
    [["task_cancelled"], "cancelled"],
    [[], "completed"],
  ])("[F15] with %j is %s: tasks that the user stopped are not failures", (ends, status) => {
    expect(foldEnds(ends)).toMatchObject({ status });
    expect(foldEnds(ends, { cancelled: true }).status).toBe("cancelled");
  });

  test("is reported with the failure text of its task", () => {
    expect(foldEnds(["task_cancelled", "task_failed"]).failure?.content).toBe("It was task_failed.");
    expect(foldEnds(["task_cancelled"]).failure).toBeUndefined();
  });
});
