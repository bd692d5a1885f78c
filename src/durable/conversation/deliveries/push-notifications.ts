// Push notifications of A2A: registers URLs per thread and stores a delivery for each notifiable event.
//
// Owns the registrations, in the delivery store. A notification is stored in the transaction that stores its event; it
// contains the thread's state including that event. Deliveries are sent like those of webhooks.

import { createPushNotification, type PushConfig } from "../../../protocol/agents/a2a-push.ts";
import type { Frame } from "../../../protocol/wire/events.ts";
import { createMessage } from "../../../language/messages.ts";
import { createFault } from "../../../protocol/wire/message-error.ts";
import { foldThread, INITIAL_THREAD_STATE } from "../../../protocol/wire/thread-state.ts";
import { resolveHost } from "../../../resolve-host.ts";
import { listSealingSecrets, type Settings } from "../../../settings.ts";
import type { PushChange } from "../../conversation-api.ts";
import type { EventLog } from "../event-log.ts";
import type { ThreadRecords } from "../threads/thread-records.ts";
import { createPushView, sealPush, type PushView, type StoredPush } from "./sealed-receiver.ts";
import { checkReceiverUrl } from "./send-delivery.ts";
import { formatPushKey, type WebhookStore } from "./webhook-store.ts";

const MAX_PUSHES_PER_THREAD = 10;

/** One instance per object; the log is attached when the conversation is loaded. */
export class PushNotifications {
  readonly #userId: string;
  readonly #store: WebhookStore;
  readonly #threads: ThreadRecords;
  readonly #settings: Settings;
  readonly #setDeliveryJob: () => void;
  #log: EventLog | undefined;

  /**
   * Secrets are sealed for the user. `setDeliveryJob` sets the job that sends due deliveries; it is called after the
   * commit.
   */
  constructor(
    userId: string,
    store: WebhookStore,
    threads: ThreadRecords,
    settings: Settings,
    setDeliveryJob: () => void,
  ) {
    this.#userId = userId;
    this.#store = store;
    this.#threads = threads;
    this.#settings = settings;
    this.#setDeliveryJob = setDeliveryJob;
  }

  attachLog(log: EventLog): void {
    this.#log = log;
  }

  /** Checks the URL of a registration and seals its secrets for `put`. Rejects with `invalid_request` for the URL. */
  async prepare(push: PushConfig): Promise<StoredPush> {
    await checkReceiverUrl(push.url, "url", this.#settings, resolveHost);
    return sealPush(push, this.#userId, listSealingSecrets(this.#settings));
  }

  /**
   * Applies a change, if any, and returns the registrations of a thread without their secrets, ordered by id. Rejects
   * with `not_found` if no command started the thread, `invalid_request` if the URL is not allowed or there are too many
   * registrations.
   */
  async applyChange(threadId: string, change?: PushChange): Promise<PushView[]> {
    this.#threads.get(threadId);
    if (change !== undefined && "remove" in change) this.#store.removePush(threadId, change.remove);
    if (change !== undefined && "put" in change) {
      const prepared = await this.prepare(change.put);
      // The conversation may have been deleted meanwhile.
      this.#threads.get(threadId);
      this.put(threadId, prepared);
    }
    return this.#store.listPushes(threadId).map(createPushView);
  }

  /**
   * Adds or replaces a registration, as `prepare` returned it. If the thread is done already, its end is
   * delivered at once, because no event will follow. Throws `invalid_request` if the thread has too many registrations.
   */
  put(threadId: string, push: StoredPush): void {
    const others = this.#store.listPushes(threadId).filter(({ id }) => id !== push.id);
    if (others.length >= MAX_PUSHES_PER_THREAD)
      throw createFault("invalid_request", createMessage("webhook.tooManyPushes", { max: MAX_PUSHES_PER_THREAD }));
    this.#store.putPush(threadId, push);
    const start = this.#threads.find(threadId);
    if (this.#log === undefined || start === null) return;
    const last = this.#log.readThread(threadId, start.seq).frames.at(-1);
    if (last?.event !== "done") return;
    this.#enqueue(last, this.#log, [push]);
    queueMicrotask(this.#setDeliveryJob);
  }

  /**
   * Returns the writes that belong to these frames; undefined if none of them is notifiable. Called before the
   * transaction, executed within it.
   */
  prepareWrite(frames: readonly Frame[], log: EventLog): (() => void) | undefined {
    const notifiable = frames.filter(isNotifiable);
    if (notifiable.length === 0 || !this.#store.hasPushes) return undefined;
    return () => {
      for (const frame of notifiable) this.#enqueue(frame, log);
      queueMicrotask(this.#setDeliveryJob);
    };
  }

  #enqueue(frame: NotifiableFrame, log: EventLog, pushes = this.#store.listPushes(frame.data.thread_id)): void {
    const { conversation_id, thread_id } = frame.data;
    const start = pushes.length === 0 ? null : this.#threads.find(thread_id);
    if (start === null) return;
    const state = log.readThread(thread_id, start.seq).frames.reduce(foldThread, INITIAL_THREAD_STATE);
    const now = Date.now();
    for (const { id, version } of pushes) {
      const body = createPushNotification(version, { conversation_id, thread_id }, state, now);
      this.#store.addDelivery(`${thread_id}.${frame.seq}.${id}`, formatPushKey(thread_id, id), body, now);
    }
  }
}

type NotifiableFrame = Extract<Frame, { event: "done" | "task_waiting" | "plan_require_user_input" }>;

function isNotifiable(frame: Frame): frame is NotifiableFrame {
  return frame.event === "done" || frame.event === "task_waiting" || frame.event === "plan_require_user_input";
}
