// Runs one request on a peer, from the message to the final event.
//
// A1. The last event is `completed`, `input_required` or exactly one `failed`, and nothing throws. An exchange that
// ends without the agent's own final event cancels the remote task in the background.
//
// The order is: send the message (or, after a crash, resume the stored task), translate its stream, reconnect a broken
// stream at most `MAX_RECONNECTS` times, then poll the task until it ends. A reconnect or poll that fails because of
// the connection is repeated as often, unless a limit of the exchange (`ExchangeWatch`) ends it. Any other error ends
// the run.

import { Role, TaskState, type Message, type StreamResponse, type Task } from "@a2a-js/sdk";
import { EVENTS_EXTENSION, type MessageParams } from "../protocol/agents/a2a-extension.ts";
import type { AgentEvent, AgentRequest } from "../protocol/agents/agent.ts";
import { detectRequestLanguage } from "../language/detect-language.ts";
import { sleep, withRetry } from "../lib/retry.ts";
import { skipReplayedQuestion } from "./skip-replayed-question.ts";
import { toFailedEvent, toAgentFailure, createAgentFailure } from "./agent-failure.ts";
import type { Peer } from "./peer.ts";
import { decodeTaskState, encodeCheckpointState, type RemoteTaskState } from "./remote-task-state.ts";
import { A2ATranslator } from "./a2a-translator.ts";
import { translateBatch, streamEvents } from "./translated-batch.ts";
import { ExchangeWatch, type ExchangeLimits } from "./exchange-watch.ts";
import { ignoreErrors } from "./agent-http.ts";
import { isFailure } from "../protocol/wire/message-error.ts";

/**
 * The first interval between two polls and the longest, in milliseconds. Each is half as long again as the one before.
 */
const POLL_MS = { first: 500, max: 5_000 };
/** Maximum attempts to reconnect, and the pause in milliseconds before the first, which doubles each time. */
const MAX_RECONNECTS = 3;
const RECONNECT_MS = 250;
/** Maximum wait for an agent that is asked to cancel, in milliseconds. */
export const CANCEL_MS = 2_000;

/**
 * Runs a request and yields its events. Never throws: if an error occurs or `signal` aborts, the last event is `failed`
 * (A1). The limit of silence (`idleMs`) does not apply to an agent that does not stream. A caller that ends the
 * iteration early cancels the remote task.
 */
export async function* runOnPeer(
  peer: Peer,
  request: AgentRequest,
  limits: ExchangeLimits,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const { streaming } = peer.card.capabilities;
  const watch = new ExchangeWatch(streaming ? limits : { ...limits, idleMs: limits.timeoutMs }, signal);
  const before = decodeTaskState(request.checkpoint) ?? decodeTaskState(request.reply?.state);
  const language = detectRequestLanguage(request);
  const translation = new A2ATranslator(request.conversation_id, before, language);
  try {
    for await (const portion of openResponses(peer, request, before, translation, watch)) {
      yield* streamEvents(translateBatch(translation, portion, watch));
      if (translation.isOver) break;
    }
    yield* pollWithCheckpoints(peer, translation, watch);
    if (!translation.isOver) throw createAgentFailure("agent_protocol", "agent.stoppedEarly");
  } catch (thrown) {
    // After a lost connection, the failure is the connection and not the time spent on reconnecting.
    const isLost = isConnectionError(thrown) && watch.failure?.code !== "agent_cancelled";
    yield toFailedEvent(isLost ? toAgentFailure(thrown) : (watch.failure ?? toAgentFailure(thrown)), language);
  } finally {
    watch.close();
    const taskId = translation.taskId ?? request.reply?.remote_task_id;
    if (!translation.isOver && taskId !== undefined) ignoreErrors(cancelRemoteTask(peer, taskId, limits));
  }
}

/**
 * Polls a task that runs in the background and yields checkpoints, so that polling continues after a crash. A
 * checkpoint ends a paragraph, so it is emitted only between paragraphs; text after it is emitted again after a
 * crash.
 */
