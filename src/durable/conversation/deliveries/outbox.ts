// The outbox of a conversation: webhooks of schedules and push notifications of threads, until they are delivered.
//
// Owns the delivery store. A delivery is stored in the transaction that stores its cause, and sent afterwards by a job
// of the object's alarm. The job is armed after the commit (microtask), when the object loads, and after each attempt.

import type { LifecycleJobs } from "agents/lifecycle";
import type { ScheduleRunResult } from "../../../protocol/schedules/schedule.ts";
import type { Settings } from "../../../settings.ts";
import type { ThreadRecords } from "../threads/thread-records.ts";
import { PushNotifications } from "./push-notifications.ts";
import type { ScheduleStore } from "../storage/schedule-store.ts";
import type { Sql } from "../../sql.ts";
import { WebhookStore } from "./webhook-store.ts";
import { DeliveryQueue } from "./delivery-queue.ts";

type OutboxDeps = {
  readonly schedules: ScheduleStore;
  readonly threads: ThreadRecords;
  readonly settings: Settings;
  readonly jobs: () => LifecycleJobs;
  /** Called when a schedule was added or its `last_delivery` changed. */
  readonly onChanged: () => void;
};

/** One instance per object; safe to use before the conversation exists. */
export class ConversationOutbox {
  readonly deliveries: DeliveryQueue;
  readonly pushes: PushNotifications;
  readonly #store: WebhookStore;
  readonly #deps: OutboxDeps;

  constructor(sql: Sql, deps: OutboxDeps) {
    const { schedules, threads, settings, onChanged } = deps;
    this.#store = new WebhookStore(sql);
    this.deliveries = new DeliveryQueue(this.#store, schedules, settings, onChanged);
    this.pushes = new PushNotifications(this.#store, threads, settings, () => this.setDeliveryJob());
    this.#deps = deps;
  }

  /**
   * Reports that a schedule was added (without `result`) or that a run ended, so that the directory is updated. Call it
   * with `result` within the transaction that stores the result: it then also stores the delivery to the schedule's
   * webhook, if there is one, and sets the delivery job after the commit.
   */
  handleScheduleChange(result: ScheduleRunResult | undefined): void {
    const schedule = result === undefined ? null : this.#deps.schedules.get(result.schedule_id);
    if (result !== undefined && schedule !== null) this.deliveries.enqueue(schedule, result, Date.now());
    this.#deps.onChanged();
    if (result !== undefined) queueMicrotask(() => this.setDeliveryJob());
  }

  /**
   * Sets the job that calls `deliver` to the due time of the next delivery. Does nothing if nothing waits. Does not
   * throw: a failure is logged.
   */
  setDeliveryJob(): void {
    const hasAny = this.#deps.schedules.hasTables || this.#store.hasPushes;
    const time = hasAny ? this.deliveries.getNextDueTime() : null;
    if (time === null) return;
    this.#deps
      .jobs()
      .push({ id: "deliver", fn: "deliver", time })
      .catch((thrown: unknown) => console.error("A delivery could not be arranged", thrown));
  }

  /**
   * Attempts one batch of due deliveries. Resolves with the due time of the next delivery, which may be past, or
   * undefined if nothing waits.
   */
  async deliver(): Promise<undefined | { rescheduleAt: number }> {
    const next = await this.deliveries.deliver(Date.now());
    return next === null ? undefined : { rescheduleAt: next };
  }

  /**
   * Deletes the registrations of push notifications; if there has ever been a registration, also all deliveries,
   * including those of webhooks. `ScheduleStore.clear` deletes the webhooks. Call both to delete a conversation.
   */
  clear(): void {
    this.#store.clearPushes();
  }
}
