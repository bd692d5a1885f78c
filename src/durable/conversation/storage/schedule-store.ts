// The SQL of a conversation's schedules and their run results.
//
// Owns the tables `schedule` and `run`, created with the first schedule together with the webhook tables. It opens no
// transactions: the caller groups writes that belong together. `updated_at` of a schedule never decreases, because the
// directory keeps the newest version.

import type { ScheduleRunResult, Schedule } from "../../../protocol/schedules/schedule.ts";
import type { Sql } from "../../sql.ts";
import { WEBHOOK_TABLES } from "../deliveries/webhook-store.ts";

/** Created with the first schedule, because most conversations never have one. */
const SCHEDULE_TABLES = `CREATE TABLE IF NOT EXISTS schedule (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE IF NOT EXISTS run (
     schedule_id TEXT NOT NULL,
     due_at      INTEGER NOT NULL,  -- in epoch milliseconds; S1: a schedule runs once for each
     body        TEXT NOT NULL,     -- what it brought
     PRIMARY KEY (schedule_id, due_at)
   ) STRICT, WITHOUT ROWID;
   ${WEBHOOK_TABLES}`;

/** The maximum number of stored results per schedule. Older results remain in the log. */
const MAX_RESULTS_PER_SCHEDULE = 1_000;

/** One instance per object. `list` and `get` also work before the tables exist. */
export class ScheduleStore {
  readonly #sql: Sql;
  #hasTables = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** False if this conversation has never had a schedule; then none of the tables exist. */
  get hasTables(): boolean {
    this.#hasTables ||= this.#sql.hasTable("schedule");
    return this.#hasTables;
  }

  list(): Schedule[] {
    if (!this.hasTables) return [];
    return this.#sql.bodies(`SELECT body FROM schedule ORDER BY id`);
  }

  get(id: string): Schedule | null {
    if (!this.hasTables) return null;
    const [schedule] = this.#sql.bodies<Schedule>(`SELECT body FROM schedule WHERE id = ?`, id);
    return schedule ?? null;
  }

  /** Stores a schedule; replaces the one with its id. Creates the tables if there are none. */
  put(schedule: Schedule): void {
    if (!this.hasTables) this.#sql.run(SCHEDULE_TABLES);
    // The clock may have been set back.
    const updated_at = Math.max(schedule.updated_at, this.get(schedule.schedule_id)?.updated_at ?? 0);
    const body = JSON.stringify({ ...schedule, updated_at });
    this.#sql.run(`INSERT OR REPLACE INTO schedule (id, body) VALUES (?, ?)`, schedule.schedule_id, body);
  }

  /** Deletes a schedule and its results. The tables must exist. */
  remove(id: string): void {
    this.#sql.run(`DELETE FROM schedule WHERE id = ?`, id);
    this.#sql.run(`DELETE FROM run WHERE schedule_id = ?`, id);
  }

  /**
   * Stores a result under its schedule and due time (S1), replacing an earlier one, and deletes the oldest results
   * beyond the limit. The tables must exist.
   */
  putResult(result: ScheduleRunResult): void {
    this.#sql.run(
      `INSERT OR REPLACE INTO run (schedule_id, due_at, body) VALUES (?, ?, ?)`,
      result.schedule_id,
      result.due_at,
      JSON.stringify(result),
    );
    this.#sql.run(
      `DELETE FROM run WHERE schedule_id = ?1 AND due_at <=
         (SELECT due_at FROM run WHERE schedule_id = ?1 ORDER BY due_at DESC LIMIT 1 OFFSET ?2)`,
      result.schedule_id,
      MAX_RESULTS_PER_SCHEDULE,
    );
  }

  /**
   * Deletes all schedules, results, webhooks and deliveries. Keeps the tables, and the registrations of push
   * notifications.
   */
  clear(): void {
    if (!this.hasTables) return;
    for (const table of ["schedule", "run", "webhook", "delivery"]) this.#sql.run(`DELETE FROM ${table}`);
  }

  /**
   * Returns at most `limit` run results with a due time before `before` (ms since the epoch), newest first. The tables
   * must exist.
   */
  listResults(id: string, limit: number, before: number): ScheduleRunResult[] {
    const query = `SELECT body FROM run WHERE schedule_id = ? AND due_at < ? ORDER BY due_at DESC LIMIT ?`;
    return this.#sql.bodies(query, id, before, limit);
  }
}
