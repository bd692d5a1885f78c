// Accepts work for a conversation: the one path of messages, answers and cancellations, whichever interface they use.
//
// Each interface validates its input once, at its border; only the size limit, which is a setting, is checked here.
// Order: admit → rate limit → answer or new thread → persist → publish → wake. `storeThread` persists and publishes, also
// for schedule runs and workflow instances: command, thread, head and first events are one synchronous transaction, so
// two commands cannot interleave in it.
//
// Invariants:
//   L3. Work is stored before any subscriber receives its events and before the command is acknowledged.
//   T2. Each command id creates at most one thread. A repeated command returns the position of the first; another
//       command with the same id is refused (`repeated-command.ts`).
// The check of a push notification and the rate limit are awaited: afterwards the state is read again, because the
// conversation may have been deleted.

import type { TurnRequest } from "../../core/models/answer-options.ts";
import type { ChatMessage, EventDraft } from "../../core/ports.ts";
import { createMessage } from "../../language/messages.ts";
import { ensurePresent } from "../../lib/assert.ts";
import { exceedsBytes } from "../../lib/text-size.ts";
import {
  MAX_CONFIGURABLE_MESSAGE_BYTES,
  MAX_CONTEXT_BYTES,
  type CancelCommand,
  type ResumeCommand,
  type SendCommand,
} from "../../protocol/wire/commands.ts";
import type { Frame } from "../../protocol/wire/events.ts";
import { createId, deriveId } from "../../protocol/wire/ids.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { Settings } from "../../settings.ts";
import type { AcceptedCommand, SendOptions } from "../conversation-api.ts";
import type { RateLimitClient } from "../rate-limit/rate-limit-client.ts";
import type { PushNotifications } from "./deliveries/push-notifications.ts";
import type { EventLog } from "./event-log.ts";
import { findRepeatedMessage } from "./repeated-command.ts";
import type { ConversationHead, OpenThread } from "./storage/conversation-head.ts";
import type { CommandRequest, ConversationStore } from "./storage/conversation-store.ts";
import { countQueued, type ThreadPosition } from "./threads/thread-queue.ts";
import type { ThreadSupervisor } from "./threads/thread-supervisor.ts";

/**
 * The maximum size of a command as JSON, in bytes of UTF-8: the longest plain message and a context. An answer is stored
 * in the row of its question.
 */
const MAX_COMMAND_BYTES = MAX_CONFIGURABLE_MESSAGE_BYTES + 2 * MAX_CONTEXT_BYTES;

/** The first event of a conversation. */
export const STARTED_DRAFT: EventDraft = { event: "conversation_started", data: { role: "system" } };

type AcceptingState = {
  readonly log: EventLog;
  readonly threads: ThreadSupervisor;
  readonly schedules: {
    has(scheduleId: string): boolean;
    removeByCommand(target: CancelCommand, scheduleId: string, commandId: string): Promise<string[]>;
  };
};

type InboxDeps = {
  readonly loader: {
    find(): AcceptingState | null;
    get(): AcceptingState;
    wake(): AcceptingState;
    create(title?: string): AcceptingState;
  };
  readonly store: ConversationStore;
  readonly rateLimit: RateLimitClient;
  readonly pushes: PushNotifications;
  readonly settings: Settings;
};

/** Accepts the commands of the person. One instance per object; calls may overlap at the rate limit. */
export class Inbox {
  readonly #deps: InboxDeps;

