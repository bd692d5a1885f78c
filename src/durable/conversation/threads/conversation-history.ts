// Builds the chat history that a model receives at the start of a turn: the last exchanges of the conversation.
//
// Owns a cache of finished exchanges. It reads log rows newest first and stops at `MAX_THREADS` exchanges or `MAX_ROWS`
// rows, so that the hundredth turn costs as much as the tenth. Finished threads never change and are cached; open
// threads are excluded, and may later retract their rows.

import * as z from "zod";
import type { ChatMessage } from "../../../core/ports.ts";
import type { Frame } from "../../../protocol/wire/events.ts";
import { isUserAnswer } from "../../../protocol/plans/fold-plans.ts";
import { truncateWithEllipsis } from "../../../lib/truncate.ts";
import type { OpenThread } from "../storage/conversation-head.ts";
import type { StoredRow } from "../storage/conversation-store.ts";

const contextHistorySchema = z.object({
  history: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
});

/**
 * Parses the history that the context of a message provides, oldest first: messages from before this conversation.
 * Returns an empty list if `context.history` is missing or has another shape.
 */
export function parseContextHistory(context: unknown): ChatMessage[] {
  const parsed = contextHistorySchema.safeParse(context);
  return parsed.success ? parsed.data.history : [];
}

/** The number of exchanges that a model receives. */
const MAX_THREADS = 5;
/** The number of log rows that are read at most; cached exchanges need none. */
const MAX_ROWS = 300;
const MAX_CHARS_PER_MESSAGE = 4_000;

/** The messages of one thread and the `seq` of its first event. */
type Exchange = { readonly from: number; readonly messages: readonly ChatMessage[] };

/** The message history of one conversation. Not reentrant; reads synchronously. */
export class ConversationHistory {
  readonly #rows: () => Iterable<StoredRow>;
  /** All threads that begin up to this `seq` are finished; the last of them are in the cache. */
  #settledUpTo = 0;
  #cached: readonly Exchange[] = [];

  /** `rows` returns the stored rows, newest first, lazily. */
  constructor(rows: () => Iterable<StoredRow>) {
    this.#rows = rows;
  }

  /**
   * Returns the messages of the last exchanges, oldest first, excluding the threads in `open`. Chunks and questions are
   * joined up to the next message of the person, as the person saw them.
   */
  getMessages(open: readonly Pick<OpenThread, "thread_id" | "seq">[]): readonly ChatMessage[] {
    const { read, isWhole } = this.#read(new Set(open.map(({ thread_id }) => thread_id)));
    const exchanges = read.slice(-MAX_THREADS);
    const [first] = open.map(({ seq }) => seq).toSorted((a, b) => a - b);
    // If the row limit was reached, keep no boundary: an open thread may retract rows, so that older rows come into
    // range.
    if (!isWhole) this.#settledUpTo = 0;
    else if (first !== undefined) this.#settledUpTo = first - 1;
    this.#cached = exchanges.filter(({ from }) => from <= this.#settledUpTo);
    return exchanges.flatMap(({ messages }) => messages);
  }

  #read(open: ReadonlySet<string>): { readonly read: readonly Exchange[]; readonly isWhole: boolean } {
    /** Messages of each thread, newest first, until its first event has been read. */
    const linesByThread = new Map<string, TranscriptLine[]>();
    const exchanges: Exchange[] = [];
    let rows = 0;
    for (const row of this.#rows()) {
      if (row.last <= this.#settledUpTo) return { read: [...this.#cached, ...exchanges.toReversed()], isWhole: true };
      if (exchanges.length >= MAX_THREADS) break;
      if (++rows > MAX_ROWS) return { read: exchanges.toReversed(), isWhole: false };
      for (const entry of row.entries.toReversed()) {
        const line = toTranscriptLine(entry);
        if (line === null || open.has(line.threadId)) continue;
        const lines = linesByThread.get(line.threadId) ?? [];
        const next = lines.at(-1);
        if (line.role === "assistant" && next?.role === "assistant") lines[lines.length - 1] = joinLines(line, next);
        else lines.push(line);
        linesByThread.set(line.threadId, lines);
        if (entry.event === "thread_started")
          exchanges.push({ from: entry.seq, messages: lines.toReversed().map(toChatMessage) });
      }
    }
    return { read: exchanges.toReversed(), isWhole: true };
  }
}

type TranscriptLine = { readonly threadId: string; readonly role: "user" | "assistant"; readonly text: string };

/** Converts an event to a message of the person or of an agent; null for other events. Answers count as messages. */
function toTranscriptLine(frame: Frame): TranscriptLine | null {
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
      return isUserAnswer(frame)
        ? { threadId: frame.data.thread_id, role: "user", text: frame.data.payload.content }
        : null;
  }
}

function joinLines(before: TranscriptLine, after: TranscriptLine): TranscriptLine {
  return { ...before, text: before.text + after.text };
}

function toChatMessage({ role, text }: TranscriptLine): ChatMessage {
  return { role, content: truncateWithEllipsis(text, MAX_CHARS_PER_MESSAGE) };
}
