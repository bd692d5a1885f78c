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
 * What was said elsewhere before the conversation began, as its message's context brings it: `history` in it, oldest
 * first. A context that has something else under that name brings none.
 */
export function broughtBy(context: unknown): ChatMessage[] {
  const brought = broughtSchema.safeParse(context);
  return brought.success ? brought.data.history : [];
}

/** How much of what was said before a model is told. Bounded, so that the hundredth turn costs what the tenth does. */
const MAX_THREADS = 5;
/** Of what is read at once; what is kept is not read. */
const MAX_ROWS = 300;
const MAX_CHARS_PER_MESSAGE = 4_000;

/** What a thread came to, and the number with which it begins. */
type Exchange = { readonly from: number; readonly messages: readonly ChatMessage[] };

/** What was said in a conversation. What is over is read once. */
export class History {
  readonly #rows: () => Iterable<StoredRow>;
  /** All threads that begin up to this number are over; the last of them are kept. */
  #settled = 0;
  #kept: readonly Exchange[] = [];

  /** `rows` come newest first. */
  constructor(rows: () => Iterable<StoredRow>) {
    this.#rows = rows;
  }

  /**
   * The last few exchanges, oldest first, without the threads that are still `open`. What agents said is joined up to
   * the next word of the person, as the person saw it.
   */
  without(open: readonly Pick<OpenThread, "thread_id" | "seq">[]): readonly ChatMessage[] {
    const { read, isWhole } = this.#read(new Set(open.map(({ thread_id }) => thread_id)));
    const exchanges = read.slice(-MAX_THREADS);
    const [first] = open.map(({ seq }) => seq).toSorted((a, b) => a - b);
    // What lies behind too many rows may come into reach again: an open thread can take some of them back.
    if (!isWhole) this.#settled = 0;
    else if (first !== undefined) this.#settled = first - 1;
    this.#kept = exchanges.filter(({ from }) => from <= this.#settled);
    return exchanges.flatMap(({ messages }) => messages);
  }

  #read(open: ReadonlySet<string>): { readonly read: readonly Exchange[]; readonly isWhole: boolean } {
    /** What a thread has said so far, newest first, while its beginning has not been read. */
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

/** What the person or an agent said to the other: messages and answers, chunks and questions. */
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
