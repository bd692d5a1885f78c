// SendMessage, SendStreamingMessage and SubscribeToTask.
//
// A message is accepted first; then its thread is followed by reading the conversation's log.
// - Messages are idempotent: a repeated message id finds the thread and the `seq` of the first time (T2).
// - The log is followed across failures of the host without losing or repeating an event (L2). If the host stays away,
//   the request fails with `unavailable`; the task continues.
// - A stream ends at the end of the task, at a question, at the expiry of the token, or when the client disconnects.
//   Only cancelling a task stops its work.

import type { SendMessageRequest, StreamResponse, SubscribeToTaskRequest, Task } from "@a2a-js/sdk";
import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { EventBatches } from "../../a2a/sse-response.ts";
import type { AcceptedCommand, ThreadRecord } from "../../durable/conversation-api.ts";
import { EVENTS_EXTENSION, messageParamsSchema } from "../../protocol/agents/a2a-extension.ts";
import { formatEnglish } from "../../language/messages.ts";
import { isFinalThreadStatus } from "../../protocol/wire/thread-state.ts";
import { followWithRetry } from "../follow-thread.ts";
import type { A2ARequestContext } from "./a2a-request-context.ts";
import { toResumeCommand, toSendCommand, validateMessage, type ValidatedMessage } from "./a2a-message.ts";
import { parsePushConfig } from "./push-configs.ts";
import { toTaskRef, computeThreadState, buildTask } from "./task-snapshot.ts";
import { validateHistoryLength, findTask } from "./a2a-tasks.ts";
import { A2AEncoder } from "./a2a-encoder.ts";

/** The longest delay of a timer: larger values fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Sends a message and returns the task. Waits until the task ends or asks a question, or the client disconnects, unless
 * the request asks to return immediately.
 */
export async function sendMessage(context: A2ARequestContext, params: SendMessageRequest): Promise<Task> {
  const sent = validateMessage(params);
  const historyLength = validateHistoryLength(params.configuration?.historyLength);
  const accepted = await acceptMessage(context, sent, params);
  const { conversation_id: id, thread_id } = accepted;
  const options = { usesExtension: context.usesExtension || sent.usesExtension, historyLength };
  if (params.configuration?.returnImmediately !== true) for await (const _ of followMessage(context, accepted, sent));
  return buildTask(id, await context.operations.getThread(id, thread_id), options);
}

/**
 * Sends a message and yields the events of its thread, until it ends or asks, the token expires, or the client
 * disconnects. The return value is the last batch.
 */
export async function* streamMessage(
  context: A2ARequestContext,
  params: SendMessageRequest,
): EventBatches<StreamResponse> {
  const sent = validateMessage(params);
  validateHistoryLength(params.configuration?.historyLength);
  return yield* followMessage(withTokenExpiry(context), await acceptMessage(context, sent, params), sent);
}

/**
 * Yields the events of the thread of an accepted message. In a new conversation the thread is followed from its start.
 * In an existing conversation a client with our extension receives all events since its message, and any other client
 * receives a snapshot of the task and the events after it.
 */
async function* followMessage(
  context: A2ARequestContext,
  accepted: AcceptedCommand,
  sent: ValidatedMessage,
): EventBatches<StreamResponse> {
  const { conversation_id: id, thread_id, seq, is_first } = accepted;
  const usesExtension = context.usesExtension || sent.usesExtension;
  const record = is_first ? undefined : await context.operations.getThread(id, thread_id);
  if (record !== undefined && !usesExtension)
    return yield* followTask(context, id, record, { usesExtension, waitsForAnswer: false });
  const encoder = new A2AEncoder(toTaskRef(id, thread_id), usesExtension, { id: sent.messageId, seq });
  encoder.applyKnown(record?.frames.filter((frame) => frame.seq < seq) ?? []);
  return yield* streamThread(context, accepted, encoder, seq - 1);
}

/**
 * Yields a snapshot of the task, then its updates until it ends or asks. If it already waits for an answer, the stream
 * continues after the answer, except in 0.3, where it ends at once. Rejects with an `UnsupportedOperationError` if the
 * task has ended, otherwise like `findTask`.
 */
export async function* subscribeToTask(
  context: A2ARequestContext,
  { id: taskId }: SubscribeToTaskRequest,
): EventBatches<StreamResponse> {
  const { conversationId, record } = await findTask(context, taskId);
  if (isFinalThreadStatus(computeThreadState(record).status))
    throw new UnsupportedOperationError({ message: formatEnglish("a2a.taskEnded"), metadata: { taskId } });
  // In 0.3 a question ends every stream.
  return yield* followTask(withTokenExpiry(context), conversationId, record, {
    usesExtension: context.usesExtension,
    waitsForAnswer: context.dialect === "1.0",
  });
}

/** Returns a context whose signal is also aborted when the token expires. A stream must not outlive its token. */
function withTokenExpiry(context: A2ARequestContext): A2ARequestContext {
  if (context.expiresAt === null) return context;
  const left = Math.min(Math.max(context.expiresAt - Date.now(), 0), MAX_TIMEOUT_MS);
  return { ...context, disconnectSignal: AbortSignal.any([context.disconnectSignal, AbortSignal.timeout(left)]) };
}

/** How an existing task is followed. */
type FollowTaskOptions = {
  readonly usesExtension: boolean;
  /**
   * If the task waits for an answer: keeps the stream open until the answer, and continues with the events after it.
   */
  readonly waitsForAnswer: boolean;
};

/** The ids of the thread to follow. */
type FollowedTask = Pick<AcceptedCommand, "conversation_id" | "thread_id">;

