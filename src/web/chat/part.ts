// The conversation of one task is a part of another: it is begun by no message and ends with its task.

import type { Item } from "../../protocol/items.ts";
import type { ThreadView, View } from "../../protocol/view.ts";
import { fieldsIn } from "../steps/values.ts";

/** What the agent of a part does, as its only thread. As long as it stands the same it is `before`, the same object. */
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

/** That an agent works in a conversation of its own is nothing to say in that very one. */
export function isItself({ conversation_id, payload }: Item): boolean {
  if (payload["component_type"] !== "subagent_conversation") return false;
  return fieldsIn(String(payload["content"]))?.["conversation_id"] === conversation_id;
}
