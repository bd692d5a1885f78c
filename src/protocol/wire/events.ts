// The events of a conversation. The wire, the log and the view share these types. A new event must be added to the
// union, to EVENT_FAMILY and to the tables of `items.ts` and `fold-plans.ts`.

import * as z from "zod";
import { planSchema } from "../plans/task-plan.ts";
import { questionPayloadSchema } from "./question.ts";

export const roleSchema = z.enum(["user", "agent", "system"]);

/** The usage of one model call, or the totals of several calls of an agent that reports no single calls. */
export const callUsageSchema = z.object({
  role: z.string(),
  /** The task or the stage of the thread that made the call. */
  task_id: z.string(),
  model_calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
});
export type CallUsage = z.infer<typeof callUsageSchema>;

/** The usage of a thread, in the metadata of `done`, or of a task, in the metadata of its last event (`usage`). */
export const usageSchema = z.object({
  model_calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  tasks: z.int(),
  duration_ms: z.int(),
  calls: z.array(callUsageSchema).optional(),
});
export type Usage = z.infer<typeof usageSchema>;

const metadataSchema = z.record(z.string(), z.unknown());
const conversationFields = {
  conversation_id: z.string(),
  role: roleSchema,
  item_id: z.string(),
  agent_name: z.string().optional(),
  metadata: metadataSchema.optional(),
};
const threadFields = { ...conversationFields, thread_id: z.string(), task_id: z.string().optional() };
const taskFields = { ...conversationFields, thread_id: z.string(), task_id: z.string() };

const contentSchema = z.object({ content: z.string() });
/** The reason of a failure: a sentence for people and a stable code for programs. */
const failureSchema = z.object({ content: z.string(), code: z.string().optional() });
const toolCallSchema = z.object({
  tool_call_id: z.string(),
  tool_name: z.string(),
  /** The arguments as JSON text. */
  tool_arguments: z.string().optional(),
});
/** `tool_result` is the JSON text of an array of objects with the member `content`. */
const toolResultSchema = z.object({ ...toolCallSchema.shape, tool_result: z.string() });

/**
 * The attempt starts again. All output of the task after the event `since` is retracted, or all of it without `since`.
 * `result` is the remaining text.
 */
const taskRetrySchema = z.object({
  content: z.string(),
  attempt: z.int(),
  since: z.int().positive().optional(),
  result: z.string().optional(),
});

export const triageStrategySchema = z.enum(["direct_response", "single_agent", "multi_agent", "needs_planning"]);
export type TriageStrategy = z.infer<typeof triageStrategySchema>;

/** The result of the triage (X1). `decision` controls the flow; `strategy` is the amount of planning that is needed. */
export const triageResultSchema = z.object({
  decision: z.enum(["answer", "handoff_to_planner"]),
  strategy: triageStrategySchema,
  reason: z.string(),
  selected_agents: z.array(z.string()),
  enriched_query: z.string().optional(),
});
export type TriageResult = z.infer<typeof triageResultSchema>;

const defineEvent = <Name extends string, Data extends z.ZodRawShape>(name: Name, data: Data) =>
  z.object({ event: z.literal(name), data: z.object(data) });

/** All events that a reader can receive. */
export const conversationEventSchema = z.discriminatedUnion("event", [
  defineEvent("conversation_started", conversationFields),
  defineEvent("thread_started", { ...taskFields, payload: contentSchema }),
  defineEvent("triage_completed", { ...threadFields, payload: triageResultSchema }),
  defineEvent("plan_created", { ...threadFields, payload: z.object({ plan: planSchema }) }),
  defineEvent("plan_require_user_input", { ...threadFields, payload: questionPayloadSchema }),
  defineEvent("plan_failed", { ...threadFields, payload: failureSchema }),
  defineEvent("system_failed", { ...conversationFields, thread_id: z.string().optional(), payload: failureSchema }),
  defineEvent("done", { ...conversationFields, thread_id: z.string() }),
  defineEvent("task_started", taskFields),
  defineEvent("task_completed", taskFields),
  defineEvent("task_failed", { ...taskFields, payload: failureSchema }),
  defineEvent("task_cancelled", { ...taskFields, payload: failureSchema }),
  defineEvent("task_waiting", { ...taskFields, payload: questionPayloadSchema }),
  defineEvent("task_retrying", { ...taskFields, payload: taskRetrySchema }),
  defineEvent("message_chunk", { ...taskFields, payload: contentSchema }),
  defineEvent("message", { ...taskFields, payload: contentSchema }),
  defineEvent("reasoning_started", taskFields),
  defineEvent("reasoning", { ...taskFields, payload: contentSchema }),
  defineEvent("reasoning_completed", taskFields),
  defineEvent("tool_call_started", { ...taskFields, payload: toolCallSchema }),
  defineEvent("tool_call_completed", { ...taskFields, payload: toolResultSchema }),
  defineEvent("component_generator", {
    ...taskFields,
    payload: z.object({ component_type: z.string(), content: z.string() }),
  }),
  defineEvent("verification_completed", {
    ...threadFields,
    payload: z.object({ summary: z.string(), results: z.array(z.record(z.string(), z.unknown())) }),
  }),
]);

export type ConversationEvent = z.infer<typeof conversationEventSchema>;
export type EventName = ConversationEvent["event"];
/** The event with this name. */
export type EventOf<Name extends EventName> = Extract<ConversationEvent, { event: Name }>;

/** An event with its sequence number in the log. WebSocket, SSE, RPC and history transport frames. */
export const frameSchema = z.intersection(z.object({ seq: z.int().positive() }), conversationEventSchema);
export type Frame = { readonly seq: number } & ConversationEvent;

/** The agent that does triage, planning and synthesis. A message addressed to it is treated as unaddressed (X2). */
export const SUPER_AGENT = "SuperAgent";
/** The agent name in the planner's questions. No agent may have this name or that of the super agent. */
export const PLANNER = "Planner";
