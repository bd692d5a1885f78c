// The rows of a conversation's schedules and of their runs.

import type { RunResult, Schedule } from "../protocol/recurring.ts";
import type { Sql, SqlRow } from "./sql.ts";
import { WEBHOOK_TABLES } from "./webhook-store.ts";

/** Made with the first schedule: most conversations never have one, and a table costs rows like everything. */
const TABLES = `CREATE TABLE IF NOT EXISTS schedule (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE IF NOT EXISTS run (
     schedule_id TEXT NOT NULL,
     due_at      INTEGER NOT NULL,  -- in epoch milliseconds; S1: a schedule runs once for each
     body        TEXT NOT NULL,     -- what it brought
     PRIMARY KEY (schedule_id, due_at)
   ) STRICT, WITHOUT ROWID;
   ${WEBHOOK_TABLES}`;

/** Results that are kept of one schedule; the log has the others as long as it is kept. */
const MOST_RESULTS = 1_000;

export class ScheduleStore {
  readonly #sql: Sql;
  #exists = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** False while this conversation has never had a schedule: then there are no tables, and nothing is in them. */
  get exists(): boolean {
    this.#exists ||= this.#sql.hasTable("schedule");
    return this.#exists;
  }

  all(): Schedule[] {
    if (!this.exists) return [];
    return [...this.#sql.rows(`SELECT body FROM schedule ORDER BY id`)].map(scheduleIn);
  }

  get(id: string): Schedule | null {
    if (!this.exists) return null;
    const row = this.#sql.first(`SELECT body FROM schedule WHERE id = ?`, id);
    return row === undefined ? null : scheduleIn(row);
  }

  put(schedule: Schedule): void {
    if (!this.exists) this.#sql.run(TABLES);
    // The directory takes the newest, and clocks may be set back.
    const updated_at = Math.max(schedule.updated_at, this.get(schedule.schedule_id)?.updated_at ?? 0);
    const body = JSON.stringify({ ...schedule, updated_at });
    this.#sql.run(`INSERT OR REPLACE INTO schedule (id, body) VALUES (?, ?)`, schedule.schedule_id, body);
  }

  /** Forgets the schedule and what its runs brought. */
  remove(id: string): void {
    this.#sql.run(`DELETE FROM schedule WHERE id = ?`, id);
    this.#sql.run(`DELETE FROM run WHERE schedule_id = ?`, id);
  }

  putRun(run: RunResult): void {
    this.#sql.run(
      `INSERT OR REPLACE INTO run (schedule_id, due_at, body) VALUES (?, ?, ?)`,
      run.schedule_id,
      run.due_at,
      JSON.stringify(run),
    );
    this.#sql.run(
      `DELETE FROM run WHERE schedule_id = ?1 AND due_at <=
         (SELECT due_at FROM run WHERE schedule_id = ?1 ORDER BY due_at DESC LIMIT 1 OFFSET ?2)`,
      run.schedule_id,
      MOST_RESULTS,
    );
  }

  /** Forgets everything. */
  clear(): void {
    if (!this.exists) return;
    for (const table of ["schedule", "run", "webhook", "delivery"]) this.#sql.run(`DELETE FROM ${table}`);
  }

  /** Newest first. */
  runs(id: string, limit: number, before: number): RunResult[] {
    const query = `SELECT body FROM run WHERE schedule_id = ? AND due_at < ? ORDER BY due_at DESC LIMIT ?`;
    return [...this.#sql.rows(query, id, before, limit)].map((row) => JSON.parse(String(row["body"])) as RunResult);
  }
}

function scheduleIn(row: SqlRow): Schedule {
  return JSON.parse(String(row["body"])) as Schedule;
}
