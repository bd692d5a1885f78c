// Push notifications of A2A: registers URLs per thread and stores a delivery for each notifiable event.
//
// Owns the registrations, in the delivery store. A notification is stored in the transaction that stores its event; it
// contains the thread's state including that event. Deliveries are sent like those of webhooks.

import { notificationOf, type Push } from "../protocol/a2a-push.ts";
import { objectionTo } from "../protocol/address.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault } from "../protocol/fault.ts";
import { foldThread, NEW_THREAD } from "../protocol/thread-state.ts";
import type { Settings } from "../settings.ts";
import type { PushChange } from "./api.ts";
import type { CommandStore } from "./command-store.ts";
import type { Log } from "./log.ts";
import { begunBy } from "./records.ts";
import { pushKey, type WebhookStore } from "./webhook-store.ts";

/** The maximum number of registrations per thread. */
const MOST_PUSHES = 10;

/** One instance per object; the log is attached when the conversation is loaded. */
export class Pushes {
  readonly #store: WebhookStore;
  readonly #commands: CommandStore;
  readonly #settings: Settings;
  readonly #arm: () => void;
  #log: Log | undefined;

  /** `arm` schedules the delivery job. */
  constructor(store: WebhookStore, commands: CommandStore, settings: Settings, arm: () => void) {
    this.#store = store;
    this.#commands = commands;
    this.#settings = settings;
    this.#arm = arm;
  }

  /** Attaches the log of the loaded conversation. */
  tellFrom(log: Log): void {
    this.#log = log;
  }

  /** Throws `invalid_request` if the URL must not be called. */
  check({ url }: Push): void {
    const objection = objectionTo(new URL(url), { allowPrivate: this.#settings.ALLOW_PRIVATE_AGENTS });
    if (objection !== undefined) throw new Fault("invalid_request", `url: ${objection}`, { field: "url" });
  }

  /**
   * Applies a change, if any, and returns the registrations of a thread. Throws `not_found` if the thread does not
   * exist.
   */
  changed(threadId: string, change?: PushChange): Push[] {
    begunBy(this.#commands, threadId);
    if (change !== undefined && "remove" in change) this.#store.removePush(threadId, change.remove);
    if (change !== undefined && "put" in change) {
      this.check(change.put);
      this.put(threadId, change.put);
    }
    return this.#store.pushes(threadId);
  }

  /**
   * Adds or replaces a registration. If the thread is done already, its end is delivered at once, because no event will
   * follow.
   */
  put(threadId: string, push: Push): void {
    const others = this.#store.pushes(threadId).filter(({ id }) => id !== push.id);
    if (others.length >= MOST_PUSHES)
      throw new Fault("invalid_request", `At most ${MOST_PUSHES} addresses can be notified of one task.`);
    this.#store.putPush(threadId, push);
    const begun = this.#commands.thread(threadId);
    if (this.#log === undefined || begun === null) return;
    const last = this.#log.thread(threadId, begun.seq).frames.at(-1);
    if (last?.event !== "done") return;
    this.#tell(last, this.#log, [push]);
    queueMicrotask(this.#arm);
  }

  /**
   * Returns the writes that belong to these frames; undefined if none of them is notifiable. Called before the
   * transaction, executed within it.
   */
  writeOf(frames: readonly Frame[], log: Log): (() => void) | undefined {
    const news = frames.filter(isNews);
    if (news.length === 0 || !this.#store.hasPushes) return undefined;
    return () => {
      for (const frame of news) this.#tell(frame, log);
      queueMicrotask(this.#arm);
    };
  }

  /** Stores one delivery per registration, with the state of the thread. */
  #tell(frame: News, log: Log, pushes = this.#store.pushes(frame.data.thread_id)): void {
    const { conversation_id, thread_id } = frame.data;
    const begun = pushes.length === 0 ? null : this.#commands.thread(thread_id);
    if (begun === null) return;
    const state = log.thread(thread_id, begun.seq).frames.reduce(foldThread, NEW_THREAD);
    const now = Date.now();
    for (const { id, version } of pushes) {
      const body = notificationOf(version, { conversation_id, thread_id }, state, now);
      this.#store.add(`${thread_id}.${frame.seq}.${id}`, pushKey(thread_id, id), body, now);
    }
  }
}

type News = Extract<Frame, { event: "done" | "task_waiting" | "plan_require_user_input" }>;

function isNews(frame: Frame): frame is News {
  return frame.event === "done" || frame.event === "task_waiting" || frame.event === "plan_require_user_input";
}
