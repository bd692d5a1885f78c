// Sends deliveries: results of schedule runs to webhooks, and thread states to push notification URLs.
//
// At-least-once: a delivery is stored in the transaction that stores its cause, and deleted after the receiver answered
// with 2xx. Every attempt has the same id (`webhook-id`), by which the receiver can ignore repetitions. A job of the
// object's alarm makes the attempts. It is set after the commit (microtask), when the object loads, and after each
// attempt.
//
// Owns the attempt in progress; deliveries are in the store. After an attempt the delivery is read again, because it
// may have been deleted meanwhile; it then has no outcome.

import type { LifecycleJobs } from "agents/lifecycle";
import { parseWebhookSecret, createWebhookSecret } from "../../../core/schedules/webhook-signature.ts";
import { globalFetcher, type HttpFetcher } from "../../../dispatch/agent-http.ts";
import { assertNever } from "../../../lib/assert.ts";
import { createMessage, type Message } from "../../../language/messages.ts";
import type { HostResolver } from "../../../lib/urls/address-problem.ts";
import { createFault } from "../../../protocol/wire/message-error.ts";
import type { LastDelivery, ScheduleRunResult, UpdateScheduleRequest } from "../../../protocol/schedules/schedule.ts";
import { resolveHost } from "../../../resolve-host.ts";
import { listSealingSecrets, type Settings } from "../../../settings.ts";
import { createRunReport, formatForSchedule } from "../schedule-events.ts";
import type { ScheduleStore } from "../storage/schedule-store.ts";
import { sealEndpoint, type WebhookEndpoint } from "./sealed-receiver.ts";
import { checkReceiverUrl, sendDelivery, type DeliveryOutcome } from "./send-delivery.ts";
import type { PendingDelivery, DeliveryReceiver, WebhookStore } from "./webhook-store.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays after each failed attempt. After the last, the delivery is given up. */
const DELAYS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
/** The number of concurrent attempts. One call makes only one batch, because other jobs wait for the same alarm. */
const BATCH_SIZE = 4;

type DeliveryDeps = {
  /** The owner of the conversation; secrets are sealed for this user. */
  readonly userId: string;
  readonly store: WebhookStore;
  readonly schedules: ScheduleStore;
  readonly settings: Settings;
  readonly jobs: () => LifecycleJobs;
  /** Called when the `last_delivery` of a schedule changed. */
  readonly onChanged: () => void;
};

/**
 * One instance per object; safe to use before the conversation exists. `deliver` may be called concurrently: calls
 * share the running batch.
 */
export class DeliveryQueue {
  readonly #deps: DeliveryDeps;
  readonly #store: WebhookStore;
  readonly #caller: HttpFetcher;
  readonly #resolveHost: HostResolver;
  #delivering: Promise<number | null> | null = null;

  constructor(deps: DeliveryDeps, caller: HttpFetcher = globalFetcher, resolve: HostResolver = resolveHost) {
    this.#deps = deps;
    this.#store = deps.store;
    this.#caller = caller;
    this.#resolveHost = resolve;
  }

  /**
   * Validates a webhook and returns it sealed for storage, with its secret: a new one if none is given. Rejects with
   * `invalid_request` (`webhook.url` or `webhook.secret`) if one is not acceptable. Stores nothing.
   */
  async createEndpoint({
    url,
    secret = createWebhookSecret(),
  }: NonNullable<UpdateScheduleRequest["webhook"]>): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
    const { settings, userId } = this.#deps;
    await checkReceiverUrl(url, "webhook.url", settings, this.#resolveHost);
    if (parseWebhookSecret(secret) === null) {
      throw createFault("invalid_request", "webhook.invalidSecret", { field: "webhook.secret" });
    }
    return { endpoint: await sealEndpoint({ url, secret }, userId, listSealingSecrets(settings)), secret };
  }

  /**
   * Sets or removes the endpoint of a schedule and clears its `last_delivery`. Waiting deliveries go to the new
   * endpoint, or are deleted.
   */
  setEndpoint(scheduleId: string, endpoint: WebhookEndpoint | null): void {
    if (endpoint === null) this.#store.removeEndpoint(scheduleId);
    else this.#store.putEndpoint(scheduleId, endpoint);
    this.#setLastDelivery(scheduleId, null);
  }

