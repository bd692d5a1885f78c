// The queue of open threads, as pure functions of the head.
//
//   T1. One thread runs at a time. Messages keep their order and precede waiting schedule runs; schedule runs do not
//       wait for a thread that is paused for the person, or that waits after its host died.

import type { ConversationHead, OpenThread } from "../storage/conversation-head.ts";
import { getResumptionTime } from "./interruptions.ts";

/** The position of a thread or an answer in the log: its thread and the `seq` of its event. */
export type ThreadPosition = { readonly thread_id: string; readonly seq: number };

/** The maximum number of open schedule runs. Each is part of the head, which is stored as a whole on every change. */
export const MAX_WAITING_RUNS = 200;

/**
 * Returns the thread that runs or may run next; undefined if none can at the time `now` (ms since the epoch). The oldest
 * message comes first, then the oldest schedule run that can run. If the oldest message cannot run, later messages wait,
 * but not schedule runs.
 */
export function pickNextThread({ open }: ConversationHead, now = Date.now()): OpenThread | undefined {
  const canRun = (thread: OpenThread): boolean =>
    thread.is_paused === undefined && findResumptionTime(thread, now) === null;
  const first = open.find(({ tick }) => tick === undefined);
  if (first !== undefined && canRun(first)) return first;
  return open.find((thread) => thread.tick !== undefined && canRun(thread));
}

/** Returns the earliest future time at which a waiting thread resumes (ms since the epoch); Infinity if none waits. */
export function getNextResumption({ open }: ConversationHead, now = Date.now()): number {
  return Math.min(...open.map((thread) => findResumptionTime(thread, now) ?? Infinity));
}

/** A cancelled thread does not wait: it only has to publish its end. */
function findResumptionTime({ interruptions, is_cancelled }: OpenThread, now: number): number | null {
  return is_cancelled === true ? null : getResumptionTime(interruptions, now);
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
