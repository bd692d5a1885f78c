// The operations of one conversation, as the Worker calls them: `ConversationApi` is their RPC form.
//
// Owns no state: it loads the conversation, delegates, and throws a `Fault`. The callers have validated the input. Every
// operation except `create`, `startInstance`, `redeemTicket` and `send` with `create` throws `not_found` if the conversation does not
// exist. The same conversation id of another user is a different object, and a client cannot distinguish it from a
// missing one (U1).

import { buildQuestionContext } from "../../core/turn/questions.ts";
import { computeSha256 } from "../../lib/sha256.ts";
import { createToken } from "../../lib/token.ts";
import type { Plan, Task, TaskStatus } from "../../protocol/plans/task-plan.ts";
import type {
  Schedule,
  ScheduleRunResultList,
  UpdatedSchedule,
  UpdateScheduleRequest,
} from "../../protocol/schedules/schedule.ts";
import type { CancelCommand, ResumeCommand, SendCommand } from "../../protocol/wire/commands.ts";
import type { ConversationInfo, UpdateConversationRequest } from "../../protocol/wire/conversation-info.ts";
import type { Frame } from "../../protocol/wire/events.ts";
import type { Item } from "../../protocol/wire/items.ts";
import type { QuestionContext } from "../../protocol/wire/question.ts";
import type {
  ResumeInstanceRequest,
  StartedInstance,
  WorkflowInstanceDetails,
} from "../../protocol/workflows/workflow-instance.ts";
import type {
  AcceptedCommand,
  ConversationKey,
  EventPage,
  PushChange,
  RedeemedTicket,
  SendOptions,
  ThreadQuery,
  ThreadRecordPage,
} from "../conversation-api.ts";
import type { Rpc } from "../rpc.ts";
import { STARTED_DRAFT, startThreads, type Inbox } from "./accept.ts";
import type { Broadcaster } from "./broadcaster.ts";
import { isScheduleItem } from "./schedule-events.ts";
import type { ConversationLoader } from "./conversation-state.ts";
import type { PushNotifications } from "./deliveries/push-notifications.ts";
import type { PushView } from "./deliveries/sealed-receiver.ts";
import type { DirectorySync } from "./directory-sync.ts";
import { formatInstanceTitle, type InstanceStart } from "./instance-start.ts";
import type { ConversationStore } from "./storage/conversation-store.ts";
import type { TicketStore } from "./storage/ticket-store.ts";
import type { ThreadRecords } from "./threads/thread-records.ts";

/** The RPC interface of the object with the name `formatObjectName(user, conversation)`. */
export type ConversationApi = Rpc<ConversationOperations>;

/** How long a ticket is valid. */
const TICKET_LIFETIME_MS = 30_000;

type OperationDeps = {
  readonly name: ConversationKey;
  readonly loader: ConversationLoader;
  readonly inbox: Inbox;
  readonly store: ConversationStore;
  readonly records: ThreadRecords;
  readonly pushes: PushNotifications;
  readonly tickets: TicketStore;
  readonly broadcaster: Broadcaster;
  readonly directorySync: DirectorySync;
  /** Deletes all stored rows of the conversation. */
  readonly clear: () => void;
  /** Cancels the alarm of the threads. */
  readonly cancelAlarm: () => Promise<unknown>;
};

/** One instance per object. Every public method is an RPC method: names and argument shapes are wire. */
export class ConversationOperations {
  readonly #deps: OperationDeps;

  constructor(deps: OperationDeps) {
    this.#deps = deps;
  }

  /** Creates the conversation if it does not exist, then with `title`, and returns it. */
  async create(title?: string): Promise<ConversationInfo> {
    const { loader } = this.#deps;
    if (loader.find() === null) {
      const { log, threads } = loader.create(title);
      log.publish([STARTED_DRAFT], (head) => ({ ...head }));
      // The lease's alarm updates the directory if we cannot. The first message usually follows soon and finds this
      // lease.
      await threads.ensureAlarm();
    }
    return this.read();
  }

  read(): ConversationInfo {
    return this.#deps.loader.wake().log.head.conversation;
  }

  async update({ title, status }: UpdateConversationRequest): Promise<ConversationInfo> {
    const { log } = this.#deps.loader.wake();
    const changes = { ...(title === undefined ? {} : { title }), ...(status === undefined ? {} : { status }) };
    const updated = { ...log.head.conversation, ...changes, updated_at: Date.now() };
    log.publish([], (head) => ({ ...head, conversation: updated }));
    await this.#deps.directorySync.writeWithReminder(log.head.conversation);
    return log.head.conversation;
  }

