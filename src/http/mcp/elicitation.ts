// Form elicitation of MCP version 2026-07-28: a tool call ends with a question to the person, and the client repeats
// the call with the response and with the request state.

import * as z from "zod";
import { Fault } from "../../protocol/wire/fault.ts";
import { APPROVAL_OPTIONS, type PendingQuestion } from "../../protocol/wire/question.ts";
import { conversationIdSchema } from "../api/id-validation.ts";
import { formatQuestion } from "../answer-event.ts";

/**
 * Identifies the question that ended the call. The state is opaque to the client, but neither signed nor secret: access
 * is checked when it is used.
 */
const requestStateSchema = z.strictObject({
  conversation_id: conversationIdSchema,
  thread_id: z.string().max(128),
  request_id: z.string().max(128),
});
export type ElicitationState = z.infer<typeof requestStateSchema>;

/** Parses the request state of a repeated call. Throws `invalid_request` if `buildElicitation` has not created it. */
export function parseRequestState(state: unknown): ElicitationState {
  try {
    return requestStateSchema.parse(JSON.parse(String(state)));
  } catch {
    throw new Fault("invalid_request", "requestState: invalid", { field: "requestState" });
  }
}

/** Returns the result that makes the client ask the person. `intro` precedes the question. */
export function buildElicitation(
  location: Omit<ElicitationState, "request_id">,
  question: PendingQuestion,
  intro: string,
): object {
  const { options = [], approval, request_id } = question;
  const message = [intro, formatQuestion(question)].filter((part) => part !== "").join("\n\n");
  const suggestion = options.length === 0 ? {} : { description: options.join(" / ") };
  const answer = {
    type: "string",
    title: "Answer",
    ...(approval === undefined ? suggestion : { enum: [...APPROVAL_OPTIONS] }),
  };
  const requestedSchema = { type: "object", properties: { answer }, required: ["answer"] };
  return {
    resultType: "input_required",
    inputRequests: { question: { method: "elicitation/create", params: { mode: "form", message, requestedSchema } } },
    requestState: JSON.stringify({ ...location, request_id }),
  };
}

/** The responses of a client, by the key of the request (`question`). */
const responsesSchema = z.looseObject({
  question: z.looseObject({
    action: z.enum(["accept", "decline", "cancel"]),
    content: z.looseObject({ answer: z.string().optional() }).optional(),
  }),
});

/** The response of the person. */
export type ElicitationResponse =
  | { readonly kind: "answer"; readonly message: string }
  /** The person declined or cancelled without an answer. */
  | { readonly kind: "silent" }
  /** The client sent no valid response, or an empty answer. */
  | { readonly kind: "missing" };

/** Reads the response to a question. Declining an approval is the answer `refuse`. */
export function readElicitationResponse(responses: unknown, { approval }: PendingQuestion): ElicitationResponse {
  const read = responsesSchema.safeParse(responses);
  if (!read.success) return { kind: "missing" };
  const { action, content } = read.data.question;
  const message = content?.answer ?? "";
  if (action === "accept") return message.trim() === "" ? { kind: "missing" } : { kind: "answer", message };
  const hasRefused = action === "decline" && approval !== undefined;
  return hasRefused ? { kind: "answer", message: "refuse" } : { kind: "silent" };
}
