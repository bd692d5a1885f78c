// The outbox of a conversation: webhooks of schedules and push notifications of threads, until they are delivered.
//
// Owns the delivery store. A delivery is stored in the transaction that stores its cause, and sent afterwards by a job
// of the object's alarm. The job is armed after the commit (microtask), when the object loads, and after each attempt.

import type { LifecycleJobs } from "agents/lifecycle";
import type { RunResult } from "../protocol/recurring.ts";
import type { Settings } from "../settings.ts";
import type { CommandStore } from "./command-store.ts";
import { Pushes } from "./pushes.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import type { Sql } from "./sql.ts";
import { WebhookStore } from "./webhook-store.ts";
import { Deliveries } from "./webhooks.ts";

type Around = {
  readonly schedules: ScheduleStore;
  readonly commands: CommandStore;
  readonly settings: Settings;
  readonly jobs: () => LifecycleJobs;
  /** Called when a schedule was added or its `last_delivery` changed. */
  readonly changed: () => void;
};

/** One instance per object; safe to use before the conversation exists. */
export class Outbox {
  readonly deliveries: Deliveries;
  readonly pushes: Pushes;
  readonly #store: WebhookStore;
  readonly #around: Around;

  constructor(sql: Sql, around: Around) {
    const { schedules, commands, settings, changed } = around;
    this.#store = new WebhookStore(sql);
    this.deliveries = new Deliveries(this.#store, schedules, settings, changed);
    this.pushes = new Pushes(this.#store, commands, settings, () => this.arm());
    this.#around = around;
  }

  /**
   * Called when a schedule was added (without `run`), or within the transaction that stores a run result: then its
   * delivery is stored too.
   */
  hearRun(run: RunResult | undefined): void {
    const schedule = run === undefined ? null : this.#around.schedules.get(run.schedule_id);
    if (run !== undefined && schedule !== null) this.deliveries.enqueue(schedule, run, Date.now());
    this.#around.changed();
    if (run !== undefined) queueMicrotask(() => this.arm());
  }

  /** Sets the delivery job to the due time of the next delivery. Does nothing if nothing waits. */
  arm(): void {
    const hasAny = this.#around.schedules.exists || this.#store.hasPushes;
    const time = hasAny ? this.deliveries.due() : null;
    if (time === null) return;
    this.#around
      .jobs()
      .push({ id: "deliver", fn: "deliver", time })
      .catch((thrown: unknown) => console.error("A delivery could not be arranged", thrown));
  }

  /** Attempts the due deliveries and returns the time of the next attempt. */
  async deliver(): Promise<undefined | { rescheduleAt: number }> {
    const next = await this.deliveries.deliver(Date.now());
    return next === null ? undefined : { rescheduleAt: next };
  }

  /** Deletes all push notifications. Webhook deliveries are deleted with the schedules. */
  clear(): void {
    this.#store.clearPushes();
  }
}
