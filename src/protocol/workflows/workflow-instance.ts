// Schemas of instances of listener plans. An instance is a separate conversation. The log of that conversation is its
// history, and its state is the fold of four kinds of component: instance, task, value and listener.

import * as z from "zod";
import { languageSchema, timezoneSchema } from "../wire/commands.ts";
import { conversationStatusSchema } from "../wire/conversation-info.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import { computeSha256 } from "../../lib/sha256.ts";
import {
  clientContextSchema,
  listenerSchema,
  workflowTaskContextSchema,
  WORKFLOW_TASK_STATUSES,
  workflowTaskSchema,
} from "./workflow-template.ts";
import { verificationSchema } from "../plans/verification.ts";

export const INSTANCE_STATUSES = ["not_started", "running", "done", "error", "cancelled"] as const;

/** One change of the status of a task. Setting the same status again also counts as a change. */
export const statusChangeSchema = z.object({
  status: z.enum(WORKFLOW_TASK_STATUSES),
  reason: z.string(),
  timestamp: z.number(),
});

/** The state of a task in an instance. */
export const instanceTaskSchema = z.object({
  ...workflowTaskSchema.shape,
  is_main_task: z.boolean(),
  status: z.enum(WORKFLOW_TASK_STATUSES),
  context: workflowTaskContextSchema,
  /** The newest 50 changes, oldest first. */
  status_trace: z.array(statusChangeSchema),
});
export type InstanceTask = z.infer<typeof instanceTaskSchema>;

/** The content of the component `plan_task`. A large context is sent as separate `plan_value` components instead. */
export const taskComponentSchema = instanceTaskSchema.extend({ is_context_in_values: z.literal(true).optional() });
export type TaskComponent = z.infer<typeof taskComponentSchema>;

/** The content of the component `plan_value`: one value of a task's context. An absent `value` removes it. */
export const instanceValueSchema = z.object({
  task_id: z.string(),
  name: z.string(),
  value: jsonValueSchema.optional(),
});
export type InstanceValue = z.infer<typeof instanceValueSchema>;

/** A tool call that an agent reported. */
export const toolUseSchema = z.object({
  tool: z.string(),
  /** JSON text. */
  arguments: z.string().optional(),
  /** The result of the tool, truncated to 4,096 characters. */
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
  /** The task that changes when the listener succeeds. */
  target_task_id: z.string(),
  /** `held`: all attempts failed or data is missing. The listener waits until the instance is resumed. */
  status: z.enum(["idle", "running", "waiting_input", "retrying", "done", "failed", "held", "cancelled"]),
  /** The number of attempts, including those before a resume. */
  attempts: z.int(),
  /** The id of its task in the plan of the conversation. Absent for code listeners. */
  task_id: z.string().optional(),
  /**
   * The open question of its agent while the status is `waiting_input`. It is answered in the instance's conversation.
   */
  request_id: z.string().optional(),
  triggered_at: z.number().optional(),
  ended_at: z.number().optional(),
  response: z.string().optional(),
  error: z.string().optional(),
  tools: z.array(toolUseSchema),
});
export type InstanceListener = z.infer<typeof instanceListenerSchema>;

/** The reason why an instance waits, and the data that a resume must provide. */
export const instanceHoldSchema = z.object({
  status: z.literal("waiting_for_resume"),
  failed_listener_id: z.string(),
  /** All held listeners. */
  failed_listener_ids: z.array(z.string()),
  message: z.string(),
  /** Values that a prompt refers to and that are unknown. The resume request must contain them, by task and name. */
  missing: z.array(z.object({ task_id: z.string(), name: z.string() })),
  /** The question that pauses the instance. If it expires, the instance ends. */
  request_id: z.string(),
});
export type InstanceHold = z.infer<typeof instanceHoldSchema>;

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
  /** The reason of status `error`, as a sentence. */
  error: z.string().optional(),
  hold: instanceHoldSchema.optional(),
  verification: verificationSchema.optional(),
  started_at: z.number(),
  ended_at: z.number().optional(),
});
export type InstanceHead = z.infer<typeof instanceHeadSchema>;

