// What a thread has come to, in words that can be read out.

import { textOf, type Item } from "../../protocol/items.ts";
import { itemsOf, type View } from "../../protocol/view.ts";
import { fieldsIn, stringIn } from "../steps/values.ts";

export type LastSaid = { readonly agent: string | undefined; readonly text: string };

/** Undefined where it has ended without a word. */
export function lastSaidOf(view: View, threadId: string): LastSaid | undefined {
  for (const item of itemsOf(view, threadId).toReversed()) {
    const text = item.event === "reasoning" || item.role === "user" ? "" : wordsOf(item);
    if (text !== "") return { agent: item.agent_name, text };
  }
  return undefined;
}

/** Components are JSON: only the report of a scheduled run has words in it. */
function wordsOf(item: Item): string {
  if (item.event !== "component_generator") return textOf(item);
  if (stringIn(item.payload, "component_type") !== "scheduled_task_result") return "";
  return stringIn(fieldsIn(textOf(item)) ?? {}, "result");
}
