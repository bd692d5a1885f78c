// Accepts work for a conversation and stores it as threads, in order of arrival: messages, schedule runs, instances.
//
// Owns no state: it validates limits, then stores command, thread, head and first events in one transaction. All
// methods are synchronous, so two commands cannot interleave. Command ids must be validated by the caller.
//
// Invariants:
//   L3. Work is stored before any subscriber receives its events and before the command is acknowledged.
//   T2. Each command id creates at most one thread. A repeated command returns the position of the first.

import type { EventDraft } from "../../core/ports.ts";
import type { ScheduleTick } from "../../core/turn/turn-context.ts";
import { ensurePresent } from "../../lib/assert.ts";
import type { CancelCommand, ResumeCommand, SendCommand } from "../../protocol/wire/commands.ts";
import type { Frame } from "../../protocol/wire/events.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { createId } from "../../protocol/wire/ids.ts";
import type { Schedule } from "../../protocol/schedules/schedule.ts";
import type { Settings } from "../../settings.ts";
import type { PendingQuestions } from "./pending-questions.ts";
import type { ConversationHead, OpenThread } from "./storage/conversation-head.ts";
import { toSendCommand, type InstanceRecord, type InstanceStart } from "./instance-start.ts";
import type { EventLog } from "./event-log.ts";
import {
  countQueued,
  MAX_WAITING_RUNS,
  enqueueThread,
  createMessageDraft,
  createSystemDraft,
  type ThreadPosition,
} from "./threads/thread-queue.ts";
import type { CommandRequest, ConversationStore } from "./storage/conversation-store.ts";

/** One instance per loaded conversation. */
export class Inbox {
  readonly #log: EventLog;
  readonly #store: ConversationStore;
  readonly #settings: Settings;
  readonly #questions: PendingQuestions;
  readonly #onAccepted: (threadId: string) => void;

  /** `onAccepted` is called with each thread id after the thread was stored. */
  constructor(
    log: EventLog,
    { store, settings }: { readonly store: ConversationStore; readonly settings: Settings },
    questions: PendingQuestions,
    onAccepted: (threadId: string) => void,
  ) {
    this.#log = log;
    this.#store = store;
    this.#settings = settings;
    this.#questions = questions;
    this.#onAccepted = onAccepted;
  }

  /**
   * Accepts a message: as a new thread if no question is open, otherwise as an answer (`conflict` if several are open).
   * `before` are drafts that precede a new thread. Idempotent by command id. Throws `too_many_requests` if the queue is
   * full, or the `Fault` of an answer that is not accepted.
   */
  acceptMessage(commandId: string, request: SendCommand, before: readonly EventDraft[]): ThreadPosition {
    this.#questions.expireDue();
    if (this.#store.listOpenQuestions().length === 0) return this.#startThread(commandId, request, before);
    return this.acceptAnswer(commandId, { message: request.message });
  }

  /** As `PendingQuestions.acceptAnswer`. */
  acceptAnswer(commandId: string, resume: ResumeCommand): ThreadPosition {
    return this.#questions.acceptAnswer(commandId, resume);
  }

  /** Stores a message as a new thread. From here on it will be answered, even if the host dies. */
  #startThread(commandId: string, request: SendCommand, before: readonly EventDraft[]): ThreadPosition {
    const known = this.findCommand(commandId);
    if (known !== null) return known;
    this.#checkQueueLimit();
    return this.#storeThread(commandId, request, (threadId) => [...before, createMessageDraft(threadId, request)], {});
  }

  /**
   * Returns false if the command was carried out before. Throws `too_many_requests` if the message would start a thread
   * and the queue is full.
   */
  isNewCommand(commandId: string): boolean {
    if (this.findCommand(commandId) !== null) return false;
    if (this.#store.listOpenQuestions().length === 0) this.#checkQueueLimit();
    return true;
  }

  #checkQueueLimit(): void {
    if (countQueued(this.#log.head).waiting < this.#settings.MAX_QUEUED_THREADS) return;
    throw createFault("too_many_requests", "conversation.queueFull");
  }

  /** Returns the position that an earlier command with this id created; null if the id is new. */
  findCommand(commandId: string): ThreadPosition | null {
    return this.#store.getCommand(commandId);
  }

  /** Records a command that starts no thread, so that its repetition returns the same result. */
  recordCommand(commandId: string, { thread_id, seq }: ThreadPosition, request: CancelCommand): void {
    this.#store.putCommand(commandId, { thread_id, seq, request });
  }

  /**
   * Stores a schedule run as a thread; `also` adds writes to its transaction. Idempotent by command id. Throws
   * `too_many_requests` and stores nothing if `MAX_WAITING_RUNS` runs are open.
   */
  startScheduleRun(
    commandId: string,
    tick: ScheduleTick,
    schedule: Schedule,
    also: (threadId: string) => void,
  ): ThreadPosition {
    const { query: message, agent_name: agent, language, schedule_config, title, schedule_id } = schedule;
    const { timezone } = schedule_config;
    const known = this.findCommand(commandId);
    if (known !== null) return known;
    if (countQueued(this.#log.head).runs >= MAX_WAITING_RUNS) {
      throw createFault("too_many_requests", "conversation.runQueueFull");
    }
    const request: SendCommand = {
      message,
      agent,
      ...(language === undefined ? {} : { language }),
      ...(timezone === undefined ? {} : { timezone }),
    };
    return this.#storeThread(
      commandId,
      request,
      (threadId) => [createSystemDraft(threadId, title, schedule_id)],
      { tick },
      also,
    );
  }

  /**
   * Stores the single thread that executes a workflow instance, and its record in the head. The conversation must be
   * new; a repeated command id throws.
   */
  startInstance(
    commandId: string,
    start: InstanceStart,
    instance: Omit<InstanceRecord, "thread_id" | "seq">,
    before: readonly EventDraft[],
  ): InstanceRecord {
    const message = toSendCommand(start);
    const mark = (head: ConversationHead, begun: ThreadPosition): ConversationHead => ({
      ...head,
      instance: { ...instance, ...begun },
    });
    const createDrafts = (threadId: string) => [...before, createMessageDraft(threadId, message)];
    const begun = this.#storeThread(commandId, start, createDrafts, { is_instance: true }, undefined, mark);
    return { ...instance, ...begun };
  }

  /** Stores command, thread, head and first events in one transaction. The last draft is the `thread_started` event. */
  #storeThread(
    commandId: string,
    request: CommandRequest,
    createDrafts: (threadId: string) => readonly EventDraft[],
    kind: Pick<OpenThread, "tick" | "is_instance">,
    also: (threadId: string) => void = () => {},
    mark: (head: ConversationHead, begun: ThreadPosition) => ConversationHead = (head) => head,
  ): ThreadPosition {
    const threadId = createId("th");
    const getLastSeq = (frames: readonly Frame[]): number =>
      ensurePresent(frames.at(-1), "the beginning of a thread").seq;
    const frames = this.#log.publish(
      createDrafts(threadId),
      (head, published) => {
        const begun = { thread_id: threadId, seq: getLastSeq(published) };
        return mark(enqueueThread(head, { ...begun, command_id: commandId, attempts: 0, ...kind }), begun);
      },
      (published) => {
        this.#store.putCommand(commandId, { thread_id: threadId, seq: getLastSeq(published), request });
        also(threadId);
      },
    );
    this.#onAccepted(threadId);
    return { thread_id: threadId, seq: getLastSeq(frames) };
  }
}
