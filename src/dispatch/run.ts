import { Role, TaskState, type Message, type StreamResponse, type Task } from "@a2a-js/sdk";
import { EVENTS_EXTENSION, type MessageParams } from "../protocol/a2a.ts";
import type { AgentEvent, AgentRequest } from "../protocol/agent.ts";
import { AgentFailure, failed, toFailure } from "./failure.ts";
import type { Peer } from "./peer.ts";
import { fromState, type Recalled } from "./recall.ts";
import { Translation } from "./translate.ts";
import { Watch, type Limits } from "./watch.ts";
import { quietly } from "./wire.ts";

const POLL_MS = { first: 500, most: 5_000 };
/** Longest wait for an agent that is told to stop. */
export const CANCEL_MS = 2_000;

/**
 * Runs one request on a peer. Never rejects: the last event is `completed`, `input_required` or the one
 * `failed` (A1). However it ends but by the agent's own last word, the agent is told to stop. An agent that
 * does not stream is silent by nature: only the deadline bounds it.
 */
export async function* runOn(
  peer: Peer,
  request: AgentRequest,
  limits: Limits,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const { streaming } = peer.card.capabilities;
  const watch = new Watch(streaming ? limits : { ...limits, idleMs: limits.timeoutMs }, signal);
  const before = fromState(request.reply?.state);
  const translation = new Translation(request.conversation_id, before);
  try {
    const message = messageOf(request, before);
    for await (const portion of streaming ? peer.stream(message, watch) : answerOf(peer, message, watch)) {
      for (const event of translation.translate(portion)) yield event;
      if (translation.isOver) break;
    }
    for await (const portion of poll(peer, translation, watch))
      for (const event of translation.translate(portion)) yield event;
    if (!translation.isOver) throw new AgentFailure("agent_protocol", "The agent stopped before it had finished.");
  } catch (thrown) {
    yield failed(watch.failure ?? toFailure(thrown));
  } finally {
    watch.close();
    const taskId = translation.taskId ?? request.reply?.remote_task_id;
    if (!translation.isOver && taskId !== undefined) quietly(tellToStop(peer, taskId, limits));
  }
}

async function* answerOf(peer: Peer, message: Message, watch: Watch): AsyncGenerator<readonly StreamResponse[]> {
  watch.told(1);
  yield [await peer.send(message, watch)];
}

/** Long tasks outlive the answer to the request that began them: they are asked for until they end. */
async function* poll(peer: Peer, translation: Translation, watch: Watch): AsyncGenerator<readonly StreamResponse[]> {
  for (
    let wait = POLL_MS.first;
    !translation.isOver && translation.taskId !== undefined;
    wait = Math.min(wait * 1.5, POLL_MS.most)
  ) {
    const task = await peer.task(translation.taskId, watch);
    if (task.status === undefined || task.status.state === TaskState.TASK_STATE_UNSPECIFIED) return;
    watch.told(1);
    yield [taskPayload(task)];
    if (!translation.isOver) await watch.pause(wait);
  }
}

function taskPayload(value: Task): StreamResponse {
  return { payload: { $case: "task", value } };
}

/** Best effort and bounded, and nobody waits for it: an agent that is gone cannot be told. */
export async function tellToStop(peer: Peer, taskId: string, limits: Limits): Promise<void> {
  const watch = new Watch({ ...limits, timeoutMs: CANCEL_MS, idleMs: CANCEL_MS }, new AbortController().signal);
  try {
    await peer.cancel(taskId, watch);
  } finally {
    watch.close();
  }
}

/** An answer is a message to the task that asked: so it reaches agents that know nothing of our extension. */
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
