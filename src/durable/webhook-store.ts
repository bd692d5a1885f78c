// The rows of webhooks and of push notifications: where results are sent, and what has not arrived yet.

import { pushHeaders, type Push } from "../protocol/a2a-push.ts";
import type { Sql } from "./sql.ts";

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

/** Made with the first: most conversations never have one. */
const PUSH_TABLES = `CREATE TABLE IF NOT EXISTS push (
     thread_id TEXT NOT NULL,
     id        TEXT NOT NULL,      -- the client's own
     body      TEXT NOT NULL,
     PRIMARY KEY (thread_id, id)
   ) STRICT, WITHOUT ROWID;
   ${WEBHOOK_TABLES}`;

/** Where notifications of a thread go stands among the endpoints under a name that no schedule has. */
const PUSH_KEY = /^push\/([^/]+)\/(.*)$/s;

export function pushKey(threadId: string, id: string): string {
  return `push/${threadId}/${id}`;
}

/** What may wait for one endpoint; the oldest are given up for newer ones. */
const MOST_WAITING = 100;

export type Endpoint = { readonly url: string; readonly secret: string };

/** Where a delivery goes: signed with a secret, or with headers that the receiver has chosen. */
export type Receiver = Endpoint | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export type Delivery = {
  readonly id: string;
  readonly schedule_id: string;
  readonly attempts: number;
  readonly body: string;
};

export class WebhookStore {
  readonly #sql: Sql;
  #hasPushes: boolean | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  endpoint(scheduleId: string): Endpoint | null {
    const row = this.#sql.first(`SELECT url, secret FROM webhook WHERE schedule_id = ?`, scheduleId);
    return row === undefined ? null : { url: String(row["url"]), secret: String(row["secret"]) };
  }

  /** Where what waits under a name is to go, be it a schedule's or a push notification's. */
  receiver(name: string): Receiver | null {
    const [, threadId, id] = PUSH_KEY.exec(name) ?? [];
    if (threadId === undefined || id === undefined) return this.endpoint(name);
    const push = this.pushes(threadId).find((known) => known.id === id);
    return push === undefined ? null : { url: push.url, headers: pushHeaders(push) };
  }

  removeReceiver(name: string): void {
    const [, threadId, id] = PUSH_KEY.exec(name) ?? [];
    if (threadId === undefined || id === undefined) this.removeEndpoint(name);
    else this.removePush(threadId, id);
  }

  /** False while this conversation has never notified anybody: then there are no tables. */
  get hasPushes(): boolean {
    this.#hasPushes ??= this.#sql.hasTable("push");
    return this.#hasPushes;
  }

  putPush(threadId: string, push: Push): void {
    if (!this.hasPushes) this.#sql.run(PUSH_TABLES);
    this.#hasPushes = true;
    const query = `INSERT OR REPLACE INTO push (thread_id, id, body) VALUES (?, ?, ?)`;
    this.#sql.run(query, threadId, push.id, JSON.stringify(push));
  }

  /** Where notifications of a thread go, in the order of their ids. */
  pushes(threadId: string): Push[] {
    if (!this.hasPushes) return [];
    const rows = this.#sql.rows(`SELECT body FROM push WHERE thread_id = ? ORDER BY id`, threadId);
    return [...rows].map((row) => JSON.parse(String(row["body"])) as Push);
  }

  /** Forgets it and what waits for it. */
  removePush(threadId: string, id: string): void {
    if (!this.hasPushes) return;
    this.#sql.run(`DELETE FROM push WHERE thread_id = ? AND id = ?`, threadId, id);
    this.#sql.run(`DELETE FROM delivery WHERE schedule_id = ?`, pushKey(threadId, id));
  }

  /** Forgets all notifications. */
  clearPushes(): void {
    if (!this.hasPushes) return;
    this.#sql.run(`DELETE FROM push`);
    this.#sql.run(`DELETE FROM delivery`);
  }

  putEndpoint(scheduleId: string, { url, secret }: Endpoint): void {
    this.#sql.run(
      `INSERT OR REPLACE INTO webhook (schedule_id, url, secret) VALUES (?, ?, ?)`,
      scheduleId,
      url,
      secret,
    );
  }

  /** Forgets the endpoint and what waits for it. */
  removeEndpoint(scheduleId: string): void {
    this.#sql.run(`DELETE FROM webhook WHERE schedule_id = ?`, scheduleId);
    this.#sql.run(`DELETE FROM delivery WHERE schedule_id = ?`, scheduleId);
  }

  /** One that is known already stays as it is. */
  add(id: string, scheduleId: string, body: string, dueAt: number): void {
    const query = `INSERT OR IGNORE INTO delivery (id, schedule_id, attempts, due_at, body) VALUES (?, ?, 0, ?, ?)`;
    this.#sql.run(query, id, scheduleId, dueAt, body);
    this.#sql.run(
      `DELETE FROM delivery WHERE rowid IN
         (SELECT rowid FROM delivery WHERE schedule_id = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
      scheduleId,
      MOST_WAITING,
    );
  }

  waits(id: string): boolean {
    const row = this.#sql.first(`SELECT 1 FROM delivery WHERE id = ?`, id);
    return row !== undefined;
  }

  postpone(id: string, attempts: number, dueAt: number): void {
    this.#sql.run(`UPDATE delivery SET attempts = ?, due_at = ? WHERE id = ?`, attempts, dueAt, id);
  }

  remove(id: string): void {
    this.#sql.run(`DELETE FROM delivery WHERE id = ?`, id);
  }

  /** What is due by `now`, the longest due first. */
  dueBy(now: number, limit: number): Delivery[] {
    const query = `SELECT id, schedule_id, attempts, body FROM delivery WHERE due_at <= ? ORDER BY due_at LIMIT ?`;
    return [...this.#sql.rows(query, now, limit)].map((row) => ({
      id: String(row["id"]),
      schedule_id: String(row["schedule_id"]),
      attempts: Number(row["attempts"]),
      body: String(row["body"]),
    }));
  }

  /** When the next one is due; null when nothing waits. */
  nextDue(): number | null {
    const row = this.#sql.first(`SELECT min(due_at) AS due_at FROM delivery`);
    const due = row?.["due_at"];
    return typeof due === "number" ? due : null;
  }
}
