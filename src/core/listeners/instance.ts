// How an instance stands, out of what its readers have got.

import type { Item } from "../../protocol/items.ts";
import type { PlanInstance } from "../../protocol/plan-instance.ts";

/** Folds the items of an instance's conversation. Null before anything of it is there. */
export function instanceOf(_items: readonly Item[], _thread: "open" | "ended" | "cancelled"): PlanInstance | null {
  return null;
}
