// Operations that send messages, answer questions, cancel threads, and follow them.

import * as z from "zod";
import { unwrapResult, type AcceptedCommand, type InternalResult } from "../../durable/conversation-api.ts";
import type { AnswerOptions } from "../../core/models/answer-options.ts";
import { computeSha256 } from "../../lib/sha256.ts";
import { conversationEndpoints } from "../../protocol/api/conversation-endpoints.ts";
import { defineEndpoints } from "../../protocol/api/endpoint.ts";
import type { PushConfig } from "../../protocol/agents/a2a-push.ts";
import {
  cancelCommandSchema,
  commandIdSchema,
  resumeCommandSchema,
  sendCommandSchema,
  type CancelCommand,
  type ResumeCommand,
  type SendCommand,
} from "../../protocol/wire/commands.ts";
import { Fault, parseNamedValue, parseOrThrow } from "../../protocol/wire/fault.ts";
import { acceptedCommandSchema, cancelledTasksSchema } from "../../protocol/wire/http-responses.ts";
import { createId, parseConversationDigest } from "../../protocol/wire/ids.ts";
import { readWithRetry } from "../follow-thread.ts";
import {
  writeToConversation,
  followConversation,
  followThread,
  getConversationStub,
  refuseSubConversation,
} from "./conversation-access.ts";
import { conversationIdSchema } from "./id-validation.ts";
import { defineOperation, type Caller } from "./operation.ts";
import { respondWithThread, THREAD_ANSWER } from "./respond-with-thread.ts";

const tag = "Talking";

const endpoints = defineEndpoints({
  start: {
    method: "post",
    path: "/api/v1/messages",
    body: sendCommandSchema.extend({ conversation_id: z.string().optional() }),
    isCommand: true,
    output: acceptedCommandSchema,
  },
  resume: {
    method: "post",
    path: "/api/v1/conversations/{id}/resume",
    body: resumeCommandSchema,
    isCommand: true,
    output: acceptedCommandSchema,
  },
  cancel: {
    method: "post",
    path: "/api/v1/conversations/{id}/cancel",
    body: cancelCommandSchema,
    isCommand: true,
    output: cancelledTasksSchema,
  },
});
const followEndpoint = {
  ...conversationEndpoints.events,
  query: z.strictObject({ after: z.int().min(0).default(0), thread: z.string().optional() }),
};

export const messageOperations = {
  startThread: defineOperation(endpoints.start, {
    http: {
      tag,
      summary: "Send a message to a new conversation, or to the one with `conversation_id`",
      example: { message: "What is 12 * 34, and what day is it today?" },
      ...THREAD_ANSWER,
    },
    run: (caller, { body: { conversation_id: id, ...message }, commandId }) =>
      start(caller, { id, message, commandId }),
    respond: respondWithThread,
  }),
  /** Sends to a conversation, or to a new one if it is null. */
  send: defineOperation(conversationEndpoints.send, {
    http: {
      tag,
      summary: "Send a message to a conversation",
      example: { message: "首先查询现在时间然后计算678乘以8776的结果", timezone: "Asia/Shanghai" },
      ...THREAD_ANSWER,
    },
    rpc: toSendInput,
    run: sendMessage,
    respond: respondWithThread,
  }),
  /** Like `send`, but streams the thread as lines of frames, up to its `done` or to a question. */
  ask: defineOperation(conversationEndpoints.send, {
    rpc: toSendInput,
    run: async (caller, input) => streamThread(caller, await sendMessage(caller, input)),
  }),
  /** Answers an open question. `request_id` is required if several are open. */
  resume: defineOperation(endpoints.resume, {
    http: {
      tag,
      summary: "Answer an open question of a conversation",
      example: { message: "Yes, every morning at nine." },
      ...THREAD_ANSWER,
    },
    rpc: toAnswerInput,
    run: resumeThread,
    respond: respondWithThread,
  }),
  /** Like `resume`, but streams the thread from the answer on. */
  answer: defineOperation(endpoints.resume, {
    rpc: toAnswerInput,
    run: async (caller, input) => streamThread(caller, await resumeThread(caller, input)),
  }),
  /** Cancels a thread or a task, by default the oldest open message, and returns its id in a list. */
  cancel: defineOperation(endpoints.cancel, {
    http: {
      tag,
      summary: "Cancel a thread or a task; without a target, the oldest open message",
      example: {},
      answer: "The id of the cancelled thread or task, in a list",
    },
    rpc: (conversation: string, target: CancelCommand = {}) => ({ id: conversation, body: target }),
    run: (caller, { id, body, commandId = createId("cmd") }) =>
      writeToConversation(caller, id, (api) => api.cancel(commandId, body)),
  }),
  /**
   * Streams lines of frames with a `seq` greater than `after` (default 0), then live ones, until the stream is
   * cancelled. With `thread`, only this thread, up to its end or to a question. `too_many_requests` if too many readers
   * follow.
   */
  follow: defineOperation(followEndpoint, {
    rpc: (conversation: string, after?: number, thread?: string) => ({ id: conversation, query: { after, thread } }),
    run: (caller, { id, query: { after, thread } }) => followConversation(caller, id, after, thread),
  }),
};

