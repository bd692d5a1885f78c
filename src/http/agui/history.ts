// What a client that comes back with empty hands is told of the conversation before its message.

import type { Message } from "./events.ts";
import type { Verbs } from "../verbs.ts";
import { messagesOf } from "./transcript.ts";

/** In UTF-16 units of JSON, the newest messages first. */
const MOST_CHARS = 256 * 1024;

/** The messages of the conversation's other threads, oldest first. */
export async function historyOf(verbs: Verbs, id: string, thread: string): Promise<Message[]> {
  const kept: Message[][] = [];
  let left = MOST_CHARS;
  for (const item of (await verbs.items(id)).toReversed()) {
    if (item.thread_id === thread) continue;
    const messages = messagesOf(item);
    left -= JSON.stringify(messages).length;
    if (left < 0) break;
    kept.push(messages);
  }
  return kept.toReversed().flat();
}
