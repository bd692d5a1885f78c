// The items of each task, as shown inside the plan card.
//
// Caches the grouping per `Items` object, and keeps the last grouping. Invariant: the list of a task is the same object
// as in the last grouping if none of its items has changed, so that unchanged tasks do not render.

import type { Item, Items } from "../../protocol/items.ts";

const NOTHING: readonly Item[] = [];
const known = new WeakMap<Items, ReadonlyMap<string, readonly Item[]>>();
let last: ReadonlyMap<string, readonly Item[]> = new Map();

/** The number of items of a long stream that are shown until the person requests all. */
export const NEWEST = 50;

/** Returns the items of a task, in order. The list is the same object while none of them changes. */
export function streamOf(items: Items, taskId: string): readonly Item[] {
  return streamsIn(items).get(taskId) ?? NOTHING;
}

function streamsIn(items: Items): ReadonlyMap<string, readonly Item[]> {
  const ready = known.get(items);
  if (ready !== undefined) return ready;
  const streams = new Map<string, Item[]>();
  for (const item of items.values()) {
    if (item.task_id === undefined || !belongs(item)) continue;
    const stream = streams.get(item.task_id);
    if (stream === undefined) streams.set(item.task_id, [item]);
    else stream.push(item);
  }
  last = new Map([...streams].map(([id, stream]) => [id, sameOr(last.get(id), stream)]));
  known.set(items, last);
  return last;
}

/** Excludes items that are shown elsewhere: the agent and the failure in the header, an answer in its question. */
function belongs({ event, role, payload, metadata }: Item): boolean {
  if (payload["tool_name"] === "connect_agent") return false;
  if (event === "task_failed" || event === "task_cancelled" || event === "thread_started") return false;
  return !(event === "message" && role === "user" && metadata["request_id"] !== undefined);
}

function sameOr(before: readonly Item[] | undefined, now: readonly Item[]): readonly Item[] {
  const isSame = before?.length === now.length && before.every((item, i) => item === now[i]);
  return isSame ? before : now;
}
