// The Durable Object of one conversation: the entry points of RPC, alarm, jobs and sockets.
//
// Owns the lifetime of the loaded state (`ConversationState`): it is loaded from storage on first use, created by
// `create`, `send` or `startInstance`, and discarded by `remove`. The object contains no logic of threads, log or
// sockets; it validates, loads, delegates, and returns a `Result`.
//
// Invariants:
//   U1. The user id is part of the object's name. No input of a client changes it.
//   L3. A command is stored before its method resolves; the work starts afterwards.
//   I26. While a thread can run, an alarm is set, also during `alarm` itself.
// Calls may interleave at every `await`. After an `await`, load the state again: the conversation may have been
// deleted.

import { DurableObject } from "cloudflare:workers";
import { Lifecycle, type LifecycleJobContext } from "agents/lifecycle";
import type { Draft } from "../core/ports.ts";
import { contextOf } from "../core/questions.ts";
import type { Env } from "../env.ts";
import { must } from "../protocol/assert.ts";
import type { Push } from "../protocol/a2a-push.ts";
import { cancelSchema, resumeSchema, sendSchema, type Cancel, type Resume, type Send } from "../protocol/commands.ts";
import type { Conversation as ConversationInfo, UpdateConversation } from "../protocol/conversation.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault, parseWith } from "../protocol/fault.ts";
import type { Item } from "../protocol/items.ts";
import type { PlanInstance, ResumeInstance, StartedInstance } from "../protocol/plan-instance.ts";
import type { Plan, Task, TaskStatus } from "../protocol/plan.ts";
import type { Context } from "../protocol/question.ts";
import type { RunResults, Schedule, UpdatedSchedule, UpdateSchedule } from "../protocol/recurring.ts";
import { settingsOf } from "../settings.ts";
import { answer, nameParts, type Accepted, type ConversationApi, type Page, type Result } from "./api.ts";
import type { PushChange, SendOptions, ThreadRecords, ThreadsWanted } from "./api.ts";
import { Audience } from "./audience.ts";
import { CommandStore } from "./command-store.ts";
import { newHead, type Head } from "./head.ts";
import { Indexing, sooner } from "./indexing.ts";
import { titleOf, type InstanceStart } from "./instance-start.ts";
import { LEASE_MS } from "./lease.ts";
import { opened, type Opened } from "./opened.ts";
import { Outbox } from "./outbox.ts";
import { admitted, commandOf, type Begun } from "./queue.ts";
import { checkThread, recordsOf } from "./records.ts";
import { ScheduleStore } from "./schedule-store.ts";
import { isOfSchedule } from "./schedules.ts";
import { Sockets } from "./sockets.ts";
import { sqlOf } from "./sql.ts";
import { Store } from "./store.ts";
import type { Threads } from "./threads.ts";
import { turnstileOf } from "./turnstile.ts";
import { worldOf } from "./world.ts";

const STARTED: Draft = { event: "conversation_started", data: { role: "system" } };

