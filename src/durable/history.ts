import * as z from "zod";
import type { ChatMessage } from "../core/ports.ts";
import type { Frame } from "../protocol/events.ts";
import { isAnswer } from "../protocol/tasks.ts";
import { shortened } from "../protocol/shortened.ts";
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
const MAX_ROWS = 300;
const MAX_CHARS_PER_MESSAGE = 4_000;

/**
 * The last few exchanges, oldest first, without the threads that are still open. `rows` come newest
 * first; what agents said is joined up to the next word of the person, as the person saw it.
 */
export function historyOf(rows: Iterable<StoredRow>, openThreads: ReadonlySet<string>): ChatMessage[] {
  /** What a thread has said so far, newest first, while its beginning has not been read. */
  const said = new Map<string, Line[]>();
  const exchanges: ChatMessage[][] = [];
  let read = 0;
  for (const row of rows) {
    if (exchanges.length >= MAX_THREADS || ++read > MAX_ROWS) break;
    for (const entry of row.entries.toReversed()) {
      const line = lineOf(entry);
      if (line === null || openThreads.has(line.threadId)) continue;
      const later = said.get(line.threadId) ?? [];
      const next = later.at(-1);
      if (line.role === "assistant" && next?.role === "assistant") later[later.length - 1] = joined(line, next);
      else later.push(line);
      said.set(line.threadId, later);
      if (entry.event === "thread_started") exchanges.push(later.toReversed().map(messageOf));
    }
  }
  return exchanges.toReversed().flat();
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
