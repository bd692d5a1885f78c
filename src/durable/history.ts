import type { ChatMessage } from "../core/ports.ts";
import type { StoredRow } from "./store.ts";

/** How much of what was said before a model is told. Bounded, so that the hundredth turn costs what the tenth does. */
const MAX_THREADS = 5;
const MAX_ROWS = 300;
const MAX_CHARS_PER_MESSAGE = 4_000;

/**
 * The last few exchanges, oldest first, without the threads that are still open. `rows` come newest
 * first; what agents said is joined per thread, as the person saw it.
 */
export function historyOf(rows: Iterable<StoredRow>, openThreads: ReadonlySet<string>): ChatMessage[] {
  const answers = new Map<string, string>();
  const exchanges: ChatMessage[][] = [];
  let read = 0;
  for (const row of rows) {
    if (exchanges.length >= MAX_THREADS || ++read > MAX_ROWS) break;
    for (const entry of row.entries.toReversed()) {
      if (entry.event !== "message_chunk" && entry.event !== "thread_started") continue;
      const { thread_id: threadId, payload } = entry.data;
      if (openThreads.has(threadId)) continue;
      const later = answers.get(threadId) ?? "";
      if (entry.event === "message_chunk") answers.set(threadId, payload.content + later);
      else exchanges.push(exchange(payload.content, later));
    }
  }
  return exchanges.toReversed().flat();
}

function exchange(query: string, answer: string): ChatMessage[] {
  const asked: ChatMessage = { role: "user", content: bounded(query) };
  return answer === "" ? [asked] : [asked, { role: "assistant", content: bounded(answer) }];
}

function bounded(text: string): string {
  return text.length <= MAX_CHARS_PER_MESSAGE ? text : `${text.slice(0, MAX_CHARS_PER_MESSAGE)}…`;
}
