// Questions to the person, and what counts as an answer.

import * as z from "zod";

/**
 * A tool call that waits for leave: exactly what will run. `parameters` is the JSON Schema that edited
 * arguments must meet.
 */
export const approvalSchema = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  parameters: z.record(z.string(), z.unknown()).optional(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** How a question reaches readers. With `approval`, the answer is approve, refuse, or other arguments. */
export const askedSchema = z.object({
  content: z.string(),
  request_id: z.string(),
  options: z.array(z.string()).optional(),
  approval: approvalSchema.optional(),
  /** Milliseconds since the epoch. */
  expires_at: z.number().optional(),
});

/** A question that is still open, as `ready` and `GET …/context` list it. */
export const pendingSchema = z.object({
  request_id: z.string(),
  thread_id: z.string(),
  /** The task that waits, or the planner's own stage of the thread. */
  task_id: z.string().optional(),
  agent_name: z.string().optional(),
  prompt: z.string(),
  options: z.array(z.string()).optional(),
  approval: approvalSchema.optional(),
  expires_at: z.number().optional(),
});
export type Pending = z.infer<typeof pendingSchema>;

/** What reaches whoever asked. `decision` and `arguments` (edited ones) only answer an approval. */
export const answerSchema = z.object({
  message: z.string(),
  decision: z.enum(["approve", "refuse"]).optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});
export type Answer = z.infer<typeof answerSchema>;

const APPROVE =
  /^(approved?|allow(ed)?|accept(ed)?|yes|y|ok(ay)?|confirm(ed)?|同意|批准|允许|确认|可以|好的?|是的?|行)$/;
const REFUSE =
  /^(refused?|rejected?|den(y|ied)|no|n|cancel|拒绝|不同意|不可以|不行|不要|不|否|取消)(?=$|[\s,.:;，。：；])/;

/** Reads a person's words as leave or refusal; null when they are neither. A refusal may give its reason. */
export function decisionOf(message: string): Answer["decision"] | null {
  const words = message.trim().toLowerCase();
  if (APPROVE.test(words.replace(/(?<![.!。！])[.!。！]+$/, ""))) return "approve";
  return REFUSE.test(words) ? "refuse" : null;
}

/** What to answer an approval with, for whoever shows buttons. */
export const APPROVAL_OPTIONS = ["approve", "refuse"] as const;

/** Where the paused thread of a conversation stopped and what it waits for; just `pending`, empty, when nothing is. */
export const contextSchema = z.object({
  stage: z.enum(["planning", "executing"]).optional(),
  conversation_id: z.string().optional(),
  thread_id: z.string().optional(),
  user_id: z.string().optional(),
  created_at: z.number().optional(),
  expires_at: z.number().optional(),
  metadata: z.object({ agent_name: z.string(), query: z.string(), request_id: z.string() }).optional(),
  /** Every open question, the soonest to expire first. */
  pending: z.array(pendingSchema),
});
export type Context = z.infer<typeof contextSchema>;