const timeSchema = z.number();
const listenerFields = { listener_id: z.string(), at: timeSchema };

/** An entry of the instance log. The entry types are those of existing plan systems (F126, F133). */
export const instanceLogEntrySchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("PLAN_STARTED"), plan_id: z.string(), at: timeSchema }),
  z.object({
    type: z.literal("TASK_STATUS_CHANGE"),
    plan_id: z.string(),
    task_id: z.string(),
    old_status: z.enum(WORKFLOW_TASK_STATUSES),
    new_status: z.enum(WORKFLOW_TASK_STATUSES),
    reason: z.string(),
    at: timeSchema,
  }),
  z.object({ type: z.literal("LISTENER_TRIGGERED"), ...listenerFields }),
  z.object({ type: z.literal("TOOL_CALLED"), ...listenerFields, agent_id: z.string(), tool: z.string() }),
  z.object({
    type: z.literal("LISTENER_EXECUTED"),
    ...listenerFields,
    status: z.enum(["done", "failed", "cancelled"]),
  }),
  z.object({
    type: z.literal("PLAN_COMPLETED"),
    plan_id: z.string(),
    status: z.enum(INSTANCE_STATUSES),
    at: timeSchema,
  }),
]);

/** The complete state of an instance. `log` is in the order of time. */
export const workflowInstanceDetailsSchema = z.object({
  ...instanceHeadSchema.shape,
  waiting_for_resume: z.boolean(),
  tasks: z.array(instanceTaskSchema),
  listeners: z.array(instanceListenerSchema),
  log: z.array(instanceLogEntrySchema),
});
export type WorkflowInstanceDetails = z.infer<typeof workflowInstanceDetailsSchema>;

/** Component types of the four kinds of state. */
export const INSTANCE_COMPONENT = "plan_instance";
export const INSTANCE_TASK_COMPONENT = "plan_task";
export const INSTANCE_VALUE_COMPONENT = "plan_value";
export const INSTANCE_LISTENER_COMPONENT = "plan_listener";

/** The start of an instance. `context` is the initial context of the main task. */
export const startInstanceSchema = z.strictObject({
  context: clientContextSchema.default({}),
  /** True if agents verify their work when the main task is done. */
  verify: z.boolean().default(true),
  language: languageSchema.optional(),
  timezone: timezoneSchema.optional(),
});
export type StartInstanceRequest = z.infer<typeof startInstanceSchema>;

/** A resume request: context values to set, by task and name, before the held listeners are retried. */
export const resumeInstanceSchema = z.strictObject({
  context: z.record(z.string().max(64), clientContextSchema).default({}),
});
export type ResumeInstanceRequest = z.infer<typeof resumeInstanceSchema>;

/** The response to a start or a resume. */
export const startedInstanceSchema = z.object({
  plan_instance_id: z.string(),
  plan_id: z.string(),
  plan_version: z.int(),
  conversation_id: z.string(),
  thread_id: z.string(),
  seq: z.int(),
});
export type StartedInstance = z.infer<typeof startedInstanceSchema>;

/** An instance in a list. Optional members are unknown for instances of earlier releases. */
export const instanceSummarySchema = z.object({
  plan_instance_id: z.string(),
  plan_id: z.string(),
  plan_version: z.int(),
  conversation_id: z.string(),
  title: z.string().optional(),
  /** `require_user_input` while it waits for a user. */
  conversation_status: conversationStatusSchema.optional(),
  /** `running` until the instance ends, also while it waits. */
  status: z.enum(INSTANCE_STATUSES).optional(),
  ended_at: z.number().optional(),
  created_at: z.number(),
});
export type InstanceSummary = z.infer<typeof instanceSummarySchema>;

/** A page of instances, newest first. */
export const instanceListSchema = z.object({
  instances: z.array(instanceSummarySchema),
  next_cursor: z.string().nullable(),
});
export type InstanceList = z.infer<typeof instanceListSchema>;

/** Returns the id of the conversation of the instance that a start command creates. */
export async function computeInstanceConversationId(commandId: string): Promise<string> {
  return `conv-${(await computeSha256(`plan-instance/${commandId}`)).slice(0, 32)}`;
}
