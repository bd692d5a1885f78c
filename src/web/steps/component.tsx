import type { Item } from "../../protocol/items.ts";
import { textOf } from "../../protocol/items.ts";

/** Something that an agent shows besides its words. */
export function Component({ item }: { readonly item: Item }) {
  return <p>{textOf(item)}</p>;
}
