// A message of an MCP client, and its thread as the result of a tool.

import * as z from "zod";
import type { Accepted } from "../../durable/api.ts";
import { resumeSchema, sendSchema, type Resume, type Send } from "../../protocol/commands.ts";
import { Fault, parseWith } from "../../protocol/fault.ts";
import { approvalSchema, type Pending } from "../../protocol/question.ts";
import { spokenIn } from "../speech.ts";
import { Answer, questionWords } from "../spoken.ts";
import type { Verbs } from "../verbs.ts";
import { elicitation, responseIn, stateOf } from "./elicitation.ts";

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

/** Answers one question of a conversation, and waits for what comes of it. */
export async function answerTo(asking: Asking, conversation: string, answer: Resume, key?: string): Promise<object> {
  const accepted = await asking.verbs.resume(conversation, parseWith(resumeSchema, answer), key);
  return resultOf(asking, accepted);
}

/** Goes on with a call that had asked the person. */
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

/** An answer that does not do is asked for again, with the reason. It has no key: that of the call is its message's. */
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

/** The question is closed: this call has been made before, or somebody else was first. */
async function resultOfAnswered(asking: Asking, place: Place): Promise<object> {
  // Where a call stopped is the client's word: a thread that never was would be waited for.
  await asking.verbs.thread(place.conversation_id, place.thread_id);
  return resultOf(asking, { ...place, seq: 1, is_first: false }, "The question is not open any more. This came of it:");
}

type Place = { readonly conversation_id: string; readonly thread_id: string };

/** What comes of a thread from where it was accepted; `note` is told before it. */
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

/** Questions, and how they are answered: of several, each by its id. */
function askedWords(conversation: string, asked: readonly Pending[]): string[] {
  if (asked.length === 0) return [];
  const isOne = asked.length === 1;
  const words = asked.map((one) => questionWords(one) + (isOne ? "" : `\n\n(request_id: ${one.request_id})`));
  const which = isOne ? "" : ", the request_id of one of the questions";
  return [...words, `To answer, call ask with conversation_id ${conversation}${which} and the answer as message.`];
}
