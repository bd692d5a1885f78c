// The queue of open threads, as pure functions of the head.
//
//   T1. One thread runs at a time. Messages keep their order and precede waiting schedule runs; schedule runs do not
//       wait for a thread that is paused for the person.

import type { ConversationHead, OpenThread } from "../storage/conversation-head.ts";

/** The position of a thread or an answer in the log: its thread and the `seq` of its event. */
export type ThreadPosition = { readonly thread_id: string; readonly seq: number };

/** The maximum number of open schedule runs. Each is part of the head, which is stored as a whole on every change. */
export const MAX_WAITING_RUNS = 200;

/**
 * Returns the thread that runs or may run next; undefined if none can. The oldest message comes first, then the oldest
 * schedule run that is not paused. If the oldest message is paused, later messages wait, but not schedule runs.
 */
export function pickNextThread({ open }: ConversationHead): OpenThread | undefined {
  const first = open.find(({ tick }) => tick === undefined);
  if (first !== undefined && first.is_paused === undefined) return first;
  return open.find(({ tick, is_paused }) => tick !== undefined && is_paused === undefined);
}

/** Returns the number of messages that have not begun (`waiting`) and of schedule runs that are not done (`runs`). */
export function countQueued({ open }: ConversationHead): { readonly waiting: number; readonly runs: number } {
  const messages = open.filter(({ tick }) => tick === undefined);
  // A paused or answered message has begun.
  return { waiting: messages.filter(({ attempts }) => attempts === 0).length, runs: open.length - messages.length };
}

/** Returns the open thread with this id; undefined if it is not open. */
export function findThread(open: readonly OpenThread[], threadId: string): OpenThread | undefined {
  return open.find((thread) => thread.thread_id === threadId);
}
