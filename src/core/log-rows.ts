// The rows of a log, and how a reader gets out of them exactly what it has not seen (L2).

import type { Frame } from "../protocol/events.ts";

/** A frame as it is kept: consecutive chunks are one entry, `cuts` tells where each of them ended. */
export type Entry = Frame & {
  /** Pairs of a chunk's `seq` and where it ended in `content`, for all chunks but the last. */
  readonly cuts?: readonly number[];
};

/** One row of the log: entries in order, `seq` of the first and `last` of the last. */
export type Row = {
  readonly seq: number;
  readonly last: number;
  /** The task that all entries belong to, if it is one. */
  readonly scope: string | null;
  readonly entries: readonly Entry[];
};

/** Also the reach of a replay: no row that holds a number after `n` begins before `n - SEGMENT_SPAN`. */
export const SEGMENT_SPAN = 1024;

export function contentOf(frame: Frame): string {
  return frame.event === "message_chunk" || frame.event === "reasoning" ? frame.data.payload.content : "";
}

export function withContent(frame: Frame, content: string): Frame {
  return { ...frame, data: { ...frame.data, payload: { content } } } as Frame;
}

/** What of an entry a replay has not given out yet: its next chunk is the one that ends at `cuts[next]`. */
type Rest = { readonly entry: Entry; next: number; heard: number };

/** Null when nothing of the entry comes after `after`. */
function restAfter(entry: Entry, after: number): Rest | null {
  if (entry.seq <= after) return null;
  const rest: Rest = { entry, next: 0, heard: 0 };
  skipTo(rest, after + 1);
  return rest;
}

/** The number of its next chunk. */
function nextOf({ entry, next }: Rest): number {
  return entry.cuts?.[next] ?? entry.seq;
}

/** Passes over the chunks before `seq`, though never over the last. Returns the number of the last one passed. */
function skipTo(rest: Rest, seq: number): number {
  const { cuts = [] } = rest.entry;
  let passed = 0;
  for (; (cuts[rest.next] ?? Infinity) < seq; rest.next += 2) {
    passed = cuts[rest.next] ?? 0;
    rest.heard = cuts[rest.next + 1] ?? 0;
  }
  return passed;
}

/** The chunks of an entry that come before `seq`, of which there is at least one, as one frame. */
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
 * The frames after `after`, in order, out of rows sorted by their first number. Rows may overlap: then a paragraph
 * comes in as many pieces as others interrupt it, so that a reader who is lost after any frame has everything up to
 * its number (L2).
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

/** Joins stored and open rows into one sequence sorted by first number. */
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
