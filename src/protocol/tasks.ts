// Plans and tasks as a fold of the log: there is no second place where their state lives.

import type { ConversationEvent } from "./events.ts";
import { jsonIn } from "./json-text.ts";
import { CONTROLLER, controllerSchema } from "./recurring.ts";
import { isFinished, type Plan, type Task, type TaskStatus } from "./plan.ts";

/**
 * Who may follow whom (F43). A finished task absorbs every signal: a late failure from a dead
 * stream must not reopen a task that was already cancelled.
 */
const NEXT = {
  pending: ["scheduled", "running", "retrying", "failed", "cancelled"],
  scheduled: ["scheduled", "running", "failed", "cancelled"],
  running: ["scheduled", "waiting_input", "retrying", "completed", "failed", "cancelled"],
  waiting_input: ["running", "retrying", "completed", "failed", "cancelled"],
  retrying: ["running", "retrying", "waiting_input", "completed", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<TaskStatus, readonly TaskStatus[]>;

export function mayFollow(from: TaskStatus, to: TaskStatus): boolean {
  return (NEXT[from] as readonly TaskStatus[]).includes(to);
}

/** Which status an event gives its task; every other event leaves it alone. */
const STATUS_OF: Partial<Record<ConversationEvent["event"], TaskStatus>> = {
  task_started: "running",
  task_completed: "completed",
  task_failed: "failed",
  task_cancelled: "cancelled",
  task_waiting: "waiting_input",
  task_retrying: "retrying",
};

/** Folds one event into the plans, oldest first. Returns the same array when nothing changed. */
export function foldPlans(plans: readonly Plan[], event: ConversationEvent, at?: number): readonly Plan[] {
  if (event.event === "plan_created") return [...plans, event.data.payload.plan];
  const taskId = "task_id" in event.data ? event.data.task_id : undefined;
  const index = taskId === undefined ? -1 : plans.findIndex((plan) => plan.tasks.some((t) => t.task_id === taskId));
  const plan = plans[index];
  if (plan === undefined) return plans;
  const tasks = plan.tasks.map((task) => (task.task_id === taskId ? advance(task, event, at) : task));
  return tasks.every((task, i) => task === plan.tasks[i]) ? plans : plans.with(index, { ...plan, tasks });
}

/** The person's answer to a question of a task: it goes on, and what it says from here on is its result. */
export function isAnswer(event: ConversationEvent): event is Extract<ConversationEvent, { event: "message" }> {
  return event.event === "message" && event.data.role === "user";
}

/** F59. What the controller of a recurring task says of it. One that failed too often still waits: it can be set going. */
function scheduledStatus(event: ConversationEvent): TaskStatus | undefined {
  if (event.event !== "component_generator" || event.data.payload.component_type !== CONTROLLER) return undefined;
  const content = controllerSchema.safeParse(jsonIn(event.data.payload.content));
  if (!content.success) return undefined;
  return content.data.task_status === "failed" ? "scheduled" : content.data.task_status;
}

/** The only way a task changes. An illegal or unrelated event returns the task itself. */
export function advance(task: Task, event: ConversationEvent, at?: number): Task {
  if (event.event === "message_chunk" && !isFinished(task.status)) {
    return { ...task, result: (task.result ?? "") + event.data.payload.content };
  }
  const status = isAnswer(event) ? "running" : (STATUS_OF[event.event] ?? scheduledStatus(event));
  if (status === undefined || !mayFollow(task.status, status)) return task;
  const { result, ...rest } = task;
  const said = event.event === "task_retrying" ? event.data.payload.result : isAnswer(event) ? undefined : result;
  const kept = said === undefined ? rest : { ...rest, result: said };
  const reason =
    event.event === "task_failed" || event.event === "task_cancelled" ? event.data.payload.content : undefined;
  return {
    ...kept,
    status,
    ...(reason === undefined ? {} : { error: reason }),
    ...(at !== undefined && status === "running" && task.started_at === undefined ? { started_at: at } : {}),
    ...(at !== undefined && isFinished(status) ? { completed_at: at } : {}),
  };
}
