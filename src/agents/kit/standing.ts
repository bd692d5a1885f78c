// Where a tool agent stands between two model calls or tool calls, in a form that can wait for an answer anywhere.

import * as z from "zod";
import { Allowance, type Limits, usedSchema } from "./limits.ts";

const callSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export type ToolCall = z.infer<typeof callSchema>;

const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("assistant"), content: z.string(), toolCalls: z.array(callSchema) }),
  z.object({ role: z.literal("tool"), toolCallId: z.string(), content: z.string() }),
]);

/** A question about the first of the open calls. */
const askedSchema = z.object({
  kind: z.enum(["approval", "question"]),
  arguments: z.record(z.string(), z.unknown()),
});
export type Asked = z.infer<typeof askedSchema>;

/** All that a tool agent needs to go on, but its instructions and the request. */
export const standingSchema = z.object({
  messages: z.array(messageSchema),
  open: z.array(callSchema),
  used: usedSchema,
  has_spoken: z.boolean(),
});

/** What it leaves with its question. */
export const pausedSchema = z.object({
  ...standingSchema.shape,
  open: z.array(callSchema).min(1),
  asked: askedSchema,
});

/** What has come of a run so far. */
export type Standing = {
  /** What was said since the opening. */
  readonly messages: z.infer<typeof messageSchema>[];
  /** Calls of the last completion that have no result yet. */
  readonly open: ToolCall[];
  readonly used: Allowance;
  hasSpoken: boolean;
};

export function standingAtFirst(limits: Limits): Standing {
  return { messages: [], open: [], used: new Allowance(limits), hasSpoken: false };
}

export function toStanding(stored: z.infer<typeof standingSchema>, limits: Limits): Standing {
  const { messages, open, used, has_spoken } = stored;
  return { messages, open, used: new Allowance(limits, used), hasSpoken: has_spoken };
}

export function fromStanding({ messages, open, used, hasSpoken }: Standing): z.infer<typeof standingSchema> {
  return { messages, open, used: used.used, has_spoken: hasSpoken };
}
