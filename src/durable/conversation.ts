// One conversation: accepts messages, runs them one after the other, and tells everybody who listens.
//
// Invariants:
//   L3. A message is acknowledged after it has been stored, and worked on only then.
//   T1. One thread runs at a time; the others wait in the order in which they came.
//   T2. The same command id is carried out once.
//   U1. The user is part of the object's name; nothing a client says changes it.

import { DurableObject } from "cloudflare:workers";
import { Lifecycle, type LifecycleJobContext } from "agents/lifecycle";
import type { Draft } from "../core/ports.ts";
import { must } from "../protocol/assert.ts";
import { exceedsBytes, type Cancel, type Resume, type Send } from "../protocol/commands.ts";
import type { Conversation as ConversationInfo, UpdateConversation } from "../protocol/conversation.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault, toFault } from "../protocol/fault.ts";
import { companion, mint } from "../protocol/ids.ts";
import type { Item } from "../protocol/items.ts";
import { isFinished, type Plan, type Task, type TaskStatus } from "../protocol/plan.ts";
import type { Env } from "../env.ts";
import { settingsOf } from "../settings.ts";
import { nameParts, type Accepted, type ConversationApi, type Page, type Result } from "./api.ts";
import { Audience } from "./audience.ts";
import { Indexing } from "./indexing.ts";
import { Log } from "./log.ts";
import { Sockets } from "./sockets.ts";
import { Store, type Head, type OpenThread, type Sql } from "./store.ts";
import { ThreadRun } from "./thread-run.ts";
import { worldOf } from "./world.ts";

/** How soon work goes on by itself after the host died and nobody has come back to look. */
const LEASE_MS = 5_000;

