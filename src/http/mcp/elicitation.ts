// A question that a client asks its person in the middle of a call (2026-07-28): the call ends with the question, and
// comes again with the answer and with where it had stopped.

import * as z from "zod";
import { Fault } from "../../protocol/fault.ts";
import { APPROVAL_OPTIONS, type Pending } from "../../protocol/question.ts";
import { conversationIdSchema } from "../ids.ts";
import { questionWords } from "../spoken.ts";

/** Where a call stopped to ask: it comes back with the answer, and means nothing to anybody else. */
const stateSchema = z.strictObject({
  conversation_id: conversationIdSchema,
  thread_id: z.string().max(128),
  request_id: z.string().max(128),
});
export type AskedState = z.infer<typeof stateSchema>;

/** Throws a `Fault` for what `elicitation` has not made. */
export function stateOf(state: unknown): AskedState {
  try {
    return stateSchema.parse(JSON.parse(String(state)));
  } catch {
    throw new Fault("invalid_request", "requestState: this is none that was given here", { field: "requestState" });
  }
}

/** The result that has the client ask. `said` comes before the question. */
export function elicitation(place: Omit<AskedState, "request_id">, question: Pending, said: string): object {
  const { options = [], approval, request_id } = question;
  const message = [said, questionWords(question)].filter((part) => part !== "").join("\n\n");
  const suggested = options.length === 0 ? {} : { description: options.join(" / ") };
  const answer = {
    type: "string",
    title: "Answer",
    ...(approval === undefined ? suggested : { enum: [...APPROVAL_OPTIONS] }),
  };
  const requestedSchema = { type: "object", properties: { answer }, required: ["answer"] };
  return {
    resultType: "input_required",
    inputRequests: { question: { method: "elicitation/create", params: { mode: "form", message, requestedSchema } } },
    requestState: JSON.stringify({ ...place, request_id }),
  };
}

const responsesSchema = z.looseObject({
  question: z.looseObject({
    action: z.enum(["accept", "decline", "cancel"]),
    content: z.looseObject({ answer: z.string().optional() }).optional(),
  }),
});

export type Response =
  | { readonly kind: "answer"; readonly message: string }
  /** The person was asked, and did not answer. */
  | { readonly kind: "silent" }
  /** The client did not bring an answer. */
  | { readonly kind: "missing" };

/** What a client brought back. Who declines to give leave has refused it. */
export function responseIn(responses: unknown, { approval }: Pending): Response {
  const read = responsesSchema.safeParse(responses);
  if (!read.success) return { kind: "missing" };
  const { action, content } = read.data.question;
  const message = content?.answer ?? "";
  if (action === "accept") return message.trim() === "" ? { kind: "missing" } : { kind: "answer", message };
  const hasRefused = action === "decline" && approval !== undefined;
  return hasRefused ? { kind: "answer", message: "refuse" } : { kind: "silent" };
}
