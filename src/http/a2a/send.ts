// SendMessage, SendStreamingMessage and SubscribeToTask.
//
// A message is accepted first; then its thread is followed by reading the conversation's log.
// - Messages are idempotent: a repeated message id finds the thread and the `seq` of the first time (T2).
// - The log is read after the last encoded `seq`, so a reconnect neither loses nor repeats an event (L2).
// - If the stream breaks off (a host has stopped), it is reopened after `RECONNECT_DELAY_MS`, at most
//   `MAX_STREAM_BREAKS` times in a row without a frame in between. After that the request fails with `unavailable`; the
//   task continues.
// - A stream ends at the end of the task, at a question, at the expiry of the token, or when the client disconnects.
//   Only cancelling a task stops its work.

import type { SendMessageRequest, StreamResponse, SubscribeToTaskRequest, Task } from "@a2a-js/sdk";
import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { Portions } from "../../a2a/sse.ts";
import type { Accepted, ThreadRecord } from "../../durable/api.ts";
import { EVENTS_EXTENSION, messageParamsSchema } from "../../protocol/a2a.ts";
import type { Frame } from "../../protocol/events.ts";
import { Fault } from "../../protocol/fault.ts";
import { isOver } from "../../protocol/thread-state.ts";
import { portionsOf } from "../frames.ts";
import type { Desk } from "./desk.ts";
import { answerOf, sendOf, sentIn, type Sent } from "./message.ts";
import { pushIn } from "./push.ts";
import { placeIn, stateOf, taskOf } from "./snapshot.ts";
import { historyLengthIn, knownTask } from "./tasks.ts";
import { Telling } from "./telling.ts";

/** The longest delay of a timer: larger values fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** The delay before a broken stream is opened again. */
const PAUSE_MS = 300;
/** The maximum number of consecutive breaks without a frame. */
const MOST_BREAKS = 20;

/**
 * Sends a message and returns the task. Waits until the task ends or asks a question, unless the request asks to return
 * immediately.
 */
export async function send(desk: Desk, params: SendMessageRequest): Promise<Task> {
  const sent = sentIn(params);
  const historyLength = historyLengthIn(params.configuration?.historyLength);
  const accepted = await accept(desk, sent, params);
  const { conversation_id: id, thread_id } = accepted;
  const shown = { isOurs: desk.isOurs || sent.isOurs, historyLength };
  if (params.configuration?.returnImmediately !== true) for await (const _ of begun(desk, accepted, sent));
  return taskOf(id, await desk.verbs.thread(id, thread_id), shown);
}

/** Sends a message and yields what happens in its thread. The return value is the last portion. */
export async function* stream(desk: Desk, params: SendMessageRequest): Portions<StreamResponse> {
  const sent = sentIn(params);
  historyLengthIn(params.configuration?.historyLength);
  return yield* begun(untilExpiry(desk), await accept(desk, sent, params), sent);
}

/**
 * Yields the events of the thread of an accepted message. In a new conversation the thread is followed from its start.
 * In an existing conversation a client with our extension receives all events since its message, and any other client
 * receives a snapshot of the task and the events after it.
 */
async function* begun(desk: Desk, accepted: Accepted, sent: Sent): Portions<StreamResponse> {
  const { conversation_id: id, thread_id, seq, is_first } = accepted;
  const isOurs = desk.isOurs || sent.isOurs;
  const record = is_first ? undefined : await desk.verbs.thread(id, thread_id);
  if (record !== undefined && !isOurs) return yield* goOn(desk, id, record, { isOurs, isPatient: false });
  const telling = new Telling(placeIn(id, thread_id), isOurs, { id: sent.messageId, seq });
  telling.know(record?.frames.filter((frame) => frame.seq < seq) ?? []);
  return yield* told(desk, accepted, telling, seq - 1);
}

/**
 * Yields a snapshot of the task, then its updates. Rejects with an `UnsupportedOperationError` if the task has ended.
 */
