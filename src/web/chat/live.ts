// Determines which items can still grow. The last items of each scope are cached per `Items` object; it is immutable.

import type { Item } from "../../protocol/items.ts";
import type { View } from "../../protocol/view.ts";

const lastOf = new WeakMap<View["items"], ReadonlyMap<string, string>>();

/** Returns the id of the last item of each task or, without a task, of each thread. Only these items can grow. */
function lastItems(items: View["items"]): ReadonlyMap<string, string> {
  const known = lastOf.get(items);
  if (known !== undefined) return known;
  const last = new Map<string, string>();
  for (const item of items.values()) last.set(ownerOf(item), item.item_id);
  lastOf.set(items, last);
  return last;
}

export const ownerOf = (item: Item): string => item.task_id ?? item.thread_id ?? "";

/** Returns true while the item may grow. `isLast`: no later item belongs to the same task. */
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

/** Like `isItemLive`, for callers that do not know whether the item is the last. */
export function isLiveIn(view: View, item: Item): boolean {
  const thread = view.threads.find(({ thread_id }) => thread_id === item.thread_id);
  return isLive(item, lastItems(view.items).get(ownerOf(item)) === item.item_id, thread?.status === "open");
}
