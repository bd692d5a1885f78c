// The queue of a conversation: the next thread, and the number of waiting messages and runs.

import { expect, test } from "vitest";
import { createHead, type OpenThread } from "../../src/durable/conversation/storage/conversation-head.ts";
import { countQueued, pickNextThread } from "../../src/durable/conversation/threads/thread-queue.ts";

const createThread = (thread_id: string, more: Partial<OpenThread> = {}): OpenThread => ({
  thread_id,
  command_id: `c-${thread_id}`,
  seq: 1,
  attempts: 0,
  ...more,
});
const RUN = { tick: { schedule_id: "task-1", due_at: 1 } };

test.each([
  ["an empty queue", [], undefined, { waiting: 0, runs: 0 }],
  ["a running thread", [createThread("a", { attempts: 1 })], "a", { waiting: 0, runs: 0 }],
  [
    "a running thread and two behind it",
    [createThread("a", { attempts: 1 }), createThread("b"), createThread("c")],
    "a",
    { waiting: 2, runs: 0 },
  ],
  [
    "a paused thread and one behind it",
    [createThread("a", { attempts: 1, is_paused: true }), createThread("b")],
    undefined,
    { waiting: 1, runs: 0 },
  ],
  [
    "a resumed thread and one behind it",
    [createThread("a", { attempts: 2 }), createThread("b")],
    "a",
    { waiting: 1, runs: 0 },
  ],
  [
    "a schedule run and two messages behind it",
    [createThread("r", { ...RUN, attempts: 1 }), createThread("a"), createThread("b")],
    "a",
    { waiting: 2, runs: 1 },
  ],
  [
    "a running thread, a waiting run and a waiting message",
    [createThread("a", { attempts: 1 }), createThread("r", RUN), createThread("b")],
    "a",
    { waiting: 1, runs: 1 },
  ],
])("[T1] %s: returns the next thread and the number of waiting messages and runs", (_, open, next, lengths) => {
  const head = { ...createHead({ userId: "ada", conversationId: "conv-1" }, undefined), open };
  expect(pickNextThread(head)?.thread_id).toBe(next);
  expect(countQueued(head)).toEqual(lengths);
});