  constructor(deps: InboxDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts a message: as a new thread if no question is open, otherwise as its answer (`conflict` if several are
   * open). Resolves when the message and the lease of its work are stored. Throws `too_large`, `too_many_requests` if
   * the rate limit or the queue is exhausted, `unprocessable` if the id was used for another command, or the `Fault` of
   * an answer that is not accepted.
   */
  async acceptMessage(
    commandId: string,
    message: SendCommand,
    { create, title, push, answer }: SendOptions,
  ): Promise<AcceptedCommand> {
    const { loader, rateLimit, pushes } = this.#deps;
    this.#checkSize(message);
    const preparedPush = push === undefined ? undefined : await pushes.prepare(push);
    const request: TurnRequest = answer === undefined ? message : { ...message, answer };
    // Count only messages that will start a thread: not rejected ones, and not repeated ones.
    const existing = create ? loader.find() : loader.get();
    if (existing === null || this.#isNewMessage(existing, commandId, request)) await rateLimit.acquire(commandId);
    const isFirst = create && loader.find() === null;
    const state = isFirst ? loader.create(title) : loader.get();
    const position = this.#answerOrStart(state, commandId, request, isFirst ? [STARTED_DRAFT] : []);
    const accepted = startThreads(state, position, isFirst);
    // Register before the thread can publish anything. If registration fails, the thread runs all the same.
    if (preparedPush !== undefined) pushes.put(position.thread_id, preparedPush);
    return accepted;
  }

  /** Accepts the answer to a question. Resolves as `acceptMessage`. Throws as `PendingQuestions.acceptAnswer`. */
  async acceptAnswer(commandId: string, answer: ResumeCommand): Promise<AcceptedCommand> {
    this.#checkSize(answer);
    const state = this.#deps.loader.wake();
    return startThreads(state, state.threads.questions.acceptAnswer(commandId, answer));
  }

  /**
   * Cancels a thread or a task, or deletes a schedule (`task_id` is its id). Without a target, the oldest open message:
   * also one that was sent before and still waits for the rate limiter. Resolves with the one id that was stopped.
   */
  async cancel(commandId: string, target: CancelCommand): Promise<string[]> {
    const { loader, rateLimit } = this.#deps;
    const { task_id: id, thread_id: threadId } = target;
    if (id === undefined && threadId === undefined) await rateLimit.waitForPending();
    const { threads, schedules } = loader.wake();
    if (id !== undefined && schedules.has(id)) return schedules.removeByCommand(target, id, commandId);
    return threads.cancel(target, commandId);
  }

  #checkSize(command: SendCommand | ResumeCommand): void {
    const { MAX_MESSAGE_BYTES: maxBytes } = this.#deps.settings;
    const field = "message";
    if (exceedsBytes(command.message, maxBytes))
      throw createFault("too_large", createMessage("field.tooLarge", { field, maxBytes }), { field });
    // JSON may escape one byte with six.
    if (!exceedsBytes(JSON.stringify(command), MAX_COMMAND_BYTES)) return;
    throw createFault("too_large", createMessage("field.tooLargeAsJson", { field, maxBytes: MAX_COMMAND_BYTES }), {
      field,
    });
  }

  /**
   * Returns false if the message was accepted before. Throws `unprocessable` if its id was used for another command, and
   * `too_many_requests` if it would start a thread and the queue is full.
   */
  #isNewMessage(state: AcceptingState, commandId: string, message: TurnRequest): boolean {
    const { store } = this.#deps;
    if (findRepeatedMessage(store, commandId, message) !== null) return false;
    expireQuestions(state);
    if (store.listOpenQuestions().length === 0) this.#checkQueueLimit(state.log.head);
    return true;
  }

  #checkQueueLimit(head: ConversationHead): void {
    const { MAX_QUEUED_THREADS: limit } = this.#deps.settings;
    if (head.open.length < limit || countQueued(head).waiting < limit) return;
    throw createFault("too_many_requests", "conversation.queueFull");
  }

  /** Stores a message. From here on it will be answered, even if the host dies. */
  #answerOrStart(
    state: AcceptingState,
    commandId: string,
    message: TurnRequest,
    before: readonly EventDraft[],
  ): ThreadPosition {
    const { store } = this.#deps;
    const { log, threads } = state;
    const known = findRepeatedMessage(store, commandId, message);
    if (known !== null) return known;
    expireQuestions(state);
    if (store.listOpenQuestions().length > 0 && !hasToolResults(message))
      return threads.questions.acceptAnswer(commandId, { message: message.message });
    this.#checkQueueLimit(log.head);
    return storeThread(log, store, threads, {
      commandId,
      request: message,
      createDrafts: (threadId) => [...before, createMessageDraft(threadId, message)],
    });
  }
}

