// Loads earlier messages of a conversation for clients that send only their new message.

import type { AgUiMessage } from "./agui-events.ts";
import type { Operations } from "../api/operations.ts";
import { toMessages } from "./agui-messages.ts";

/** The maximum size of the history as JSON in UTF-16 units. The oldest messages are left out first. */
const MAX_HISTORY_CHARS = 256 * 1024;

/**
 * Returns the messages of all threads of the conversation except `thread`, oldest first: the newest ones that fit
 * `MAX_HISTORY_CHARS`. Rejects with a `Fault`.
 */
export async function loadHistory(operations: Operations, id: string, thread: string): Promise<AgUiMessage[]> {
  const newest: AgUiMessage[][] = [];
  let left = MAX_HISTORY_CHARS;
  for (const item of (await operations.items({ id })).toReversed()) {
    if (item.thread_id === thread) continue;
    const messages = toMessages(item);
    left -= JSON.stringify(messages).length;
    if (left < 0) break;
    newest.push(messages);
  }
  return newest.toReversed().flat();
}