async function* pollWithCheckpoints(
  peer: Peer,
  translation: A2ATranslator,
  watch: ExchangeWatch,
): AsyncGenerator<AgentEvent> {
  const encodeProgress = () =>
    peer.hasExtension || translation.isOver ? undefined : encodeCheckpointState(translation.state);
  let lastCheckpoint: string | undefined;
  let isInParagraph = false;
  for await (const portion of pollTask(peer, translation, watch)) {
    const before = lastCheckpoint === undefined ? encodeProgress() : undefined;
    const batch = translateBatch(translation, portion, watch);
    const last = batch.events.at(-1)?.type;
    if (last !== undefined) isInParagraph = last === "text";
    if (isInParagraph && before !== undefined) yield { type: "checkpoint", state: (lastCheckpoint = before) };
    yield* streamEvents(batch);
    const state = isInParagraph ? lastCheckpoint : encodeProgress();
    if (state !== undefined && state !== lastCheckpoint) yield { type: "checkpoint", state: (lastCheckpoint = state) };
  }
}

/**
 * Sends the message and returns the responses. After a crash a message that started a background task is not sent
 * again.
 */
function openResponses(
  peer: Peer,
  request: AgentRequest,
  before: RemoteTaskState | undefined,
  translation: A2ATranslator,
  watch: ExchangeWatch,
): AsyncIterable<readonly StreamResponse[]> {
  if (before?.going_on !== undefined) return yieldNothing();
  const message = createMessage(request, before);
  if (!peer.card.capabilities.streaming) return sendOnce(peer, message, watch);
  if (peer.hasExtension) return peer.stream(message, watch);
  const stream = streamWithReconnect(peer, message, translation, watch);
  return request.reply === undefined ? stream : skipReplayedQuestion(stream);
}

async function* yieldNothing(): AsyncGenerator<never> {}

/**
 * Yields a stream and reconnects it when the connection breaks, if the agent supports that. Otherwise it yields the
 * task once more.
 */
async function* streamWithReconnect(
  peer: Peer,
  message: Message,
  translation: A2ATranslator,
  watch: ExchangeWatch,
): AsyncGenerator<readonly StreamResponse[]> {
  let stream = peer.stream(message, watch);
  // A reply belongs to the task that asked. Until a response arrives, the reply may not have been received.
  let answeredId: string | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      for await (const portion of stream) {
        if (message.taskId !== "") answeredId = message.taskId;
        yield portion;
      }
      return;
    } catch (thrown) {
      const taskId = translation.taskId ?? answeredId;
      if (taskId === undefined || watch.failure !== undefined || !isConnectionError(thrown)) throw thrown;
      const rethrow = (): never => {
        throw thrown;
      };
      const opened = tries > MAX_RECONNECTS ? undefined : await resubscribe(peer, taskId, tries, watch).catch(rethrow);
      if (opened !== undefined) {
        stream = opened;
        continue;
      }
      yield [toTaskResponse(await peer.task(taskId, watch).catch(rethrow))];
      return;
    }
  }
}

/**
 * Subscribes to a running task and waits for its first responses. Returns undefined if the agent has no stream for
 * it.
 */
async function resubscribe(
  peer: Peer,
  taskId: string,
  tries: number,
  watch: ExchangeWatch,
): Promise<AsyncIterable<readonly StreamResponse[]> | undefined> {
  await sleep(RECONNECT_MS * 2 ** (tries - 1), watch.signal);
  const stream = peer.subscribe(taskId, watch)[Symbol.asyncIterator]();
  try {
    const first = await stream.next();
    return first.done === true ? undefined : prependFirst(first.value, stream);
  } catch (thrown) {
    if (isConnectionError(thrown) && tries < MAX_RECONNECTS) return resubscribe(peer, taskId, tries + 1, watch);
    return undefined;
  }
}

async function* prependFirst<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function isConnectionError(thrown: unknown): boolean {
  return isFailure(thrown, "agent_unreachable");
}

async function* sendOnce(
  peer: Peer,
  message: Message,
  watch: ExchangeWatch,
): AsyncGenerator<readonly StreamResponse[]> {
  watch.countEvents(1);
  yield [await peer.send(message, watch)];
}

