// What passes between the runtime and an agent, whatever carries it, and the card by which an agent is known.

import * as z from "zod";
import { approvalSchema, type Answer } from "./question.ts";

export const skillSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()).default([]),
  examples: z.array(z.string()).default([]),
});
export type Skill = z.infer<typeof skillSchema>;

/**
 * What the runtime knows of an agent. Everything but the name has a default, so that a foreign card
 * with gaps still makes a usable agent.
 */
export const agentCardSchema = z.object({
  name: z.string().min(1).max(128),
  display_name: z.string().optional(),
  description: z.string().default(""),
  version: z.string().default("0.0.0"),
  skills: z.array(skillSchema).default([]),
  capabilities: z
    .object({ streaming: z.boolean().default(true), push_notifications: z.boolean().default(false) })
    .default({ streaming: true, push_notifications: false }),
  /** Gets the person's words as they are; planning for it costs no model call. */
  planner_passthrough: z.boolean().default(false),
  /** Never offered to triage or planner; still reachable by name. */
  hidden: z.boolean().default(false),
});
export type AgentCard = z.infer<typeof agentCardSchema>;

/**
 * A card and where it stands: `binding` agents come with the deployment, `url` agents were registered, an `app` is a
 * registered configuration, a `plan` a released plan template.
 */
export const agentSchema = z.object({
  ...agentCardSchema.shape,
  source: z.enum(["binding", "url", "app", "plan"]),
  url: z.string().optional(),
  enabled: z.boolean(),
});
export type Agent = z.infer<typeof agentSchema>;

/**
 * What an agent is asked to do. `message_id` stays the same when an interrupted attempt is repeated.
 * With `reply` it is the same task again, going on from its question.
 */
export type AgentRequest = {
  readonly message_id: string;
  readonly task_id: string;
  readonly conversation_id: string;
  readonly query: string;
  readonly metadata: AgentMetadata;
  readonly reply?: AgentReply;
  /** What the agent had given as its last `checkpoint`, when the work was interrupted after it. */
  readonly checkpoint?: string;
};

/** The person's answer and what the agent left with its question. */
export type AgentReply = {
  readonly answer: Answer;
  /** The agent's own id of the task, if it gave one. */
  readonly remote_task_id?: string;
  readonly state?: string;
};

/** The context injected into every task (F45, F88). */
export const agentMetadataSchema = z.object({
  user_id: z.string().optional(),
  user_profile: z.record(z.string(), z.unknown()).optional(),
  current_context: z.record(z.string(), z.unknown()).optional(),
  language: z.string().optional(),
  timezone: z.string().optional(),
  /** `read_only`: nothing may be changed; the kit offers only tools that are marked so. */
  scope: z.enum(["read_only"]).optional(),
  /** Set when a schedule asks: nobody may be there to answer. */
  schedule: z.object({ schedule_id: z.string(), due_at: z.number() }).optional(),
  /** The results of the tasks that this one depends on, oldest first. */
  dependencies: z
    .array(z.object({ task_id: z.string(), title: z.string(), agent_name: z.string(), result: z.string() }))
    .optional(),
});
export type AgentMetadata = z.infer<typeof agentMetadataSchema>;

/** Kept with the open question, in one row of storage. */
export const MAX_STATE_CHARS = 512 * 1024;

const usage = z.object({ model_calls: z.int(), input_tokens: z.int(), output_tokens: z.int() });

/**
 * What an agent says while it works. `completed` and `failed` are last; a stream that ends without
 * either has completed. `input_required` ends the stream until the answer comes.
 */
export const agentEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("accepted"), remote_task_id: z.string().optional() }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("notification"), text: z.string() }),
  z.object({ type: z.literal("reasoning"), text: z.string() }),
  z.object({
    type: z.literal("tool_started"),
    call_id: z.string(),
    tool: z.string(),
    arguments: z.string().optional(),
  }),
  z.object({
    type: z.literal("tool_completed"),
    call_id: z.string(),
    tool: z.string(),
    arguments: z.string().optional(),
    result: z.string(),
    /** `false`: the call was answered without running the tool. */
    ran: z.literal(false).optional(),
  }),
  z.object({
    type: z.literal("component"),
    component_type: z.string(),
    content: z.string(),
    component_id: z.string().optional(),
  }),
  z.object({ type: z.literal("usage"), usage }),
  /** How far the work has come: should it be interrupted, it is begun again with this (T4). */
  z.object({ type: z.literal("checkpoint"), state: z.string().max(MAX_STATE_CHARS) }),
  /** What was said since the last checkpoint, or since the run began, is taken back: it will be said anew. */
  z.object({ type: z.literal("retracted"), reason: z.string() }),
  z.object({
    type: z.literal("input_required"),
    prompt: z.string(),
    options: z.array(z.string()).optional(),
    approval: approvalSchema.optional(),
    /** Whatever the agent needs to go on; it comes back with the answer, so that agents may forget. */
    state: z.string().max(MAX_STATE_CHARS).optional(),
  }),
  z.object({ type: z.literal("completed") }),
  z.object({ type: z.literal("failed"), reason: z.string(), code: z.string().optional() }),
]);
export type AgentEvent = z.infer<typeof agentEventSchema>;
