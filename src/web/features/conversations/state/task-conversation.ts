// The conversation of one task. It has a parent conversation, no message and no thread events, and ends with its task.

import type { Item } from "../../../../protocol/wire/items.ts";
import type { ThreadView, ConversationView } from "../../../../protocol/wire/view.ts";
import { parseFields } from "./step-values.ts";

/**
 * Builds the only thread of a task conversation from its items. Returns undefined for any other conversation or if the
 * first item has no thread, and `before` itself if id and status are unchanged.
 */
export function buildTaskThread(
  { conversation, items }: ConversationView,
  before: ThreadView | undefined,
): ThreadView | undefined {
  const [first] = items.values();
  if (conversation?.parent_id === undefined || first?.thread_id === undefined) return undefined;
  const thread_id = first.thread_id;
  const status = computeTaskThreadStatus(items.values());
  if (before?.thread_id === thread_id && before.status === status) return before;
  return { thread_id, query: conversation.title ?? "", status };
}

function computeTaskThreadStatus(items: Iterable<Item>): ThreadView["status"] {
  let status: ThreadView["status"] = "open";
  for (const item of items) {
    if (item.event === "task_failed" || item.event === "task_cancelled") return "failed";
    if (isSelfReference(item) && parseFields(String(item.payload["content"]))?.["phase"] === "end") status = "done";
  }
  return status;
}

/** Returns true for the item that announces the very conversation it is in; it is not shown. */
export function isSelfReference({ conversation_id, payload }: Item): boolean {
  if (payload["component_type"] !== "subagent_conversation") return false;
  return parseFields(String(payload["content"]))?.["conversation_id"] === conversation_id;
}