/** Requests the task until it ends. Long tasks outlive the response to their message. */
async function* pollTask(
  peer: Peer,
  translation: A2ATranslator,
  watch: ExchangeWatch,
): AsyncGenerator<readonly StreamResponse[]> {
  for (
    let wait = POLL_MS.first;
    !translation.isOver && translation.taskId !== undefined;
    wait = Math.min(wait * 1.5, POLL_MS.max)
  ) {
    const task = await fetchTask(peer, translation.taskId, watch).catch(rejectRefusedTask);
    if (translation.isOtherTask(task.id)) throw createAgentFailure("agent_protocol", "agent.otherTask");
    if (task.status === undefined || task.status.state === TaskState.TASK_STATE_UNSPECIFIED) return;
    watch.countEvents(1);
    yield [toTaskResponse(task)];
    if (!translation.isOver) await sleep(wait, watch.signal);
  }
}

/**
 * Throws `agent_protocol` for an agent that refuses to return its task: that does not mean that the task failed.
 * Throws other errors unchanged.
 */
function rejectRefusedTask(thrown: unknown): never {
  if (toAgentFailure(thrown).code !== "agent_failed") throw thrown;
  throw createAgentFailure("agent_protocol", "agent.stoppedWithoutStatus", thrown);
}

/** Returns the task. Connection errors are retried. */
function fetchTask(peer: Peer, taskId: string, watch: ExchangeWatch): Promise<Task> {
  return withRetry(
    () => peer.task(taskId, watch),
    (thrown, attempt) => {
      const isFinal = watch.failure !== undefined || !isConnectionError(thrown) || attempt > MAX_RECONNECTS;
      return isFinal ? null : RECONNECT_MS * 2 ** (attempt - 1);
    },
    watch.signal,
  );
}

function toTaskResponse(value: Task): StreamResponse {
  return { payload: { $case: "task", value } };
}

/** The task of an agent's question, and the state that belongs to it: another isolate may have asked. */
export type WithdrawnQuestion = Pick<MessageParams, "task_id" | "checkpoint">;

/**
 * Asks an agent to cancel its task `taskId` (the agent's own id). `question` tells an agent with our extension which
 * question is withdrawn; other agents do not receive it. Rejects if the agent cannot be reached, refuses, or does not
 * answer within `CANCEL_MS`; of `limits`, only `maxBytes` applies.
 */
export async function cancelRemoteTask(
  peer: Peer,
  taskId: string,
  limits: ExchangeLimits,
  question?: WithdrawnQuestion,
): Promise<void> {
  const watch = new ExchangeWatch({ ...limits, timeoutMs: CANCEL_MS, idleMs: CANCEL_MS }, new AbortController().signal);
  try {
    // For other agents, the state is our own record of their task, which they cannot use.
    await peer.cancel(
      taskId,
      watch,
      question !== undefined && peer.hasExtension ? { [EVENTS_EXTENSION]: question } : undefined,
    );
  } finally {
    watch.close();
  }
}

/**
 * Creates the message of a request. A reply is a message to the task that asked, so that it reaches agents without
 * our extension.
 */
function createMessage(request: AgentRequest, before: RemoteTaskState | undefined): Message {
  const { message_id, conversation_id, query, metadata, reply } = request;
  const text = reply === undefined ? query : reply.answer.message;
  return {
    messageId: message_id,
    contextId: before === undefined || before.context_id === "" ? conversation_id : before.context_id,
    taskId: reply?.remote_task_id ?? "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
    metadata: { ...metadata, [EVENTS_EXTENSION]: createMessageParams(request, before) },
    extensions: [EVENTS_EXTENSION],
    referenceTaskIds: [],
  };
}

function createMessageParams(
  { task_id, query, reply, checkpoint }: AgentRequest,
  before: RemoteTaskState | undefined,
): MessageParams {
  const params: MessageParams = { task_id, ...(checkpoint === undefined ? {} : { checkpoint }) };
  if (reply === undefined) return params;
  const { state: _ours, ...bare } = reply;
  return { ...params, query, reply: before === undefined ? reply : bare };
}
