// One conversation, one Durable Object: the verbs that the Worker may call. What they do is done by the
// log (`log.ts`), the threads (`threads.ts`) and the sockets (`sockets.ts`).
//
// U1. The user is part of the object's name; nothing a client says changes it.

import { DurableObject } from "cloudflare:workers";
import { Lifecycle, type LifecycleJobContext } from "agents/lifecycle";
import type { Draft } from "../core/ports.ts";
import { contextOf, pendingOf } from "../core/questions.ts";
import type { Env } from "../env.ts";
import { must } from "../protocol/assert.ts";
import { exceedsBytes, type Cancel, type Resume, type Send } from "../protocol/commands.ts";
import type { Conversation as ConversationInfo, UpdateConversation } from "../protocol/conversation.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault, toFault } from "../protocol/fault.ts";
import type { Item } from "../protocol/items.ts";
import type { Plan, Task, TaskStatus } from "../protocol/plan.ts";
import type { Context } from "../protocol/question.ts";
import { settingsOf } from "../settings.ts";
import { nameParts, type Accepted, type ConversationApi, type Page, type Result } from "./api.ts";
import { Audience } from "./audience.ts";
import { Indexing } from "./indexing.ts";
import { Log } from "./log.ts";
import { Sockets } from "./sockets.ts";
import { sqlOf, Store, type Head } from "./store.ts";
import { Threads } from "./threads.ts";
import { worldOf } from "./world.ts";

/** A conversation that exists. */
type Opened = { readonly log: Log; readonly threads: Threads };

const STARTED: Draft = { event: "conversation_started", data: { role: "system" } };

