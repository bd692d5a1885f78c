// The Durable Object of one conversation: the entry points of RPC, alarm, jobs and sockets.
//
// Owns the lifetime of the loaded state (`ConversationState`): it is loaded from storage on first use, created by
// `create`, `send` or `startInstance`, and discarded by `remove`. The object contains no logic of threads, log or
// sockets; it validates, loads, delegates, and returns an
// `InternalResult`.
//
// Invariants:
//   U1. The user id is part of the object's name. No input of a client changes it.
//   L3. A command is stored before its method resolves; the work starts afterwards.
//   - While a thread can run, an alarm is set, also during `alarm` itself.
// Calls may interleave at every `await`. After an `await`, load the state again: the conversation may have been
// deleted.

import { DurableObject } from "cloudflare:workers";
import { Lifecycle, type LifecycleJobContext } from "agents/lifecycle";
import type { EventDraft } from "../../core/ports.ts";
import { buildQuestionContext } from "../../core/turn/questions.ts";
import type { Env } from "../../env.ts";
import { ensurePresent } from "../../lib/assert.ts";
import type { PushConfig } from "../../protocol/agents/a2a-push.ts";
import {
  cancelCommandSchema,
  resumeCommandSchema,
  sendCommandSchema,
  type CancelCommand,
  type ResumeCommand,
  type SendCommand,
} from "../../protocol/wire/commands.ts";
import type { ConversationInfo, UpdateConversationRequest } from "../../protocol/wire/conversation-info.ts";
import type { Frame } from "../../protocol/wire/events.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { parseOrThrow } from "../../protocol/wire/fault.ts";
import type { Item } from "../../protocol/wire/items.ts";
import type {
  WorkflowInstanceDetails,
  ResumeInstanceRequest,
  StartedInstance,
} from "../../protocol/workflows/workflow-instance.ts";
import type { Plan, Task, TaskStatus } from "../../protocol/plans/task-plan.ts";
import type { QuestionContext } from "../../protocol/wire/question.ts";
import type {
  ScheduleRunResultList,
  Schedule,
  UpdatedSchedule,
  UpdateScheduleRequest,
} from "../../protocol/schedules/schedule.ts";
import { getSettings } from "../../settings.ts";
import {
  captureResult,
  parseObjectName,
  type AcceptedCommand,
  type ConversationApi,
  type EventPage,
  type InternalResult,
} from "../conversation-api.ts";
import type { PushChange, SendOptions, ThreadRecordPage, ThreadQuery } from "../conversation-api.ts";
import { Broadcaster } from "./broadcaster.ts";
import { CommandStore } from "./storage/command-store.ts";
import { createHead, type ConversationHead } from "./storage/conversation-head.ts";
import { DirectorySync, pickSooner } from "./directory-sync.ts";
import { formatInstanceTitle, type InstanceStart } from "./instance-start.ts";
import { LEASE_MS } from "./threads/lease.ts";
import { createConversationState, type ConversationState } from "./conversation-state.ts";
import { ConversationOutbox } from "./deliveries/outbox.ts";
import { validateCommand, validateCommandId, type ThreadPosition } from "./threads/thread-queue.ts";
import { assertThreadExists, readThreadRecords } from "./threads/thread-records.ts";
import { ScheduleStore } from "./storage/schedule-store.ts";
import { isScheduleItem } from "./conversation-schedules.ts";
import { SocketHandler } from "./socket-handler.ts";
import { createSql } from "../sql.ts";
import { ConversationStore } from "./storage/conversation-store.ts";
import type { ThreadSupervisor } from "./threads/thread-supervisor.ts";
import { createRateLimitClient } from "../rate-limit/rate-limit-client.ts";
import { createBasePorts } from "./create-ports.ts";

const STARTED_DRAFT: EventDraft = { event: "conversation_started", data: { role: "system" } };

