// What must be true of every conversation, whatever happened to it. A rule returns its breaches in words, so
// that a test that fails says what was broken.

import type { Frame } from "../../src/protocol/wire/events.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import { EMPTY_VIEW, foldFrames, type ConversationView } from "../../src/protocol/wire/view.ts";

/** L1, T1, T3: of the whole log of a conversation in which nothing runs any more. */
export function breachesIn(log: readonly Frame[]): string[] {
  return [...numbering(log), ...endings(log)];
}

function numbering(log: readonly Frame[]): string[] {
  const breaches: string[] = [];
  for (const [i, frame] of log.entries()) {
    const before = log[i - 1]?.seq ?? 0;
    if (frame.seq <= before) breaches.push(`${frame.event} has the number ${frame.seq} after ${before}`);
    if ((frame.event === "conversation_started") !== (i === 0)) breaches.push(`${frame.event} is at place ${i}`);
  }
  return breaches;
}

function endings(log: readonly Frame[]): string[] {
  const breaches: string[] = [];
  const asked: string[] = [];
  const done: string[] = [];
  for (const frame of log) {
    const thread = "thread_id" in frame.data ? (frame.data.thread_id ?? "") : "";
    if (thread === "") continue;
    if (done.includes(thread)) breaches.push(`${frame.event} comes after the done of ${thread}`);
    if (frame.event === "thread_started") asked.push(thread);
    else if (!asked.includes(thread)) breaches.push(`${frame.event} comes before the thread ${thread}`);
    if (frame.event === "done") done.push(thread);
  }
  if (done.join() !== asked.join()) breaches.push(`asked were ${asked.join()}, done are ${done.join()}`);
  return breaches;
}

/** What a reader shows, without what only a socket tells: who is connected, and the conversation's row. */
export type Picture = Pick<ConversationView, "threads" | "plans"> & { readonly items: readonly unknown[] };

export function pictureOf({ threads, plans, items }: ConversationView): Picture {
  return { threads, plans, items: [...items.values()] };
}

/** L2, L3: the picture of somebody who received these frames. */
export function pictureFrom(frames: Iterable<ServerFrame>): Picture {
  return pictureOf(foldFrames(EMPTY_VIEW, frames));
}

/** L1 over several readers and the history: no number stands for two events. */
export function reusedNumbers(seen: Iterable<Frame>): string[] {
  const known = new Map<number, string>();
  const breaches = new Set<string>();
  for (const frame of seen) {
    const scope = "task_id" in frame.data ? frame.data.task_id : "";
    const name = `${frame.event} ${frame.data.item_id} ${scope}`;
    const before = known.get(frame.seq) ?? name;
    known.set(frame.seq, before);
    if (before !== name) breaches.add(`${frame.seq} is ${before} and ${name}`);
  }
  return [...breaches];
}

/** Work with a name, and when it was begun. */
export type Begun = { readonly step: string; readonly at: number };
/** Somebody saw that a step had finished. */
export type Finished = { readonly step: string; readonly at: number };

/** T4: what was seen finished is never begun again. */
export function repeatedSteps(begun: readonly Begun[], finished: readonly Finished[]): string[] {
  return finished.flatMap(({ step, at }) =>
    begun
      .filter((again) => again.step === step && again.at > at)
      .map((again) => `${step} was begun ${again.at - at} ms after it had been seen finished`),
  );
}

/** T4: work that was begun twice had a death of the host in between. */
export function needlessRepeats(begun: readonly Begun[], deaths: readonly number[]): string[] {
  return begun.flatMap(({ step, at }, i) => {
    const before = begun.slice(0, i).findLast((earlier) => earlier.step === step);
    if (before === undefined || deaths.some((death) => death >= before.at && death <= at)) return [];
    return [`${step} was begun again ${at - before.at} ms later though nothing had died`];
  });
}