  /**
   * Stores a delivery of a run result if its schedule has a webhook, and sets the job after the commit. Call it in the
   * transaction that stores the result.
   */
  enqueue(run: ScheduleRunResult, now: number): void {
    const schedule = this.#deps.schedules.get(run.schedule_id);
    if (schedule === null || this.#store.getEndpoint(run.schedule_id) === null) return;
    this.#store.addDelivery(run.run_id, run.schedule_id, JSON.stringify(createRunReport(schedule, run, now)), now);
    queueMicrotask(() => this.setJob());
  }

  /** Returns the next due time in ms since the epoch; null if nothing waits. */
  getNextDueTime(): number | null {
    const hasTables = this.#deps.schedules.hasTables || this.#store.hasPushes;
    return hasTables ? this.#store.getNextDueTime() : null;
  }

  /**
   * Sets the job that calls `deliver` to the due time of the next delivery. Does nothing if nothing waits. Does not
   * throw: a failure is logged.
   */
  setJob(): void {
    const time = this.getNextDueTime();
    if (time === null) return;
    this.#deps
      .jobs()
      .push({ id: "deliver", fn: "deliver", time })
      .catch((thrown: unknown) => console.error("A delivery could not be arranged", thrown));
  }

  /**
   * Attempts one batch of due deliveries. Resolves with the next due time (ms since the epoch), which may be past; null
   * if nothing waits.
   */
  deliver(now: number): Promise<number | null> {
    this.#delivering ??= this.#deliverDue(now).finally(() => (this.#delivering = null));
    return this.#delivering;
  }

  async #deliverDue(now: number): Promise<number | null> {
    const due = this.#store.listDueDeliveries(now, BATCH_SIZE);
    await Promise.all(due.map((delivery) => this.#attempt(delivery, now)));
    return this.getNextDueTime();
  }

  async #attempt(delivery: PendingDelivery, now: number): Promise<void> {
    const receiver = this.#store.getReceiver(delivery.schedule_id);
    if (receiver === null) return this.#store.removeDelivery(delivery.id);
    const { userId, settings } = this.#deps;
    const outcome = await sendDelivery(receiver, delivery, {
      now,
      userId,
      settings,
      caller: this.#caller,
      resolveHost: this.#resolveHost,
    });
    // The delivery was deleted during the attempt, with its schedule or webhook.
    if (!this.#store.hasDelivery(delivery.id)) return;
    this.#recordOutcome(delivery, receiver, outcome, now);
    if (receiver.kind === "webhook") this.#deps.onChanged();
  }

  #recordOutcome(
    { id, schedule_id, attempts: before }: PendingDelivery,
    receiver: DeliveryReceiver,
    outcome: DeliveryOutcome,
    at: number,
  ): void {
    const attempts = before + 1;
    switch (outcome.kind) {
      case "delivered":
        this.#store.removeDelivery(id);
        return this.#setLastDelivery(schedule_id, { status: "delivered", at, attempts });
      case "gone": {
        // If the endpoint was replaced during the attempt, the answer does not concern the new one.
        const current = this.#store.getReceiver(schedule_id);
        if (JSON.stringify(current) !== JSON.stringify(receiver)) return;
        this.#store.removeReceiver(schedule_id);
        return this.#setLastDelivery(schedule_id, { status: "gone", at, attempts }, createMessage("webhook.gone"));
      }
      case "failed": {
        const { error, waitMs } = outcome;
        const delay = DELAYS_MS[before];
        if (delay === undefined) {
          this.#store.removeDelivery(id);
          return this.#setLastDelivery(schedule_id, { status: "failed", at, attempts }, error);
        }
        this.#store.postponeDelivery(id, attempts, at + Math.max(waitMs, addJitter(delay)));
        return this.#setLastDelivery(schedule_id, { status: "retrying", at, attempts }, error);
      }
      default:
        return assertNever(outcome);
    }
  }

  /** Stores the outcome of a delivery, with its error in the language of the schedule; null removes it. */
  #setLastDelivery(scheduleId: string, last: Omit<LastDelivery, "error"> | null, reason?: Message): void {
    const schedule = this.#deps.schedules.get(scheduleId);
    if (schedule === null) return;
    const { last_delivery: _, ...rest } = schedule;
    const error = reason === undefined ? {} : { error: formatForSchedule(schedule, reason) };
    this.#deps.schedules.put({ ...rest, ...(last === null ? {} : { last_delivery: { ...last, ...error } }) });
  }
}

/** Adds up to 10 % of jitter, so that deliveries that failed together are not repeated together. */
function addJitter(delay: number): number {
  return Math.round(delay * (1 + Math.random() / 10));
}
