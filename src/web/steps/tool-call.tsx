import type { Item } from "../../protocol/items.ts";

/** One call of a tool: what it was asked and what it answered. */
export function ToolCall({ item }: { readonly item: Item; readonly isRunning: boolean }) {
  return <p>{String(item.payload["tool_name"])}</p>;
}
