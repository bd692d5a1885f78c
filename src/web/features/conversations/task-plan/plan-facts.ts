// Derived facts of a plan and its tasks, for the plan card.

import type { Usage } from "../../../../protocol/wire/events.ts";
import { isFinalTaskStatus, type Plan, type Task, type TaskStatus } from "../../../../protocol/plans/task-plan.ts";
import type { Item, ItemMap } from "../../../../protocol/wire/items.ts";

/** Returns true while the task runs, waits for a retry or waits for an answer. */
export function isTaskActive(status: TaskStatus): boolean {
  return status === "running" || status === "retrying" || status === "waiting_input";
}

/**
 * Returns true if both states look the same in a header. The result, which grows with every token, is ignored until the
 * status is final; then only the same object is the same.
 */
export function hasSameHeaderState(before: Task, now: Task): boolean {
  if (before === now) return true;
  return before.task_id === now.task_id && before.status === now.status && !isFinalTaskStatus(now.status);
}

/** Returns the agents of a plan without duplicates, in the order of its tasks. */
export function listPlanAgents({ tasks }: Pick<Plan, "tasks">): string[] {
  return [...new Set(tasks.map(({ agent_name }) => agent_name))];
}

/** Numbers of tasks. `done` includes scheduled tasks, `failed` cancelled tasks. `isOver`: none will run now. */
type PlanProgress = {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly waiting: number;
  readonly isOver: boolean;
};

/** Counts the tasks of a plan by status. */
export function computeProgress(tasks: readonly Pick<Task, "status">[]): PlanProgress {
  const count = (...statuses: readonly TaskStatus[]) => tasks.filter(({ status }) => statuses.includes(status)).length;
  return {
    total: tasks.length,
    done: count("completed", "scheduled"),
    failed: count("failed", "cancelled"),
    waiting: count("waiting_input"),
    isOver: tasks.every(({ status }) => isFinalTaskStatus(status) || status === "scheduled"),
  };
}

/** Returns the input and output tokens of a task; null if no usage was reported for it. */
export function countTaskTokens(usage: Usage | undefined, taskId: string): number | null {
  const calls = usage?.calls?.filter((call) => call.task_id === taskId) ?? [];
  if (calls.length === 0) return null;
  return calls.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0);
}

/** Returns the titles of the tasks whose results the task receives. */
export function listInputTitles(
  task: Pick<Task, "depends_on">,
  tasks: readonly Pick<Task, "task_id" | "title">[],
): string[] {
  return task.depends_on.flatMap((id) => tasks.find(({ task_id }) => task_id === id)?.title ?? []);
}

const MAX_PREVIEW_CHARS = 160;
/** Markdown marks of emphasis and code. Inside a word they are part of the word. */
const MARKDOWN_MARKS = /(?<![\p{L}\p{N}])[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}(?![\p{L}\p{N}])/gu;

/**
 * Returns the first line of a result with a letter or digit, without Markdown marks, at most 160 UTF-16 units and an
 * ellipsis. Prefers a line that is not a heading. "" if there is none.
 */
export function buildPreview(result: string): string {
  const lines = result
    .split("\n")
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .map((line) => line.trim());
  const line = lines.find((each) => !each.startsWith("#")) ?? lines[0] ?? "";
  const text = line.replace(/^(#{1,6}|[-*+>]|\d+[.)])\s+/, "").replace(MARKDOWN_MARKS, "");
  return text.length > MAX_PREVIEW_CHARS ? `${text.slice(0, MAX_PREVIEW_CHARS).trimEnd()} …` : text;
}

// The items of each task, as shown inside the plan card.
//
// Caches the grouping per `ItemMap` object, and keeps the last grouping. Invariant: the list of a task is the same
// object as in the last grouping if none of its items has changed, so that unchanged tasks do not render.

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
