// Runs one request on a peer, from the message to the final event.
//
// A1. The last event is `completed`, `input_required` or exactly one `failed`, and nothing throws. An exchange that
// ends without the agent's own final event cancels the remote task in the background.
//
// The order is: send the message (or, after a crash, resume the stored task), translate its stream, reconnect a
// broken stream at most `MAX_RECONNECTS` times, then poll the task until it ends. While the watch allows it,
// connection errors are retried; any other error ends the run.

import { Role, TaskState, type Message, type StreamResponse, type Task } from "@a2a-js/sdk";
import { EVENTS_EXTENSION, type MessageParams } from "../protocol/a2a.ts";
import type { AgentEvent, AgentRequest } from "../protocol/agent.ts";
import { withoutEcho } from "./echo.ts";
import { AgentFailure, failed, toFailure } from "./failure.ts";
import type { Peer } from "./peer.ts";
import { fromState, toCheckpoint, type Recalled } from "./recall.ts";
import { Translation } from "./translate.ts";
import { Watch, type Limits } from "./watch.ts";
import { quietly } from "./wire.ts";

const POLL_MS = { first: 500, most: 5_000 };
/** Maximum attempts to reconnect, and the pause before the first, which doubles each time. */
const MAX_RECONNECTS = 3;
const RECONNECT_MS = 250;
/** Maximum wait for an agent that is asked to cancel, in milliseconds. */
export const CANCEL_MS = 2_000;

/**
 * Runs a request and yields its events. Never throws (A1). An agent that does not stream cannot be silent: only the
 * deadline bounds it.
 */
export async function* runOn(
  peer: Peer,
  request: AgentRequest,
  limits: Limits,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const { streaming } = peer.card.capabilities;
  const watch = new Watch(streaming ? limits : { ...limits, idleMs: limits.timeoutMs }, signal);
  const before = fromState(request.checkpoint) ?? fromState(request.reply?.state);
  const translation = new Translation(request.conversation_id, before);
  try {
    for await (const portion of answersTo(peer, request, before, translation, watch)) {
      yield* heard(listen(translation, portion, watch));
      if (translation.isOver) break;
    }
    yield* followed(peer, translation, watch);
    if (!translation.isOver) throw new AgentFailure("agent_protocol", "The agent stopped before it had finished.");
  } catch (thrown) {
    // After a lost connection, the failure is the connection and not the time spent on reconnecting.
    const isLost = isBroken(thrown) && watch.failure?.code !== "agent_cancelled";
    yield failed(isLost ? toFailure(thrown) : (watch.failure ?? toFailure(thrown)));
  } finally {
    watch.close();
    const taskId = translation.taskId ?? request.reply?.remote_task_id;
    if (!translation.isOver && taskId !== undefined) quietly(tellToStop(peer, taskId, limits));
  }
}

/** The events of a batch, and the error that interrupted its translation. */
type Heard = { readonly events: readonly AgentEvent[]; readonly trouble?: unknown };

/**
 * Translates a batch up to the first unreadable response. One response may contain many events; they count towards
 * the limit as well.
 */
function listen(translation: Translation, portion: readonly StreamResponse[], watch: Watch): Heard {
  const events: AgentEvent[] = [];
  try {
    translation.translate(portion, events);
    return { events };
  } catch (trouble) {
    return { events, trouble };
  } finally {
    watch.told(Math.max(0, events.length - portion.length));
  }
}

function* heard({ events, trouble }: Heard): Generator<AgentEvent, void> {
  yield* events;
  if (trouble !== undefined) throw trouble;
}

/**
 * Polls a task that runs in the background and yields checkpoints, so that polling continues after a crash. A
 * checkpoint ends a paragraph, so it is emitted only between paragraphs; text after it is emitted again after a
 * crash.
 */
async function* followed(peer: Peer, translation: Translation, watch: Watch): AsyncGenerator<AgentEvent> {
  const standing = () => (peer.isKin || translation.isOver ? undefined : toCheckpoint(translation.standing));
  let kept: string | undefined;
  let isSpeaking = false;
  for await (const portion of poll(peer, translation, watch)) {
    const before = kept === undefined ? standing() : undefined;
    const said = listen(translation, portion, watch);
    const last = said.events.at(-1)?.type;
    if (last !== undefined) isSpeaking = last === "text";
    if (isSpeaking && before !== undefined) yield { type: "checkpoint", state: (kept = before) };
    yield* heard(said);
    const state = isSpeaking ? kept : standing();
    if (state !== undefined && state !== kept) yield { type: "checkpoint", state: (kept = state) };
  }
}

/**
 * Sends the message and returns the responses. After a crash a message that started a background task is not sent
 * again.
 */
function answersTo(
  peer: Peer,
  request: AgentRequest,
  before: Recalled | undefined,
  translation: Translation,
  watch: Watch,
): AsyncIterable<readonly StreamResponse[]> {
  if (before?.going_on !== undefined) return nothing();
  const message = messageOf(request, before);
  if (!peer.card.capabilities.streaming) return answerOf(peer, message, watch);
  if (peer.isKin) return peer.stream(message, watch);
  const stream = unbroken(peer, message, translation, watch);
  return request.reply === undefined ? stream : withoutEcho(stream);
}

async function* nothing(): AsyncGenerator<never> {}

/**
 * Yields a stream and reconnects it when the connection breaks, if the agent supports that. Otherwise it yields the
 * task once more.
 */