type MessageInput<Command> = { readonly body: Command; readonly commandId?: string | undefined };

function toSendInput(conversation: string | null, message: SendCommand, commandId?: string) {
  return { id: conversation, body: message, commandId };
}

function toAnswerInput(conversation: string, answer: ResumeCommand, commandId?: string) {
  return { id: conversation, body: answer, commandId };
}

/**
 * Sends to an existing conversation, or to a new one. A repeated command id is executed once (T2); without one, every
 * call is a new message.
 */
function sendMessage(
  caller: Caller,
  { id, body, commandId }: MessageInput<SendCommand> & { readonly id: string | null },
): Promise<AcceptedCommand> {
  return id === null
    ? start(caller, { message: body, commandId })
    : continueConversation(caller, { id, message: body, commandId });
}

/** Sends to an existing conversation. Throws `not_found` if it does not exist. */
export function continueConversation(
  caller: Caller,
  { id, message, commandId = createId("cmd"), answer }: Omit<StartInput, "push"> & { readonly id: string },
): Promise<AcceptedCommand> {
  const options = { create: false, ...(answer === undefined ? {} : { answer }) };
  return writeToConversation(caller, id, (api) => api.send(commandId, message, options));
}

function resumeThread(
  caller: Caller,
  { id, body, commandId = createId("cmd") }: MessageInput<ResumeCommand> & { readonly id: string },
): Promise<AcceptedCommand> {
  return writeToConversation(caller, id, (api) => api.resume(commandId, body));
}

/**
 * A message to the conversation with this id; without an id, to a new one. `push` is notified about the thread; `answer`
 * are the options of the direct answer.
 */
export type StartInput = {
  readonly id?: string | undefined;
  readonly message: SendCommand;
  readonly commandId?: string | undefined;
  readonly push?: PushConfig | undefined;
  readonly answer?: AnswerOptions | undefined;
};

/**
 * Sends a message and creates its conversation if it does not exist. A repeated command finds the conversation that it
 * has created (T2), because its id is derived from the command. Throws `invalid_request` for an invalid id, and `conflict` for a sub-conversation.
 */
export async function start(
  caller: Caller,
  { id, message, commandId, push, answer }: StartInput,
): Promise<AcceptedCommand> {
  const command = parseOrThrow(commandIdSchema.optional(), commandId);
  const name = id ?? (command === undefined ? createId("conv") : `conv-${(await computeSha256(command)).slice(0, 32)}`);
  parseNamedValue("conversation_id", conversationIdSchema, name);
  const send = (create: boolean): Promise<InternalResult<AcceptedCommand>> =>
    getConversationStub(caller, name).send(command ?? createId("cmd"), message, {
      create,
      ...(push === undefined ? {} : { push }),
      ...(answer === undefined ? {} : { answer }),
    });
  if (id === undefined || parseConversationDigest(id) === null) return unwrapResult(await send(true));
  // The id may be that of a sub-conversation or of an existing conversation.
  const sent = await send(false);
  if (sent.ok || sent.failure.code !== "not_found") return unwrapResult(sent);
  await refuseSubConversation(caller, id);
  return unwrapResult(await send(true));
}

/**
 * Returns the stream of an accepted thread. The message is stored, so the call must not fail if too many readers follow
 * the conversation: then the stream begins as soon as another reader leaves. It breaks if none leaves in time.
 */
async function streamThread(caller: Caller, accepted: AcceptedCommand): Promise<ReadableStream<Uint8Array>> {
  try {
    return await followThread(caller, accepted);
  } catch (thrown) {
    if (!isTooManyRequests(thrown)) throw thrown;
  }
  /** Converts `too_many_requests` to an error that `readWithRetry` retries. */
  const retryFollow = (): Promise<ReadableStream<Uint8Array>> =>
    followThread(caller, accepted).catch((thrown: unknown) => {
      throw isTooManyRequests(thrown) ? new Error("Too many readers", { cause: thrown }) : thrown;
    });
  const { readable, writable } = new IdentityTransformStream();
  const lines = readWithRetry(retryFollow, new AbortController().signal);
  // Errors of the pipe are ignored: the reader has cancelled the stream.
  void lines
    .then(
      (found) => found.pipeTo(writable),
      (thrown: unknown) => writable.abort(thrown),
    )
    .catch(() => undefined);
  return readable;
}

function isTooManyRequests(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.code === "too_many_requests";
}

/** True for the `conflict` of a message or an answer without `request_id` while several questions are open. */
export function isAmbiguousAnswer(thrown: unknown): thrown is Fault {
  return thrown instanceof Fault && thrown.code === "conflict" && thrown.field === "request_id";
}
