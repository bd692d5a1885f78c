// The invariant checks of the end-to-end tests, run on logs with a planted fault.

import { describe, expect, test } from "vitest";
import type { ConversationEvent, Frame } from "../../src/protocol/wire/events.ts";
import {
  findViolations,
  findNeedlessRepeats,
  foldVisibleState,
  findRepeatedSteps,
  findReusedNumbers,
} from "./invariants.ts";

const createThreadFields = (thread: string) =>
  ({ conversation_id: "c", role: "agent", thread_id: thread, task_id: `task-${thread}` }) as const;
const started = (thread: string): ConversationEvent => ({
  event: "thread_started",
  data: { ...createThreadFields(thread), item_id: `ask-${thread}`, payload: { content: "Go" } },
});
const chunk = (thread: string, content: string): ConversationEvent => ({
  event: "message_chunk",
  data: { ...createThreadFields(thread), item_id: `item-${thread}`, payload: { content } },
});
const done = (thread: string): ConversationEvent => ({
  event: "done",
  data: { ...createThreadFields(thread), item_id: `done-${thread}` },
});
const conversationStarted: ConversationEvent = {
  event: "conversation_started",
  data: { conversation_id: "c", role: "system", item_id: "start" },
};

const numberFrames = (...events: readonly ConversationEvent[]): Frame[] =>
  events.map((event, i) => ({ seq: i + 1, ...event }));
const validLog = numberFrames(
  conversationStarted,
  started("a"),
  chunk("a", "x"),
  started("b"),
  done("a"),
  chunk("b", "y"),
  done("b"),
);

test("findViolations() accepts a valid log", () => {
  expect(findViolations(validLog)).toEqual([]);
});

describe("[L1] [T1] [T3] findViolations() reports a log in which", () => {
  test.each([
    { fault: "a sequence number repeats", log: [...validLog.slice(0, 3), ...validLog.slice(2)] },
    {
      fault: "sequence numbers decrease",
      log: [...validLog.slice(0, 2), validLog[3], validLog[2], ...validLog.slice(4)],
    },
    {
      fault: "the conversation starts twice",
      log: numberFrames(conversationStarted, conversationStarted, started("a"), done("a")),
    },
    { fault: "the conversation never starts", log: numberFrames(started("a"), done("a")) },
    { fault: "a thread has no done event", log: validLog.slice(0, -1) },
    { fault: "a thread has two done events", log: numberFrames(...validLog, done("b")) },
    { fault: "an event follows the done of its thread", log: numberFrames(...validLog, chunk("a", "z")) },
    {
      fault: "an event precedes the start of its thread",
      log: numberFrames(conversationStarted, chunk("a", "z"), started("a"), done("a")),
    },
    {
      fault: "threads end in a different order than they started",
      log: numberFrames(conversationStarted, started("a"), started("b"), done("b"), done("a")),
    },
  ])("$fault", ({ log }) => {
    expect(findViolations(log.filter((frame) => frame !== undefined))).not.toEqual([]);
  });
});

test("[L1] findReusedNumbers() reports a sequence number with two events", () => {
  expect(findReusedNumbers([...validLog, ...validLog])).toEqual([]);
  expect(findReusedNumbers([...validLog, { seq: 3, ...chunk("b", "x") }])).toHaveLength(1);
});

test("[L3] foldVisibleState() ignores replayed frames but shows a duplicated paragraph", () => {
  expect(foldVisibleState([...validLog.slice(0, 3), ...validLog])).toEqual(foldVisibleState(validLog));
  const doubled = numberFrames(
    conversationStarted,
    started("a"),
    chunk("a", "x"),
    chunk("a", "x"),
    started("b"),
    done("a"),
  );
  expect(foldVisibleState(doubled).items).not.toEqual(foldVisibleState(validLog.slice(0, 5)).items);
});

test("[T4] findRepeatedSteps() and findNeedlessRepeats() report repeated work without a crash in between", () => {
  const starts = [
    { step: "triage", at: 10 },
    { step: "task", at: 20 },
    { step: "task", at: 40 },
  ];
  expect(findRepeatedSteps(starts, [{ step: "triage", at: 15 }])).toEqual([]);
  expect(findRepeatedSteps(starts, [{ step: "task", at: 30 }])).toHaveLength(1);
  expect(findNeedlessRepeats(starts, [30])).toEqual([]);
  expect(findNeedlessRepeats(starts, [15])).toHaveLength(1);
});
