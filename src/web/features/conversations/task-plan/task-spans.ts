// The start and end of tasks. Changes are observed in this page first; the times of the server come later.

import type { TimeSpan } from "../../../ui/format/elapsed-time.tsx";
import { isFinalTaskStatus, type Plan, type Task, type TaskStatus } from "../../../../protocol/plans/task-plan.ts";

/** `retries`: the number of observed retries. */
type ObservedTask = TimeSpan & { readonly status: TaskStatus; readonly retries: number };
/** The observations by task id. */
export type ObservedTasks = ReadonlyMap<string, ObservedTask>;
type TaskStage = Pick<Task, "task_id" | "status">;

const hasStarted = (status: TaskStatus) => status !== "pending" && status !== "scheduled";

/**
 * Returns the observations with the current statuses; the same map if none has changed. `now` is in ms since the epoch.
 * The start of a task that was running when first observed stays unknown.
 */
export function observeTasks(observed: ObservedTasks, tasks: readonly TaskStage[], now: number): ObservedTasks {
  if (tasks.every(({ task_id, status }) => observed.get(task_id)?.status === status)) return observed;
  const next = new Map(observed);
  for (const { task_id, status } of tasks) {
    const before = observed.get(task_id);
    const begins =
      before !== undefined && !hasStarted(before.status) && hasStarted(status) && !isFinalTaskStatus(status);
    const ends = before !== undefined && !isFinalTaskStatus(before.status) && isFinalTaskStatus(status);
    const retries = (before?.retries ?? 0) + (status === "retrying" && before?.status !== "retrying" ? 1 : 0);
    next.set(task_id, { ...before, status, retries, ...(begins ? { from: now } : {}), ...(ends ? { to: now } : {}) });
  }
  return next;
}

/**
 * Computes the span of a task from the times of the server (in `task` or, newer, in `plans`) and the observed times.
 * While the server has no end, an observed start is used; then the server's times, which come from the same clock.
 * There is no end before the status is final.
 */
export function computeTaskSpan(task: Task, observed: ObservedTasks, plans: readonly Plan[]): TimeSpan {
  const serverTask = plans.flatMap(({ tasks }) => tasks).find(({ task_id }) => task_id === task.task_id);
  const { started_at, completed_at } = { ...task, ...serverTask };
  const observation = observed.get(task.task_id);
  if (observation?.from !== undefined && completed_at === undefined)
    return { from: observation.from, ...toEndTime(observation.to, task) };
  const from = started_at ?? observation?.from;
  return { ...(from === undefined ? {} : { from }), ...toEndTime(completed_at ?? observation?.to, task) };
}

function toEndTime(to: number | undefined, { status }: Task): TimeSpan {
  return to === undefined || !isFinalTaskStatus(status) ? {} : { to };
}

/**
 * Returns true if a time is missing that the server knows: the start of a task that has started, or the end of a task
 * that has ended. A cancelled task may have no start.
 */
export function isSpanIncomplete({ status }: Task, { from, to }: TimeSpan): boolean {
  if (!hasStarted(status)) return false;
  return isFinalTaskStatus(status)
    ? to === undefined || (from === undefined && status !== "cancelled")
    : from === undefined;
}
