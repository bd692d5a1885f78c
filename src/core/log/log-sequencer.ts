// Numbers the events of one conversation and decides which rows to store, and when.
//
// Owns the last `seq`, the reserved range of numbers, and the open paragraphs. It does no I/O: `append` returns a
// `LogCommit`, and the caller (`durable/conversation/event-log.ts`) stores all of it in one transaction and then sends the frames.
// If the transaction fails, the sequencer is ahead of storage; the caller must discard it.
// Readers receive each chunk; storage receives one row per paragraph. Both have the same item id.
//
// Invariants:
//   L1. `seq` grows by one per event, is assigned before anything is sent, and is never assigned twice. Numbers are
//       reserved in storage before use, so a crash can only skip numbers.
//   L4. The number of rows grows with paragraphs, not with chunks: a row holds one paragraph, one batch of events, or
//       both if they belong to one task.
//   B1. Chunks of one task and kind share an item id until an event closes the paragraph.
//   B2. A paragraph is stored no later than the event that closes it. Exception: the end of reasoning without unstored
//       text is stored with the next row, so that the first word of an answer need not wait for storage.
//   B3. A stored event closes the paragraphs of its task, or of its whole thread if it has no task.
//   B4. An open paragraph is stored at the latest after `MAX_SEGMENT_CHARS`, and a row spans at most `MAX_ROW_SPAN`
//       numbers.
//   B5. A chunk longer than `MAX_CHUNK_CHARS` becomes several chunks of the same item.

import type { EventName, Frame } from "../../protocol/wire/events.ts";
import { splitText } from "../../lib/text-size.ts";
import { createId as mintId, type IdFactory } from "../../protocol/wire/ids.ts";
import { getContent, MAX_ROW_SPAN, withContent, type LogEntry, type LogRow } from "./log-rows.ts";
import type { EventDraft } from "../ports.ts";

/** The effects of one `append`. Store rows, reservation and retractions in one transaction; then send the frames. */
export type LogCommit = {
  readonly frames: readonly Frame[];
  readonly rows: readonly LogRow[];
  /** The new upper bound of reserved numbers, to be stored; null if the stored bound is sufficient. */
  readonly reserve: number | null;
  /** Scopes whose step starts over: delete their rows after the given number. */
  readonly retract: readonly LogRetraction[];
};

/** Deletes the rows of `scope` with a `seq` greater than `since`. */
export type LogRetraction = { readonly scope: string; readonly since: number };

/** The length at which an open paragraph is stored (B4), in UTF-16 units. */
const MAX_SEGMENT_CHARS = 8 * 1024;
/** The length of the longest chunk (B5), in UTF-16 units. */
export const MAX_CHUNK_CHARS = 16 * 1024;
/** The smallest number of seqs that is reserved at once. */
const MIN_RESERVATION = 256;

/** `store`: a row at once. `gather`: collected in a paragraph. The compiler requires an entry for each event name. */
const STORAGE_MODES = {
  conversation_started: "store",
  thread_started: "store",
  triage_completed: "store",
  plan_created: "store",
  plan_require_user_input: "store",
  plan_failed: "store",
  system_failed: "store",
  done: "store",
  task_started: "store",
  task_completed: "store",
  task_failed: "store",
  task_cancelled: "store",
  task_waiting: "store",
  task_retrying: "store",
  message_chunk: "gather",
  message: "store",
  reasoning_started: "gather",
  reasoning: "gather",
  reasoning_completed: "gather",
  tool_call_started: "store",
  tool_call_completed: "store",
  component_generator: "store",
  verification_completed: "store",
} as const satisfies Record<EventName, "store" | "gather">;

/** A mutable entry to which chunks are appended in place, because chunks arrive by the thousand. */
type MutableLogEntry = { readonly frame: Frame; seq: number; content: string; readonly cuts: number[] };
/** Chunks of one scope and kind that are not stored yet. All of them have the same item id. */
type OpenParagraph = {
  readonly itemId: string;
  readonly scope: string;
  readonly threadId: string;
  entries: MutableLogEntry[];
  chars: number;
};

/** Assigns numbers and collects paragraphs for one conversation. Synchronous; one instance per conversation object. */
export class LogSequencer {
  readonly #conversationId: string;
  readonly #mint: IdFactory;
  #last: number;
  #reserved: number;
  /** The number at which the current series of reservations began. */
  #reservationStart: number;
  readonly #openParagraphs = new Map<string, OpenParagraph>();

  /** `last` is the highest number that may already be in use, including reserved numbers. */
  constructor(conversationId: string, last: number, mint: IdFactory = mintId) {
    this.#conversationId = conversationId;
    this.#last = last;
    this.#reserved = last;
    this.#reservationStart = last;
    this.#mint = mint;
  }