/** Yields a snapshot of a task and the events after it, until the task ends or asks. */
async function* followTask(
  context: A2ARequestContext,
  id: string,
  record: ThreadRecord,
  options: FollowTaskOptions,
): EventBatches<StreamResponse> {
  const { usesExtension, waitsForAnswer } = options;
  const encoder = new A2AEncoder(toTaskRef(id, record.thread_id), usesExtension);
  encoder.applyKnown(record.frames);
  const first: StreamResponse = { payload: { $case: "task", value: buildTask(id, record, { usesExtension }) } };
  if (encoder.isOver || (encoder.isAwaitingInput && !waitsForAnswer)) return [first];
  yield [first];
  const followed = { conversation_id: id, thread_id: record.thread_id };
  if (encoder.isAwaitingInput) {
    // Other tasks of the thread may still run. When they have finished, the stream ends and its questions are sent
    // again.
    const lastResponses = yield* streamThread(context, followed, encoder, encoder.lastSeq);
    if (encoder.isOver || context.disconnectSignal.aborted) return lastResponses;
    if (encoder.lastSeq > record.last_seq) yield lastResponses;
  }
  const firstResponses = encoder.isAwaitingInput ? await waitUntilResumed(context, followed, encoder) : [];
  if (encoder.isOver || context.disconnectSignal.aborted) return firstResponses;
  if (firstResponses.length > 0) yield firstResponses;
  return yield* streamThread(context, followed, encoder, encoder.lastSeq);
}

/**
 * Waits until a paused thread continues, and returns its first events; an empty list if the client disconnects.
 */
async function waitUntilResumed(
  { operations, disconnectSignal }: A2ARequestContext,
  { conversation_id: id, thread_id: thread }: FollowedTask,
  encoder: A2AEncoder,
): Promise<StreamResponse[]> {
  const paused = { id, thread, after: encoder.lastSeq, isPaused: true };
  for await (const update of followWithRetry(operations, paused, disconnectSignal)) {
    if (update.kind === "resting") continue;
    const responses = update.frames.flatMap((frame) => encoder.encode(frame));
    if (!encoder.isAwaitingInput) return responses;
  }
  return [];
}

/**
 * Yields the events of a thread after the `seq` `after`, until it ends or pauses. The return value is the last portion.
 */
async function* streamThread(
  { operations, disconnectSignal }: A2ARequestContext,
  { conversation_id: id, thread_id: thread }: FollowedTask,
  encoder: A2AEncoder,
  after: number,
): EventBatches<StreamResponse> {
  for await (const update of followWithRetry(operations, { id, thread, after }, disconnectSignal)) {
    if (update.kind === "resting") return [encoder.encodeFinalStatus()];
    const responses = update.frames.flatMap((frame) => encoder.encode(frame));
    if (encoder.isOver) return responses;
    if (responses.length > 0) yield responses;
  }
  return [];
}

/**
 * Stores the message: as an answer if it names a task, otherwise as the start of a thread. A repeated message returns
 * the first result (T2).
 */
async function acceptMessage(
  context: A2ARequestContext,
  sent: ValidatedMessage,
  { configuration }: SendMessageRequest,
): Promise<AcceptedCommand> {
  const { operations, agent } = context;
  const push = parsePushConfig(context, configuration?.taskPushNotificationConfig);
  if (sent.taskId !== "") return answerQuestion(context, sent, push);
  const contextId = sent.contextId === "" ? undefined : sent.contextId;
  if (contextId !== undefined) await checkNotOwnTask(context, contextId, sent);
  return operations.start({
    id: contextId,
    message: toSendCommand(sent, agent?.name),
    commandId: sent.messageId,
    push,
  });
}

/**
 * Rejects a message that was sent by a task of the same conversation. A runtime registered as its own agent would wait
 * for itself.
 */
async function checkNotOwnTask(
  { operations }: A2ARequestContext,
  id: string,
  { message }: ValidatedMessage,
): Promise<void> {
  const taskId = messageParamsSchema.safeParse(message.metadata?.[EVENTS_EXTENSION]).data?.task_id;
  if (taskId === undefined) return;
  const tasks = await operations.tasks({ id, query: {} }).catch(() => []);
  if (tasks.some(({ task_id }) => task_id === taskId)) throw new RequestMalformedError(formatEnglish("a2a.ownTask"));
}

/**
 * Answers a question of a task: the question that the message names, or the first open question. A repeated answer is
 * accepted even if the question is closed.
 */
async function answerQuestion(
  context: A2ARequestContext,
  sent: ValidatedMessage,
  push: ReturnType<typeof parsePushConfig>,
): Promise<AcceptedCommand> {
  const { conversationId: id, threadId, record } = await findTask(context, sent.taskId);
  if (sent.contextId !== "" && sent.contextId !== id)
    throw new RequestMalformedError("message.contextId: must be the context of this task");
  const isRepeated = record.commands.some((command) => command.id === sent.messageId);
  if (!isRepeated) checkAwaitsInput(record, sent.taskId);
  if (push !== undefined) await context.operations.updatePushes(id, threadId, { put: push });
  const reply = toResumeCommand(sent);
  const [question] = isRepeated ? [] : computeThreadState(record).pending;
  const request_id = reply.request_id ?? question?.request_id;
  return context.operations.resume({
    id,
    body: { ...reply, ...(request_id === undefined ? {} : { request_id }) },
    commandId: sent.messageId,
  });
}

/** Throws an `UnsupportedOperationError` if the task has ended or has no open question. */
function checkAwaitsInput(record: ThreadRecord, taskId: string): void {
  const { status, pending } = computeThreadState(record);
  const metadata = { taskId };
  if (isFinalThreadStatus(status))
    throw new UnsupportedOperationError({ message: formatEnglish("a2a.taskEnded"), metadata });
  if (pending.length === 0)
    throw new UnsupportedOperationError({ message: formatEnglish("a2a.taskNotAsking"), metadata });
}
