// The MCP tools that send a message: wait for its thread, and return it as the result of the tool call.
//
// A call owns no state between requests. A question ends the call, either as a result with the status `input_required`
// or, if the client supports it, as an elicitation. With an elicitation, the client repeats the call with the answer
// and with the request state that identifies the question. A repeated call finds its question closed and returns the
// result of the thread instead of answering twice.
// Aborting the signal ends the wait, not the work of the thread. All functions throw a `Fault`, which `callMcpTool`
// converts.

import * as z from "zod";
import type { AcceptedCommand } from "../../durable/conversation-api.ts";
import {
  resumeCommandSchema,
  sendCommandSchema,
  type ResumeCommand,
  type SendCommand,
} from "../../protocol/wire/commands.ts";
import { formatEnglish } from "../../language/messages.ts";
import { Fault, parseOrThrow } from "../../protocol/wire/fault.ts";
import { approvalSchema, type PendingQuestion } from "../../protocol/wire/question.ts";
import { streamAnswer } from "../answer-stream.ts";
import { AnswerText, formatQuestion } from "../answer-event.ts";
import type { Operations } from "../api/operations.ts";
import { buildElicitation, readElicitationResponse, parseRequestState } from "./elicitation.ts";

/** The structured result. `questions` are open if the status is `input_required`. */
export const askResultSchema = z.object({
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
        approval: z.optional(approvalSchema),
      }),
    )
    .optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
type AskResult = z.infer<typeof askResultSchema>;

/** The context of a tool call, besides its arguments. */
export type ToolCallContext = {
  readonly operations: Operations;
  /** Aborts when the client no longer waits for the result. */
  readonly signal: AbortSignal;
  /** Called with the thread of the call before its result is awaited. */
  readonly recordThread: (thread: ThreadLocation) => Promise<void>;
  /** Reports progress, one line of text at a time. */
  readonly reportProgress: (line: string) => void;
  /** The idempotency key of the call: a repeated key is the same message (T2). */
  readonly key: string | undefined;
  /** True if the client supports form elicitation (version 2026-07-28). */
  readonly canElicit: boolean;
  /** The responses to an elicitation of an earlier call; null if there was none. */
  readonly answers: ElicitedResponses | null;
};

/** The request state of an elicitation and the responses of the client, not validated. */
export type ElicitedResponses = { readonly state: unknown; readonly responses: unknown };

/** Sends a message, to a new conversation unless one is given, and waits for the result. */
export async function sendAndWait(
  context: ToolCallContext,
  input: SendCommand,
  conversation?: string,
): Promise<object> {
  const { operations, key } = context;
  const message = parseOrThrow(sendCommandSchema, input);
  const accepted =
    conversation === undefined
      ? await operations.start({ message, commandId: key })
      : await operations.send({ id: conversation, body: message, commandId: key });
  return waitForResult(context, accepted);
}

/** Answers a question of a conversation and waits for the result. */
export async function answerAndWait(
  context: ToolCallContext,
  conversation: string,
  answer: ResumeCommand,
  key?: string,
): Promise<object> {
  const body = parseOrThrow(resumeCommandSchema, answer);
  const accepted = await context.operations.resume({ id: conversation, body, commandId: key });
  return waitForResult(context, accepted);
}

/**
 * Continues a call that ended with an elicitation: answers its question and waits for the result. Asks again if the
 * response is missing or not acceptable, returns `input_required` if the person declined to answer, and the result of
 * the thread if the question is closed.
 */
export async function continueCall(context: ToolCallContext, { state, responses }: ElicitedResponses): Promise<object> {
  const { conversation_id, thread_id, request_id } = parseRequestState(state);
  const location = { conversation_id, thread_id };
  const { pending } = await context.operations.context({ id: conversation_id });
  const question = pending.find((pendingQuestion) => pendingQuestion.request_id === request_id);
  if (question === undefined) return buildClosedQuestionResult(context, location);
  const response = readElicitationResponse(responses, question);
  switch (response.kind) {
    case "missing":
      return buildElicitation(location, question, "");
    case "silent": {
      const questions = pending.filter((pendingQuestion) => pendingQuestion.thread_id === thread_id);
      return buildToolResult({ ...location, status: "input_required", answer: "" }, questions);
    }
    case "answer":
      return answerElicitation(context, location, question, response.message);
  }
}

