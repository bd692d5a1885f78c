// Invariants of every conversation. Each check returns its violations as text, so that a failing test names them.

import type { Frame } from "../../src/protocol/wire/events.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import { EMPTY_VIEW, foldFrames, type ConversationView } from "../../src/protocol/wire/view.ts";

/** L1, T1, T3: checks the complete log of a conversation with no running thread. */
export function findViolations(log: readonly Frame[]): string[] {
  return [...findNumberingViolations(log), ...findEndViolations(log)];
}

function findNumberingViolations(log: readonly Frame[]): string[] {
  const violations: string[] = [];
  for (const [i, frame] of log.entries()) {
    const before = log[i - 1]?.seq ?? 0;
    if (frame.seq <= before) violations.push(`${frame.event} has seq ${frame.seq} after ${before}`);
    if ((frame.event === "conversation_started") !== (i === 0)) violations.push(`${frame.event} is event ${i}`);
  }
  return violations;
}

function findEndViolations(log: readonly Frame[]): string[] {
  const violations: string[] = [];
  const started: string[] = [];
  const done: string[] = [];
  for (const frame of log) {
    const thread = "thread_id" in frame.data ? (frame.data.thread_id ?? "") : "";
    if (thread === "") continue;
    if (done.includes(thread)) violations.push(`${frame.event} comes after the done of ${thread}`);
    if (frame.event === "thread_started") started.push(thread);
    else if (!started.includes(thread)) violations.push(`${frame.event} comes before the thread ${thread}`);
    if (frame.event === "done") done.push(thread);
  }
  if (done.join() !== started.join()) violations.push(`started: ${started.join()}; done: ${done.join()}`);
  return violations;
}

/** The visible state of a view, without the parts that only a socket delivers (presence and the conversation row). */
export type VisibleState = Pick<ConversationView, "threads" | "plans"> & { readonly items: readonly unknown[] };

export function toVisibleState({ threads, plans, items }: ConversationView): VisibleState {
  return { threads, plans, items: [...items.values()] };
}

/** L2, L3: folds frames into the state that their reader shows. */
export function foldVisibleState(frames: Iterable<ServerFrame>): VisibleState {
  return toVisibleState(foldFrames(EMPTY_VIEW, frames));
}

/** L1 across several readers and the log: one sequence number never has two different events. */
export function findReusedNumbers(seen: Iterable<Frame>): string[] {
  const known = new Map<number, string>();
  const violations = new Set<string>();
  for (const frame of seen) {
    const scope = "task_id" in frame.data ? frame.data.task_id : "";
    const name = `${frame.event} ${frame.data.item_id} ${scope}`;
    const before = known.get(frame.seq) ?? name;
    known.set(frame.seq, before);
    if (before !== name) violations.add(`${frame.seq} is ${before} and ${name}`);
  }
  return [...violations];
}

/** The start of a named step. */
export type StepStart = { readonly step: string; readonly at: number };
/** The observed end of a named step. */
export type StepEnd = { readonly step: string; readonly at: number };

/** T4: reports steps that start again after their end was observed. */
export function findRepeatedSteps(starts: readonly StepStart[], finished: readonly StepEnd[]): string[] {
  return finished.flatMap(({ step, at }) =>
    starts
      .filter((again) => again.step === step && again.at > at)
      .map((again) => `${step} started ${again.at - at} ms after its end was observed`),
  );
}

/** T4: reports steps that started twice without a crash in between. */
export function findNeedlessRepeats(starts: readonly StepStart[], deaths: readonly number[]): string[] {
  return starts.flatMap(({ step, at }, i) => {
    const before = starts.slice(0, i).findLast((earlier) => earlier.step === step);
    if (before === undefined || deaths.some((death) => death >= before.at && death <= at)) return [];
    return [`${step} started again after ${at - before.at} ms without a crash in between`];
  });
}
