// Determines which items can still grow. The last item of each scope is cached per `view.items`, which is immutable.

import type { Item } from "../../protocol/wire/items.ts";
import type { ConversationView } from "../../protocol/wire/view.ts";

const lastItemsCache = new WeakMap<ConversationView["items"], ReadonlyMap<string, string>>();

/** Returns the id of the last item of each scope; see `getItemScope`. */
function getLastItems(items: ConversationView["items"]): ReadonlyMap<string, string> {
  const known = lastItemsCache.get(items);
  if (known !== undefined) return known;
  const last = new Map<string, string>();
  for (const item of items.values()) last.set(getItemScope(item), item.item_id);
  lastItemsCache.set(items, last);
  return last;
}

/** Returns the id of the task of an item, without a task that of its thread, without a thread "". */
export const getItemScope = (item: Item): string => item.task_id ?? item.thread_id ?? "";

/**
 * Returns true while the item may grow: in an open thread, a text or unfinished reasoning if it is the last item of its
 * scope (`isLast`), and a tool call without a result.
 */
export function isItemLive(item: Item, isLast: boolean, isThreadOpen: boolean): boolean {
  if (!isThreadOpen) return false;
  switch (item.event) {
    case "message_chunk":
      return isLast;
    case "reasoning":
      return isLast && item.metadata["finished"] !== true;
    case "tool_call_started":
      return true;
    default:
      return false;
  }
}

/** Like `isItemLive`, but finds in the view if the item is the last and its thread is open. */
export function isItemLiveInView(view: ConversationView, item: Item): boolean {
  const thread = view.threads.find(({ thread_id }) => thread_id === item.thread_id);
  return isItemLive(item, getLastItems(view.items).get(getItemScope(item)) === item.item_id, thread?.status === "open");
}