export async function* subscribe(desk: Desk, { id: taskId }: SubscribeToTaskRequest): Portions<StreamResponse> {
  const { conversationId, record } = await knownTask(desk, taskId);
  if (isOver(stateOf(record).status))
    throw new UnsupportedOperationError({ message: "The task has ended: ask for it.", metadata: { taskId } });
  // In 0.3 a question ends every stream.
  return yield* goOn(untilExpiry(desk), conversationId, record, {
    isOurs: desk.isOurs,
    isPatient: desk.dialect === "1.0",
  });
}

/** Returns a context whose signal is also aborted when the token expires. A stream must not outlive its token. */
function untilExpiry(desk: Desk): Desk {
  if (desk.expiresAt === null) return desk;
  const left = Math.min(Math.max(desk.expiresAt - Date.now(), 0), MAX_TIMEOUT_MS);
  return { ...desk, gone: AbortSignal.any([desk.gone, AbortSignal.timeout(left)]) };
}

/** How an existing task is followed. */
type Manner = {
  readonly isOurs: boolean;
  /**
   * If the task waits for an answer: keeps the stream open until the answer, and continues with the events after it.
   */
  readonly isPatient: boolean;
};

/** Yields a snapshot of a task and the events after it, until the task ends or asks. */
async function* goOn(desk: Desk, id: string, record: ThreadRecord, manner: Manner): Portions<StreamResponse> {
  const { isOurs, isPatient } = manner;
  const telling = new Telling(placeIn(id, record.thread_id), isOurs);
  telling.know(record.frames);
  const first: StreamResponse = { payload: { $case: "task", value: taskOf(id, record, { isOurs }) } };
  if (telling.isOver || (telling.isAsking && !isPatient)) return [first];
  yield [first];
  const followed = { conversation_id: id, thread_id: record.thread_id };
  if (telling.isAsking) {
    // Other tasks of the thread may still run. When they have finished, the stream ends and its questions are sent
    // again.
    const rested = yield* told(desk, followed, telling, telling.last);
    if (telling.isOver || desk.gone.aborted) return rested;
    if (telling.last > record.last_seq) yield rested;
  }
  const heard = telling.isAsking ? await roused(desk, followed, telling) : [];
  if (telling.isOver || desk.gone.aborted) return heard;
  if (heard.length > 0) yield heard;
  return yield* told(desk, followed, telling, telling.last);
}

/** The ids of the thread to follow. */
type Followed = Pick<Accepted, "conversation_id" | "thread_id">;

/**
 * Waits until a paused thread continues, and returns its first events. It reads the log of the conversation, because
 * the log stream of a paused thread ends. Returns an empty list if the client disconnects.
 */