export class Conversation extends DurableObject<Env> implements ConversationApi {
  readonly #settings = settingsOf(this.env);
  readonly #name = nameParts(must(this.ctx.id.name, "the name of the object"));
  readonly #store = new Store(sqlOf(this.ctx.storage));
  readonly #audience = new Audience(this.ctx.getWebSockets());
  readonly #world = worldOf(this.env, this.#settings, this.#name.userId);
  readonly #index = new Indexing(this.env.DB, (at) => this.lifecycle.jobs.push({ id: "index", fn: "index", time: at }));
  readonly lifecycle = Lifecycle.install(this).use(
    new Sockets(this.ctx, this.#audience, this.#settings, { log: () => this.#log(), api: this }),
  );
  #opened: Log | null = null;
  #running: { readonly isLeased: Promise<void> } | null = null;
  #run: ThreadRun | null = null;
  /** Threads that came to this very object, so that their first attempt is no second one. */
  readonly #accepted = new Set<string>();

  /** Work that a dead host left behind goes on as soon as the object is touched (T4). */
  onStart(): void {
    if (this.#find() !== null) this.#work();
  }

  async onJob({ job }: LifecycleJobContext): Promise<undefined | { rescheduleAt: number }> {
    if (job.fn === "index") return this.#index.flush(this.#find()?.head.conversation ?? null);
    this.#work();
    return this.#running === null ? undefined : { rescheduleAt: Date.now() + LEASE_MS };
  }

  create(title?: string): Promise<Result<ConversationInfo>> {
    return answer(() => {
      const known = this.#find();
      if (known !== null) return known.head.conversation;
      const log = this.#begin(title);
      log.publish([STARTED], (head) => ({ ...head }));
      return log.head.conversation;
    });
  }

  read(): Promise<Result<ConversationInfo>> {
    return answer(() => this.#log().head.conversation);
  }

  update({ title, status }: UpdateConversation): Promise<Result<ConversationInfo>> {
    return answer(() => {
      const log = this.#log();
      const changes = { ...(title === undefined ? {} : { title }), ...(status === undefined ? {} : { status }) };
      log.publish([], (head) => ({
        ...head,
        conversation: { ...head.conversation, ...changes, updated_at: Date.now() },
      }));
      this.#index.put(log.head.conversation);
      return log.head.conversation;
    });
  }

  remove(): Promise<Result<{ conversation_id: string; deleted: true }>> {
    return answer(async () => {
      this.#log().close();
      this.#run?.cancel();
      this.#opened = null;
      this.#store.clear();
      this.#audience.dismiss(4404, "The conversation was deleted");
      const { userId, conversationId } = this.#name;
      await this.#index.remove(userId, conversationId);
      return { conversation_id: conversationId, deleted: true as const };
    });
  }

  send(commandId: string, message: Send, { create }: { create: boolean }): Promise<Result<Accepted>> {
    return answer(async () => {
      const limit = this.#settings.MAX_MESSAGE_BYTES;
      if (exceedsBytes(message.message, limit)) {
        throw new Fault("too_large", `message: must not exceed ${limit} bytes`, { field: "message" });
      }
      const found = create ? this.#find() : this.#log();
      const accepted = found === null ? null : this.#store.command(commandId);
      const { thread_id, seq } = accepted ?? this.#accept(found, commandId, message);
      this.#work();
      await this.#running?.isLeased;
      return { conversation_id: this.#name.conversationId, thread_id, seq, is_first: found === null };
    });
  }

  resume(_commandId: string, _answer: Resume): Promise<Result<Accepted>> {
    return answer(() => {
      this.#log();
      throw new Fault("conflict", "Nothing in this conversation waits for an answer.");
    });
  }

  cancel(
    _commandId: string,
    { thread_id: threadId, task_id: taskId }: Cancel,
  ): Promise<Result<{ cancelled: string[] }>> {
    return answer(() => {
      const log = this.#log();
      if (taskId !== undefined) return this.#cancelTask(log, taskId);
      const thread = log.head.open.find((open) => threadId === undefined || open.thread_id === threadId);
      if (thread === undefined)
        throw new Fault("not_found", "No such thread is running or waiting.", { field: "thread_id" });
      if (this.#run?.thread.thread_id === thread.thread_id) this.#run.cancel();
      else this.#drop(log, thread);
      return { cancelled: [thread.thread_id] };
    });
  }

  events(after: number, limit: number, task?: string): Promise<Result<Page<Frame>>> {
    return answer(() => this.#log().page(after, limit, task));
  }

  items(task?: string): Promise<Result<Item[]>> {
    return answer(() => this.#log().items(task));
  }

  plans(): Promise<Result<Plan[]>> {
    return answer(() => [...this.#log().plans()]);
  }

  tasks({ status }: { status?: TaskStatus }): Promise<Result<Task[]>> {
    return answer(() => tasksOf(this.#log()).filter((task) => status === undefined || task.status === status));
  }

  context(): Promise<Result<{ pending: unknown[] }>> {
    return answer(() => {
      this.#log();
      return { pending: [] };
    });
  }

  follow(after: number, thread?: string): Promise<Result<ReadableStream<Uint8Array>>> {
    return answer(() => this.#audience.follow(this.#log().framesAfter(after), thread ?? null));
  }

  #find(): Log | null {
    const head = this.#opened === null ? this.#store.head() : null;
    if (head !== null) this.#opened = this.#logOf(head);
    return this.#opened;
  }

  #log(): Log {
    const log = this.#find();
    if (log === null) throw new Fault("not_found", "There is no such conversation.");
    this.#work();
    return log;
  }

  #begin(title?: string): Log {
    const now = Date.now();
    const { userId, conversationId } = this.#name;
    this.#store.migrate();
    const conversation: ConversationInfo = {
      conversation_id: conversationId,
      user_id: userId,
      ...(title === undefined ? {} : { title }),
      status: "active",
      created_at: now,
      updated_at: now,
    };
    return (this.#opened = this.#logOf({ conversation, reserved: 0, open: [] }));
  }

  #logOf(head: Head): Log {
    const log: Log = new Log(head, this.#store, this.#audience, {
      onTold: (frames) => this.#index.hear(frames, log.head.conversation),
      reset: (reason) => this.ctx.abort(reason),
    });
    return log;
  }

  /** Stores a message with its thread: from here on it will be answered, whatever happens. */
  #accept(found: Log | null, commandId: string, request: Send): { thread_id: string; seq: number } {
    const log = found ?? this.#begin();
    if (log.head.open.length >= this.#settings.MAX_QUEUED_THREADS) {
      throw new Fault(
        "too_many_requests",
        "Too many messages are waiting in this conversation. Wait for some to be answered.",
      );
    }
    const threadId = mint("th");
    const drafts = [...(found === null ? [STARTED] : []), threadStarted(threadId, request)];
    const frames = log.publish(
      drafts,
      (head, [...told]) => ({
        ...head,
        conversation: { ...head.conversation, status: "active", updated_at: Date.now() },
        open: [
          ...head.open,
          {
            thread_id: threadId,
            command_id: commandId,
            seq: must(told.at(-1), "the accepted event").seq,
            attempts: head.open.length === 0 ? 1 : 0,
          },
        ],
      }),
      (told) =>
        this.#store.putCommand(commandId, {
          thread_id: threadId,
          seq: must(told.at(-1), "the accepted event").seq,
          request,
        }),
    );
    this.#accepted.add(threadId);
    return { thread_id: threadId, seq: must(frames.at(-1), "the accepted event").seq };
  }

  /** Sees to it that open threads are worked on. Cheap when they already are. */
  #work(): void {
    const log = this.#opened;
    if (this.#running !== null || log === null || log.head.open.length === 0) return;
    const isLeased = this.#lease();
    this.#running = { isLeased };
    this.ctx.waitUntil(this.#drain(log, isLeased));
  }

  async #lease(): Promise<void> {
    await this.lifecycle.jobs.push({ id: "turns", fn: "turns", time: Date.now() + LEASE_MS });
  }

  async #drain(log: Log, isLeased: Promise<void>): Promise<void> {
    try {
      await isLeased;
      // A deleted conversation is not this one any more, even when its id is used again.
      while (this.#opened === log && log.head.open[0] !== undefined) {
        const thread = this.#attempt(log, log.head.open[0]);
        this.#run = new ThreadRun(thread, log, this.#store, this.#settings, this.#world);
        await this.#run.run();
      }
    } catch (thrown) {
      console.error("A thread could not be carried on", thrown);
      this.ctx.abort("A thread could not be carried on");
    }
    this.#run = null;
    this.#running = null;
    await this.lifecycle.jobs.cancel("turns");
    this.#work();
  }

  /** Counts an attempt before it begins, so that work which kills its host is not tried for ever. */
  #attempt(log: Log, thread: OpenThread): OpenThread {
    if (this.#accepted.delete(thread.thread_id) && thread.attempts === 1) return thread;
    const begun = { ...thread, attempts: thread.attempts + 1 };
    log.publish([], (head) => ({
      ...head,
      open: head.open.map((open) => (open.thread_id === thread.thread_id ? begun : open)),
    }));
    return begun;
  }

  #cancelTask(log: Log, taskId: string): { cancelled: string[] } {
    const task = tasksOf(log).find((known) => known.task_id === taskId);
    if (task === undefined) throw new Fault("not_found", "There is no such task.", { field: "task_id" });
    if (isFinished(task.status) || this.#run === null) {
      throw new Fault("conflict", `The task is ${task.status}; it cannot be cancelled any more.`, { field: "task_id" });
    }
    this.#run.cancelTask(taskId);
    return { cancelled: [taskId] };
  }

  /** Cancels a message that is still waiting. */
  #drop(log: Log, { thread_id: threadId }: OpenThread): void {
    const done: Draft = { event: "done", data: { role: "system", thread_id: threadId, metadata: { cancelled: true } } };
    log.publish([done], (head) => ({ ...head, open: head.open.filter((open) => open.thread_id !== threadId) }));
  }
}

const STARTED: Draft = { event: "conversation_started", data: { role: "system" } };

function threadStarted(threadId: string, { message, agent, language, timezone }: Send): Draft {
  const metadata = {
    created_at: Date.now(),
    ...(agent === undefined ? {} : { agent }),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  const place = { thread_id: threadId, task_id: companion(threadId, "ask") };
  return { event: "thread_started", data: { ...place, role: "user", payload: { content: message }, metadata } };
}

function tasksOf(log: Log): Task[] {
  return log.plans().flatMap((plan) => plan.tasks);
}

/** Runs a verb and turns what it throws into a value: errors lose their class across RPC. */
async function answer<T>(verb: () => T | Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await verb() };
  } catch (thrown) {
    const fault = toFault(thrown);
    if (fault.code === "internal") console.error("A conversation failed to answer", fault.cause ?? thrown);
    const { code, message, field } = fault;
    return { ok: false, failure: { code, message, ...(field === undefined ? {} : { field }) } };
  }
}

function sqlOf(storage: DurableObjectStorage): Sql {
  return {
    exec: (query, ...bindings) => storage.sql.exec(query, ...bindings),
    transaction: (work) => storage.transactionSync(work),
  };
}
