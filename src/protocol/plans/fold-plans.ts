// The fold of the log into plans and tasks. Their state is stored nowhere else.

import type { ConversationEvent } from "../wire/events.ts";
import { tryParseJson } from "../../lib/parse-json.ts";
import { SCHEDULE_CONTROLLER_COMPONENT, scheduleControllerSchema } from "../schedules/schedule.ts";
import { isFinalTaskStatus, type Plan, type Task, type TaskStatus } from "./task-plan.ts";

/**
 * The allowed transitions of the task status (F43). A finished task ignores all events, so a late failure from a dead
 * stream cannot change a task that is already cancelled.
 */
const ALLOWED_TRANSITIONS = {
  pending: ["scheduled", "running", "retrying", "failed", "cancelled"],
  scheduled: ["scheduled", "running", "completed", "failed", "cancelled"],
  running: ["scheduled", "waiting_input", "retrying", "completed", "failed", "cancelled"],
  waiting_input: ["running", "retrying", "completed", "failed", "cancelled"],
  retrying: ["running", "retrying", "waiting_input", "completed", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<TaskStatus, readonly TaskStatus[]>;

/** True if a task may change from one status to the other. Only `scheduled` and `retrying` may be repeated. */
export function canTransition(from: TaskStatus, to: TaskStatus): boolean {
  return (ALLOWED_TRANSITIONS[from] as readonly TaskStatus[]).includes(to);
}

/** The status that an event sets. Other events do not change the status. */
const STATUS_BY_EVENT: Partial<Record<ConversationEvent["event"], TaskStatus>> = {
  task_started: "running",
  task_completed: "completed",
  task_failed: "failed",
  task_cancelled: "cancelled",
  task_waiting: "waiting_input",
  task_retrying: "retrying",
};

/**
 * Folds one event into the plans, which are ordered oldest first. `at` is its time in ms since the epoch. Returns the
 * same array if nothing changed.
 */
export function foldPlans(plans: readonly Plan[], event: ConversationEvent, at?: number): readonly Plan[] {
  if (event.event === "plan_created") return [...plans, event.data.payload.plan];
  const taskId = "task_id" in event.data ? event.data.task_id : undefined;
  const index = taskId === undefined ? -1 : plans.findIndex((plan) => plan.tasks.some((t) => t.task_id === taskId));
  const plan = plans[index];
  if (plan === undefined) return plans;
  const tasks = plan.tasks.map((task) => (task.task_id === taskId ? foldTask(task, event, at) : task));
  return tasks.every((task, i) => task === plan.tasks[i]) ? plans : plans.with(index, { ...plan, tasks });
}

/** True if the event is the user's answer to a question. The task then continues, and its result starts empty. */
export function isUserAnswer(event: ConversationEvent): event is Extract<ConversationEvent, { event: "message" }> {
  return event.event === "message" && event.data.role === "user";
}

/**
 * Returns the status from the controller component of a recurring task (F59), or undefined. A failed schedule counts as
 * `scheduled`, because it can be activated again, unless its single run has ended.
 */
function getScheduledStatus(event: ConversationEvent): TaskStatus | undefined {
  if (event.event !== "component_generator" || event.data.payload.component_type !== SCHEDULE_CONTROLLER_COMPONENT)
    return undefined;
  const content = scheduleControllerSchema.safeParse(tryParseJson(event.data.payload.content));
  if (!content.success) return undefined;
  const { task_status: status, schedule_status: schedule } = content.data;
  return status === "failed" && schedule !== "completed" ? "scheduled" : status;
}

/**
 * Folds an event of this task, whose `task_id` is not checked, into the task. No other code changes tasks. Returns the
 * same task for an illegal transition and for an event without an effect. `at` is its time in ms since the epoch.
 */
export function foldTask(task: Task, event: ConversationEvent, at?: number): Task {
  if (event.event === "message_chunk" && !isFinalTaskStatus(task.status)) {
    return { ...task, result: (task.result ?? "") + event.data.payload.content };
  }
  const status = isUserAnswer(event) ? "running" : (STATUS_BY_EVENT[event.event] ?? getScheduledStatus(event));
  if (status === undefined || !canTransition(task.status, status)) return task;
  const { result, ...rest } = task;
  const nextResult =
    event.event === "task_retrying" ? event.data.payload.result : isUserAnswer(event) ? undefined : result;
  const base = nextResult === undefined ? rest : { ...rest, result: nextResult };
  const reason =
    event.event === "task_failed" || event.event === "task_cancelled" ? event.data.payload.content : undefined;
  return {
    ...base,
    status,
    ...(reason === undefined ? {} : { error: reason }),
    ...(at !== undefined && status === "running" && task.started_at === undefined ? { started_at: at } : {}),
    ...(at !== undefined && isFinalTaskStatus(status) ? { completed_at: at } : {}),
  };
}
