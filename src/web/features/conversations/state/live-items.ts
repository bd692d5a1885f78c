// Determines which items can still grow.

import type { Item } from "../../../../protocol/wire/items.ts";

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