/**
 * Answers the question. If the answer is not acceptable, asks again with the reason. The answer has no idempotency key,
 * because the key of the call belongs to its message.
 */
async function answerElicitation(
  context: ToolCallContext,
  location: ThreadLocation,
  question: PendingQuestion,
  message: string,
): Promise<object> {
  try {
    return await answerAndWait(context, location.conversation_id, { message, request_id: question.request_id });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    if (thrown.code === "unprocessable") return buildElicitation(location, question, thrown.message);
    if (thrown.code.startsWith("question_")) return buildClosedQuestionResult(context, location);
    throw thrown;
  }
}

/** Returns the result of a thread whose question is closed: this call is repeated, or another client has answered. */
async function buildClosedQuestionResult(context: ToolCallContext, location: ThreadLocation): Promise<object> {
  // The request state comes from the client. Throw `not_found` for an invalid thread instead of waiting for it.
  await context.operations.getThread(location.conversation_id, location.thread_id);
  return waitForResult(
    context,
    { ...location, seq: 1, is_first: false },
    "The question is closed. This is the result:",
  );
}

/** Identifies a thread. */
export type ThreadLocation = { readonly conversation_id: string; readonly thread_id: string };

/** Waits until the thread ends or asks, and returns the result. `note` precedes its text. */
async function waitForResult(context: ToolCallContext, accepted: AcceptedCommand, note = ""): Promise<object> {
  const { conversation_id, thread_id } = accepted;
  const location = { conversation_id, thread_id };
  const answerText = new AnswerText();
  let isCancelled = false;
  await context.recordThread(location);
  for await (const event of await streamAnswer(context.operations, accepted, context.signal)) {
    answerText.apply(event);
    if (event.kind === "step") context.reportProgress(event.text);
    if (event.kind === "done") ({ isCancelled } = event);
    if (event.kind === "failed" || event.kind === "unfinished") {
      const { code, message } = event;
      return buildToolResult(
        { ...location, status: "failed", answer: answerText.text, error: { code, message } },
        [],
        note,
      );
    }
    if (event.kind !== "asked") continue;
    const [question] = event.questions;
    const intro = [note, answerText.text].filter((part) => part !== "").join("\n\n");
    if (context.canElicit && question !== undefined) return buildElicitation(location, question, intro);
    return buildToolResult({ ...location, status: "input_required", answer: answerText.text }, event.questions, note);
  }
  return buildToolResult(
    { ...location, status: isCancelled ? "cancelled" : "completed", answer: answerText.text },
    [],
    note,
  );
}

/** Returns the result as text and as structured content. */
function buildToolResult(result: AskResult, pending: readonly PendingQuestion[], note = ""): object {
  const { answer, error, status } = result;
  const questions = pending.map(({ request_id, prompt, options, approval }) => ({
    request_id,
    prompt,
    ...(options === undefined ? {} : { options }),
    ...(approval === undefined ? {} : { approval }),
  }));
  const cancelNote = status === "cancelled" ? formatEnglish("thread.cancelled") : "";
  const parts = [note, answer, ...formatQuestions(result.conversation_id, pending), cancelNote, error?.message ?? ""];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...result, ...(questions.length === 0 ? {} : { questions }) },
    ...(status === "failed" ? { isError: true } : {}),
  };
}

/** Formats the questions and how to answer them. Several questions are distinguished by their ids. */
function formatQuestions(conversation: string, questions: readonly PendingQuestion[]): string[] {
  if (questions.length === 0) return [];
  const isOne = questions.length === 1;
  const texts = questions.map(
    (question) => formatQuestion(question) + (isOne ? "" : `\n\n(request_id: ${question.request_id})`),
  );
  const which = isOne ? "" : ", the request_id of one of the questions";
  return [...texts, `To answer, call ask with conversation_id ${conversation}${which} and the answer as message.`];
}
