// Instances of listener plans. An instance is a conversation of its own: what happens in it is the log of that
// conversation, and how it stands is the fold of four kinds of component.

import * as z from "zod";
import { timezoneSchema } from "./commands.ts";
import { conversationStatusSchema } from "./conversation.ts";
import { jsonSchema } from "./json.ts";
import {
  givenContextSchema,
  listenerSchema,
  planContextSchema,
  PLAN_STATUSES,
  planTaskSchema,
} from "./plan-template.ts";
import { verificationSchema } from "./verification.ts";

export const INSTANCE_STATUSES = ["not_started", "running", "done", "error", "cancelled"] as const;

/** One change of a task's status. Setting the same status again is a change as well. */
export const statusTraceSchema = z.object({
  status: z.enum(PLAN_STATUSES),
  reason: z.string(),
  timestamp: z.number(),
});

/** The content of the component `plan_task`. */
export const instanceTaskSchema = z.object({
  ...planTaskSchema.shape,
  is_main_task: z.boolean(),
  status: z.enum(PLAN_STATUSES),
  context: planContextSchema,
  /** Oldest first; at most the newest 50. */
  status_trace: z.array(statusTraceSchema),
});
export type InstanceTask = z.infer<typeof instanceTaskSchema>;

/** The content of the component `plan_task`. A context that has become large is told value by value instead. */
export const toldTaskSchema = instanceTaskSchema.extend({ is_context_in_values: z.literal(true).optional() });
export type ToldTask = z.infer<typeof toldTaskSchema>;

/** The content of the component `plan_value`: one value of a task's context. Without `value` there is none any more. */
export const instanceValueSchema = z.object({
  task_id: z.string(),
  name: z.string(),
  value: jsonSchema.optional(),
});
export type InstanceValue = z.infer<typeof instanceValueSchema>;

/** One call of a tool by an agent, as far as it told of it. */
export const toolUseSchema = z.object({
  tool: z.string(),
  /** JSON text. */
  arguments: z.string().optional(),
  /** What the tool answered, cut to 4,096 characters. */
  result: z.string(),
});
export type ToolUse = z.infer<typeof toolUseSchema>;

/** The content of the component `plan_listener`. */
export const instanceListenerSchema = z.object({
  ...listenerSchema.pick({
    listener_id: true,
    trigger_task_id: true,
    trigger_condition: true,
    listener_type: true,
    agent_id: true,
  }).shape,
  /** The task that its success changes. */
  target_task_id: z.string(),
  /** `held`: it failed for good or lacks data, and waits for somebody to resume the instance. */
  status: z.enum(["idle", "running", "waiting_input", "retrying", "done", "failed", "held", "cancelled"]),
  /** How often it was tried, the tries before a resume included. */
  attempts: z.int(),
  /** The task of the conversation's plan that stands for it; code listeners have none. */
  task_id: z.string().optional(),
  /** The question of its agent, while it is `waiting_input`: it is answered in the instance's conversation. */
  request_id: z.string().optional(),
  triggered_at: z.number().optional(),
  ended_at: z.number().optional(),
  response: z.string().optional(),
  error: z.string().optional(),
  tools: z.array(toolUseSchema),
});
export type InstanceListener = z.infer<typeof instanceListenerSchema>;

/** Why an instance does not go on by itself, and what it takes. */
export const holdSchema = z.object({
  status: z.literal("waiting_for_resume"),
  failed_listener_id: z.string(),
  /** All of them, where several are held. */
  failed_listener_ids: z.array(z.string()),
  message: z.string(),
  /** Values that a prompt names and nobody has given: to be sent with the resumption, by task and name. */
  missing: z.array(z.object({ task_id: z.string(), name: z.string() })),
  /** The question by which it waits; when it expires, the instance is over. */
  request_id: z.string(),
});
export type Hold = z.infer<typeof holdSchema>;

