// The SQL of webhooks and push notifications: receivers, and deliveries that have not arrived.
//
// Owns the tables `webhook`, `push` and `delivery`. A delivery belongs to a receiver key: a schedule id, or
// `push/<thread>/<id>` for a push notification. Removing a receiver removes its deliveries. Synchronous; opens no
// transactions.

import type { Sql } from "../../sql.ts";
import type { StoredPush, WebhookEndpoint } from "./sealed-receiver.ts";

/** Created by `ScheduleStore` with the first schedule, or with the first push notification. */
export const WEBHOOK_TABLES = `CREATE TABLE IF NOT EXISTS webhook (
     schedule_id TEXT PRIMARY KEY,
     url         TEXT NOT NULL,
     secret      TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE IF NOT EXISTS delivery (
     id          TEXT PRIMARY KEY,  -- the webhook-id, the same at every attempt: that of the run
     schedule_id TEXT NOT NULL,
     attempts    INTEGER NOT NULL,  -- that have failed
     due_at      INTEGER NOT NULL,  -- of the next one, in epoch milliseconds
     body        TEXT NOT NULL      -- as it is signed and sent
   ) STRICT;`;

/** Created with the first push notification, because most conversations never have one. */
const PUSH_TABLES = `CREATE TABLE IF NOT EXISTS push (
     thread_id TEXT NOT NULL,
     id        TEXT NOT NULL,      -- the client's own
     body      TEXT NOT NULL,
     PRIMARY KEY (thread_id, id)
   ) STRICT, WITHOUT ROWID;
   ${WEBHOOK_TABLES}`;

/** The receiver key of a push notification in `delivery.schedule_id`. No schedule id has this form. */
const PUSH_KEY_PATTERN = /^push\/([^/]+)\/(.*)$/s;

/** Returns the receiver key of a push notification. */
export function formatPushKey(threadId: string, id: string): string {
  return `push/${threadId}/${id}`;
}

/** The maximum number of waiting deliveries per receiver; the oldest are dropped. */
const MAX_WAITING_DELIVERIES = 100;

/** The stored target of a delivery: signed with a secret, or sent with headers that the receiver chose. */
export type DeliveryReceiver =
  | ({ readonly kind: "webhook" } & WebhookEndpoint)
  | ({ readonly kind: "push" } & StoredPush);

/** A waiting delivery. `id` is the same for every attempt; `attempts` counts failures; `body` is sent as stored. */
export type PendingDelivery = {
  readonly id: string;
  readonly schedule_id: string;
  readonly attempts: number;
  readonly body: string;
};

/** One instance per object. */
export class WebhookStore {
  readonly #sql: Sql;
  #hasPushes: boolean | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Returns the webhook of a schedule; null if it has none. The tables must exist. */
  getEndpoint(scheduleId: string): WebhookEndpoint | null {
    return (
      this.#sql.first<WebhookEndpoint>(`SELECT url, secret FROM webhook WHERE schedule_id = ?`, scheduleId) ?? null
    );
  }

  /** Returns the receiver with this key, a webhook or a push notification; null if it was removed. */
  getReceiver(name: string): DeliveryReceiver | null {
    const [, threadId, id] = PUSH_KEY_PATTERN.exec(name) ?? [];
    if (threadId === undefined || id === undefined) {
      const endpoint = this.getEndpoint(name);
      return endpoint === null ? null : { kind: "webhook", ...endpoint };
    }
    const push = this.listPushes(threadId).find((known) => known.id === id);
    return push === undefined ? null : { kind: "push", ...push };
  }

  /** Removes the receiver with this key, with its deliveries. */
  removeReceiver(name: string): void {
    const [, threadId, id] = PUSH_KEY_PATTERN.exec(name) ?? [];
    if (threadId === undefined || id === undefined) this.removeEndpoint(name);
    else this.removePush(threadId, id);
  }

  /** False if there has never been a push notification; then the table `push` does not exist. */
  get hasPushes(): boolean {
    this.#hasPushes ??= this.#sql.hasTable("push");
    return this.#hasPushes;
  }