export class Conversation extends DurableObject<Env> implements ConversationApi {
  readonly #settings = settingsOf(this.env);
  readonly #name = nameParts(must(this.ctx.id.name, "the name of the object"));
  readonly #store = new Store(sqlOf(this.ctx.storage));
  readonly #audience = new Audience(this.ctx.getWebSockets());
  readonly #world = worldOf(this.env, this.#settings, this.#name.userId);
  readonly #indexing = new Indexing(this.env.DB, (at) =>
    this.lifecycle.jobs.push({ id: "index", fn: "index", time: at }),
  );
  readonly lifecycle = Lifecycle.install(this).use(
    new Sockets(this.ctx, this.#audience, this.#settings, {
      log: () => this.#open().log,
      pending: () => this.#store.openQuestions().map(pendingOf),
      api: this,
    }),
  );
  #opened: Opened | null = null;

  /** Work that a dead host left behind goes on as soon as the object is touched (T4). */
  onStart(): void {
    this.#find()?.threads.wake();
  }

  async onJob({ job }: LifecycleJobContext): Promise<undefined | { rescheduleAt: number }> {
    const found = this.#find();
    const { userId, conversationId } = this.#name;
    if (job.fn === "index") return this.#indexing.flush(found?.log.head.conversation ?? null, userId, conversationId);
    if (found !== null) this.#indexing.catchUp(found.log.head.conversation);
    return found?.threads.renew();
  }

  create(title?: string): Promise<Result<ConversationInfo>> {
    return answer(() => {
      const known = this.#find();
      if (known !== null) return known.log.head.conversation;
      const { log } = this.#begin(title);
      log.publish([STARTED], (head) => ({ ...head }));
      return log.head.conversation;
    });
  }

  read(): Promise<Result<ConversationInfo>> {
    return answer(() => this.#open().log.head.conversation);
  }

  update({ title, status }: UpdateConversation): Promise<Result<ConversationInfo>> {
    return answer(() => {
      const { log } = this.#open();
      const changes = { ...(title === undefined ? {} : { title }), ...(status === undefined ? {} : { status }) };
      const updated = { ...log.head.conversation, ...changes, updated_at: Date.now() };
      log.publish([], (head) => ({ ...head, conversation: updated }));
      this.#indexing.put(updated);
      return updated;
    });
  }

  remove(): Promise<Result<{ conversation_id: string; deleted: true }>> {
    return answer(async () => {
      const { log, threads } = this.#open();
      threads.close();
      log.close();
      this.#opened = null;
      this.#store.clear();
      this.#audience.dismiss(4404, "The conversation was deleted");
      const { userId, conversationId } = this.#name;
      await this.lifecycle.jobs.cancel("turns");
      await this.#indexing.remove(userId, conversationId);
      return { conversation_id: conversationId, deleted: true as const };
    });
  }

  send(commandId: string, message: Send, { create }: { create: boolean }): Promise<Result<Accepted>> {
    return answer(async () => {
      const limit = this.#settings.MAX_MESSAGE_BYTES;
      if (exceedsBytes(message.message, limit)) throw tooLarge(limit);
      const isFirst = create && this.#find() === null;
      const { threads } = isFirst ? this.#begin() : this.#open();
      const { thread_id, seq } = threads.hear(commandId, message, isFirst ? [STARTED] : []);
      await threads.work();
      return { conversation_id: this.#name.conversationId, thread_id, seq, is_first: isFirst };
    });
  }

  resume(commandId: string, reply: Resume): Promise<Result<Accepted>> {
    return answer(async () => {
      const limit = this.#settings.MAX_MESSAGE_BYTES;
      if (exceedsBytes(reply.message, limit)) throw tooLarge(limit);
      const { threads } = this.#open();
      const { thread_id, seq } = threads.answer(commandId, reply);
      await threads.work();
      return { conversation_id: this.#name.conversationId, thread_id, seq, is_first: false };
    });
  }

  cancel(_commandId: string, target: Cancel): Promise<Result<{ cancelled: string[] }>> {
    return answer(async () => {
      const { threads } = this.#open();
      return { cancelled: await threads.cancel(target) };
    });
  }

  events(after: number, limit: number, task?: string): Promise<Result<Page<Frame>>> {
    return answer(() => this.#open().log.page(after, limit, task));
  }

  items(task?: string): Promise<Result<Item[]>> {
    return answer(() => this.#open().log.items(task));
  }

  plans(): Promise<Result<Plan[]>> {
    return answer(() => [...this.#open().log.plans()]);
  }

  tasks({ status }: { status?: TaskStatus }): Promise<Result<Task[]>> {
    return answer(() =>
      this.#open()
        .log.tasks()
        .filter((task) => status === undefined || task.status === status),
    );
  }

  context(): Promise<Result<Context>> {
    return answer(() => {
      this.#open();
      return contextOf(this.#store.openQuestions(), this.#name);
    });
  }

  follow(after: number, thread?: string): Promise<Result<ReadableStream<Uint8Array>>> {
    return answer(() => {
      const { log, threads } = this.#open();
      const stream = this.#audience.follow(log.framesAfter(after), thread ?? null);
      if (thread !== undefined && threads.isPaused(thread)) log.rest(thread);
      return stream;
    });
  }

  #find(): Opened | null {
    const head = this.#opened === null ? this.#store.head() : null;
    if (head !== null) this.#opened = this.#openedWith(head);
    return this.#opened;
  }

  #open(): Opened {
    const found = this.#find();
    if (found === null) throw new Fault("not_found", "There is no such conversation.");
    found.threads.wake();
    return found;
  }

  #begin(title?: string): Opened {
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
    return (this.#opened = this.#openedWith({ conversation, reserved: 0, open: [] }));
  }

  #openedWith(head: Head): Opened {
    const reset = (reason: string): void => this.ctx.abort(reason);
    const log: Log = new Log(head, this.#store, this.#audience, {
      onTold: (frames) => this.#indexing.hear(frames, log.head.conversation),
      reset,
    });
    const around = {
      store: this.#store,
      settings: this.#settings,
      world: this.#world,
      jobs: () => this.lifecycle.jobs,
      reset,
    };
    return { log, threads: new Threads(log, around) };
  }
}

function tooLarge(limit: number): Fault {
  return new Fault("too_large", `message: must not exceed ${limit} bytes`, { field: "message" });
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
