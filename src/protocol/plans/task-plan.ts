// Schemas of plans and their tasks. Both are folds of the log (`fold-plans.ts`).

import * as z from "zod";
import { criterionSchema } from "./criterion.ts";
import { scheduleConfigSchema } from "../schedules/schedule-config.ts";

/** The canonical task statuses. `fold-plans.ts` defines the allowed transitions. */
export const taskStatusSchema = z.enum([
  "pending",
  "scheduled",
  "running",
  "waiting_input",
  "retrying",
  "completed",
  "failed",
  "cancelled",
]);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** True for the statuses without a successor: completed, failed and cancelled. */
export function isFinalTaskStatus(status: TaskStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** A task of a plan. Times are in ms since the epoch. */
export const taskSchema = z.object({
  task_id: z.string(),
  plan_id: z.string(),
  /** The sub-conversation with only the events of this task. It is listed as a separate conversation. */
  conversation_id: z.string(),
  thread_id: z.string(),
  title: z.string(),
  query: z.string(),
  agent_name: z.string(),
  depends_on: z.array(z.string()),
  pattern: z.enum(["once", "recurring"]),
  schedule_config: scheduleConfigSchema.optional(),
  /** The check of the task's effect, which the runtime runs before the work and after it. */
  criterion: criterionSchema.optional(),
  handoff_from_super_agent: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  status: taskStatusSchema,
  /** The text of the task's agent so far; final once the task has completed. */
  result: z.string().optional(),
  /** The reason of a failure or cancellation. */
  error: z.string().optional(),
  created_at: z.number(),
  started_at: z.number().optional(),
  completed_at: z.number().optional(),
});
export type Task = z.infer<typeof taskSchema>;

/** The plan of one thread. Times are in ms since the epoch. */
export const planSchema = z.object({
  plan_id: z.string(),
  conversation_id: z.string(),
  thread_id: z.string(),
  user_id: z.string(),
  /** The original message of the user. */
  orig_query: z.string(),
  /** The query that was planned: the enriched query of the triage, or the original message. */
  query: z.string(),
  reasoning: z.string(),
  guidance_message: z.string().optional(),
  /** True if the agents verify their tasks after completion. */
  verify: z.boolean().optional(),
  created_at: z.number(),
  tasks: z.array(taskSchema),
});
export type Plan = z.infer<typeof planSchema>;
