// The stored form of a log and its replay: a reader receives exactly the events after its last `seq` (L2).

import type { Frame } from "../../protocol/wire/events.ts";

/** A stored frame. Consecutive chunks are merged into one entry; `cuts` contains the ends of the single chunks. */
export type LogEntry = Frame & {
  /** Flat pairs: the `seq` of a chunk and its end offset in `content`, for all chunks except the last. */
  readonly cuts?: readonly number[];
};

/** One row of the log: entries in order. `seq` is the number of the first, `last` the number of the last. */
export type LogRow = {
  readonly seq: number;
  readonly last: number;
  /** The task that all entries belong to; null if they belong to several tasks or to none. */
  readonly scope: string | null;
  readonly entries: readonly LogEntry[];
};

/**
 * The maximum span of a row in numbers. A replay after `n` reads rows from `n - MAX_ROW_SPAN` on: no earlier row can
 * contain a number after `n`.
 */
export const MAX_ROW_SPAN = 1024;

/** Returns the text of a chunk or reasoning frame; "" for other events. */
export function getContent(frame: Frame): string {
  return frame.event === "message_chunk" || frame.event === "reasoning" ? frame.data.payload.content : "";
}

/** Returns a copy of a chunk, a frame or a draft, whose payload is only `content`. */
export function withContent<Chunk extends { readonly data: object }>(chunk: Chunk, content: string): Chunk {
  return { ...chunk, data: { ...chunk.data, payload: { content } } };
}

/**
 * Splits a row in two of about half the entries; null if it has only one. The rows may overlap in their numbers, like
 * all rows.
 */
export function splitRow({ scope, entries }: LogRow): readonly [LogRow, LogRow] | null {
  const middle = Math.ceil(entries.length / 2);
  if (middle >= entries.length) return null;
  return [createPart(scope, entries.slice(0, middle)), createPart(scope, entries.slice(middle))];
}

function createPart(scope: string | null, entries: readonly LogEntry[]): LogRow {
  const firsts = entries.map(({ seq, cuts }) => cuts?.[0] ?? seq);
  return { seq: Math.min(...firsts), last: Math.max(...entries.map(({ seq }) => seq)), scope, entries };
}

/** The position of a replay in an entry: its next chunk ends at `cuts[next]`; `readChars` were already returned. */
type ReplayCursor = { readonly entry: LogEntry; next: number; readChars: number };

/** Returns a cursor at the first chunk after `after`; null if the entry has none. */
function createReplayCursor(entry: LogEntry, after: number): ReplayCursor | null {
  if (entry.seq <= after) return null;
  const cursor: ReplayCursor = { entry, next: 0, readChars: 0 };
  skipBefore(cursor, after + 1);
  return cursor;
}

/** Returns the number of the next chunk. */
function getNextSeq({ entry, next }: ReplayCursor): number {
  return entry.cuts?.[next] ?? entry.seq;
}

/** Skips the chunks before `seq`, but never the last chunk. Returns the number of the last skipped chunk, or 0. */
function skipBefore(cursor: ReplayCursor, seq: number): number {
  const { cuts = [] } = cursor.entry;
  let passed = 0;
  for (; (cuts[cursor.next] ?? Infinity) < seq; cursor.next += 2) {
    passed = cuts[cursor.next] ?? 0;
    cursor.readChars = cuts[cursor.next + 1] ?? 0;
  }
  return passed;
}

/** Returns the chunks of an entry before `seq` as one frame and advances the cursor. At least one must exist. */
function takeBefore(cursor: ReplayCursor, seq: number): Frame {
  const { cuts: _, ...frame } = cursor.entry;
  const { readChars } = cursor;
  const isLast = frame.seq < seq;
  const last = isLast ? frame.seq : skipBefore(cursor, seq);
  if (isLast && readChars === 0) return frame as Frame;
  const content = getContent(frame as Frame).slice(readChars, isLast ? undefined : cursor.readChars);
  return { ...withContent(frame as Frame, content), seq: last };
}

/**
 * Yields the frames with a `seq` greater than `after`, in order. `rows` must be sorted by their first number and may
 * overlap. The chunks of a paragraph are merged into one frame, split where other events interrupt it, so that a reader
 * that disconnects after any frame has received everything up to that frame's `seq` (L2).
 */
export function* replayFrames(rows: Iterable<LogRow>, after: number): Generator<Frame> {
  const waiting: ReplayCursor[] = [];
  for (const row of rows) {
    yield* replayBefore(row.seq, waiting);
    for (const entry of row.entries) {
      const cursor = createReplayCursor(entry, after);
      if (cursor !== null) waiting.push(cursor);
    }
  }
  yield* replayBefore(Infinity, waiting);
}

/** Yields the frames of the waiting entries before `limit`, in order, and removes finished entries from `waiting`. */
function* replayBefore(limit: number, waiting: ReplayCursor[]): Generator<Frame> {
  for (;;) {
    waiting.sort((a, b) => getNextSeq(a) - getNextSeq(b));
    const [first, second] = waiting;
    if (first === undefined || getNextSeq(first) >= limit) return;
    const frame = takeBefore(first, Math.min(limit, second === undefined ? Infinity : getNextSeq(second)));
    if (frame.seq === first.entry.seq) waiting.shift();
    yield frame;
  }
}

/** Merges two sorted sequences of rows, stored and open, into one sequence sorted by first number. */
export function* mergeSortedRows(stored: Iterable<LogRow>, open: readonly LogRow[]): Generator<LogRow> {
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
