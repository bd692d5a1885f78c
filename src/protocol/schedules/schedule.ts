// Schemas of schedules (recurring tasks), of their runs, and of the components that show them.

import * as z from "zod";
import { sendCommandSchema } from "../wire/commands.ts";
import { SUPER_AGENT, usageSchema } from "../wire/events.ts";
import { scheduleConfigSchema } from "./schedule-config.ts";
import { titleSchema } from "../../lib/title.ts";

/** The agent of a reminder: the runtime itself, which writes the query as a message to the person. */
export const REMINDER_AGENT = SUPER_AGENT;

/** The handling of missed runs (S2): `once` makes one late run for all of them, `skip` makes none. */
export const catchUpSchema = z.enum(["once", "skip"]);

const scheduleRunStatusSchema = z.enum(["running", "completed", "failed", "cancelled", "skipped"]);

/** A Standard Webhooks endpoint that receives the result of every run. */
export const webhookSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_048) });

/** The last delivery to the webhook. `gone`: the receiver unsubscribed, and nothing is sent until it is set again. */
export const lastDeliverySchema = z.object({
  status: z.enum(["delivered", "retrying", "failed", "gone"]),
  at: z.number(),
  /** The number of attempts for this result. */
  attempts: z.int(),
  error: z.string().optional(),
});
export type LastDelivery = z.infer<typeof lastDeliverySchema>;

/** A schedule. Times are in ms since the epoch. */
export const scheduleSchema = z.object({
  /** The id of the recurring task. */
  schedule_id: z.string(),
  conversation_id: z.string(),
  user_id: z.string(),
  title: z.string(),
  /** The request to the agent at every run. It describes a single run, without the times. */
  query: z.string(),
  agent_name: z.string(),
  schedule_config: scheduleConfigSchema,
  catch_up: catchUpSchema,
  /** `completed`: its single run has ended. */
  status: z.enum(["active", "paused", "completed"]),
  /** The reason of the pause, if the system paused it, or of the failure of its single run. */
  reason: z.string().optional(),
  /** The time of the next run; absent while the schedule is paused and after its single run. */
  next_run_at: z.number().optional(),
  /** The times of the next runs, at most five. Computed for every response and never stored. */
  next_runs: z.array(z.number()).optional(),
  last_run: z.object({ due_at: z.number(), status: scheduleRunStatusSchema, error: z.string().optional() }).optional(),
  /** The number of consecutive failed runs. */
  failures: z.int(),
  webhook: webhookSchema.optional(),
  last_delivery: lastDeliverySchema.optional(),
  language: z.string().optional(),
  created_at: z.number(),
  updated_at: z.number(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** A page of schedules, newest first. `next_cursor` requests the next page and is absent on the last one. */
export const scheduleListSchema = z.object({
  schedules: z.array(scheduleSchema),
  next_cursor: z.string().nullish(),
});
export type ScheduleList = z.infer<typeof scheduleListSchema>;

export const updateScheduleSchema = z.strictObject({
  status: z.enum(["active", "paused"]).optional(),
  title: titleSchema.optional(),
  query: sendCommandSchema.shape.message.max(16_384).optional(),
  /** A config object or text: "weekdays at 18:30", "每5分钟", "tomorrow at 9", a cron expression. */
  schedule_config: z.union([scheduleConfigSchema, z.string().min(1).max(200)]).optional(),
  catch_up: catchUpSchema.optional(),
  /** Null removes the webhook. If `secret` is absent, one is created. Only the response to this call contains it. */
  webhook: z
    .strictObject({ ...webhookSchema.shape, secret: z.string().max(256).optional() })
    .nullable()
    .optional(),
});
export type UpdateScheduleRequest = z.infer<typeof updateScheduleSchema>;

/** The response to an update. Contains the secret of a webhook that the update set. */
export const updatedScheduleSchema = scheduleSchema.extend({ webhook_secret: z.string().optional() });
export type UpdatedSchedule = z.infer<typeof updatedScheduleSchema>;

/** The result of one run. `run_id` is the id of its thread. */
export const scheduleRunResultSchema = z.object({
  run_id: z.string(),
  schedule_id: z.string(),
  due_at: z.number(),
  status: scheduleRunStatusSchema,
  started_at: z.number(),
  ended_at: z.number().optional(),
  /** The text of the agent, without reasoning and tool calls. */
  result: z.string().optional(),
  error: z.string().optional(),
  usage: usageSchema.optional(),
});
export type ScheduleRunResult = z.infer<typeof scheduleRunResultSchema>;

/** Results, newest first. `next` is the `before` of the next page and absent on the last one. */
export const scheduleRunResultListSchema = z.object({
  results: z.array(scheduleRunResultSchema),
  next: z.number().optional(),
});
export type ScheduleRunResultList = z.infer<typeof scheduleRunResultListSchema>;

/** Component types of the state of a schedule and of the result of each run. */
export const SCHEDULE_CONTROLLER_COMPONENT = "scheduled_task_controller";
export const SCHEDULE_RESULT_COMPONENT = "scheduled_task_result";

/** The content of the component `scheduled_task_controller`: the state of a schedule. */
export const scheduleControllerSchema = z.object({
  task_id: z.string(),
  task_title: z.string(),
  task_status: z.enum(["scheduled", "running", "completed", "failed", "cancelled"]),
  schedule_status: scheduleSchema.shape.status,
  next_run_at: z.number().optional(),
  reason: z.string().optional(),
});
export type ScheduleController = z.infer<typeof scheduleControllerSchema>;
