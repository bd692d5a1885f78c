// Finds the last answer of a thread, as text for screen readers.

import { textOf, type Item } from "../../protocol/items.ts";
import { itemsOf, type View } from "../../protocol/view.ts";
import { fieldsIn, stringIn } from "../steps/values.ts";

export type LastSaid = { readonly agent: string | undefined; readonly text: string };

/** Returns the last text that is not from the user; undefined if there is none. */
export function lastSaidOf(view: View, threadId: string): LastSaid | undefined {
  for (const item of itemsOf(view, threadId).toReversed()) {
    const text = item.event === "reasoning" || item.role === "user" ? "" : wordsOf(item);
    if (text !== "") return { agent: item.agent_name, text };
  }
  return undefined;
}

/** Returns "" for components, whose content is JSON, except for the result of a schedule run. */
function wordsOf(item: Item): string {
  if (item.event !== "component_generator") return textOf(item);
  if (stringIn(item.payload, "component_type") !== "scheduled_task_result") return "";
  return stringIn(fieldsIn(textOf(item)) ?? {}, "result");
}
