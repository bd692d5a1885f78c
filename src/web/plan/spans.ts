// The start and end of tasks. Changes are observed in this page first; the times of the server come later.

import { isFinished, type Plan, type Task, type TaskStatus } from "../../protocol/plan.ts";

/** In ms since the epoch; absent while unknown. */
export type Span = { readonly from?: number; readonly to?: number };

/** `retries`: the number of observed retries. */
type Seen = Span & { readonly status: TaskStatus; readonly retries: number };
/** The observations by task id. */
export type Sight = ReadonlyMap<string, Seen>;
type Stage = Pick<Task, "task_id" | "status">;

const hasBegun = (status: TaskStatus) => status !== "pending" && status !== "scheduled";

/**
 * Returns the observations with the current statuses; the same map if none has changed. `now` is in ms since the epoch.
 * The start of a task that was running when first observed stays unknown.
 */
export function look(sight: Sight, tasks: readonly Stage[], now: number): Sight {
  if (tasks.every(({ task_id, status }) => sight.get(task_id)?.status === status)) return sight;
  const next = new Map(sight);
  for (const { task_id, status } of tasks) {
    const before = sight.get(task_id);
    const begins = before !== undefined && !hasBegun(before.status) && hasBegun(status) && !isFinished(status);
    const ends = before !== undefined && !isFinished(before.status) && isFinished(status);
    const retries = (before?.retries ?? 0) + (status === "retrying" && before?.status !== "retrying" ? 1 : 0);
    next.set(task_id, { ...before, status, retries, ...(begins ? { from: now } : {}), ...(ends ? { to: now } : {}) });
  }
  return next;
}

/** Computes the span of a task. Times of the server take precedence, because both come from the same clock. */
export function spanOf(task: Task, sight: Sight, plans: readonly Plan[]): Span {
  const told = plans.flatMap(({ tasks }) => tasks).find(({ task_id }) => task_id === task.task_id);
  const { started_at, completed_at } = { ...task, ...told };
  const seen = sight.get(task.task_id);
  if (seen?.from !== undefined && completed_at === undefined) return { from: seen.from, ...ended(seen.to, task) };
  const from = started_at ?? seen?.from;
  return { ...(from === undefined ? {} : { from }), ...ended(completed_at ?? seen?.to, task) };
}

function ended(to: number | undefined, { status }: Task): Span {
  return to === undefined || !isFinished(status) ? {} : { to };
}

/** Returns true if a time is missing that the server knows. */
export function isLacking({ status }: Task, { from, to }: Span): boolean {
  if (!hasBegun(status)) return false;
  return isFinished(status) ? to === undefined || (from === undefined && status !== "cancelled") : from === undefined;
}