/** True if the message brings the results of client tools, which never answer a question. */
function hasToolResults({ answer }: TurnRequest): boolean {
  return answer?.input?.some(({ role }) => role === "tool") ?? false;
}

/** Expires due questions and resumes their threads. A conversation without open threads has no questions. */
function expireQuestions({ log, threads }: AcceptingState): void {
  if (log.head.open.length > 0) threads.wake();
}

/** Starts the stored work and resolves with its position once its lease is stored. */
export async function startThreads(
  { log, threads }: Pick<AcceptingState, "log" | "threads">,
  { thread_id, seq }: ThreadPosition,
  is_first = false,
): Promise<AcceptedCommand> {
  await threads.ensureRunning();
  return { conversation_id: log.head.conversation.conversation_id, thread_id, seq, is_first };
}

/** A thread that is about to be stored. */
export type NewThread = {
  /** A new command id. */
  readonly commandId: string;
  readonly request: CommandRequest;
  /** Returns the first events. The last one is the `thread_started` event. */
  readonly createDrafts: (threadId: string) => readonly EventDraft[];
  /** Present unless a message starts the thread. */
  readonly kind?: Pick<OpenThread, "tick" | "is_instance">;
  /** Adds writes to the transaction. */
  readonly also?: (threadId: string) => void;
  /** Changes the head further. */
  readonly mark?: (head: ConversationHead, begun: ThreadPosition) => ConversationHead;
};

/** Stores command, thread, head and first events in one transaction, publishes the events, and returns the position. */
export function storeThread(
  log: EventLog,
  store: ConversationStore,
  threads: Pick<ThreadSupervisor, "addNew">,
  { commandId, request, createDrafts, kind = {}, also, mark = (head) => head }: NewThread,
): ThreadPosition {
  const threadId = createId("th");
  const getPosition = (frames: readonly Frame[]): ThreadPosition => ({
    thread_id: threadId,
    seq: ensurePresent(frames.at(-1), "the beginning of a thread").seq,
  });
  const frames = log.publish(
    createDrafts(threadId),
    (head, published) => {
      const begun = getPosition(published);
      return mark(enqueueThread(head, { ...begun, command_id: commandId, attempts: 0, ...kind }), begun);
    },
    (published) => {
      store.putCommand(commandId, { ...getPosition(published), request });
      also?.(threadId);
    },
  );
  threads.addNew(threadId);
  return getPosition(frames);
}

/**
 * Appends a thread to the head; a message or instance also makes the conversation `active` and sets `updated_at` to
 * now. `attempts` of the thread is replaced: 1 if it is the only one, as it starts at once (which saves a write), else
 * 0.
 */
function enqueueThread(head: ConversationHead, thread: OpenThread): ConversationHead {
  const attempts = head.open.length === 0 ? 1 : 0;
  const open = [...head.open, { ...thread, attempts }];
  if (thread.tick !== undefined) return { ...head, open };
  return { ...head, open, conversation: { ...head.conversation, status: "active", updated_at: Date.now() } };
}

/**
 * Creates the first event (`thread_started`) of a message's thread. Its metadata contains the input of the model if it
 * differs from the text, without images, and the type of the format that the answer must have.
 */
export function createMessageDraft(
  threadId: string,
  { message, agent, language, timezone, answer = {} }: TurnRequest,
): EventDraft {
  const metadata = {
    created_at: Date.now(),
    ...(agent === undefined ? {} : { agent }),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(answer.input === undefined ? {} : { input: answer.input.map(omitImages) }),
    ...(answer.format === undefined ? {} : { answer_format: answer.format.type }),
  };
  const scope = { thread_id: threadId, task_id: deriveId(threadId, "ask") };
  return { event: "thread_started", data: { ...scope, role: "user", payload: { content: message }, metadata } };
}

function omitImages(message: ChatMessage): ChatMessage {
  return message.role === "user" ? { role: "user", content: message.content } : message;
}