  /** Deletes the conversation with all its data, stops its work and closes its subscribers. */
  async remove(): Promise<{ conversation_id: string; deleted: true }> {
    const { loader, broadcaster, directorySync, name, clear, cancelAlarm } = this.#deps;
    loader.wake();
    loader.discard();
    clear();
    broadcaster.closeAll(4404, "The conversation was deleted");
    await Promise.all([cancelAlarm(), directorySync.setReminder()]);
    await directorySync.remove(name);
    return { conversation_id: name.conversationId, deleted: true };
  }

  /**
   * Issues a ticket that opens one socket within 30 s, but not after `until`, when the socket would be closed (ms since
   * the epoch; null: never). With `task`, it is the socket of this task.
   */
  async issueTicket(until: number | null, task = ""): Promise<{ key: string; expires_at: number }> {
    const key = createToken();
    const hash = await computeSha256(key);
    this.#deps.loader.get();
    const expires_at = Math.min(Date.now() + TICKET_LIFETIME_MS, until ?? Infinity);
    this.#deps.tickets.add(hash, { task, expires_at, until });
    return { key, expires_at };
  }

  /** Invalidates a ticket and returns until when its socket may stay open; null if the ticket is not valid. */
  async redeemTicket(key: string, task = ""): Promise<RedeemedTicket | null> {
    const ticket = this.#deps.tickets.take(await computeSha256(key));
    if (ticket === null || ticket.expires_at < Date.now() || ticket.task !== task) return null;
    return { until: ticket.until };
  }

  /** As `Inbox.acceptMessage`. Idempotent by `commandId` (T2). */
  send(commandId: string, message: SendCommand, options: SendOptions): Promise<AcceptedCommand> {
    return this.#deps.inbox.acceptMessage(commandId, message, options);
  }

  /**
   * Answers an open question, the only one if the answer names none. Idempotent by `commandId`. Throws `not_found`,
   * `question_answered`, `question_expired`, `question_cancelled`, `conflict` (none or several open) or
   * `unprocessable`.
   */
  resume(commandId: string, answer: ResumeCommand): Promise<AcceptedCommand> {
    return this.#deps.inbox.acceptAnswer(commandId, answer);
  }

