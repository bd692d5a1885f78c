import { AsyncQueue } from "../../lib/async-queue.ts";
import type { AgentRunEvent } from "./agent.ts";

export type EventQueue = AsyncQueue<AgentRunEvent>;

/** UTF-16 units that may wait before the writer has to wait. */
const MAX_WAITING_CHARS = 64 * 1024;

/**
 * Creates a queue of events for one reader. Text, and reasoning, that arrives while the reader is busy is joined, so a
 * fast stream costs the reader one event per read instead of one per token.
 */
export function createEventQueue(): EventQueue {
  return new AsyncQueue({
    maxSize: MAX_WAITING_CHARS,
    measure: (event) => ("text" in event ? event.text.length : 256),
    join: (last, next) =>
      (next.type === "text" || next.type === "reasoning") && last.type === next.type
        ? { type: next.type, text: last.text + next.text }
        : undefined,
  });
}
