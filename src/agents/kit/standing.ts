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

/** What a tool agent leaves with its question: all but its instructions and the request. */
export const pausedSchema = z.object({
  messages: z.array(messageSchema),
  open: z.array(callSchema).min(1),
  asked: askedSchema,
  used: usedSchema,
  has_spoken: z.boolean(),
});
export type Paused = z.infer<typeof pausedSchema>;

/** What has come of a run so far. */
export type Standing = {
  /** What was said since the opening. */
  readonly messages: Paused["messages"];
  /** Calls of the last completion that have no result yet. */
  readonly open: ToolCall[];
  readonly used: Allowance;
  hasSpoken: boolean;
};

export function standingAtFirst(limits: Limits): Standing {
  return { messages: [], open: [], used: new Allowance(limits), hasSpoken: false };
}

export function standingAfter({ messages, open, used, has_spoken }: Paused, limits: Limits): Standing {
  return { messages, open, used: new Allowance(limits, used), hasSpoken: has_spoken };
}
