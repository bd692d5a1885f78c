// The events of a conversation. The wire, the log and the view share these types. A new event must be added to the
// union, to EVENT_FAMILY and to the tables of `items.ts` and `fold-plans.ts`.

import * as z from "zod";
import { planSchema } from "./plan.ts";
import { askedSchema } from "./question.ts";

export const roleSchema = z.enum(["user", "agent", "system"]);

/** The usage of one model call. An agent that reports only totals yields one entry for several calls. */
export const callUsageSchema = z.object({
  role: z.string(),
  /** The task or the stage of the thread that made the call. */
  task_id: z.string(),
  model_calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
});
export type CallUsage = z.infer<typeof callUsageSchema>;

/** The usage of a thread, in `metadata.usage` of `done`, or of a task, in the metadata of its last event. */
export const usageSchema = z.object({
  model_calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  tasks: z.int(),
  duration_ms: z.int(),
  calls: z.array(callUsageSchema).optional(),
});
export type Usage = z.infer<typeof usageSchema>;

const metadata = z.record(z.string(), z.unknown());
const inConversation = {
  conversation_id: z.string(),
  role: roleSchema,
  item_id: z.string(),
  agent_name: z.string().optional(),
  metadata: metadata.optional(),
};
const inThread = { ...inConversation, thread_id: z.string(), task_id: z.string().optional() };
const inTask = { ...inConversation, thread_id: z.string(), task_id: z.string() };

const content = z.object({ content: z.string() });
/** The reason of a failure: a sentence for people and a stable code for programs. */
const failure = z.object({ content: z.string(), code: z.string().optional() });
const toolCall = z.object({
  tool_call_id: z.string(),
  tool_name: z.string(),
  /** The arguments as JSON text. */
  tool_arguments: z.string().optional(),
});
/** `tool_result` is the JSON text of an array of objects with `content`. */
const toolResult = z.object({ ...toolCall.shape, tool_result: z.string() });

/**
 * The attempt starts again. All output of the task after the event `since` is retracted, or all of it without `since`.
 * `result` is the remaining text.
 */
const retryingSchema = z.object({
  content: z.string(),
  attempt: z.int(),
  since: z.int().positive().optional(),
  result: z.string().optional(),
});

export const strategySchema = z.enum(["direct_response", "single_agent", "multi_agent", "needs_planning"]);
export type Strategy = z.infer<typeof strategySchema>;

/** The result of the triage (X1). `decision` controls the flow; `strategy` is the amount of planning that is needed. */
export const triageSchema = z.object({
  decision: z.enum(["answer", "handoff_to_planner"]),
  strategy: strategySchema,
  reason: z.string(),
  selected_agents: z.array(z.string()),
  enriched_query: z.string().optional(),
});
export type Triage = z.infer<typeof triageSchema>;

const event = <Name extends string, Data extends z.ZodRawShape>(name: Name, data: Data) =>
  z.object({ event: z.literal(name), data: z.object(data) });

/** All events that a reader can receive. */
export const conversationEventSchema = z.discriminatedUnion("event", [
  event("conversation_started", inConversation),
  event("thread_started", { ...inTask, payload: content }),
  event("triage_completed", { ...inThread, payload: triageSchema }),
  event("plan_created", { ...inThread, payload: z.object({ plan: planSchema }) }),
  event("plan_require_user_input", { ...inThread, payload: askedSchema }),
  event("plan_failed", { ...inThread, payload: failure }),
  event("system_failed", { ...inConversation, thread_id: z.string().optional(), payload: failure }),
  event("done", { ...inConversation, thread_id: z.string() }),
  event("task_started", inTask),
  event("task_completed", inTask),
  event("task_failed", { ...inTask, payload: failure }),
  event("task_cancelled", { ...inTask, payload: failure }),
  event("task_waiting", { ...inTask, payload: askedSchema }),
  event("task_retrying", { ...inTask, payload: retryingSchema }),
  event("message_chunk", { ...inTask, payload: content }),
  event("message", { ...inTask, payload: content }),
  event("reasoning_started", inTask),
  event("reasoning", { ...inTask, payload: content }),
  event("reasoning_completed", inTask),
  event("tool_call_started", { ...inTask, payload: toolCall }),
  event("tool_call_completed", { ...inTask, payload: toolResult }),
  event("component_generator", {
    ...inTask,
    payload: z.object({ component_type: z.string(), content: z.string() }),
  }),
  event("verification_completed", {
    ...inThread,
    payload: z.object({ summary: z.string(), results: z.array(z.record(z.string(), z.unknown())) }),
  }),
]);

export type ConversationEvent = z.infer<typeof conversationEventSchema>;
export type EventName = ConversationEvent["event"];
export type EventOf<Name extends EventName> = Extract<ConversationEvent, { event: Name }>;

/** An event with its sequence number in the log. WebSocket, SSE, RPC and history transport frames. */
export const frameSchema = z.intersection(z.object({ seq: z.int().positive() }), conversationEventSchema);
export type Frame = { readonly seq: number } & ConversationEvent;

export type EventFamily = "message" | "reasoning" | "tool_call" | "error" | "task_status" | "notification" | "system";

/** The family of each event (X9). The compiler requires an entry for each new event. */
const FAMILY = {
  conversation_started: "system",
  thread_started: "message",
  triage_completed: "system",
  plan_created: "system",
  plan_require_user_input: "notification",
  plan_failed: "error",
  system_failed: "error",
  done: "system",
  task_started: "task_status",
  task_completed: "task_status",
  task_failed: "error",
  task_cancelled: "task_status",
  task_waiting: "task_status",
  task_retrying: "task_status",
  message_chunk: "message",
  message: "notification",
  reasoning_started: "reasoning",
  reasoning: "reasoning",
  reasoning_completed: "reasoning",
  tool_call_started: "tool_call",
  tool_call_completed: "tool_call",
  component_generator: "notification",
  verification_completed: "system",
} as const satisfies Record<EventName, EventFamily>;

/** Returns the family of an event. */
export function familyOf(name: EventName): EventFamily {
  return FAMILY[name];
}

/** The agent that does triage, planning and synthesis. A message addressed to it is treated as unaddressed (X2). */
export const SUPER_AGENT = "SuperAgent";
export const PLANNER = "Planner";
