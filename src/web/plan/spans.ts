// When the tasks of a plan began and ended. The server knows; what happens while somebody looks is seen here first.

import { isFinished, type Plan, type Task, type TaskStatus } from "../../protocol/plan.ts";

/** Milliseconds since the epoch; absent as long as they are not known. */
export type Span = { readonly from?: number; readonly to?: number };

/** `retries`: how often it was seen to begin again. */
type Seen = Span & { readonly status: TaskStatus; readonly retries: number };
/** What was seen, by task. */
export type Sight = ReadonlyMap<string, Seen>;
type Stage = Pick<Task, "task_id" | "status">;

const hasBegun = (status: TaskStatus) => status !== "pending" && status !== "scheduled";

/** Notes the tasks as they stand now. What was under way when first seen began at a time that nobody here knows. */
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

/** The server's word goes first: both of its times come of one clock. */
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

/** Whether the server has to be asked. */
export function isLacking({ status }: Task, { from, to }: Span): boolean {
  if (!hasBegun(status)) return false;
  return isFinished(status) ? to === undefined || (from === undefined && status !== "cancelled") : from === undefined;
}