/** The content of the component `plan_instance`. */
export const instanceHeadSchema = z.object({
  plan_instance_id: z.string(),
  plan_id: z.string(),
  plan_version: z.int(),
  name: z.string(),
  main_task_id: z.string(),
  conversation_id: z.string(),
  thread_id: z.string(),
  status: z.enum(INSTANCE_STATUSES),
  /** Why it ended in an error, in words. */
  error: z.string().optional(),
  hold: holdSchema.optional(),
  verification: verificationSchema.optional(),
  started_at: z.number(),
  ended_at: z.number().optional(),
});
export type InstanceHead = z.infer<typeof instanceHeadSchema>;

const at = z.number();
const ofListener = { listener_id: z.string(), at };

/** What happened, oldest first, in the words of systems that have such a log (F126, F133). */
export const instanceLogSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("PLAN_STARTED"), plan_id: z.string(), at }),
  z.object({
    type: z.literal("TASK_STATUS_CHANGE"),
    plan_id: z.string(),
    task_id: z.string(),
    old_status: z.enum(PLAN_STATUSES),
    new_status: z.enum(PLAN_STATUSES),
    reason: z.string(),
    at,
  }),
  z.object({ type: z.literal("LISTENER_TRIGGERED"), ...ofListener }),
  z.object({ type: z.literal("TOOL_CALLED"), ...ofListener, agent_id: z.string(), tool: z.string() }),
  z.object({ type: z.literal("LISTENER_EXECUTED"), ...ofListener, status: z.enum(["done", "failed", "cancelled"]) }),
  z.object({ type: z.literal("PLAN_COMPLETED"), plan_id: z.string(), status: z.enum(INSTANCE_STATUSES), at }),
]);

export const planInstanceSchema = z.object({
  ...instanceHeadSchema.shape,
  waiting_for_resume: z.boolean(),
  tasks: z.array(instanceTaskSchema),
  listeners: z.array(instanceListenerSchema),
  log: z.array(instanceLogSchema),
});
export type PlanInstance = z.infer<typeof planInstanceSchema>;

export const PLAN_INSTANCE = "plan_instance";
export const PLAN_TASK = "plan_task";
export const PLAN_VALUE = "plan_value";
export const PLAN_LISTENER = "plan_listener";

/** How an instance is started. `context` is what is known of the main task: the subject of the whole plan. */
export const startInstanceSchema = z.strictObject({
  context: givenContextSchema.default({}),
  /** Whether agents are asked to verify their work when the main task is done. */
  verify: z.boolean().default(true),
  language: z.string().max(35).optional(),
  timezone: timezoneSchema.optional(),
});
export type StartInstance = z.infer<typeof startInstanceSchema>;

/** What is changed before the listeners that are held are tried again: values by task and name. */
export const resumeInstanceSchema = z.strictObject({
  context: z.record(z.string().max(64), givenContextSchema).default({}),
});
export type ResumeInstance = z.infer<typeof resumeInstanceSchema>;

export const startedInstanceSchema = z.object({
  plan_instance_id: z.string(),
  plan_id: z.string(),
  plan_version: z.int(),
  conversation_id: z.string(),
  thread_id: z.string(),
  seq: z.int(),
});
export type StartedInstance = z.infer<typeof startedInstanceSchema>;

/** An instance in a list. What is left out is not known of those of earlier releases. */
export const instanceSummarySchema = z.object({
  plan_instance_id: z.string(),
  plan_id: z.string(),
  plan_version: z.int(),
  conversation_id: z.string(),
  title: z.string().optional(),
  /** `require_user_input` while it waits for somebody. */
  conversation_status: conversationStatusSchema.optional(),
  /** `running` until it is over, also while it waits. */
  status: z.enum(INSTANCE_STATUSES).optional(),
  ended_at: z.number().optional(),
  created_at: z.number(),
});
export type InstanceSummary = z.infer<typeof instanceSummarySchema>;

/** Newest first. */
export const instancePageSchema = z.object({
  instances: z.array(instanceSummarySchema),
  next_cursor: z.string().nullable(),
});
export type InstancePage = z.infer<typeof instancePageSchema>;
