// The stored form of a log and its replay: a reader receives exactly the events after its last `seq` (L2).

import type { Frame } from "../protocol/events.ts";

/** A stored frame. Consecutive chunks are merged into one entry; `cuts` contains the ends of the single chunks. */
export type Entry = Frame & {
  /** Flat pairs: the `seq` of a chunk and its end offset in `content`, for all chunks except the last. */
  readonly cuts?: readonly number[];
};

/** One row of the log: entries in order. `seq` is the number of the first, `last` the number of the last. */
export type Row = {
  readonly seq: number;
  readonly last: number;
  /** The task that all entries belong to; null if they belong to several tasks or to none. */
  readonly scope: string | null;
  readonly entries: readonly Entry[];
};

/**
 * The maximum span of a row in numbers. A replay after `n` reads rows from `n - SEGMENT_SPAN` on: no earlier row can
 * contain a number after `n`.
 */
export const SEGMENT_SPAN = 1024;

/** Returns the text of a chunk or reasoning frame; "" for other events. */
export function contentOf(frame: Frame): string {
  return frame.event === "message_chunk" || frame.event === "reasoning" ? frame.data.payload.content : "";
}

/** Returns a copy of a chunk frame with another text. */
export function withContent(frame: Frame, content: string): Frame {
  return { ...frame, data: { ...frame.data, payload: { content } } } as Frame;
}

/** The position of a replay in an entry: its next chunk ends at `cuts[next]`; `readChars` were already returned. */
type Rest = { readonly entry: Entry; next: number; heard: number };

/** Returns a cursor at the first chunk after `after`; null if the entry has none. */
function restAfter(entry: Entry, after: number): Rest | null {
  if (entry.seq <= after) return null;
  const rest: Rest = { entry, next: 0, heard: 0 };
  skipTo(rest, after + 1);
  return rest;
}

/** Returns the number of the next chunk. */
function nextOf({ entry, next }: Rest): number {
  return entry.cuts?.[next] ?? entry.seq;
}

/** Skips the chunks before `seq`, but never the last chunk. Returns the number of the last skipped chunk, or 0. */
function skipTo(rest: Rest, seq: number): number {
  const { cuts = [] } = rest.entry;
  let passed = 0;
  for (; (cuts[rest.next] ?? Infinity) < seq; rest.next += 2) {
    passed = cuts[rest.next] ?? 0;
    rest.heard = cuts[rest.next + 1] ?? 0;
  }
  return passed;
}

/** Returns the chunks of an entry before `seq` as one frame and advances the cursor. At least one must exist. */
function takeUntil(rest: Rest, seq: number): Frame {
  const { cuts: _, ...frame } = rest.entry;
  const { heard } = rest;
  const isLast = frame.seq < seq;
  const last = isLast ? frame.seq : skipTo(rest, seq);
  if (isLast && heard === 0) return frame as Frame;
  const content = contentOf(frame as Frame).slice(heard, isLast ? undefined : rest.heard);
  return { ...withContent(frame as Frame, content), seq: last };
}

/**
 * Yields the frames after `after` in order of `seq`. `rows` must be sorted by their first number and may overlap. A
 * paragraph is split where other events interrupt it, so that a reader that disconnects after any frame has received
 * everything up to that frame's `seq` (L2).
 */
export function* replay(rows: Iterable<Row>, after: number): Generator<Frame> {
  const waiting: Rest[] = [];
  for (const row of rows) {
    yield* framesBefore(row.seq, waiting);
    for (const entry of row.entries) {
      const rest = restAfter(entry, after);
      if (rest !== null) waiting.push(rest);
    }
  }
  yield* framesBefore(Infinity, waiting);
}

/** Yields the frames of the waiting entries before `limit`, in order, and removes finished entries from `waiting`. */
function* framesBefore(limit: number, waiting: Rest[]): Generator<Frame> {
  for (;;) {
    waiting.sort((a, b) => nextOf(a) - nextOf(b));
    const [first, second] = waiting;
    if (first === undefined || nextOf(first) >= limit) return;
    const frame = takeUntil(first, Math.min(limit, second === undefined ? Infinity : nextOf(second)));
    if (frame.seq === first.entry.seq) waiting.shift();
    yield frame;
  }
}

/** Merges two sorted sequences of rows, stored and open, into one sequence sorted by first number. */
export function* joinRows(stored: Iterable<Row>, open: readonly Row[]): Generator<Row> {
  const rest = [...open];
  for (const row of stored) {
    while (rest[0] !== undefined && rest[0].seq < row.seq) {
      yield rest[0];
      rest.shift();
    }
    yield row;
  }
  yield* rest;
}
