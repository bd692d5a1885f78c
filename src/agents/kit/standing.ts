// The state of a tool agent between two model calls or tool calls. It can be stored as JSON and restored in any
// isolate. The stored keys are a format: questions and checkpoints from before a deploy are read with them.

import * as z from "zod";
import { Allowance, type Limits, usedSchema } from "./limits.ts";

const callSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export type ToolCall = z.infer<typeof callSchema>;

const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("assistant"), content: z.string(), toolCalls: z.array(callSchema) }),
  z.object({ role: z.literal("tool"), toolCallId: z.string(), content: z.string() }),
]);

/** The question that is open about the first pending call. */
const askedSchema = z.object({
  kind: z.enum(["approval", "question"]),
  arguments: z.record(z.string(), z.unknown()),
});
export type Asked = z.infer<typeof askedSchema>;

/** The stored state of the loop, without the instructions and the request. */
export const standingSchema = z.object({
  messages: z.array(messageSchema),
  open: z.array(callSchema),
  used: usedSchema,
  has_spoken: z.boolean(),
});

/** The state that is stored with a question: the loop, and the call that the question is about. */
export const pausedSchema = z.object({
  ...standingSchema.shape,
  open: z.array(callSchema).min(1),
  asked: askedSchema,
});

/** The state of the loop in memory. The loop changes it in place. */
export type Standing = {
  /** The messages after the opening ones. */
  readonly messages: z.infer<typeof messageSchema>[];
  /** The calls of the last completion without a result yet, in their order. */
  readonly open: ToolCall[];
  readonly used: Allowance;
  hasSpoken: boolean;
};

/** Creates the state at the beginning of a task. */
export function standingAtFirst(limits: Limits): Standing {
  return { messages: [], open: [], used: new Allowance(limits), hasSpoken: false };
}

/** Restores the stored state with a budget that continues its usage. */
export function toStanding(stored: z.infer<typeof standingSchema>, limits: Limits): Standing {
  const { messages, open, used, has_spoken } = stored;
  return { messages, open, used: new Allowance(limits, used), hasSpoken: has_spoken };
}

/** Returns the state in its stored form. */
export function fromStanding({ messages, open, used, hasSpoken }: Standing): z.infer<typeof standingSchema> {
  return { messages, open, used: used.used, has_spoken: hasSpoken };
}
