// Sends deliveries: results of schedule runs to webhooks, and thread states to push notification URLs.
//
// At-least-once: a delivery is stored in the transaction that stores its cause, and deleted after the receiver answered
// with 2xx. Every attempt has the same id (`webhook-id`), by which the receiver can ignore repetitions. Signatures
// follow Standard Webhooks.
//
// Owns the attempt in progress; deliveries are in the store. After an attempt the delivery is read again, because it
// may have been deleted meanwhile; it then has no outcome.

import { parseWebhookSecret, createWebhookSecret, signWebhook } from "../../../core/schedules/webhook-signature.ts";
import { findUrlProblem } from "../../../lib/public-url.ts";
import { discardBody, globalFetcher, type HttpFetcher } from "../../../dispatch/agent-http.ts";
import { assertNever } from "../../../lib/assert.ts";
import { createMessage, type Message } from "../../../language/messages.ts";
import { createFault } from "../../../protocol/wire/message-error.ts";
import type {
  LastDelivery,
  ScheduleRunResult,
  Schedule,
  UpdateScheduleRequest,
} from "../../../protocol/schedules/schedule.ts";
import type { ScheduleRunReport } from "../../../protocol/schedules/schedule-run-report.ts";
import { truncateWithEllipsis } from "../../../lib/truncate.ts";
import type { Settings } from "../../../settings.ts";
import { formatForSchedule } from "../schedule-events.ts";
import type { ScheduleStore } from "../storage/schedule-store.ts";
import type { PendingDelivery, WebhookEndpoint, DeliveryReceiver, WebhookStore } from "./webhook-store.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays after each failed attempt. After the last, the delivery is given up. */
const DELAYS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
const MAX_DELAY_MS = 24 * HOUR;
const ATTEMPT_TIMEOUT_MS = 15 * SECOND;
/**
 * The maximum length of a result in a delivery, in UTF-16 units, so that it fits a row and a message. The schedule's
 * results contain all of it.
 */
const MAX_RESULT_CHARS = 100_000;
/** The number of concurrent attempts. One call makes only one batch, because other jobs wait for the same alarm. */
const BATCH_SIZE = 4;

/** The outcome of one attempt. `waitMs` is the delay that the receiver requested. */
type DeliveryOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly error: Message; readonly waitMs: number };

/** One instance per object. `deliver` may be called concurrently: calls share the running batch. */
export class DeliveryQueue {
  readonly #store: WebhookStore;
  readonly #schedules: ScheduleStore;
  readonly #settings: Settings;
  readonly #onChanged: () => void;
  readonly #caller: HttpFetcher;
  #delivering: Promise<number | null> | null = null;

  /** `onChanged` is called when the `last_delivery` of a schedule changed. */
  constructor(
    store: WebhookStore,
    schedules: ScheduleStore,
    settings: Settings,
    onChanged: () => void,
    caller: HttpFetcher = globalFetcher,
  ) {
    this.#store = store;
    this.#schedules = schedules;
    this.#settings = settings;
    this.#onChanged = onChanged;
    this.#caller = caller;
  }

  /**
   * Validates a webhook and returns it with a secret, a new one if none is given. Throws `invalid_request`
   * (`webhook.url` or `webhook.secret`) if one is not acceptable. Stores nothing.
   */
  createEndpoint({
    url,
    secret = createWebhookSecret(),
  }: NonNullable<UpdateScheduleRequest["webhook"]>): WebhookEndpoint {
    const problem = this.#findUrlProblem(url);
    if (problem !== undefined) {
      const field = "webhook.url";
      throw createFault("invalid_request", createMessage("field.invalid", { field, problem }), { field });
    }
    if (parseWebhookSecret(secret) === null) {
      throw createFault("invalid_request", "webhook.invalidSecret", { field: "webhook.secret" });
    }
    return { url, secret };
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
   * Stores a delivery of a run result if the schedule has a webhook. Call it in the transaction that stores the result.
   */
  enqueue(schedule: Schedule, run: ScheduleRunResult, now: number): void {
    if (this.#store.getEndpoint(schedule.schedule_id) === null) return;
    this.#store.addDelivery(run.run_id, schedule.schedule_id, JSON.stringify(createRunReport(schedule, run, now)), now);
  }

  /** Returns the next due time in ms since the epoch; null if nothing waits. */
  getNextDueTime(): number | null {
    return this.#store.getNextDueTime();
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
    const outcome = await this.#post(receiver, delivery, now);
    // The delivery was deleted during the attempt, with its schedule or webhook.
    if (!this.#store.hasDelivery(delivery.id)) return;
    this.#recordOutcome(delivery, receiver, outcome, now);
    if ("secret" in receiver) this.#onChanged();
  }

  async #post(receiver: DeliveryReceiver, { id, body }: PendingDelivery, now: number): Promise<DeliveryOutcome> {
    const problem = this.#findUrlProblem(receiver.url);
    if (problem !== undefined) return createFailure(problem);
    const receiverHeaders =
      "secret" in receiver
        ? await signWebhook(receiver.secret, { id, at: now, body })
        : { "webhook-id": id, ...receiver.headers };
    const headers = { "content-type": "application/json", "user-agent": "orrery", ...receiverHeaders };
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    try {
      const init: RequestInit = { method: "POST", headers, body, redirect: "manual", signal };
      const response = await this.#caller.fetch(receiver.url, init);
      discardBody(response);
      return classifyResponse(response, now);
    } catch {
      return createFailure(
        signal.aborted
          ? createMessage("webhook.timedOut", { seconds: ATTEMPT_TIMEOUT_MS / SECOND })
          : createMessage("webhook.unreachable"),
      );
    }
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
    const schedule = this.#schedules.get(scheduleId);
    if (schedule === null) return;
    const { last_delivery: _, ...rest } = schedule;
    const error = reason === undefined ? {} : { error: formatForSchedule(schedule, reason) };
    this.#schedules.put({ ...rest, ...(last === null ? {} : { last_delivery: { ...last, ...error } }) });
  }

  #findUrlProblem(url: string): Message | undefined {
    return findUrlProblem(new URL(url), { allowPrivate: this.#settings.ALLOW_PRIVATE_AGENTS });
  }
}

function createRunReport(schedule: Schedule, run: ScheduleRunResult, now: number): ScheduleRunReport {
  const { title, conversation_id } = schedule;
  const timestamp = new Date(run.ended_at ?? now).toISOString();
  const shown = run.result === undefined ? run : { ...run, result: truncateWithEllipsis(run.result, MAX_RESULT_CHARS) };
  return { type: "schedule.run", timestamp, data: { ...shown, title, conversation_id } };
}

function classifyResponse({ ok, status, headers }: Response, now: number): DeliveryOutcome {
  if (ok) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  if (status >= 300 && status < 400) {
    return createFailure(createMessage("webhook.redirected", { status }));
  }
  return createFailure(createMessage("webhook.failed", { status }), parseRetryAfter(headers.get("retry-after"), now));
}

function createFailure(error: Message, waitMs = 0): DeliveryOutcome {
  return { kind: "failed", error, waitMs };
}

/** Parses `Retry-After` (RFC 9110, 10.2.3), seconds or a date, to ms; 0 if missing or invalid. */
function parseRetryAfter(value: string | null, now: number): number {
  if (value === null) return 0;
  const wait = /^\d+$/.test(value) ? Number(value) * SECOND : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), MAX_DELAY_MS);
}

/** Adds up to 10 % of jitter, so that deliveries that failed together are not repeated together. */
function addJitter(delay: number): number {
  return Math.round(delay * (1 + Math.random() / 10));
}
