// How many wait in a conversation, whatever runs or rests there.

import { expect, test } from "vitest";
import { createHead, type OpenThread } from "../../src/durable/conversation-head.ts";
import { countQueued, pickNextThread } from "../../src/durable/thread-queue.ts";

const thread = (thread_id: string, more: Partial<OpenThread> = {}): OpenThread => ({
  thread_id,
  command_id: `c-${thread_id}`,
  seq: 1,
  attempts: 0,
  ...more,
});
const RUN = { tick: { schedule_id: "task-1", due_at: 1 } };

test.each([
  ["nothing", [], undefined, { waiting: 0, runs: 0 }],
  ["one that runs", [thread("a", { attempts: 1 })], "a", { waiting: 0, runs: 0 }],
  [
    "one that runs and two behind it",
    [thread("a", { attempts: 1 }), thread("b"), thread("c")],
    "a",
    { waiting: 2, runs: 0 },
  ],
  ["one that asks", [thread("a", { attempts: 1, is_paused: true }), thread("b")], undefined, { waiting: 1, runs: 0 }],
  ["one that was taken up again", [thread("a", { attempts: 2 }), thread("b")], "a", { waiting: 1, runs: 0 }],
  [
    "two behind a run of a schedule",
    [thread("r", { ...RUN, attempts: 1 }), thread("a"), thread("b")],
    "a",
    { waiting: 2, runs: 1 },
  ],
  ["a run that waits", [thread("a", { attempts: 1 }), thread("r", RUN), thread("b")], "a", { waiting: 1, runs: 1 }],
])("[T1] %s: what is next, and how many messages and runs wait", (_, open, next, lengths) => {
  const head = { ...createHead({ userId: "ada", conversationId: "conv-1" }, undefined), open };
  expect(pickNextThread(head)?.thread_id).toBe(next);
  expect(countQueued(head)).toEqual(lengths);
});
