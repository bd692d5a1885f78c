// Loads earlier messages of a conversation for clients that send only their new message.

import type { Message } from "./events.ts";
import type { Verbs } from "../verbs.ts";
import { messagesOf } from "./transcript.ts";

/** The maximum size of the history as JSON in UTF-16 units. The oldest messages are left out first. */
const MOST_CHARS = 256 * 1024;

/** Returns the messages of all threads of the conversation except `thread`, oldest first. */
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