  /** Stores a push notification; replaces the one with its id. Creates the tables if there are none. */
  putPush(threadId: string, push: StoredPush): void {
    if (!this.hasPushes) this.#sql.run(PUSH_TABLES);
    this.#hasPushes = true;
    const query = `INSERT OR REPLACE INTO push (thread_id, id, body) VALUES (?, ?, ?)`;
    this.#sql.run(query, threadId, push.id, JSON.stringify(push));
  }

  /** Returns the push notifications of a thread, ordered by id. */
  listPushes(threadId: string): StoredPush[] {
    if (!this.hasPushes) return [];
    return this.#sql.bodies(`SELECT body FROM push WHERE thread_id = ? ORDER BY id`, threadId);
  }

  /** Removes a push notification with its deliveries; does nothing if there is none. */
  removePush(threadId: string, id: string): void {
    if (!this.hasPushes) return;
    this.#sql.run(`DELETE FROM push WHERE thread_id = ? AND id = ?`, threadId, id);
    this.#sql.run(`DELETE FROM delivery WHERE schedule_id = ?`, formatPushKey(threadId, id));
  }

  /**
   * Deletes the registrations of push notifications; if there has ever been a registration, also all deliveries,
   * including those of webhooks. `ScheduleStore.clear` deletes the webhooks. Call both to delete a conversation.
   */
  clear(): void {
    if (!this.hasPushes) return;
    this.#sql.run(`DELETE FROM push`);
    this.#sql.run(`DELETE FROM delivery`);
  }

  putEndpoint(scheduleId: string, { url, secret }: WebhookEndpoint): void {
    this.#sql.run(
      `INSERT OR REPLACE INTO webhook (schedule_id, url, secret) VALUES (?, ?, ?)`,
      scheduleId,
      url,
      secret,
    );
  }

  removeEndpoint(scheduleId: string): void {
    this.#sql.run(`DELETE FROM webhook WHERE schedule_id = ?`, scheduleId);
    this.#sql.run(`DELETE FROM delivery WHERE schedule_id = ?`, scheduleId);
  }

  /**
   * Adds a delivery, due at `dueAt` (ms since the epoch); does nothing if the id exists. Drops the receiver's oldest
   * deliveries beyond the limit.
   */
  addDelivery(id: string, scheduleId: string, body: string, dueAt: number): void {
    const query = `INSERT OR IGNORE INTO delivery (id, schedule_id, attempts, due_at, body) VALUES (?, ?, 0, ?, ?)`;
    this.#sql.run(query, id, scheduleId, dueAt, body);
    this.#sql.run(
      `DELETE FROM delivery WHERE rowid IN
         (SELECT rowid FROM delivery WHERE schedule_id = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
      scheduleId,
      MAX_WAITING_DELIVERIES,
    );
  }

  hasDelivery(id: string): boolean {
    return this.#sql.first(`SELECT 1 FROM delivery WHERE id = ?`, id) !== undefined;
  }

  postponeDelivery(id: string, attempts: number, dueAt: number): void {
    this.#sql.run(`UPDATE delivery SET attempts = ?, due_at = ? WHERE id = ?`, attempts, dueAt, id);
  }

  removeDelivery(id: string): void {
    this.#sql.run(`DELETE FROM delivery WHERE id = ?`, id);
  }

  /** Returns the deliveries due by `now`, the longest overdue first. */
  listDueDeliveries(now: number, limit: number): PendingDelivery[] {
    const query = `SELECT id, schedule_id, attempts, body FROM delivery WHERE due_at <= ? ORDER BY due_at LIMIT ?`;
    return [...this.#sql.rows<PendingDelivery>(query, now, limit)];
  }

  /** Returns the earliest due time in ms since the epoch; null if nothing waits. */
  getNextDueTime(): number | null {
    const next = this.#sql.first<{ due_at: number | null }>(`SELECT min(due_at) AS due_at FROM delivery`);
    return next?.due_at ?? null;
  }
}