export class Conversation extends DurableObject<Env> implements ConversationApi {
  readonly #settings = settingsOf(this.env);
  readonly #name = nameParts(must(this.ctx.id.name, "the name of the object"));
  readonly #store = new Store(sqlOf(this.ctx.storage));
  readonly #scheduleStore = new ScheduleStore(sqlOf(this.ctx.storage));
  readonly #audience = new Audience(this.ctx.getWebSockets());
  readonly #world = worldOf(this.env, this.#settings, this.#name, () => this.#scheduleStore.all().length);
  readonly #commands = new CommandStore(sqlOf(this.ctx.storage));
  readonly #outbox = new Outbox(sqlOf(this.ctx.storage), {
    schedules: this.#scheduleStore,
    commands: this.#commands,
    settings: this.#settings,
    jobs: () => this.lifecycle.jobs,
    changed: () => this.#indexing.schedulesChanged(must(this.#opened, "an open conversation").log.head.conversation),
  });
  readonly #indexing = new Indexing(
    this.env.DB,
    () => this.#scheduleStore.all(),
    (time, gone) => this.lifecycle.jobs.push({ id: `index${gone ?? ""}`, fn: "index", time, payload: gone }),
    () => this.#opened?.log ?? null,
  );
  readonly lifecycle = Lifecycle.install(this).use(
    new Sockets(this.ctx, this.#audience, this.#settings, {
      log: () => this.#open().log,
      store: this.#store,
      api: this,
    }),
  );
  readonly #turnstile = turnstileOf(this.env, this.#settings, this.#name);
  #opened: Opened | null = null;

  /** T4. Resumes threads of a host that died as soon as the object is used. */
  onStart(): void {
    this.#find()?.threads.wake();
  }

  /**
   * I26. While this method runs, the lifecycle's alarm is set to 30 s from now, so that a host that dies here is
   *     replaced. That is why the lifecycle starts, which takes time, under the alarm that has fired.
   */
  override async alarm(): Promise<void> {
    if ((await this.#opened?.threads.prolong()) === true) return;
    // The lifecycle logs a failed start and tries again.
    await this.lifecycle.start().catch(() => undefined);
    await this.lifecycle.alarm();
  }

  /**
   * Runs a due job: `turns` (lease), `deliver` (outbox), `index` (directory). Returns the time of its next run, if any.
   */
  async onJob({ job }: LifecycleJobContext): Promise<undefined | { rescheduleAt: number }> {
    const found = this.#find();
    const next = job.fn === "turns" ? found?.threads.renew() : undefined;
    // The last alarm for a long time ends only after the directory has been updated.
    if (job.fn === "turns" && (found === null || found.threads.hasWork || this.#indexing.isUpToDate)) return next;
    // The following calls wait for other services, and a new thread may need an alarm meanwhile (I26).
    await this.ctx.storage.setAlarm(Date.now() + LEASE_MS);
    if (job.fn === "deliver") return found === null ? undefined : this.#outbox.deliver();
    return sooner(await this.#indexing.flush(found?.log.head.conversation ?? null, this.#name, job.payload), next);
  }

  create(title?: string): Promise<Result<ConversationInfo>> {
    return answer(async () => {
      if (this.#find() === null) {
        this.#begin(title).log.publish([STARTED], (head) => ({ ...head }));
        // The lease's alarm updates the directory if we cannot. The first message usually follows soon and finds this
        // lease.
        await this.#open().threads.stand();
      }
      return this.#open().log.head.conversation;
    });
  }

  read(): Promise<Result<ConversationInfo>> {
    return answer(() => this.#open().log.head.conversation);
  }

  update({ title, status }: UpdateConversation): Promise<Result<ConversationInfo>> {
    return answer(async () => {
      const { log } = this.#open();
      const changes = { ...(title === undefined ? {} : { title }), ...(status === undefined ? {} : { status }) };
      const updated = { ...log.head.conversation, ...changes, updated_at: Date.now() };
      log.publish([], (head) => ({ ...head, conversation: updated }));
      await this.#indexing.putAlone(log.head.conversation);
      return log.head.conversation;
    });
  }

  remove(): Promise<Result<{ conversation_id: string; deleted: true }>> {
    return answer(async () => {
      const { log, threads } = this.#open();
      threads.close();
      log.close();
      this.#opened = null;
      for (const stored of [this.#store, this.#scheduleStore, this.#outbox]) stored.clear();
      this.#audience.dismiss(4404, "The conversation was deleted");
      await Promise.all([this.lifecycle.jobs.cancel("turns"), this.#indexing.remind()]);
      await this.#indexing.remove(this.#name);
      return { conversation_id: this.#name.conversationId, deleted: true as const };
    });
  }

  send(commandId: string, message: Send, { create, title, push }: SendOptions): Promise<Result<Accepted>> {
    return answer(async () => {
      const id = commandOf(commandId);
      const said = admitted(sendSchema, message, this.#settings.MAX_MESSAGE_BYTES);
      if (push !== undefined) this.#outbox.pushes.check(push);
      // Count only messages that will start a thread: not rejected ones, and not repeated ones.
      const there = create ? this.#find() : this.#open();
      if (there?.threads.inbox.isNew(id) ?? true) await this.#turnstile.pass(id);
      const isFirst = create && this.#find() === null;
      const { threads } = isFirst ? this.#begin(title) : this.#open();
      const begun = threads.inbox.hear(id, said, isFirst ? [STARTED] : []);
      const accepted = this.#accepted(threads, begun, isFirst);
      // Register before the thread can publish anything. If registration fails, the thread runs all the same.
      if (push !== undefined) this.#outbox.pushes.put(begun.thread_id, push);
      return accepted;
    });
  }

  /** RPC of `GrantHolderApi`: returns the unused prefetched messages and forgets them. */
  giveBack(): Promise<number> {
    return Promise.resolve(this.#turnstile.giveBack());
  }

  resume(commandId: string, reply: Resume): Promise<Result<Accepted>> {
    return answer(async () => {
      const id = commandOf(commandId);
      const said = admitted(resumeSchema, reply, this.#settings.MAX_MESSAGE_BYTES);
      const { threads } = this.#open();
      return this.#accepted(threads, threads.inbox.answer(id, said));
    });
  }

  cancel(commandId: string, target: Cancel): Promise<Result<{ cancelled: string[] }>> {
    return answer(async () => {
      const { task_id: id = "", thread_id: thread } = parseWith(cancelSchema, target);
      // Without a target, cancel refers to messages sent before it, including those that still wait for the rate
      // limiter.
      if (id === "" && thread === undefined) await this.#turnstile.settled();
      const { threads, schedules } = this.#open();
      if (this.#scheduleStore.get(id) === null) return { cancelled: await threads.cancel(target, commandId) };
      return { cancelled: await schedules.cancel(id, commandId) };
    });
  }

  /** The due time of the directory may be outdated, so it is ignored: the stored schedule decides what is due. */
  tick(scheduleId: string, _dueAt: number): Promise<Result<{ next_run_at: number | null }>> {
    return answer(async () => {
      const { schedules, threads } = this.#open();
      const next_run_at = schedules.tick(scheduleId);
      await threads.work();
      return { next_run_at };
    });
  }

  schedule(scheduleId: string): Promise<Result<Schedule>> {
    return answer(() => this.#open().schedules.read(scheduleId));
  }

  updateSchedule(scheduleId: string, patch: UpdateSchedule): Promise<Result<UpdatedSchedule>> {
    return answer(() => this.#open().schedules.update(scheduleId, patch));
  }

  runSchedule(commandId: string, scheduleId: string): Promise<Result<Accepted>> {
    return answer(async () => {
      const { schedules, threads } = this.#open();
      return this.#accepted(threads, schedules.runNow(commandId, scheduleId));
    });
  }

  removeSchedule(scheduleId: string): Promise<Result<{ schedule_id: string; deleted: true }>> {
    return answer(async () => {
      await this.#open().schedules.remove(scheduleId);
      return { schedule_id: scheduleId, deleted: true as const };
    });
  }

  runResults(scheduleId: string, limit: number, before?: number): Promise<Result<RunResults>> {
    return answer(() => this.#open().schedules.results(scheduleId, limit, before));
  }

  startInstance(commandId: string, start: InstanceStart): Promise<Result<StartedInstance>> {
    return answer(async () => {
      const found = this.#find();
      if (found !== null) return found.instances.startedBy(commandId);
      const { threads, instances } = this.#begin(titleOf(start));
      const started = instances.start(commandId, start, [STARTED]);
      await threads.work();
      return started;
    });
  }

  instance(): Promise<Result<PlanInstance>> {
    return answer(() => this.#open().instances.read());
  }

  resumeInstance(commandId: string, resume: ResumeInstance): Promise<Result<StartedInstance>> {
    return answer(async () => {
      const { threads, instances } = this.#open();
      const resumed = instances.resume(commandId, resume);
      await threads.work();
      return resumed;
    });
  }

  cancelInstance(): Promise<Result<PlanInstance>> {
    return answer(() => this.#open().instances.cancel());
  }

  events(after: number, limit: number, task?: string): Promise<Result<Page<Frame>>> {
    return answer(() => this.#open().log.page(after, limit, task));
  }

  items(task?: string): Promise<Result<Item[]>> {
    const isListed = (item: Item): boolean => task !== undefined || !isOfSchedule(item);
    return answer(() => this.#open().log.items(task).filter(isListed));
  }

  plans(): Promise<Result<Plan[]>> {
    return answer(() => [...this.#open().log.plans()]);
  }

  tasks({ status }: { status?: TaskStatus }): Promise<Result<Task[]>> {
    return answer(() => this.#open().log.tasks(status));
  }

  context(task?: string): Promise<Result<Context>> {
    return answer(() => {
      this.#open();
      const asked = this.#store.openQuestions().filter(({ task_id }) => task === undefined || task_id === task);
      return contextOf(asked, this.#name);
    });
  }

  threads(wanted: ThreadsWanted): Promise<Result<ThreadRecords>> {
    return answer(() => recordsOf(this.#open().log, this.#commands, wanted));
  }

  pushes(threadId: string, change?: PushChange): Promise<Result<Push[]>> {
    return answer(() => {
      this.#open();
      return this.#outbox.pushes.changed(threadId, change);
    });
  }

  follow(after: number, thread?: string): Promise<Result<ReadableStream<Uint8Array>>> {
    return answer(() => {
      const { log, threads } = this.#open();
      if (thread !== undefined) checkThread(log, this.#commands, thread);
      const stream = this.#audience.follow((seq) => log.framesAfter(seq), after, thread ?? null);
      if (thread !== undefined && threads.isPaused(thread)) log.rest(thread);
      return stream;
    });
  }

  /** Starts the stored work and returns its position. */
  async #accepted(threads: Threads, { thread_id, seq }: Begun, is_first = false): Promise<Accepted> {
    await threads.work();
    return { conversation_id: this.#name.conversationId, thread_id, seq, is_first };
  }

  /** Returns the loaded state, loading it from storage if needed; null if the conversation does not exist. */
  #find(): Opened | null {
    const head = this.#opened === null ? this.#store.head() : null;
    if (head !== null) {
      this.#opened = this.#openedWith(head);
      this.#outbox.arm();
    }
    return this.#opened;
  }

  /** Returns the loaded state and resumes its threads. Throws `not_found` if the conversation does not exist. */
  #open(): Opened {
    const found = this.#find();
    if (found === null) throw new Fault("not_found", "There is no such conversation.");
    found.threads.wake();
    return found;
  }

  /** Creates the state of a new conversation. The caller's first `publish` stores it. */
  #begin(title?: string): Opened {
    this.#store.migrate();
    return (this.#opened = this.#openedWith(newHead(this.#name, title)));
  }

  #openedWith(head: Head): Opened {
    return opened(head, {
      store: this.#store,
      settings: this.#settings,
      world: this.#world,
      schedules: this.#scheduleStore,
      jobs: () => this.lifecycle.jobs,
      setAlarm: (time) => this.ctx.storage.setAlarm(time),
      reset: (reason) => this.ctx.abort(reason),
      audience: this.#audience,
      indexing: this.#indexing,
      outbox: this.#outbox,
    });
  }
}