async function roused(
  desk: Desk,
  { conversation_id, thread_id }: Followed,
  telling: Telling,
): Promise<StreamResponse[]> {
  for (let breaks = 0; breaks < MOST_BREAKS && !desk.gone.aborted; breaks++) {
    try {
      const lines = await desk.verbs.follow(conversation_id, telling.last);
      for await (const frames of portionsOf(lines, desk.gone)) {
        breaks = 0;
        let isRoused = false;
        const responses = frames.filter(isOfThread(thread_id)).flatMap((frame) => {
          const told = telling.hear(frame);
          isRoused ||= !telling.isAsking;
          return told;
        });
        if (isRoused) return responses;
      }
    } catch (thrown) {
      note(desk, thrown);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  if (desk.gone.aborted) return [];
  throw lost();
}

/** Returns a predicate for the frames of one thread. */
function isOfThread(threadId: string): (frame: Frame) => boolean {
  return ({ data }) => "thread_id" in data && data.thread_id === threadId;
}

/**
 * Yields the events of a thread after the `seq` `after`, until it ends or pauses. The return value is the last portion.
 */
async function* told(desk: Desk, followed: Followed, telling: Telling, after: number): Portions<StreamResponse> {
  const { conversation_id: id, thread_id } = followed;
  for (let breaks = 0; breaks < MOST_BREAKS; breaks++) {
    try {
      const lines = await desk.verbs.follow(id, Math.max(after, telling.last), thread_id);
      for await (const frames of portionsOf(lines, desk.gone)) {
        breaks = 0;
        const responses = frames.flatMap((frame) => telling.hear(frame));
        if (telling.isOver) return responses;
        if (responses.length > 0) yield responses;
      }
      // The stream ended without an error, so the thread is paused. After a break, other tasks of it may still run.
      if (telling.isAsking && !desk.gone.aborted) return [telling.closing()];
    } catch (thrown) {
      note(desk, thrown);
    }
    if (desk.gone.aborted) return [];
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw lost();
}

/**
 * Handles an error of a log stream. Rethrows faults, since a retry would not change them. Logs other errors unless the
 * client has disconnected; then the caller reconnects.
 */
function note({ gone }: Desk, thrown: unknown): void {
  if (thrown instanceof Fault) throw thrown;
  if (!gone.aborted) console.error("A task's stream broke off", thrown);
}

/** Returns the error after too many breaks. */
function lost(): Fault {
  return new Fault("unavailable", "The task could not be followed to its end. Subscribe to it to go on.");
}

/**
 * Stores the message: as an answer if it names a task, otherwise as the start of a thread. A repeated message returns
 * the first result (T2).
 */
async function accept(desk: Desk, sent: Sent, { configuration }: SendMessageRequest): Promise<Accepted> {
  const { verbs, agent } = desk;
  const push = pushIn(desk, configuration?.taskPushNotificationConfig);
  if (sent.taskId !== "") return answer(desk, sent, push);
  const context = sent.contextId === "" ? undefined : sent.contextId;
  if (context !== undefined) await checkNotItself(desk, context, sent);
  return verbs.start(context, sendOf(sent, agent?.name), sent.messageId, push);
}

/**
 * Rejects a message that was sent by a task of the same conversation. A runtime registered as its own agent would wait
 * for itself.
 */
async function checkNotItself({ verbs }: Desk, id: string, { message }: Sent): Promise<void> {
  const ours = messageParamsSchema.safeParse(message.metadata?.[EVENTS_EXTENSION]).data?.task_id;
  if (ours === undefined) return;
  const tasks = await verbs.tasks(id).catch(() => []);
  if (tasks.some(({ task_id }) => task_id === ours))
    throw new RequestMalformedError("A conversation cannot carry out a task of its own: it would wait for itself.");
}

/**
 * Answers a question of a task: the question that the message names, or the first open question. A repeated answer is
 * accepted even if the question is closed.
 */
async function answer(desk: Desk, sent: Sent, push: ReturnType<typeof pushIn>): Promise<Accepted> {
  const { conversationId: id, threadId, record } = await knownTask(desk, sent.taskId);
  if (sent.contextId !== "" && sent.contextId !== id)
    throw new RequestMalformedError("message.contextId: is not the context of this task");
  const isRepeated = record.commands.some((command) => command.id === sent.messageId);
  if (!isRepeated) checkAsks(record, sent.taskId);
  if (push !== undefined) await desk.verbs.pushes(id, threadId, { put: push });
  const reply = answerOf(sent);
  const [asked] = stateOf(record).pending;
  const request_id = reply.request_id ?? asked?.request_id;
  return desk.verbs.resume(id, { ...reply, ...(request_id === undefined ? {} : { request_id }) }, sent.messageId);
}

/** Throws an `UnsupportedOperationError` if the task has ended or has no open question. */
function checkAsks(record: ThreadRecord, taskId: string): void {
  const { status, pending } = stateOf(record);
  const metadata = { taskId };
  if (isOver(status)) throw new UnsupportedOperationError({ message: "The task has ended.", metadata });
  if (pending.length === 0)
    throw new UnsupportedOperationError({ message: "The task is at work and has asked nothing.", metadata });
}