  /** Returns the number of the newest event. */
  get last(): number {
    return this.#last;
  }

  /**
   * Numbers the drafts in order and returns their frames and the rows that are due. Chunks of an unfinished paragraph
   * cause frames but no rows. `task_retrying` drops the open paragraphs of its scope and adds a retraction.
   */
  append(drafts: readonly EventDraft[]): LogCommit {
    const frames: Frame[] = [];
    const rows: LogRow[] = [];
    const retract: LogRetraction[] = [];
    const batch: LogEntry[] = [];
    for (const draft of drafts) {
      const mode = STORAGE_MODES[draft.event];
      if (mode === "gather") {
        for (const piece of splitChunk(draft)) frames.push(this.#appendChunk(piece, rows));
        continue;
      }
      const { scope } = getLocation(draft);
      if (draft.event === "task_retrying" && scope !== undefined) {
        this.#dropParagraphs(scope);
        retract.push({ scope, since: draft.data.payload.since ?? 0 });
      }
      rows.push(...this.#closeParagraphs(getLocation(draft)));
      const frame = this.#assignSeq(draft, draft.data.item_id ?? this.#mint("item"));
      if (frame.seq - (batch[0]?.seq ?? frame.seq) >= MAX_ROW_SPAN) rows.push(createRow(batch.splice(0)));
      frames.push(frame);
      batch.push(frame);
    }
    if (batch.length > 0) rows.push(createRow(batch));
    return { frames, rows: mergeRows(rows), reserve: this.#reserve(), retract };
  }

  /** Closes the open paragraphs of a scope and returns their rows; afterwards all its events are in rows. */
  close(scope: string): LogCommit {
    return { frames: [], rows: this.#closeParagraphs({ scope }), reserve: null, retract: [] };
  }

  /**
   * Returns the open paragraphs as rows, sorted by `seq`, for a replay together with the stored rows. Changes nothing.
   */
  listOpenRows(): LogRow[] {
    return [...this.#openParagraphs.values()].flatMap(paragraphToRows).sort((a, b) => a.seq - b.seq);
  }

  /**
   * Releases reserved numbers that are not used and returns the last used number, which the caller stores as the new
   * bound. Call it only while no paragraph is open.
   */
  releaseReservation(): number {
    this.#reserved = this.#last;
    this.#reservationStart = this.#last;
    return this.#last;
  }

  /** Assigns the next number, the conversation id and the item id. */
  #assignSeq(draft: EventDraft, itemId: string): Frame {
    this.#last += 1;
    const data = { conversation_id: this.#conversationId, ...draft.data, item_id: itemId };
    return { seq: this.#last, event: draft.event, data } as Frame;
  }

  /** Appends a chunk to its paragraph. Adds a row to `rows` if the paragraph reaches a limit of B4. */
  #appendChunk(draft: EventDraft, rows: LogRow[]): Frame {
    const { threadId = "", scope = "" } = getLocation(draft);
    const kind = draft.event === "message_chunk" ? "message" : "reasoning";
    const key = `${scope}/${kind}`;
    let paragraph = this.#openParagraphs.get(key);
    if (paragraph === undefined) {
      const itemId = draft.data.item_id ?? this.#mint(kind === "message" ? "item" : "reasoning");
      paragraph = { itemId, scope, threadId, entries: [], chars: 0 };
      this.#openParagraphs.set(key, paragraph);
    }
    const first = paragraph.entries[0]?.frame.seq ?? this.#last + 1;
    if (this.#last + 1 - first >= MAX_ROW_SPAN) rows.push(...takeSegment(paragraph));
    const frame = this.#assignSeq(draft, paragraph.itemId);
    appendToParagraph(paragraph, frame);
    if (draft.event === "reasoning_completed") this.#endReasoning(key, paragraph, rows);
    else if (paragraph.chars >= MAX_SEGMENT_CHARS) rows.push(...takeSegment(paragraph));
    return frame;
  }

  /** Stores a finished stretch of reasoning, or keeps it open under another key if it has no unstored text (B2). */
  #endReasoning(key: string, paragraph: OpenParagraph, rows: LogRow[]): void {
    this.#openParagraphs.delete(key);
    if (paragraph.chars > 0) rows.push(...takeSegment(paragraph));
    else this.#openParagraphs.set(`${key}/${this.#last}`, paragraph);
  }

  /** Closes the paragraphs that an event at this location ends (B3) and returns their rows, oldest first. */
  #closeParagraphs({ threadId, scope }: EventLocation): LogRow[] {
    const closed: LogRow[] = [];
    for (const [key, paragraph] of this.#openParagraphs) {
      const ends = scope === undefined ? paragraph.threadId === threadId : paragraph.scope === scope;
      if (!ends) continue;
      this.#openParagraphs.delete(key);
      closed.push(...paragraphToRows(paragraph));
    }
    return closed.sort((a, b) => a.seq - b.seq);
  }

  /** Discards the open paragraphs of a scope, because its step starts over. */
  #dropParagraphs(scope: string): void {
    for (const [key, paragraph] of this.#openParagraphs)
      if (paragraph.scope === scope) this.#openParagraphs.delete(key);
  }

  /** Returns the new bound to reserve, or null. The reservation doubles with the series, so that writes stay rare. */
  #reserve(): number | null {
    if (this.#last <= this.#reserved) return null;
    this.#reserved = this.#last + Math.max(MIN_RESERVATION, this.#last - this.#reservationStart);
    return this.#reserved;
  }
}

/** Returns a chunk in pieces of at most `MAX_CHUNK_CHARS` (B5). */
function splitChunk(draft: EventDraft): readonly EventDraft[] {
  if (draft.event !== "message_chunk" && draft.event !== "reasoning") return [draft];
  const { content } = draft.data.payload;
  if (content.length <= MAX_CHUNK_CHARS) return [draft];
  return Array.from(splitText(content, MAX_CHUNK_CHARS), (piece) => withContent(draft, piece));
}

/** The thread and scope (task) of an event. Without a scope, the location is the whole thread. */
type EventLocation = { readonly threadId?: string; readonly scope?: string };

/** Returns the location of a draft from its thread and task ids. */
function getLocation(draft: EventDraft): EventLocation {
  const { data } = draft;
  return {
    ...("thread_id" in data && data.thread_id !== undefined ? { threadId: data.thread_id } : {}),
    ...("task_id" in data && data.task_id !== undefined ? { scope: data.task_id } : {}),
  };
}

/** Creates a row of at least one entry. Throws for an empty list. */
function createRow(entries: readonly LogEntry[], scope: string | null = findSharedScope(entries)): LogRow {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) throw new Error("A row needs an entry");
  return { seq: first.seq, last: last.seq, scope, entries };
}

/** Merges neighbouring rows of one task, as long as the merged row spans at most `MAX_ROW_SPAN` numbers. */
function mergeRows(rows: readonly LogRow[]): readonly LogRow[] {
  const result: LogRow[] = [];
  for (const row of rows) {
    const previous = result.at(-1);
    const isSameScope = previous !== undefined && previous.scope !== null && previous.scope === row.scope;
    if (isSameScope && previous.seq < row.seq && Math.max(row.last, previous.last) - previous.seq < MAX_ROW_SPAN) {
      const last = Math.max(row.last, previous.last);
      result[result.length - 1] = { ...previous, last, entries: [...previous.entries, ...row.entries] };
    } else result.push(row);
  }
  return result;
}

/** Returns the row of an open paragraph; empty directly after a segment of it was stored. */
function paragraphToRows({ entries: growing, scope }: OpenParagraph): LogRow[] {
  if (growing.length === 0) return [];
  const entries = growing.map(({ frame, seq, content, cuts }) =>
    cuts.length === 0 ? frame : ({ ...withContent(frame, content), seq, cuts: [...cuts] } as LogEntry),
  );
  return [createRow(entries, scope === "" ? null : scope)];
}

/** Returns the task that all entries have in common; null if there is none. */
function findSharedScope(entries: readonly LogEntry[]): string | null {
  const scopes = new Set(entries.map(({ data }) => ("task_id" in data ? data.task_id : undefined)));
  const [scope] = scopes;
  return scopes.size === 1 && scope !== undefined ? scope : null;
}

/**
 * Removes the collected chunks from a paragraph and returns them as rows. The paragraph stays open with its item id.
 */
function takeSegment(paragraph: OpenParagraph): LogRow[] {
  const rows = paragraphToRows(paragraph);
  paragraph.entries = [];
  paragraph.chars = 0;
  return rows;
}

/**
 * Appends a chunk. The first chunk of a row stays a separate entry, so that a replay shows items in the order in which
 * they started; all later chunks of the same event are merged into one entry.
 */
function appendToParagraph(paragraph: OpenParagraph, frame: Frame): void {
  const text = getContent(frame);
  paragraph.chars += text.length;
  const [previous, tail] = [paragraph.entries.at(-2), paragraph.entries.at(-1)];
  if (tail === undefined || previous?.frame.event !== frame.event || tail.frame.event !== frame.event) {
    paragraph.entries.push({ frame, seq: frame.seq, content: text, cuts: [] });
    return;
  }
  tail.cuts.push(tail.seq, tail.content.length);
  tail.content += text;
  tail.seq = frame.seq;
}
