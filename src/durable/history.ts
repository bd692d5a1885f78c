// Builds the chat history that a model receives at the start of a turn: the last exchanges of the conversation.
//
// Owns a cache of finished exchanges. It reads log rows newest first and stops at `MAX_THREADS` exchanges or `MAX_ROWS`
// rows, so that the hundredth turn costs as much as the tenth. Finished threads never change and are cached; open
// threads are excluded, and may later retract their rows.

import * as z from "zod";
import type { ChatMessage } from "../core/ports.ts";
import type { Frame } from "../protocol/events.ts";
import { isAnswer } from "../protocol/tasks.ts";
import { shortened } from "../protocol/shortened.ts";
import type { OpenThread } from "./head.ts";
import type { StoredRow } from "./store.ts";

const broughtSchema = z.object({
  history: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
});

/**
 * Parses the history that the context of a message provides, oldest first: messages from before this conversation.
 * Returns an empty list if `context.history` is missing or has another shape.
 */
export function broughtBy(context: unknown): ChatMessage[] {
  const brought = broughtSchema.safeParse(context);
  return brought.success ? brought.data.history : [];
}

/** The number of exchanges that a model receives. */
const MAX_THREADS = 5;
/** The number of log rows that are read at most; cached exchanges need none. */
const MAX_ROWS = 300;
const MAX_CHARS_PER_MESSAGE = 4_000;

/** The messages of one thread and the `seq` of its first event. */
type Exchange = { readonly from: number; readonly messages: readonly ChatMessage[] };

/** The message history of one conversation. Not reentrant; reads synchronously. */
export class History {
  readonly #rows: () => Iterable<StoredRow>;
  /** All threads that begin up to this `seq` are finished; the last of them are in the cache. */
  #settled = 0;
  #kept: readonly Exchange[] = [];

  /** `rows` returns the stored rows, newest first, lazily. */
  constructor(rows: () => Iterable<StoredRow>) {
    this.#rows = rows;
  }

  /**
   * Returns the messages of the last exchanges, oldest first, excluding the threads in `open`. Chunks and questions are
   * joined up to the next message of the person, as the person saw them.
   */
  without(open: readonly Pick<OpenThread, "thread_id" | "seq">[]): readonly ChatMessage[] {
    const { read, isWhole } = this.#read(new Set(open.map(({ thread_id }) => thread_id)));
    const exchanges = read.slice(-MAX_THREADS);
    const [first] = open.map(({ seq }) => seq).toSorted((a, b) => a - b);
    // If the row limit was reached, keep no boundary: an open thread may retract rows, so that older rows come into
    // range.
    if (!isWhole) this.#settled = 0;
    else if (first !== undefined) this.#settled = first - 1;
    this.#kept = exchanges.filter(({ from }) => from <= this.#settled);
    return exchanges.flatMap(({ messages }) => messages);
  }

  #read(open: ReadonlySet<string>): { readonly read: readonly Exchange[]; readonly isWhole: boolean } {
    /** Messages of each thread, newest first, until its first event has been read. */
    const said = new Map<string, Line[]>();
    const exchanges: Exchange[] = [];
    let rows = 0;
    for (const row of this.#rows()) {
      if (row.last <= this.#settled) return { read: [...this.#kept, ...exchanges.toReversed()], isWhole: true };
      if (exchanges.length >= MAX_THREADS) break;
      if (++rows > MAX_ROWS) return { read: exchanges.toReversed(), isWhole: false };
      for (const entry of row.entries.toReversed()) {
        const line = lineOf(entry);
        if (line === null || open.has(line.threadId)) continue;
        const later = said.get(line.threadId) ?? [];
        const next = later.at(-1);
        if (line.role === "assistant" && next?.role === "assistant") later[later.length - 1] = joined(line, next);
        else later.push(line);
        said.set(line.threadId, later);
        if (entry.event === "thread_started")
          exchanges.push({ from: entry.seq, messages: later.toReversed().map(messageOf) });
      }
    }
    return { read: exchanges.toReversed(), isWhole: true };
  }
}

type Line = { readonly threadId: string; readonly role: "user" | "assistant"; readonly text: string };

/** Converts an event to a message of the person or of an agent; null for other events. Answers count as messages. */
function lineOf(frame: Frame): Line | null {
  switch (frame.event) {
    case "thread_started":
      if (frame.data.role !== "user") return null;
      return { threadId: frame.data.thread_id, role: "user", text: frame.data.payload.content };
    case "message_chunk":
      return { threadId: frame.data.thread_id, role: "assistant", text: frame.data.payload.content };
    case "plan_require_user_input":
    case "task_waiting":
      return { threadId: frame.data.thread_id, role: "assistant", text: `${frame.data.payload.content}\n` };
    default:
      return isAnswer(frame)
        ? { threadId: frame.data.thread_id, role: "user", text: frame.data.payload.content }
        : null;
  }
}

function joined(before: Line, after: Line): Line {
  return { ...before, text: before.text + after.text };
}

function messageOf({ role, text }: Line): ChatMessage {
  return { role, content: shortened(text, MAX_CHARS_PER_MESSAGE) };
}
