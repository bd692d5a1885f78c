// Finds the last answer of a thread, as text for screen readers.

import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { listThreadItems, type ConversationView } from "../../../../protocol/wire/view.ts";
import { parseFields, getStringField } from "../state/step-values.ts";

type LastAnswer = { readonly agent: string | undefined; readonly text: string };

/**
 * Returns the last answer of a thread with its agent: no message of the user, no reasoning, and no component except the
 * result of a schedule run. Undefined if there is none.
 */
export function findLastAnswer(view: ConversationView, threadId: string): LastAnswer | undefined {
  for (const item of listThreadItems(view, threadId).toReversed()) {
    const text = item.event === "reasoning" || item.role === "user" ? "" : getReadableText(item);
    if (text !== "") return { agent: item.agent_name, text };
  }
  return undefined;
}

/** Returns "" for components, whose content is JSON, except for the result of a schedule run. */
function getReadableText(item: Item): string {
  if (item.event !== "component_generator") return getItemText(item);
  if (getStringField(item.payload, "component_type") !== "scheduled_task_result") return "";
  return getStringField(parseFields(getItemText(item)) ?? {}, "result");
}
