// Checks the final log of a conversation against the received events, the acknowledgements and the model calls.

import type { Frame } from "../src/protocol/wire/events.ts";
import { findViolations, foldVisibleState, findReusedNumbers } from "../test/support/invariants.ts";
import type { Reader, Seen } from "./reader.ts";
import type { Turn } from "./turn.ts";
import type { Breach, Evidence } from "./breach.ts";
import { turnBreaches } from "./judge-turn.ts";

/** Events that are never retracted: a later crash must not remove them. */
const FINAL: ReadonlySet<Frame["event"]> = new Set([
  "conversation_started",
  "thread_started",
  "triage_completed",
  "plan_created",
  "plan_failed",
  "system_failed",
  "task_completed",
  "task_failed",
  "task_cancelled",
  "plan_require_user_input",
  "task_waiting",
  "done",
]);
const GATHERED: ReadonlySet<Frame["event"]> = new Set([
  "message_chunk",
  "reasoning_started",
  "reasoning",
  "reasoning_completed",
]);

/** Returns all violations. Adds the checked items to the tally. */
export function judge(evidence: Evidence): Breach[] {
  const { log, readers, turns, tally } = evidence;
  tally.conversations += 1;
  const seen = readers.flatMap((reader) => reader.seen);
  tally.frames += seen.length;
  return [
    ...findViolations(log.filter(isOfRun(log))).map((words) => ({ rule: "L1 T1 T3", words, seqs: [] })),
    ...droppedBreaches(log),
    ...readers.flatMap((reader) => reader.breaches.map((words) => ({ rule: "L1", words, seqs: [] }))),
    ...findReusedNumbers([...seen.map(({ frame }) => frame), ...log]).map((words) => ({ rule: "L1", words, seqs: [] })),
    ...lostFrames(log, seen),
    ...readers.flatMap((reader, i) => wrongPicture(log, reader, i)),
    ...commandBreaches(log, turns),
    ...turns.flatMap((turn) => turnBreaches(turn, evidence)),
  ];
}

export function threadOf({ data }: Frame): string {
  return "thread_id" in data ? (data.thread_id ?? "") : "";
}

/** Returns the threads that were cancelled before they started: their `done` comes at once, out of order. */
function droppedIn(log: readonly Frame[]): ReadonlySet<string> {
  const dropped = log.filter(({ event, data }) => event === "done" && data.metadata?.["usage"] === undefined);
  return new Set(dropped.map(threadOf));
}

function isOfRun(log: readonly Frame[]): (frame: Frame) => boolean {
  const dropped = droppedIn(log);
  return (frame) => !dropped.has(threadOf(frame));
}

/** T3 for threads that never ran: the log contains only their message and their `done`. */
function droppedBreaches(log: readonly Frame[]): Breach[] {
  return [...droppedIn(log)].flatMap((threadId) => {
    const mine = log.filter((frame) => threadOf(frame) === threadId);
    if (mine.map(({ event }) => event).join() === "thread_started,done") return [];
    return [{ rule: "T3", words: `${threadId} was dropped and went on`, seqs: mine.map(({ seq }) => seq) }];
  });
}

/** L3: each received event is in the log unchanged, unless its step started over later. */
export function lostFrames(log: readonly Frame[], seen: readonly Seen[]): Breach[] {
  const texts = new Map(log.map((frame) => [frame.seq, JSON.stringify(frame)]));
  const items = new Set(log.map(({ data }) => data.item_id));
  const retrying = log.filter((frame) => frame.event === "task_retrying");
  const isTakenBack = (scope: string, seq: number): boolean =>
    retrying.some((later) => later.data.task_id === scope && later.seq > seq && (later.data.payload.since ?? 0) < seq);
  const found = new Map<number, Breach>();
  for (const { frame, text, kills } of seen) {
    const isThere = GATHERED.has(frame.event) ? items.has(frame.data.item_id) : texts.get(frame.seq) === text;
    if (isThere) continue;
    const scope = "task_id" in frame.data ? (frame.data.task_id ?? "") : "";
    if (isTakenBack(scope, frame.seq) && !FINAL.has(frame.event) && !texts.has(frame.seq)) continue;
    const now = texts.get(frame.seq) ?? "nothing";
    const words = `${frame.event} was seen after ${kills} kills and is not in the log; there is ${now}`;
    found.set(frame.seq, { rule: "L3", words, seqs: [frame.seq] });
  }
  return [...found.values()];
}

/** L2: a reader that followed the events shows the same state as a reader of the history. */
export function wrongPicture(log: readonly Frame[], reader: Reader, index: number): Breach[] {
  const mine = foldVisibleState(reader.seen.map(({ frame }) => frame));
  const theirs = foldVisibleState(log);
  const differs = (["threads", "plans", "items"] as const).filter(
    (part) => JSON.stringify(mine[part]) !== JSON.stringify(theirs[part]),
  );
  return differs.map((part) => {
    const [a, b] = [mine[part], theirs[part]];
    const at = a.findIndex((entry, i) => JSON.stringify(entry) !== JSON.stringify(b[i]));
    const place = at === -1 ? a.length : at;
    const words = `Reader ${index} shows other ${part} than the history; at ${place}: ${JSON.stringify(a[place])} and not ${JSON.stringify(b[place])}`;
    return { rule: "L2", words, seqs: seqsOf(a[place], b[place]) };
  });
}

function seqsOf(...entries: unknown[]): number[] {
  return entries.flatMap((entry) =>
    typeof entry === "object" && entry !== null && "seq" in entry && typeof entry.seq === "number" ? [entry.seq] : [],
  );
}

/** I1, T2: each acknowledged message is in the log once, at the acknowledged `seq`. */
function commandBreaches(log: readonly Frame[], turns: readonly Turn[]): Breach[] {
  const started = log.filter((frame) => frame.event === "thread_started");
  const breaches = turns.flatMap(({ threadId, seq, commandId }): Breach[] => {
    const mine = started.filter((frame) => frame.data.thread_id === threadId);
    if (mine.length === 1 && mine[0]?.seq === seq) return [];
    const words = `${commandId} was acknowledged as ${threadId} at ${seq}; the log has it ${mine.length} times, at ${mine.map((frame) => frame.seq).join()}`;
    return [{ rule: "I1 L3", words, seqs: [seq, ...mine.map((frame) => frame.seq)] }];
  });
  breaches.push(...turns.flatMap((turn) => answerBreaches(log, turn)));
  if (started.length === turns.length) return breaches;
  const words = `${turns.length} messages were sent, and the log has ${started.length} threads`;
  return [...breaches, { rule: "T2", words, seqs: started.map(({ seq }) => seq) }];
}

/** H1: each acknowledged answer is in the log at the acknowledged `seq`, and no other answer is. */
function answerBreaches(log: readonly Frame[], { answers }: Turn): Breach[] {
  return answers.flatMap(({ requestId, seq }) => {
    const given = log.filter(({ event, data }) => event === "message" && data.metadata?.["request_id"] === requestId);
    if (given.length === 1 && given[0]?.seq === seq) return [];
    const seqs = given.map((frame) => frame.seq);
    return [
      {
        rule: "H1 L3",
        words: `The answer to ${requestId} was acknowledged as ${seq} and stands at ${seqs.join()}`,
        seqs,
      },
    ];
  });
}
