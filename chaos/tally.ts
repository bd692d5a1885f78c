// Counts the actions and checks of a run, so that a run without activity cannot pass.

import { KINDS, type Kind } from "./scripts.ts";

export const ENDS = ["finished", "cancelled", "failed"] as const;
export type End = (typeof ENDS)[number];

export type Tally = {
  readonly turns: Record<Kind, Record<End, number>>;
  conversations: number;
  acks: number;
  repeats: number;
  walks: number;
  frames: number;
  calls: number;
  /** Interrupted steps that started over. */
  restarts: number;
  taskCancels: number;
  /** Answered questions. */
  answers: number;
  /** Tasks of A2A clients. */
  visits: number;
  /** Answers to clients of the Responses API, and tickets that were used up. */
  responses: number;
  tickets: number;
  /** Threads that had to wait before they resumed. */
  stalls: number;
  /** Distinct confirmed notifications. `repeatedNotices` counts the further deliveries of them. */
  notices: number;
  repeatedNotices: number;
};

export function newTally(): Tally {
  const none = () => ({ finished: 0, cancelled: 0, failed: 0 });
  const turns = { answer: none(), plan: none(), agent: none(), question: none(), order: none() } satisfies Record<
    Kind,
    Record<End, number>
  >;
  const counts = {
    conversations: 0,
    acks: 0,
    repeats: 0,
    walks: 0,
    frames: 0,
    calls: 0,
    restarts: 0,
    taskCancels: 0,
    answers: 0,
    visits: 0,
    responses: 0,
    tickets: 0,
    stalls: 0,
    notices: 0,
    repeatedNotices: 0,
  };
  return { turns, ...counts };
}

/** Lists the activity that a meaningful run requires and this one lacks. */
export function shortcomings({
  turns,
  repeats,
  restarts,
  taskCancels,
  answers,
  responses,
  tickets,
  notices,
  repeatedNotices,
}: Tally): string[] {
  const missing: string[] = [];
  for (const kind of KINDS) if (turns[kind].finished === 0) missing.push(`no ${kind} was finished`);
  const count = (end: End): number => KINDS.reduce((sum, kind) => sum + turns[kind][end], 0);
  if (count("cancelled") === 0) missing.push("no thread was cancelled");
  if (taskCancels === 0) missing.push("no task was cancelled");
  if (answers === 0) missing.push("no question was answered");
  if (repeats === 0) missing.push("no command was sent twice");
  if (responses === 0) missing.push("no response was requested");
  if (tickets === 0) missing.push("no ticket was used");
  if (notices === 0) missing.push("nobody was notified");
  if (repeatedNotices === 0) missing.push("no notification was repeated");
  if (restarts === 0) missing.push("no kill interrupted any work");
  return missing;
}
