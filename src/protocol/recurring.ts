// Schedules: tasks that recur, how they stand, and what their runs brought.

import * as z from "zod";
import { sendSchema } from "./commands.ts";
import { usageSchema } from "./events.ts";
import { scheduleConfigSchema } from "./schedule.ts";
import { titleSchema } from "./title.ts";

/** What becomes of runs that were missed: one late run for all of them, or none (S2). */
export const catchUpSchema = z.enum(["once", "skip"]);

const runStatusSchema = z.enum(["running", "completed", "failed", "cancelled", "skipped"]);

/** Where the result of every run is sent besides: a Standard Webhooks endpoint. */
export const webhookSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_048) });

/** How the last attempt to reach the webhook went. `gone`: it wants nothing more and gets nothing before it is set again. */
export const lastDeliverySchema = z.object({
  status: z.enum(["delivered", "retrying", "failed", "gone"]),
  at: z.number(),
  /** How many there have been for this result. */
  attempts: z.int(),
  error: z.string().optional(),
});
export type LastDelivery = z.infer<typeof lastDeliverySchema>;

/** Times are milliseconds since the epoch. */
export const scheduleSchema = z.object({
  /** The id of the recurring task. */
  schedule_id: z.string(),
  conversation_id: z.string(),
  user_id: z.string(),
  title: z.string(),
  /** What the agent is asked at every run: a single run, without words of time. */
  query: z.string(),
  agent_name: z.string(),
  schedule_config: scheduleConfigSchema,
  catch_up: catchUpSchema,
  status: z.enum(["active", "paused"]),
  /** Why it was paused, if not by a person. */
  reason: z.string().optional(),
  /** When it runs next; absent while it is paused. */
  next_run_at: z.number().optional(),
  /** That and the runs after it, up to five, as far as can be told now. Reckoned for every answer, never stored. */
  next_runs: z.array(z.number()).optional(),
  last_run: z.object({ due_at: z.number(), status: runStatusSchema, error: z.string().optional() }).optional(),
  /** Failed runs in a row. */
  failures: z.int(),
  webhook: webhookSchema.optional(),
  last_delivery: lastDeliverySchema.optional(),
  language: z.string().optional(),
  created_at: z.number(),
  updated_at: z.number(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** In the order in which they were set up, newest first; `next_cursor` asks for the next page and is missing on the last. */
export const schedulePageSchema = z.object({
  schedules: z.array(scheduleSchema),
  next_cursor: z.string().nullish(),
});
export type SchedulePage = z.infer<typeof schedulePageSchema>;

export const updateScheduleSchema = z.strictObject({
  status: z.enum(["active", "paused"]).optional(),
  title: titleSchema.optional(),
  query: sendSchema.shape.message.max(16_384).optional(),
  /** The three forms as an object, or any text form of them: "weekdays at 18:30", "每5分钟", a cron expression. */
  schedule_config: z.union([scheduleConfigSchema, z.string().min(1).max(200)]).optional(),
  catch_up: catchUpSchema.optional(),
  /** Null removes it. Without a `secret` one is made; it is told in the answer to this call and never again. */
  webhook: z
    .strictObject({ ...webhookSchema.shape, secret: z.string().max(256).optional() })
    .nullable()
    .optional(),
});
export type UpdateSchedule = z.infer<typeof updateScheduleSchema>;

/** A schedule after a change; with the secret of a webhook that was set by it. */
export const updatedScheduleSchema = scheduleSchema.extend({ webhook_secret: z.string().optional() });
export type UpdatedSchedule = z.infer<typeof updatedScheduleSchema>;

/** What one run brought. `run_id` is its thread. */
export const runResultSchema = z.object({
  run_id: z.string(),
  schedule_id: z.string(),
  due_at: z.number(),
  status: runStatusSchema,
  started_at: z.number(),
  ended_at: z.number().optional(),
  /** What the agent said, without reasoning and tool calls. */
  result: z.string().optional(),
  error: z.string().optional(),
  usage: usageSchema.optional(),
});
export type RunResult = z.infer<typeof runResultSchema>;

/** Newest first; `next` is the `before` of the next page, missing on the last. */
export const runResultsSchema = z.object({ results: z.array(runResultSchema), next: z.number().optional() });
export type RunResults = z.infer<typeof runResultsSchema>;

/** The components by which readers follow a schedule: how it stands, and what each run brought. */
export const CONTROLLER = "scheduled_task_controller";
export const RESULT = "scheduled_task_result";

/** The content of the component `scheduled_task_controller`: how a schedule stands. */
export const controllerSchema = z.object({
  task_id: z.string(),
  task_title: z.string(),
  task_status: z.enum(["scheduled", "running", "failed", "cancelled"]),
  schedule_status: z.enum(["active", "paused"]),
  next_run_at: z.number().optional(),
  reason: z.string().optional(),
});
export type Controller = z.infer<typeof controllerSchema>;
