// The items of each task, as shown inside the plan card.
//
// Caches the grouping per `ItemMap` object, and keeps the last grouping. Invariant: the list of a task is the same
// object as in the last grouping if none of its items has changed, so that unchanged tasks do not render.

import type { Item, ItemMap } from "../../../../protocol/wire/items.ts";

const NO_ITEMS: readonly Item[] = [];
const streamsCache = new WeakMap<ItemMap, ReadonlyMap<string, readonly Item[]>>();
let lastStreams: ReadonlyMap<string, readonly Item[]> = new Map();

/** The number of items of a long stream that are shown until the person requests all. */
export const MAX_RECENT_ITEMS = 50;

/**
 * Returns the items of a task, in order, without those that are shown elsewhere (see `isStreamItem`). The list is the
 * same object while none of them changes.
 */
export function getTaskStream(items: ItemMap, taskId: string): readonly Item[] {
  return groupTaskStreams(items).get(taskId) ?? NO_ITEMS;
}

function groupTaskStreams(items: ItemMap): ReadonlyMap<string, readonly Item[]> {
  const cached = streamsCache.get(items);
  if (cached !== undefined) return cached;
  const streams = new Map<string, Item[]>();
  for (const item of items.values()) {
    if (item.task_id === undefined || !isStreamItem(item)) continue;
    const stream = streams.get(item.task_id);
    if (stream === undefined) streams.set(item.task_id, [item]);
    else stream.push(item);
  }
  lastStreams = new Map([...streams].map(([id, stream]) => [id, reuseIfEqual(lastStreams.get(id), stream)]));
  streamsCache.set(items, lastStreams);
  return lastStreams;
}

/** Excludes items that are shown elsewhere: the agent and the failure in the header, an answer in its question. */
function isStreamItem({ event, role, payload, metadata }: Item): boolean {
  if (payload["tool_name"] === "connect_agent") return false;
  if (event === "task_failed" || event === "task_cancelled" || event === "thread_started") return false;
  return !(event === "message" && role === "user" && metadata["request_id"] !== undefined);
}

function reuseIfEqual(before: readonly Item[] | undefined, now: readonly Item[]): readonly Item[] {
  const isSame = before?.length === now.length && before.every((item, i) => item === now[i]);
  return isSame ? before : now;
}
