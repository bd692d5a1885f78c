import * as z from "zod";
import { scheduleConfigSchema } from "./schedule.ts";

/** The canonical task statuses. Who may follow whom is decided in one place, `tasks.ts`. */
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

export function isFinished(status: TaskStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

export const taskSchema = z.object({
  task_id: z.string(),
  plan_id: z.string(),
  /** Where this task's own events can be read alone; listed as a conversation of its own. */
  conversation_id: z.string(),
  thread_id: z.string(),
  title: z.string(),
  query: z.string(),
  agent_name: z.string(),
  depends_on: z.array(z.string()),
  pattern: z.enum(["once", "recurring"]),
  schedule_config: scheduleConfigSchema.optional(),
  handoff_from_super_agent: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  status: taskStatusSchema,
  /** What the task's agent said, once it has completed. */
  result: z.string().optional(),
  /** Why it failed or was cancelled. */
  error: z.string().optional(),
  created_at: z.number(),
  started_at: z.number().optional(),
  completed_at: z.number().optional(),
});
export type Task = z.infer<typeof taskSchema>;

/** The tasks that one thread needs. Times are milliseconds since the epoch. */
export const planSchema = z.object({
  plan_id: z.string(),
  conversation_id: z.string(),
  thread_id: z.string(),
  user_id: z.string(),
  /** The person's own words. */
  orig_query: z.string(),
  /** What was planned: the enriched query of the triage, or the words themselves. */
  query: z.string(),
  reasoning: z.string(),
  guidance_message: z.string().optional(),
  /** When its tasks are done, their agents are asked to verify them. */
  verify: z.boolean().optional(),
  created_at: z.number(),
  tasks: z.array(taskSchema),
});
export type Plan = z.infer<typeof planSchema>;
