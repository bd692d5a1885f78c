// What a conversation sends out by itself: results of schedules, and news of threads. It is stored with what it tells of,
// and brought to its receivers by a job of the object's alarm.

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
  /** Hears that schedules stand differently now, or show another `last_delivery`. */
  readonly changed: () => void;
};

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
   * A schedule has begun or, within the transaction that stores it, a run has brought something: its delivery is stored
   * with it, and made afterwards.
   */
  hearRun(run: RunResult | undefined): void {
    const schedule = run === undefined ? null : this.#around.schedules.get(run.schedule_id);
    if (run !== undefined && schedule !== null) this.deliveries.enqueue(schedule, run, Date.now());
    this.#around.changed();
    if (run !== undefined) queueMicrotask(() => this.arm());
  }

  /** Sees to it that what waits is delivered when it is due. */
  arm(): void {
    const hasAny = this.#around.schedules.exists || this.#store.hasPushes;
    const time = hasAny ? this.deliveries.due() : null;
    if (time === null) return;
    this.#around
      .jobs()
      .push({ id: "deliver", fn: "deliver", time })
      .catch((thrown: unknown) => console.error("A delivery could not be arranged", thrown));
  }

  async deliver(): Promise<undefined | { rescheduleAt: number }> {
    const next = await this.deliveries.deliver(Date.now());
    return next === null ? undefined : { rescheduleAt: next };
  }

  /** Forgets who is to be notified. What schedules have is forgotten with them. */
  clear(): void {
    this.#store.clearPushes();
  }
}