async function* unbroken(
  peer: Peer,
  message: Message,
  translation: Translation,
  watch: Watch,
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
      if (taskId === undefined || watch.failure !== undefined || !isBroken(thrown)) throw thrown;
      const broken = (): never => {
        throw thrown;
      };
      const opened = tries > MAX_RECONNECTS ? undefined : await reopened(peer, taskId, tries, watch).catch(broken);
      if (opened !== undefined) {
        stream = opened;
        continue;
      }
      yield [taskPayload(await peer.task(taskId, watch).catch(broken))];
      return;
    }
  }
}

/**
 * Subscribes to a running task and waits for its first responses. Returns undefined if the agent has no stream for
 * it.
 */
async function reopened(
  peer: Peer,
  taskId: string,
  tries: number,
  watch: Watch,
): Promise<AsyncIterable<readonly StreamResponse[]> | undefined> {
  await watch.pause(RECONNECT_MS * 2 ** (tries - 1));
  const stream = peer.subscribe(taskId, watch)[Symbol.asyncIterator]();
  try {
    const first = await stream.next();
    return first.done === true ? undefined : following(first.value, stream);
  } catch (thrown) {
    if (isBroken(thrown) && tries < MAX_RECONNECTS) return reopened(peer, taskId, tries + 1, watch);
    return undefined;
  }
}

async function* following<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function isBroken(thrown: unknown): boolean {
  return thrown instanceof AgentFailure && thrown.code === "agent_unreachable";
}

async function* answerOf(peer: Peer, message: Message, watch: Watch): AsyncGenerator<readonly StreamResponse[]> {
  watch.told(1);
  yield [await peer.send(message, watch)];
}
/** Requests the task until it ends. Long tasks outlive the response to their message. */
async function* poll(peer: Peer, translation: Translation, watch: Watch): AsyncGenerator<readonly StreamResponse[]> {
  for (
    let wait = POLL_MS.first;
    !translation.isOver && translation.taskId !== undefined;
    wait = Math.min(wait * 1.5, POLL_MS.most)
  ) {
    const task = await asked(peer, translation.taskId, watch).catch(stopped);
    if (translation.isOfAnother(task.id))
      throw new AgentFailure("agent_protocol", "The agent was asked for its task and told of another task.");
    if (task.status === undefined || task.status.state === TaskState.TASK_STATE_UNSPECIFIED) return;
    watch.told(1);
    yield [taskPayload(task)];
    if (!translation.isOver) await watch.pause(wait);
  }
}

/**
 * Throws `agent_protocol` for an agent that refuses to return its task: that does not mean that the task failed.
 * Throws other errors unchanged.
 */
function stopped(thrown: unknown): never {
  if (toFailure(thrown).code !== "agent_failed") throw thrown;
  const message = "The agent stopped before it had finished, and does not say how the task stands.";
  throw new AgentFailure("agent_protocol", message, thrown);
}

/** Returns the task. Connection errors are retried. */
async function asked(peer: Peer, taskId: string, watch: Watch, tries = 1): Promise<Task> {
  try {
    return await peer.task(taskId, watch);
  } catch (thrown) {
    if (watch.failure !== undefined || !isBroken(thrown) || tries > MAX_RECONNECTS) throw thrown;
  }
  await watch.pause(RECONNECT_MS * 2 ** (tries - 1));
  return asked(peer, taskId, watch, tries + 1);
}

function taskPayload(value: Task): StreamResponse {
  return { payload: { $case: "task", value } };
}

/** The task of an agent's question, and the state that belongs to it: another isolate may have asked. */
export type Left = Pick<MessageParams, "task_id" | "checkpoint">;

/**
 * Cancels a task on its agent, within `CANCEL_MS`. `question` is sent only to agents with our extension. Rejects if the
 * agent cannot be reached or refuses.
 */
export async function tellToStop(peer: Peer, taskId: string, limits: Limits, left?: Left): Promise<void> {
  const watch = new Watch({ ...limits, timeoutMs: CANCEL_MS, idleMs: CANCEL_MS }, new AbortController().signal);
  try {
    // For other agents, the state is our own record of their task, which they cannot use.
    await peer.cancel(taskId, watch, left !== undefined && peer.isKin ? { [EVENTS_EXTENSION]: left } : undefined);
  } finally {
    watch.close();
  }
}

/**
 * Creates the message of a request. A reply is a message to the task that asked, so that it reaches agents without
 * our extension.
 */
function messageOf(request: AgentRequest, before: Recalled | undefined): Message {
  const { message_id, conversation_id, query, metadata, reply } = request;
  const text = reply === undefined ? query : reply.answer.message;
  return {
    messageId: message_id,
    contextId: before === undefined || before.context_id === "" ? conversation_id : before.context_id,
    taskId: reply?.remote_task_id ?? "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
    metadata: { ...metadata, [EVENTS_EXTENSION]: paramsOf(request, before) },
    extensions: [EVENTS_EXTENSION],
    referenceTaskIds: [],
  };
}

function paramsOf({ task_id, query, reply, checkpoint }: AgentRequest, before: Recalled | undefined): MessageParams {
  const params: MessageParams = { task_id, ...(checkpoint === undefined ? {} : { checkpoint }) };
  if (reply === undefined) return params;
  const { state: _ours, ...bare } = reply;
  return { ...params, query, reply: before === undefined ? reply : bare };
}
