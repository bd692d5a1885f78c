// The rules that whole-system tests go by, on logs with a fault put into them: each has to notice.

import { describe, expect, test } from "vitest";
import type { ConversationEvent, Frame } from "../../src/protocol/wire/events.ts";
import { breachesIn, needlessRepeats, pictureFrom, repeatedSteps, reusedNumbers } from "./rules.ts";

const inThread = (thread: string) =>
  ({ conversation_id: "c", role: "agent", thread_id: thread, task_id: `task-${thread}` }) as const;
const started = (thread: string): ConversationEvent => ({
  event: "thread_started",
  data: { ...inThread(thread), item_id: `ask-${thread}`, payload: { content: "Go" } },
});
const chunk = (thread: string, content: string): ConversationEvent => ({
  event: "message_chunk",
  data: { ...inThread(thread), item_id: `item-${thread}`, payload: { content } },
});
const done = (thread: string): ConversationEvent => ({
  event: "done",
  data: { ...inThread(thread), item_id: `done-${thread}` },
});
const opened: ConversationEvent = {
  event: "conversation_started",
  data: { conversation_id: "c", role: "system", item_id: "start" },
};

const numbered = (...events: readonly ConversationEvent[]): Frame[] =>
  events.map((event, i) => ({ seq: i + 1, ...event }));
const good = numbered(opened, started("a"), chunk("a", "x"), started("b"), done("a"), chunk("b", "y"), done("b"));

test("a log in order breaks no rule", () => {
  expect(breachesIn(good)).toEqual([]);
});

describe("[L1] [T1] [T3] a log is not in order when", () => {
  test.each([
    { fault: "a number comes twice", log: [...good.slice(0, 3), ...good.slice(2)] },
    { fault: "numbers go back", log: [...good.slice(0, 2), good[3], good[2], ...good.slice(4)] },
    { fault: "the conversation starts twice", log: numbered(opened, opened, started("a"), done("a")) },
    { fault: "the conversation never starts", log: numbered(started("a"), done("a")) },
    { fault: "a thread has no end", log: good.slice(0, -1) },
    { fault: "a thread has two ends", log: numbered(...good, done("b")) },
    { fault: "something comes after the end of its thread", log: numbered(...good, chunk("a", "z")) },
    { fault: "something comes before its thread", log: numbered(opened, chunk("a", "z"), started("a"), done("a")) },
    { fault: "threads end in another order", log: numbered(opened, started("a"), started("b"), done("b"), done("a")) },
  ])("$fault", ({ log }) => {
    expect(breachesIn(log.filter((frame) => frame !== undefined))).not.toEqual([]);
  });
});

test("[L1] a number that stands for two events is noticed", () => {
  expect(reusedNumbers([...good, ...good])).toEqual([]);
  expect(reusedNumbers([...good, { seq: 3, ...chunk("b", "x") }])).toHaveLength(1);
});

test("[L3] a doubled paragraph makes another picture", () => {
  expect(pictureFrom([...good.slice(0, 3), ...good])).toEqual(pictureFrom(good));
  const doubled = numbered(opened, started("a"), chunk("a", "x"), chunk("a", "x"), started("b"), done("a"));
  expect(pictureFrom(doubled).items).not.toEqual(pictureFrom(good.slice(0, 5)).items);
});

test("[T4] work that is begun again after its end, or for no reason, is noticed", () => {
  const begun = [
    { step: "triage", at: 10 },
    { step: "task", at: 20 },
    { step: "task", at: 40 },
  ];
  expect(repeatedSteps(begun, [{ step: "triage", at: 15 }])).toEqual([]);
  expect(repeatedSteps(begun, [{ step: "task", at: 30 }])).toHaveLength(1);
  expect(needlessRepeats(begun, [30])).toEqual([]);
  expect(needlessRepeats(begun, [15])).toHaveLength(1);
});
