// The state of a tool agent between two model calls or tool calls. It can be stored as JSON and restored in any
// isolate. The stored keys are a format: questions and checkpoints from before a deploy are read with them.

import * as z from "zod";
import { formatUntrusted } from "../../../protocol/provenance/untrusted-block.ts";
import type { ModelMessage } from "../agent-prompt.ts";
import { AgentBudget, type AgentLimits, agentUsageSchema } from "../agent-limits.ts";

/** A call as the model wrote it. `arguments` is text that should be JSON. */
const toolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export type AgentToolCall = z.infer<typeof toolCallSchema>;

/**
 * The author of a tool message: the kit itself, the person, or a tool, whose event `call_id` shows the result. `remark`
 * is a sentence of the kit before the result.
 */
const resultAuthorSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("kit") }),
  z.object({ kind: z.literal("person") }),
  z.object({
    kind: z.literal("tool"),
    tool: z.string(),
    call_id: z.string(),
    remark: z.string(),
    /** The reason of a failed call of a tool that may change something. */
    failure: z.optional(z.string()),
  }),
]);
export type ResultAuthor = z.infer<typeof resultAuthorSchema>;

/** The author in states from before authors were stored: a tool, so that its result counts as untrusted. */
const UNKNOWN_AUTHOR: ResultAuthor = { kind: "tool", tool: "tool", call_id: "", remark: "" };

const loopMessageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("assistant"), content: z.string(), toolCalls: z.array(toolCallSchema) }),
  z.object({
    role: z.literal("tool"),
    toolCallId: z.string(),
    content: z.string(),
    by: resultAuthorSchema.default(UNKNOWN_AUTHOR),
  }),
]);
export type LoopMessage = z.infer<typeof loopMessageSchema>;

/**
 * The open question about the first pending call: its approval, with the shown arguments, or a question of the model.
 */
const openQuestionSchema = z.object({
  kind: z.enum(["approval", "question"]),
  arguments: z.record(z.string(), z.unknown()),
});
export type OpenToolQuestion = z.infer<typeof openQuestionSchema>;

/** The stored state of the loop, without the instructions and the request. */
export const loopStateSchema = z.object({
  messages: z.array(loopMessageSchema),
  open: z.array(toolCallSchema),
  used: agentUsageSchema,
  has_spoken: z.boolean(),
});

/** The state that is stored with a question: the loop, and the call that the question is about. */
export const pausedLoopStateSchema = z.object({
  ...loopStateSchema.shape,
  open: z.array(toolCallSchema).min(1),
  asked: openQuestionSchema,
});

/** The state of the loop in memory. The loop changes it in place. */
export type ToolLoopState = {
  /** The messages after the opening ones. */
  readonly messages: LoopMessage[];
  /** The calls of the last completion without a result yet, in their order. */
  readonly pendingCalls: AgentToolCall[];
  readonly budget: AgentBudget;
  hasEmittedText: boolean;
};

/** Creates the state at the beginning of a task. */
export function createLoopState(limits: AgentLimits): ToolLoopState {
  return { messages: [], pendingCalls: [], budget: new AgentBudget(limits), hasEmittedText: false };
}

/** Restores the stored state with a budget that continues its usage. */
export function restoreLoopState(stored: z.infer<typeof loopStateSchema>, limits: AgentLimits): ToolLoopState {
  const { messages, open: pendingCalls, used: usage, has_spoken } = stored;
  return { messages, pendingCalls, budget: new AgentBudget(limits, usage), hasEmittedText: has_spoken };
}

/** Returns the state in its stored form. It shares the lists of the state: serialize it before the loop continues. */
export function serializeLoopState({
  messages,
  pendingCalls,
  budget,
  hasEmittedText,
}: ToolLoopState): z.infer<typeof loopStateSchema> {
  return { messages, open: pendingCalls, used: budget.usage, has_spoken: hasEmittedText };
}

/** Returns the reason of a failed call after which no call of the same tool succeeded; undefined if there is none. */
export function findUnresolvedFailure({ messages }: ToolLoopState): string | undefined {
  const failures = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== "tool" || message.by.kind !== "tool") continue;
    const { tool, failure } = message.by;
    if (failure === undefined) failures.delete(tool);
    else failures.set(tool, failure);
  }
  return failures.values().next().value;
}

/** Returns the message as the model sees it: the result of a tool is marked as untrusted. */
export function toModelMessage(message: LoopMessage): ModelMessage {
  if (message.role === "assistant") return message;
  const { role, toolCallId, content, by } = message;
  if (by.kind !== "tool") return { role, toolCallId, content };
  return { role, toolCallId, content: by.remark + formatUntrusted(`tool ${by.tool}`, content) };
}