  /**
   * Stops a thread or a task, or deletes a schedule (`task_id` is its id); without a target, stops the oldest open
   * message. Returns the one id that was stopped. `not_found` if the target is not active, `conflict` if the task has
   * ended. Idempotent by `commandId`.
   */
  async cancel(commandId: string, target: CancelCommand): Promise<{ cancelled: string[] }> {
    return { cancelled: await this.#deps.inbox.cancel(commandId, target) };
  }

  /**
   * Handles a due tick. The stored schedule decides what is due, so `dueAt` is ignored. Returns the next due time in ms
   * since the epoch, null while the schedule is paused; `not_found` after its deletion (S3). Repeating a tick changes
   * nothing (S1).
   */
  async tick(scheduleId: string, _dueAt: number): Promise<{ next_run_at: number | null }> {
    const { schedules, threads } = this.#deps.loader.wake();
    const next_run_at = schedules.tick(scheduleId);
    await threads.ensureRunning();
    return { next_run_at };
  }

  schedule(scheduleId: string): Schedule {
    return this.#deps.loader.wake().schedules.read(scheduleId);
  }

  /** Changes the given fields of a schedule. `webhook_secret` is returned only if the change sets the webhook. */
  updateSchedule(scheduleId: string, patch: UpdateScheduleRequest): Promise<UpdatedSchedule> {
    return this.#deps.loader.wake().schedules.update(scheduleId, patch);
  }

  /**
   * Runs the schedule at once, in addition to its due times. `conflict` while a run of it is in progress. Idempotent by
   * `commandId`.
   */
  runSchedule(commandId: string, scheduleId: string): Promise<AcceptedCommand> {
    const state = this.#deps.loader.wake();
    return startThreads(state, state.schedules.runNow(commandId, scheduleId));
  }

  async removeSchedule(scheduleId: string): Promise<{ schedule_id: string; deleted: true }> {
    await this.#deps.loader.wake().schedules.remove(scheduleId);
    return { schedule_id: scheduleId, deleted: true };
  }

  /** Returns run results, newest first. With `before`, only those with an earlier due time (ms since the epoch). */
  runResults(scheduleId: string, limit: number, before?: number): ScheduleRunResultList {
    return this.#deps.loader.wake().schedules.listResults(scheduleId, limit, before);
  }

  /**
   * Creates this conversation as a workflow instance and starts it. Idempotent by `commandId`. `conflict` if another
   * command has created the conversation.
   */
  async startInstance(commandId: string, start: InstanceStart): Promise<StartedInstance> {
    const { loader } = this.#deps;
    const found = loader.find();
    if (found !== null) return found.instances.getStarted(commandId, start);
    const { threads, instances } = loader.create(formatInstanceTitle(start));
    const started = instances.start(commandId, start);
    await threads.ensureRunning();
    return started;
  }

  /** Returns the instance; `not_found`, as the next two methods, if the conversation is not an instance. */
  instance(): Promise<WorkflowInstanceDetails> {
    return this.#deps.loader.wake().instances.read();
  }

  /**
   * Retries the steps at which the instance is held, with new context values by task id. `conflict` if it is not held,
   * `unprocessable` for an unknown task. Idempotent by `commandId`.
   */
  async resumeInstance(commandId: string, resume: ResumeInstanceRequest): Promise<StartedInstance> {
    const { threads, instances } = this.#deps.loader.wake();
    const resumed = await instances.resume(commandId, resume);
    await threads.ensureRunning();
    return resumed;
  }

  cancelInstance(): Promise<WorkflowInstanceDetails> {
    return this.#deps.loader.wake().instances.cancel();
  }

  /**
   * Returns at most `limit` frames with `seq > after`, oldest first; `seq_unknown` if `after` was never assigned. With
   * `task`, only frames of that task.
   */
  events(after: number, limit: number, task?: string): EventPage<Frame> {
    return this.#deps.loader.wake().log.readPage(after, limit, task);
  }

  /** Folds the log to its items. With `task`, only that task's; without, all except those of schedule runs. */
  async items(task?: string): Promise<Item[]> {
    const items = await this.#deps.loader.wake().log.readItems(task);
    return task === undefined ? items.filter((item) => !isScheduleItem(item)) : items;
  }

  async plans(): Promise<Plan[]> {
    return [...(await this.#deps.loader.wake().log.readPlans())];
  }

  /** Returns the tasks with this status, or only the task with this id. */
  async tasks({ status, task_id }: { status?: TaskStatus; task_id?: string }): Promise<Task[]> {
    const tasks = await this.#deps.loader.wake().log.readTasks(status);
    return task_id === undefined ? tasks : tasks.filter((task) => task.task_id === task_id);
  }

  /**
   * Returns the open questions and the stages at which their threads paused, without secrets. With `task`, only that
   * task's.
   */
  context(task?: string): QuestionContext {
    const { loader, store, name } = this.#deps;
    loader.wake();
    const open = store.listOpenQuestions().filter(({ task_id }) => task === undefined || task_id === task);
    return buildQuestionContext(open, name);
  }

  /** Returns threads that commands started; `not_found` if the thread named by id does not exist. */
  threads(query: ThreadQuery): Promise<ThreadRecordPage> {
    return this.#deps.records.readPage(this.#deps.loader.wake().log, query);
  }

  /**
   * Returns the push notifications of a thread without their secrets, ordered by id, after applying `change`: `put` adds or replaces,
   * `remove` is idempotent. `invalid_request` if the URL is not allowed or there are too many.
   */
  async pushes(threadId: string, change?: PushChange): Promise<PushView[]> {
    this.#deps.loader.wake();
    return this.#deps.pushes.applyChange(threadId, change);
  }

  /**
   * Streams frames with `seq > after` as JSON lines, then live frames. With `thread`, only frames of that thread: the
   * stream ends after its `done`, or when it pauses. Otherwise it stays open until the reader cancels. `seq_unknown` if
   * `after` was never assigned, `not_found` for an unknown thread.
   */
  follow(after: number, thread?: string): ReadableStream<Uint8Array> {
    const { loader, records, broadcaster } = this.#deps;
    const { log, threads } = loader.wake();
    if (thread !== undefined && !threads.isOpen(thread)) records.get(thread);
    const stream = broadcaster.openStream((seq) => log.readFrames(seq), after, thread ?? null);
    if (thread !== undefined && threads.isPaused(thread)) log.endThreadStreams(thread);
    return stream;
  }
}
