// A message of an MCP client, and its thread as the result of a tool.

import * as z from "zod";
import type { Accepted } from "../../durable/api.ts";
import { sendSchema, type Send } from "../../protocol/commands.ts";
import { Fault, parseWith } from "../../protocol/fault.ts";
import { APPROVAL_OPTIONS, approvalSchema, type Pending } from "../../protocol/question.ts";
import { Answer, questionWords, spokenIn } from "../spoken.ts";
import type { Verbs } from "../verbs.ts";

export const answerSchema = z.object({
  conversation_id: z.string(),
  thread_id: z.string(),
  status: z.enum(["completed", "input_required", "failed"]),
  answer: z.string(),
  questions: z
    .array(
      z.object({
        request_id: z.string(),
        prompt: z.string(),
        options: z.array(z.string()).optional(),
        approval: approvalSchema.optional(),
      }),
    )
    .optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
type AskAnswer = z.infer<typeof answerSchema>;

/** Everything that a call needs besides its arguments. */
export type Asking = {
  readonly verbs: Verbs;
  /** Aborted when nobody waits for the result any longer. */
  readonly signal: AbortSignal;
  /** Tells how the work stands, in a line. */
  readonly tell: (line: string) => void;
  /** The same key again is the same message. */
  readonly key: string | undefined;
  /** The client can be asked in the middle of a call (2026-07-28). */
  readonly canElicit: boolean;
  /** What the person has answered to what such a call asked. */
  readonly answers: Answered | null;
};

export type Answered = { readonly state: unknown; readonly responses: unknown };

/** Where a call stopped to ask: it comes back with the answer, and means nothing to anybody else. */
const stateSchema = z.strictObject({
  conversation_id: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  thread_id: z.string().max(128),
  request_id: z.string().max(128),
});
const responseSchema = z.looseObject({
  question: z.looseObject({
    action: z.enum(["accept", "decline", "cancel"]),
    content: z.looseObject({ answer: z.string().optional() }).optional(),
  }),
});

/** Sends a message, to a new conversation or to one that there is, and waits for what comes of it. */
export async function askRuntime(asking: Asking, words: Send, conversation?: string): Promise<object> {
  const { verbs, key } = asking;
  const message = parseWith(sendSchema, words);
  const accepted =
    conversation === undefined
      ? await verbs.start(undefined, message, key)
      : await verbs.send(conversation, message, key);
  return resultOf(asking, accepted);
}

/** Goes on with a call that had asked the person. */
export async function askAgain(asking: Asking, { state, responses }: Answered): Promise<object> {
  const asked = stateOf(state);
  const { conversation_id, thread_id, request_id } = asked;
  const response = responseSchema.safeParse(responses);
  if (!response.success) throw new Fault("invalid_request", "inputResponses: the question is not answered");
  const { action, content } = response.data.question;
  const message = content?.answer ?? "";
  if (action !== "accept" || message.trim() === "") {
    const { pending } = await asking.verbs.context(conversation_id);
    const questions = pending.filter((question) => question.thread_id === thread_id);
    return toolResult({ conversation_id, thread_id, status: "input_required", answer: "" }, questions);
  }
  return resultOf(asking, await asking.verbs.resume(conversation_id, { message, request_id }));
}

function stateOf(state: unknown): z.infer<typeof stateSchema> {
  try {
    return stateSchema.parse(JSON.parse(String(state)));
  } catch {
    throw new Fault("invalid_request", "requestState: this is none that was given here", { field: "requestState" });
  }
}

async function resultOf(asking: Asking, accepted: Accepted): Promise<object> {
  const { conversation_id, thread_id } = accepted;
  const answer = new Answer();
  const place = { conversation_id, thread_id };
  for await (const piece of await spokenIn(asking.verbs, accepted, asking.signal)) {
    answer.take(piece);
    if (piece.kind === "step") asking.tell(piece.text);
    if (piece.kind === "failed") {
      const { code, message } = piece;
      return toolResult({ ...place, status: "failed", answer: answer.text, error: { code, message } }, []);
    }
    if (piece.kind !== "asked") continue;
    const [question] = piece.questions;
    if (asking.canElicit && question !== undefined) return elicitation(place, question, answer.text);
    return toolResult({ ...place, status: "input_required", answer: answer.text }, piece.questions);
  }
  return toolResult({ ...place, status: "completed", answer: answer.text }, []);
}

function toolResult(result: AskAnswer, asked: readonly Pending[]): object {
  const { conversation_id, answer, error, status } = result;
  const questions = asked.map(({ request_id, prompt, options, approval }) => ({
    request_id,
    prompt,
    ...(options === undefined ? {} : { options }),
    ...(approval === undefined ? {} : { approval }),
  }));
  const how = `To answer, call ask with conversation_id ${conversation_id} and the answer as message.`;
  const parts = [
    answer,
    ...asked.map(questionWords),
    ...(status === "input_required" ? [how] : []),
    error?.message ?? "",
  ];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...result, ...(questions.length === 0 ? {} : { questions }) },
    ...(status === "failed" ? { isError: true } : {}),
  };
}

/** Asks the person through the client (2026-07-28): it calls again with the answer, and with where the call stopped. */
function elicitation(place: { conversation_id: string; thread_id: string }, question: Pending, said: string): object {
  const { options = [], approval, request_id } = question;
  const choices = approval === undefined ? options : [...APPROVAL_OPTIONS];
  const message = [said, questionWords(question)].filter((part) => part !== "").join("\n\n");
  const answer = {
    type: "string",
    title: "Answer",
    ...(choices.length === 0 ? {} : { description: choices.join(" / ") }),
  };
  const requestedSchema = { type: "object", properties: { answer }, required: ["answer"] };
  return {
    resultType: "input_required",
    inputRequests: { question: { method: "elicitation/create", params: { mode: "form", message, requestedSchema } } },
    requestState: JSON.stringify({ ...place, request_id }),
  };
}
