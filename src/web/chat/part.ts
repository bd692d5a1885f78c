// The conversation of one task. It has a parent conversation, no message and no thread events, and ends with its task.

import type { Item } from "../../protocol/items.ts";
import type { ThreadView, View } from "../../protocol/view.ts";
import { fieldsIn } from "../steps/values.ts";

/**
 * Builds the only thread of a task conversation from its items. Returns undefined for any other conversation or if
 * there are no items, and `before` itself if id and status are unchanged.
 */
export function threadOfPart({ conversation, items }: View, before: ThreadView | undefined): ThreadView | undefined {
  const [first] = items.values();
  if (conversation?.parent_id === undefined || first?.thread_id === undefined) return undefined;
  const thread_id = first.thread_id;
  const status = statusOf(items.values());
  if (before?.thread_id === thread_id && before.status === status) return before;
  return { thread_id, query: conversation.title ?? "", status };
}

function statusOf(items: Iterable<Item>): ThreadView["status"] {
  let status: ThreadView["status"] = "open";
  for (const item of items) {
    if (item.event === "task_failed" || item.event === "task_cancelled") return "failed";
    if (isItself(item) && fieldsIn(String(item.payload["content"]))?.["phase"] === "end") status = "done";
  }
  return status;
}

/** Returns true for the item that announces the very conversation it is in; it is not shown. */
export function isItself({ conversation_id, payload }: Item): boolean {
  if (payload["component_type"] !== "subagent_conversation") return false;
  return fieldsIn(String(payload["content"]))?.["conversation_id"] === conversation_id;
}
