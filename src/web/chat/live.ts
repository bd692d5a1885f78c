// Which items are still growing.

import type { Item } from "../../protocol/items.ts";
import type { View } from "../../protocol/view.ts";

const lastOf = new WeakMap<View["items"], ReadonlyMap<string, string>>();

/** The items that are the last of their task or, without one, of their thread: only they can still grow. */
function lastItems(items: View["items"]): ReadonlyMap<string, string> {
  const known = lastOf.get(items);
  if (known !== undefined) return known;
  const last = new Map<string, string>();
  for (const item of items.values()) last.set(ownerOf(item), item.item_id);
  lastOf.set(items, last);
  return last;
}

export const ownerOf = (item: Item): string => item.task_id ?? item.thread_id ?? "";

/** True while more of the item may come; `isLast`: nothing of its task came after it. */
export function isLive(item: Item, isLast: boolean, isThreadOpen: boolean): boolean {
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

/** The same, for who has the item alone. */
export function isLiveIn(view: View, item: Item): boolean {
  const thread = view.threads.find(({ thread_id }) => thread_id === item.thread_id);
  return isLive(item, lastItems(view.items).get(ownerOf(item)) === item.item_id, thread?.status === "open");
}
