// SendMessage, SendStreamingMessage and SubscribeToTask.

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

/** The longest time that a timer knows. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** Between two looks at a thread whose stream broke off. */
const PAUSE_MS = 300;
/** How often in a row that may happen. */
const MOST_BREAKS = 20;

/** Waits for the end or a question, unless told not to. */
export async function send(desk: Desk, params: SendMessageRequest): Promise<Task> {
  const sent = sentIn(params);
  const historyLength = historyLengthIn(params.configuration?.historyLength);
  const accepted = await accept(desk, sent, params);
  const { conversation_id: id, thread_id } = accepted;
  const shown = { isOurs: desk.isOurs || sent.isOurs, historyLength };
  if (params.configuration?.returnImmediately !== true) for await (const _ of begun(desk, accepted, sent));
  return taskOf(id, await desk.verbs.thread(id, thread_id), shown);
}

export async function* stream(desk: Desk, params: SendMessageRequest): Portions<StreamResponse> {
  const sent = sentIn(params);
  historyLengthIn(params.configuration?.historyLength);
  return yield* begun(untilExpiry(desk), await accept(desk, sent, params), sent);
}

/**
 * The thread that a message began, from its beginning, or the one in which it answered or which it had begun before.
 * Who knows our extension hears all that came of the message each time, and nothing from before it.
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

/** The task as it stands, then what becomes of it. */
export async function* subscribe(desk: Desk, { id: taskId }: SubscribeToTaskRequest): Portions<StreamResponse> {
  const { conversationId, record } = await knownTask(desk, taskId);
  if (isOver(stateOf(record).status))
    throw new UnsupportedOperationError({ message: "The task has ended: ask for it.", metadata: { taskId } });
  // In 0.3 a question is the last that a stream tells, whoever asks for it.
  return yield* goOn(untilExpiry(desk), conversationId, record, {
    isOurs: desk.isOurs,
    isPatient: desk.dialect === "1.0",
  });
}

/** A stream ends with the token that opened it, as a socket does. */
function untilExpiry(desk: Desk): Desk {
  if (desk.expiresAt === null) return desk;
  const left = Math.min(Math.max(desk.expiresAt - Date.now(), 0), MAX_TIMEOUT_MS);
  return { ...desk, gone: AbortSignal.any([desk.gone, AbortSignal.timeout(left)]) };
}

type Manner = {
  readonly isOurs: boolean;
  /** Of a task that rests on a question, waits for the answer and for what comes of it. */
  readonly isPatient: boolean;
};

async function* goOn(desk: Desk, id: string, record: ThreadRecord, manner: Manner): Portions<StreamResponse> {
  const { isOurs, isPatient } = manner;
  const telling = new Telling(placeIn(id, record.thread_id), isOurs);
  telling.know(record.frames);
  const first: StreamResponse = { payload: { $case: "task", value: taskOf(id, record, { isOurs }) } };
  if (telling.isOver || (telling.isAsking && !isPatient)) return [first];
  yield [first];
  const followed = { conversation_id: id, thread_id: record.thread_id };
  if (telling.isAsking) {
    // Others of its tasks may be at work: only when they are done it rests, and says again on what.
    const rested = yield* told(desk, followed, telling, telling.last);
    if (telling.isOver || desk.gone.aborted) return rested;
    if (telling.last > record.last_seq) yield rested;
  }
  const heard = telling.isAsking ? await roused(desk, followed, telling) : [];
  if (telling.isOver || desk.gone.aborted) return heard;
  if (heard.length > 0) yield heard;
  return yield* told(desk, followed, telling, telling.last);
}

type Followed = Pick<Accepted, "conversation_id" | "thread_id">;

/** What a thread that rests tells first once it goes on. Its own stream ends while it rests; its conversation's does not. */
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

function isOfThread(threadId: string): (frame: Frame) => boolean {
  return ({ data }) => "thread_id" in data && data.thread_id === threadId;
}

/** What a thread tells after a number, until it ends or rests. A stream that breaks off is taken up where it broke. */
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
      // It ended by itself, so the thread rests: where a host died, others of its tasks may be at work.
      if (telling.isAsking && !desk.gone.aborted) return [telling.closing()];
    } catch (thrown) {
      note(desk, thrown);
    }
    if (desk.gone.aborted) return [];
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw lost();
}

/** The host is gone, and comes back with all that it had stored. Throws what looking again would not change. */
function note({ gone }: Desk, thrown: unknown): void {
  if (thrown instanceof Fault) throw thrown;
  if (!gone.aborted) console.error("A task's stream broke off", thrown);
}

function lost(): Fault {
  return new Fault("unavailable", "The task could not be followed to its end. Subscribe to it to go on.");
}

/** Stores the message. One that comes again finds what it was the first time (T2). */
async function accept(desk: Desk, sent: Sent, { configuration }: SendMessageRequest): Promise<Accepted> {
  const { verbs, agent } = desk;
  const push = pushIn(desk, configuration?.taskPushNotificationConfig);
  if (sent.taskId !== "") return answer(desk, sent, push);
  const context = sent.contextId === "" ? undefined : sent.contextId;
  if (context !== undefined) await checkNotItself(desk, context, sent);
  return verbs.start(context, sendOf(sent, agent?.name), sent.messageId, push);
}

/** A runtime that is registered with itself would be asked by a task for which its conversation waits. */
async function checkNotItself({ verbs }: Desk, id: string, { message }: Sent): Promise<void> {
  const ours = messageParamsSchema.safeParse(message.metadata?.[EVENTS_EXTENSION]).data?.task_id;
  if (ours === undefined) return;
  const tasks = await verbs.tasks(id).catch(() => []);
  if (tasks.some(({ task_id }) => task_id === ours))
    throw new RequestMalformedError("A conversation cannot carry out a task of its own: it would wait for itself.");
}

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

function checkAsks(record: ThreadRecord, taskId: string): void {
  const { status, pending } = stateOf(record);
  const metadata = { taskId };
  if (isOver(status)) throw new UnsupportedOperationError({ message: "The task has ended.", metadata });
  if (pending.length === 0)
    throw new UnsupportedOperationError({ message: "The task is at work and has asked nothing.", metadata });
}
