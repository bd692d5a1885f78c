import type { Item } from "../../protocol/items.ts";
import { textOf } from "../../protocol/items.ts";

/** What an agent thought before it spoke. */
export function Reasoning({ item }: { readonly item: Item; readonly isRunning: boolean }) {
  return <p>{textOf(item)}</p>;
}
