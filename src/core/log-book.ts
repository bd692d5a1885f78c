// The log of one conversation: gives every event its place and decides what storage keeps, and when.
//
// Readers see every chunk; storage sees a row per paragraph. Both carry the same item id.
//
// Invariants:
//   L1. `seq` grows by one per event, is given before anything is sent, and is never given twice:
//       numbers are reserved in storage before they are used, so a crash can only skip some.
//   L4. Rows grow with paragraphs, not with chunks: a row holds a paragraph, what was published at once, or
//       both when they belong to one task.
//   B1. Chunks of one task and kind share an item id until something closes the paragraph.
//   B2. A paragraph is stored no later than the event that closed it; the end of reasoning that holds no
//       unstored word, with the next one: the first word of an answer need not wait for a disk.
//   B3. A stored event closes its own task's paragraphs, or its whole thread's when it names no task.
//   B4. An open paragraph is stored at the latest after `SEGMENT_CHARS`; a row spans at most `SEGMENT_SPAN` numbers.

import type { EventName, Frame } from "../protocol/events.ts";
import { mint as mintId, type Mint } from "../protocol/ids.ts";
import { contentOf, SEGMENT_SPAN, withContent, type Entry, type Row } from "./log-rows.ts";
import type { Draft } from "./ports.ts";

/** What to do for one `append`, in this order: store all of it in one transaction, then send the frames. */
export type Commit = {
  readonly frames: readonly Frame[];
  readonly rows: readonly Row[];
  /** A new highest number that may be given out, to be stored; null when the old one is enough. */
  readonly reserve: number | null;
  /** Scopes whose rows after a number are to be deleted: their step starts over. */
  readonly retract: readonly Retraction[];
};

export type Retraction = { readonly scope: string; readonly since: number };

const SEGMENT_CHARS = 8 * 1024;
const RESERVE = 256;

