// What each task has said and done: the items that stand inside of its plan's card.

import type { Item, Items } from "../../protocol/items.ts";

const NOTHING: readonly Item[] = [];
const known = new WeakMap<Items, ReadonlyMap<string, readonly Item[]>>();
let last: ReadonlyMap<string, readonly Item[]> = new Map();

/** How many items of a long stream are shown until somebody asks for all of them. */
export const NEWEST = 50;

/** The items of a task, in order. The same list as before when none of them has changed. */
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

/** Who works and why it has ended stands at the head of a task, and an answer in the question that it answers. */
function belongs({ event, role, payload, metadata }: Item): boolean {
  if (payload["tool_name"] === "connect_agent") return false;
  if (event === "task_failed" || event === "task_cancelled" || event === "thread_started") return false;
  return !(event === "message" && role === "user" && metadata["request_id"] !== undefined);
}

function sameOr(before: readonly Item[] | undefined, now: readonly Item[]): readonly Item[] {
  const isSame = before?.length === now.length && before.every((item, i) => item === now[i]);
  return isSame ? before : now;
}