/** Registered as a Durable Object; `ConversationApi` documents the methods. */
export class Conversation extends DurableObject<Env> implements ConversationApi {
  readonly #settings = getSettings(this.env);
  readonly #name = parseObjectName(ensurePresent(this.ctx.id.name, "the name of the object"));
  readonly #store = new ConversationStore(createSql(this.ctx.storage));
  readonly #scheduleStore = new ScheduleStore(createSql(this.ctx.storage));
  readonly #broadcaster = new Broadcaster(this.ctx.getWebSockets());
  readonly #basePorts = createBasePorts(this.env, this.#settings, this.#name, () => this.#scheduleStore.list().length);
  readonly #commands = new CommandStore(createSql(this.ctx.storage));
  readonly #outbox = new ConversationOutbox(createSql(this.ctx.storage), {
    schedules: this.#scheduleStore,
    commands: this.#commands,
    settings: this.#settings,
    jobs: () => this.lifecycle.jobs,
    onChanged: () =>
      this.#directorySync.markSchedulesChanged(
        ensurePresent(this.#state, "an open conversation").log.head.conversation,
      ),
  });
  readonly #directorySync = new DirectorySync(
    this.env.DB,
    () => this.#scheduleStore.list(),
    (time, removed) => this.lifecycle.jobs.push({ id: `index${removed ?? ""}`, fn: "index", time, payload: removed }),
    () => this.#state?.log ?? null,
  );
  readonly lifecycle = Lifecycle.install(this).use(
    new SocketHandler(this.ctx, this.#broadcaster, this.#settings, {
      log: () => this.#requireState().log,
      store: this.#store,
      api: this,
    }),
  );
  readonly #rateLimit = createRateLimitClient(this.env, this.#settings, this.#name);
  #state: ConversationState | null = null;

  /** T4. Resumes threads of a host that died as soon as the object is used. */
  onStart(): void {
    this.#findState()?.threads.wake();
  }

  /**
   * While this method runs, the lifecycle's alarm is set to 30 s from now, so that a host that dies here is replaced.
   * That is why the lifecycle starts, which takes time, under the alarm that has fired.
   */
  override async alarm(): Promise<void> {
    if ((await this.#state?.threads.extendLease()) === true) return;
    // The lifecycle logs a failed start and tries again.
    await this.lifecycle.start().catch(() => undefined);
    await this.lifecycle.alarm();
  }

  /**
   * Runs a due job: `turns` (lease), `deliver` (outbox), `index` (directory). Returns the time of its next run, if any.
   */
  async onJob({ job }: LifecycleJobContext): Promise<undefined | { rescheduleAt: number }> {
    const found = this.#findState();
    const next = job.fn === "turns" ? found?.threads.handleAlarm() : undefined;
    // The last alarm for a long time ends only after the directory has been updated.
    if (job.fn === "turns" && (found === null || found.threads.hasWork || this.#directorySync.isUpToDate)) return next;
    // The following calls wait for other services, and a new thread may need an alarm meanwhile.
    await this.ctx.storage.setAlarm(Date.now() + LEASE_MS);
    if (job.fn === "deliver") return found === null ? undefined : this.#outbox.deliver();
    return pickSooner(
      await this.#directorySync.flush(found?.log.head.conversation ?? null, this.#name, job.payload),
      next,
    );
  }

  create(title?: string): Promise<InternalResult<ConversationInfo>> {
    return captureResult(async () => {
      if (this.#findState() === null) {
        this.#createState(title).log.publish([STARTED_DRAFT], (head) => ({ ...head }));
        // The lease's alarm updates the directory if we cannot. The first message usually follows soon and finds this
        // lease.
        await this.#requireState().threads.ensureAlarm();
      }
      return this.#requireState().log.head.conversation;
    });
  }

  read(): Promise<InternalResult<ConversationInfo>> {
    return captureResult(() => this.#requireState().log.head.conversation);
  }

  update({ title, status }: UpdateConversationRequest): Promise<InternalResult<ConversationInfo>> {
    return captureResult(async () => {
      const { log } = this.#requireState();
      const changes = { ...(title === undefined ? {} : { title }), ...(status === undefined ? {} : { status }) };
      const updated = { ...log.head.conversation, ...changes, updated_at: Date.now() };
      log.publish([], (head) => ({ ...head, conversation: updated }));
      await this.#directorySync.writeWithReminder(log.head.conversation);
      return log.head.conversation;
    });
  }

  remove(): Promise<InternalResult<{ conversation_id: string; deleted: true }>> {
    return captureResult(async () => {
      const { log, threads } = this.#requireState();
      threads.close();
      log.close();
      this.#state = null;
      for (const stored of [this.#store, this.#scheduleStore, this.#outbox]) stored.clear();
      this.#broadcaster.closeAll(4404, "The conversation was deleted");
      await Promise.all([this.lifecycle.jobs.cancel("turns"), this.#directorySync.setReminder()]);
      await this.#directorySync.remove(this.#name);
      return { conversation_id: this.#name.conversationId, deleted: true as const };
    });
  }

  send(
    commandId: string,
    message: SendCommand,
    { create, title, push }: SendOptions,
  ): Promise<InternalResult<AcceptedCommand>> {
    return captureResult(async () => {
      const id = validateCommandId(commandId);
      const validMessage = validateCommand(sendCommandSchema, message, this.#settings.MAX_MESSAGE_BYTES);
      if (push !== undefined) this.#outbox.pushes.checkUrl(push);
      // Count only messages that will start a thread: not rejected ones, and not repeated ones.
      const existing = create ? this.#findState() : this.#requireState();
      if (existing?.threads.inbox.isNewCommand(id) ?? true) await this.#rateLimit.acquire(id);
      const isFirst = create && this.#findState() === null;
      const { threads } = isFirst ? this.#createState(title) : this.#requireState();
      const begun = threads.inbox.acceptMessage(id, validMessage, isFirst ? [STARTED_DRAFT] : []);
      const accepted = this.#startAccepted(threads, begun, isFirst);
      // Register before the thread can publish anything. If registration fails, the thread runs all the same.
      if (push !== undefined) this.#outbox.pushes.put(begun.thread_id, push);
      return accepted;
    });
  }

  /** RPC of `GrantHolderApi`: returns the number of unused prefetched messages and forgets them. */
  giveBack(): Promise<number> {
    return Promise.resolve(this.#rateLimit.releaseUnused());
  }

  resume(commandId: string, reply: ResumeCommand): Promise<InternalResult<AcceptedCommand>> {
    return captureResult(async () => {
      const id = validateCommandId(commandId);
      const validReply = validateCommand(resumeCommandSchema, reply, this.#settings.MAX_MESSAGE_BYTES);
      const { threads } = this.#requireState();
      return this.#startAccepted(threads, threads.inbox.acceptAnswer(id, validReply));
    });
  }

  cancel(commandId: string, target: CancelCommand): Promise<InternalResult<{ cancelled: string[] }>> {
    return captureResult(async () => {
      const { task_id: id = "", thread_id: thread } = parseOrThrow(cancelCommandSchema, target);
      // Without a target, cancel refers to messages sent before it, including those that still wait for the rate
      // limiter.
      if (id === "" && thread === undefined) await this.#rateLimit.waitForPending();
      const { threads, schedules } = this.#requireState();
      if (this.#scheduleStore.get(id) === null) return { cancelled: await threads.cancel(target, commandId) };
      return { cancelled: await schedules.removeByCommand(id, commandId) };
    });
  }

  /** The due time of the directory may be outdated, so it is ignored: the stored schedule decides what is due. */
  tick(scheduleId: string, _dueAt: number): Promise<InternalResult<{ next_run_at: number | null }>> {
    return captureResult(async () => {
      const { schedules, threads } = this.#requireState();
      const next_run_at = schedules.tick(scheduleId);
      await threads.ensureRunning();
      return { next_run_at };
    });
  }

  schedule(scheduleId: string): Promise<InternalResult<Schedule>> {
    return captureResult(() => this.#requireState().schedules.read(scheduleId));
  }

  updateSchedule(scheduleId: string, patch: UpdateScheduleRequest): Promise<InternalResult<UpdatedSchedule>> {
    return captureResult(() => this.#requireState().schedules.update(scheduleId, patch));
  }

  runSchedule(commandId: string, scheduleId: string): Promise<InternalResult<AcceptedCommand>> {
    return captureResult(async () => {
      const { schedules, threads } = this.#requireState();
      return this.#startAccepted(threads, schedules.runNow(commandId, scheduleId));
    });
  }

  removeSchedule(scheduleId: string): Promise<InternalResult<{ schedule_id: string; deleted: true }>> {
    return captureResult(async () => {
      await this.#requireState().schedules.remove(scheduleId);
      return { schedule_id: scheduleId, deleted: true as const };
    });
  }

  runResults(scheduleId: string, limit: number, before?: number): Promise<InternalResult<ScheduleRunResultList>> {
    return captureResult(() => this.#requireState().schedules.listResults(scheduleId, limit, before));
  }

  startInstance(commandId: string, start: InstanceStart): Promise<InternalResult<StartedInstance>> {
    return captureResult(async () => {
      const found = this.#findState();
      if (found !== null) return found.instances.getStarted(commandId);
      const { threads, instances } = this.#createState(formatInstanceTitle(start));
      const started = instances.start(commandId, start, [STARTED_DRAFT]);
      await threads.ensureRunning();
      return started;
    });
  }

  instance(): Promise<InternalResult<WorkflowInstanceDetails>> {
    return captureResult(() => this.#requireState().instances.read());
  }

  resumeInstance(commandId: string, resume: ResumeInstanceRequest): Promise<InternalResult<StartedInstance>> {
    return captureResult(async () => {
      const { threads, instances } = this.#requireState();
      const resumed = instances.resume(commandId, resume);
      await threads.ensureRunning();
      return resumed;
    });
  }

  cancelInstance(): Promise<InternalResult<WorkflowInstanceDetails>> {
    return captureResult(() => this.#requireState().instances.cancel());
  }

  events(after: number, limit: number, task?: string): Promise<InternalResult<EventPage<Frame>>> {
    return captureResult(() => this.#requireState().log.readPage(after, limit, task));
  }

  items(task?: string): Promise<InternalResult<Item[]>> {
    const isListed = (item: Item): boolean => task !== undefined || !isScheduleItem(item);
    return captureResult(() => this.#requireState().log.readItems(task).filter(isListed));
  }

  plans(): Promise<InternalResult<Plan[]>> {
    return captureResult(() => [...this.#requireState().log.readPlans()]);
  }

  tasks({ status }: { status?: TaskStatus }): Promise<InternalResult<Task[]>> {
    return captureResult(() => this.#requireState().log.readTasks(status));
  }

  context(task?: string): Promise<InternalResult<QuestionContext>> {
    return captureResult(() => {
      this.#requireState();
      const open = this.#store.listOpenQuestions().filter(({ task_id }) => task === undefined || task_id === task);
      return buildQuestionContext(open, this.#name);
    });
  }

  threads(query: ThreadQuery): Promise<InternalResult<ThreadRecordPage>> {
    return captureResult(() => readThreadRecords(this.#requireState().log, this.#commands, query));
  }

  pushes(threadId: string, change?: PushChange): Promise<InternalResult<PushConfig[]>> {
    return captureResult(() => {
      this.#requireState();
      return this.#outbox.pushes.applyChange(threadId, change);
    });
  }

  follow(after: number, thread?: string): Promise<InternalResult<ReadableStream<Uint8Array>>> {
    return captureResult(() => {
      const { log, threads } = this.#requireState();
      if (thread !== undefined) assertThreadExists(log, this.#commands, thread);
      const stream = this.#broadcaster.openStream((seq) => log.readFrames(seq), after, thread ?? null);
      if (thread !== undefined && threads.isPaused(thread)) log.endThreadStreams(thread);
      return stream;
    });
  }

  /** Starts the stored work and returns its position. */
  async #startAccepted(
    threads: ThreadSupervisor,
    { thread_id, seq }: ThreadPosition,
    is_first = false,
  ): Promise<AcceptedCommand> {
    await threads.ensureRunning();
    return { conversation_id: this.#name.conversationId, thread_id, seq, is_first };
  }

  /** Returns the loaded state, loading it from storage if needed; null if the conversation does not exist. */
  #findState(): ConversationState | null {
    const head = this.#state === null ? this.#store.loadHead() : null;
    if (head !== null) {
      this.#state = this.#buildState(head);
      this.#outbox.setDeliveryJob();
    }
    return this.#state;
  }

  /** Returns the loaded state and resumes its threads. Throws `not_found` if the conversation does not exist. */
  #requireState(): ConversationState {
    const found = this.#findState();
    if (found === null) throw createFault("not_found", "conversation.notFound");
    found.threads.wake();
    return found;
  }

  /** Creates the state of a new conversation. The caller's first `publish` stores it. */
  #createState(title?: string): ConversationState {
    this.#store.migrate();
    return (this.#state = this.#buildState(createHead(this.#name, title)));
  }

  #buildState(head: ConversationHead): ConversationState {
    return createConversationState(head, {
      store: this.#store,
      settings: this.#settings,
      basePorts: this.#basePorts,
      schedules: this.#scheduleStore,
      jobs: () => this.lifecycle.jobs,
      setAlarm: (time) => this.ctx.storage.setAlarm(time),
      reset: (reason) => this.ctx.abort(reason),
      broadcaster: this.#broadcaster,
      directorySync: this.#directorySync,
      outbox: this.#outbox,
    });
  }
}