/** How storage treats an event. A new event has to choose. */
const KEEPING = {
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

/** An entry while it grows, in place: chunks arrive by the thousand. */
type Growing = { readonly frame: Frame; seq: number; content: string; readonly cuts: number[] };
type Paragraph = {
  readonly itemId: string;
  readonly scope: string;
  readonly threadId: string;
  growing: Growing[];
  chars: number;
};

export class LogBook {
  readonly #conversationId: string;
  readonly #mint: Mint;
  #last: number;
  #reserved: number;
  /** Where the current stretch of reservations began. */
  #settled: number;
  readonly #open = new Map<string, Paragraph>();

  /** `last` is the highest number that may ever have been given out. */
  constructor(conversationId: string, last: number, mint: Mint = mintId) {
    this.#conversationId = conversationId;
    this.#last = last;
    this.#reserved = last;
    this.#settled = last;
    this.#mint = mint;
  }

  /** The number of the newest event. */
  get last(): number {
    return this.#last;
  }

  append(drafts: readonly Draft[]): Commit {
    const frames: Frame[] = [];
    const rows: Row[] = [];
    const retract: Retraction[] = [];
    const batch: Entry[] = [];
    for (const draft of drafts) {
      const keeping = KEEPING[draft.event];
      if (keeping === "gather") {
        frames.push(this.#gather(draft, rows));
        continue;
      }
      const { scope } = placeOf(draft);
      if (draft.event === "task_retrying" && scope !== undefined) {
        this.#drop(scope);
        retract.push({ scope, since: draft.data.payload.since ?? 0 });
      }
      rows.push(...this.#close(placeOf(draft)));
      const frame = this.#stamp(draft, draft.data.item_id ?? this.#mint("item"));
      if (frame.seq - (batch[0]?.seq ?? frame.seq) >= SEGMENT_SPAN) rows.push(rowOf(batch.splice(0)));
      frames.push(frame);
      batch.push(frame);
    }
    if (batch.length > 0) rows.push(rowOf(batch));
    return { frames, rows: joined(rows), reserve: this.#reserve(), retract };
  }

  /** Closes the open paragraphs of a task, so that everything it has said is in rows. */
  close(scope: string): Commit {
    return { frames: [], rows: this.#close({ scope }), reserve: null, retract: [] };
  }

  /** The open paragraphs as rows: what a replay needs besides what is stored. */
  openRows(): Row[] {
    return [...this.#open.values()].flatMap(rowsOf).sort((a, b) => a.seq - b.seq);
  }

  /** Gives numbers that were reserved and not used back, at a moment when nothing is open. */
  settle(): number {
    this.#reserved = this.#last;
    this.#settled = this.#last;
    return this.#last;
  }

  #stamp(draft: Draft, itemId: string): Frame {
    this.#last += 1;
    const data = { conversation_id: this.#conversationId, ...draft.data, item_id: itemId };
    return { seq: this.#last, event: draft.event, data } as Frame;
  }

  #gather(draft: Draft, rows: Row[]): Frame {
    const { threadId = "", scope = "" } = placeOf(draft);
    const kind = draft.event === "message_chunk" ? "message" : "reasoning";
    const key = `${scope}/${kind}`;
    let paragraph = this.#open.get(key);
    if (paragraph === undefined) {
      const itemId = draft.data.item_id ?? this.#mint(kind === "message" ? "item" : "reasoning");
      paragraph = { itemId, scope, threadId, growing: [], chars: 0 };
      this.#open.set(key, paragraph);
    }
    const first = paragraph.growing[0]?.frame.seq ?? this.#last + 1;
    if (this.#last + 1 - first >= SEGMENT_SPAN) rows.push(...segmentOf(paragraph));
    const frame = this.#stamp(draft, paragraph.itemId);
    gatherInto(paragraph, frame);
    if (draft.event === "reasoning_completed") this.#endReasoning(key, paragraph, rows);
    else if (paragraph.chars >= SEGMENT_CHARS) rows.push(...segmentOf(paragraph));
    return frame;
  }

  #endReasoning(key: string, paragraph: Paragraph, rows: Row[]): void {
    this.#open.delete(key);
    if (paragraph.chars > 0) rows.push(...segmentOf(paragraph));
    else this.#open.set(`${key}/${this.#last}`, paragraph);
  }

  /** Closes the paragraphs that an event at this place ends, oldest first. */
  #close({ threadId, scope }: EventPlace): Row[] {
    const closed: Row[] = [];
    for (const [key, paragraph] of this.#open) {
      const ends = scope === undefined ? paragraph.threadId === threadId : paragraph.scope === scope;
      if (!ends) continue;
      this.#open.delete(key);
      closed.push(...rowsOf(paragraph));
    }
    return closed.sort((a, b) => a.seq - b.seq);
  }

  #drop(scope: string): void {
    for (const [key, paragraph] of this.#open) if (paragraph.scope === scope) this.#open.delete(key);
  }

  /** Reserves further ahead the longer a stretch grows, so that reserving stays rare. */
  #reserve(): number | null {
    if (this.#last <= this.#reserved) return null;
    this.#reserved = this.#last + Math.max(RESERVE, this.#last - this.#settled);
    return this.#reserved;
  }
}

type EventPlace = { readonly threadId?: string; readonly scope?: string };

function placeOf(draft: Draft): EventPlace {
  const { data } = draft;
  return {
    ...("thread_id" in data && data.thread_id !== undefined ? { threadId: data.thread_id } : {}),
    ...("task_id" in data && data.task_id !== undefined ? { scope: data.task_id } : {}),
  };
}

function rowOf(entries: readonly Entry[], scope: string | null = sharedScope(entries)): Row {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) throw new Error("A row needs an entry");
  return { seq: first.seq, last: last.seq, scope, entries };
}

/** Neighbouring rows of one task as one, as far as a replay looks back. */
function joined(rows: readonly Row[]): readonly Row[] {
  const result: Row[] = [];
  for (const row of rows) {
    const before = result.at(-1);
    const isOne = before !== undefined && before.scope !== null && before.scope === row.scope;
    if (isOne && before.seq < row.seq && Math.max(row.last, before.last) - before.seq < SEGMENT_SPAN) {
      const last = Math.max(row.last, before.last);
      result[result.length - 1] = { ...before, last, entries: [...before.entries, ...row.entries] };
    } else result.push(row);
  }
  return result;
}

/** The row of an open paragraph; none right after a segment of it was stored. */
function rowsOf({ growing, scope }: Paragraph): Row[] {
  if (growing.length === 0) return [];
  const entries = growing.map(({ frame, seq, content, cuts }) =>
    cuts.length === 0 ? frame : ({ ...withContent(frame, content), seq, cuts: [...cuts] } as Entry),
  );
  return [rowOf(entries, scope === "" ? null : scope)];
}

function sharedScope(entries: readonly Entry[]): string | null {
  const scopes = new Set(entries.map(({ data }) => ("task_id" in data ? data.task_id : undefined)));
  const [scope] = scopes;
  return scopes.size === 1 && scope !== undefined ? scope : null;
}

/** Takes out of a paragraph what it has gathered so far; the paragraph stays open. */
function segmentOf(paragraph: Paragraph): Row[] {
  const rows = rowsOf(paragraph);
  paragraph.growing = [];
  paragraph.chars = 0;
  return rows;
}

/**
 * The first chunk of a row stays an entry of its own, so that a replay shows items in the order in
 * which they began; the chunks after it grow into one.
 */
function gatherInto(paragraph: Paragraph, frame: Frame): void {
  const text = contentOf(frame);
  paragraph.chars += text.length;
  const [previous, tail] = [paragraph.growing.at(-2), paragraph.growing.at(-1)];
  if (tail === undefined || previous?.frame.event !== frame.event || tail.frame.event !== frame.event) {
    paragraph.growing.push({ frame, seq: frame.seq, content: text, cuts: [] });
    return;
  }
  tail.cuts.push(tail.seq, tail.content.length);
  tail.content += text;
  tail.seq = frame.seq;
}
