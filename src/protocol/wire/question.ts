// Schemas of questions to the user, of their answers, and of approvals.

import * as z from "zod/mini";

/**
 * A part of the arguments that comes from text which the person did not write: the UTF-16 indexes `start` to `end` of the
 * value at `path`, a JSON pointer, or of the member's name with `is_key`. A number counts as its JSON text. `seq` is the
 * event that shows the text of `source`, `ref` the agent's id of the tool call or task before the event is known.
 */
export const argumentOriginSchema = z.object({
  path: z.string(),
  is_key: z.optional(z.literal(true)),
  start: z.int(),
  end: z.int(),
  source: z.string(),
  ref: z.optional(z.string()),
  seq: z.optional(z.int()),
});
export type ArgumentOrigin = z.infer<typeof argumentOriginSchema>;

/**
 * A tool call that needs approval. It is exactly the call that will run. Edited arguments must match `parameters`, a
 * JSON Schema. `origins` lists the parts of the arguments that are not the person's.
 */
export const approvalSchema = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  parameters: z.optional(z.record(z.string(), z.unknown())),
  origins: z.optional(z.array(argumentOriginSchema)),
});
export type Approval = z.infer<typeof approvalSchema>;

/** The payload of a question event. With `approval`, the answer is approve, refuse, or edited arguments. */
export const questionPayloadSchema = z.object({
  content: z.string(),
  request_id: z.string(),
  options: z.optional(z.array(z.string())),
  approval: z.optional(approvalSchema),
  /** In ms since the epoch. */
  expires_at: z.optional(z.number()),
});

/** An open question, as in the `ready` frame and in `GET …/context`. `expires_at` is in ms since the epoch. */
export const pendingQuestionSchema = z.object({
  request_id: z.string(),
  thread_id: z.string(),
  /** The id of the waiting task, or of the planner's stage of the thread. */
  task_id: z.optional(z.string()),
  agent_name: z.optional(z.string()),
  prompt: z.string(),
  options: z.optional(z.array(z.string())),
  approval: z.optional(approvalSchema),
  expires_at: z.optional(z.number()),
});
export type PendingQuestion = z.infer<typeof pendingQuestionSchema>;

/** The answer that the agent or the planner receives. `decision` and edited `arguments` occur only for approvals. */
export const questionAnswerSchema = z.object({
  message: z.string(),
  decision: z.optional(z.enum(["approve", "refuse"])),
  arguments: z.optional(z.record(z.string(), z.unknown())),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

const APPROVE_WORDS =
  /^(approved?|allow(ed)?|accept(ed)?|yes|y|ok(ay)?|confirm(ed)?|同意|批准|允许|确认|可以|好的?|是的?|行)$/;
const REFUSE_WORDS =
  /^(refused?|rejected?|den(y|ied)|no|n|cancel|拒绝|不同意|不可以|不行|不要|不|否|取消)(?=$|[\s,.:;，。：；])/;

/**
 * Parses a message as approval or refusal, in English or Chinese. Returns null if it is neither. An approval must be
 * the whole message; a refusal may be followed by a reason.
 */
export function parseDecision(message: string): QuestionAnswer["decision"] | null {
  const words = message.trim().toLowerCase();
  if (APPROVE_WORDS.test(words.replace(/(?<![.!。！])[.!。！]+$/, ""))) return "approve";
  return REFUSE_WORDS.test(words) ? "refuse" : null;
}

/** The answers to an approval, for clients that show buttons. */
export const APPROVAL_OPTIONS = ["approve", "refuse"] as const;

/**
 * The paused thread of a conversation and its open questions; only an empty `pending` if nothing is paused. Times are
 * in ms since the epoch.
 */
export const questionContextSchema = z.object({
  stage: z.optional(z.enum(["planning", "executing"])),
  conversation_id: z.optional(z.string()),
  thread_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
  created_at: z.optional(z.number()),
  expires_at: z.optional(z.number()),
  metadata: z.optional(z.object({ agent_name: z.string(), query: z.string(), request_id: z.string() })),
  /** All open questions, in the order of expiry. */
  pending: z.array(pendingQuestionSchema),
});
export type QuestionContext = z.infer<typeof questionContextSchema>;
