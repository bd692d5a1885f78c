// The MCP tools that send a message: wait for its thread, and return it as the result of the tool call.
//
// A call owns no state between requests. A question ends the call, either as a result with the status `input_required`
// or, if the client supports it, as an elicitation. With an elicitation, the client repeats the call with the answer
// and with the request state that identifies the question. A repeated call finds its question closed and returns the
// result of the thread instead of answering twice.
// Aborting the signal ends the wait, not the work of the thread. All functions throw a `Fault`, which `callMcpTool`
// converts.

import * as z from "zod";
import type { Accepted } from "../../durable/api.ts";
import { resumeSchema, sendSchema, type Resume, type Send } from "../../protocol/commands.ts";
import { Fault, parseWith } from "../../protocol/fault.ts";
import { approvalSchema, type Pending } from "../../protocol/question.ts";
import { spokenIn } from "../speech.ts";
import { Answer, questionWords } from "../spoken.ts";
import type { Verbs } from "../verbs.ts";
import { elicitation, responseIn, stateOf } from "./elicitation.ts";

/** The structured result. `questions` are open if the status is `input_required`. */
export const answerSchema = z.object({
  conversation_id: z.string(),
  thread_id: z.string(),
  status: z.enum(["completed", "input_required", "failed", "cancelled"]),
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

/** The context of a tool call, besides its arguments. */
export type Asking = {
  readonly verbs: Verbs;
  /** Aborts when the client no longer waits for the result. */
  readonly signal: AbortSignal;
  /** Reports progress, one line of text at a time. */
  readonly tell: (line: string) => void;
  /** The idempotency key of the call: a repeated key is the same message (T2). */
  readonly key: string | undefined;
  /** True if the client supports form elicitation (version 2026-07-28). */
  readonly canElicit: boolean;
  /** The responses to an elicitation of an earlier call; null if there was none. */
  readonly answers: Answered | null;
};

/** The request state of an elicitation and the responses of the client, not validated. */
export type Answered = { readonly state: unknown; readonly responses: unknown };

/** Sends a message, to a new conversation unless one is given, and waits for the result. */
export async function askRuntime(asking: Asking, words: Send, conversation?: string): Promise<object> {
  const { verbs, key } = asking;
  const message = parseWith(sendSchema, words);
  const accepted =
    conversation === undefined
      ? await verbs.start(undefined, message, key)
      : await verbs.send(conversation, message, key);
  return resultOf(asking, accepted);
}

/** Answers a question of a conversation and waits for the result. */
export async function answerTo(asking: Asking, conversation: string, answer: Resume, key?: string): Promise<object> {
  const accepted = await asking.verbs.resume(conversation, parseWith(resumeSchema, answer), key);
  return resultOf(asking, accepted);
}

/** Continues a call that ended with an elicitation. */
export async function askAgain(asking: Asking, { state, responses }: Answered): Promise<object> {
  const { conversation_id, thread_id, request_id } = stateOf(state);
  const place = { conversation_id, thread_id };
  const { pending } = await asking.verbs.context(conversation_id);
  const question = pending.find((one) => one.request_id === request_id);
  if (question === undefined) return resultOfAnswered(asking, place);
  const response = responseIn(responses, question);
  switch (response.kind) {
    case "missing":
      return elicitation(place, question, "");
    case "silent": {
      const questions = pending.filter((one) => one.thread_id === thread_id);
      return toolResult({ ...place, status: "input_required", answer: "" }, questions);
    }
    case "answer":
      return answerElicited(asking, place, question, response.message);
  }
}

/**
 * Answers the question. If the answer is not acceptable, asks again with the reason. The answer has no idempotency key,
 * because the key of the call belongs to its message.
 */
async function answerElicited(asking: Asking, place: Place, question: Pending, message: string): Promise<object> {
  try {
    return await answerTo(asking, place.conversation_id, { message, request_id: question.request_id });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    if (thrown.code === "unprocessable") return elicitation(place, question, thrown.message);
    if (thrown.code.startsWith("question_")) return resultOfAnswered(asking, place);
    throw thrown;
  }
}

/** Returns the result of a thread whose question is closed: this call is repeated, or another client has answered. */
async function resultOfAnswered(asking: Asking, place: Place): Promise<object> {
  // The request state comes from the client. Throw `not_found` for an invalid thread instead of waiting for it.
  await asking.verbs.thread(place.conversation_id, place.thread_id);
  return resultOf(asking, { ...place, seq: 1, is_first: false }, "The question is not open any more. This came of it:");
}

/** Identifies a thread. */
type Place = { readonly conversation_id: string; readonly thread_id: string };

/** Waits until the thread ends or asks, and returns the result. `note` precedes its text. */
async function resultOf(asking: Asking, accepted: Accepted, note = ""): Promise<object> {
  const { conversation_id, thread_id } = accepted;
  const place = { conversation_id, thread_id };
  const answer = new Answer();
  let isCancelled = false;
  for await (const piece of await spokenIn(asking.verbs, accepted, asking.signal)) {
    answer.take(piece);
    if (piece.kind === "step") asking.tell(piece.text);
    if (piece.kind === "done") ({ isCancelled } = piece);
    if (piece.kind === "failed" || piece.kind === "unfinished") {
      const { code, message } = piece;
      return toolResult({ ...place, status: "failed", answer: answer.text, error: { code, message } }, [], note);
    }
    if (piece.kind !== "asked") continue;
    const [question] = piece.questions;
    const said = [note, answer.text].filter((part) => part !== "").join("\n\n");
    if (asking.canElicit && question !== undefined) return elicitation(place, question, said);
    return toolResult({ ...place, status: "input_required", answer: answer.text }, piece.questions, note);
  }
  return toolResult({ ...place, status: isCancelled ? "cancelled" : "completed", answer: answer.text }, [], note);
}

/** Returns the result as text and as structured content. */
function toolResult(result: AskAnswer, asked: readonly Pending[], note = ""): object {
  const { answer, error, status } = result;
  const questions = asked.map(({ request_id, prompt, options, approval }) => ({
    request_id,
    prompt,
    ...(options === undefined ? {} : { options }),
    ...(approval === undefined ? {} : { approval }),
  }));
  const stopped = status === "cancelled" ? "This was stopped before it was done." : "";
  const parts = [note, answer, ...askedWords(result.conversation_id, asked), stopped, error?.message ?? ""];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...result, ...(questions.length === 0 ? {} : { questions }) },
    ...(status === "failed" ? { isError: true } : {}),
  };
}

/** Formats the questions and how to answer them. Several questions are distinguished by their ids. */
function askedWords(conversation: string, asked: readonly Pending[]): string[] {
  if (asked.length === 0) return [];
  const isOne = asked.length === 1;
  const words = asked.map((one) => questionWords(one) + (isOne ? "" : `\n\n(request_id: ${one.request_id})`));
  const which = isOne ? "" : ", the request_id of one of the questions";
  return [...words, `To answer, call ask with conversation_id ${conversation}${which} and the answer as message.`];
}
