// Finds the event that shows a result: of a tool call by its item, of a task by its id.

import type { LogRow } from "./log-rows.ts";

/** The number of rows that are searched. The event of an older result is not found. */
const MAX_ROWS = 2_000;

/**
 * Returns the `seq` of the last completed tool call with this item id, or of the completion of the task with this id;
 * null if there is none. `rows` are the newest first.
 */
export function findResultSeq(rows: Iterable<Pick<LogRow, "entries">>, id: string): number | null {
  let count = 0;
  for (const { entries } of rows) {
    const found = entries.findLast(
      ({ event, data }) =>
        (event === "tool_call_completed" && data.item_id === id) || (event === "task_completed" && data.task_id === id),
    );
    if (found !== undefined) return found.seq;
    if (++count >= MAX_ROWS) return null;
  }
  return null;
}
