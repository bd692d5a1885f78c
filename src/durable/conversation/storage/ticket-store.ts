// The tickets of a conversation. Each opens one socket, once.
//
// Owns the table `ticket`, created with the first ticket. Only SHA-256 hashes of tickets are stored. Expired rows are
// deleted when the next ticket is added.

import type { Sql } from "../../sql.ts";

const TICKET_TABLE = `CREATE TABLE IF NOT EXISTS ticket (
   hash       TEXT PRIMARY KEY,  -- SHA-256 of the ticket, hex
   task       TEXT NOT NULL,     -- the task that the socket shows; empty for the whole conversation
   expires_at INTEGER NOT NULL,  -- in epoch milliseconds
   until      INTEGER            -- when the socket is closed, in epoch milliseconds; null for never
 ) STRICT, WITHOUT ROWID;`;

/** `until` is the time (ms since the epoch) at which the socket is closed; null for never. */
export type StoredTicket = { readonly task: string; readonly expires_at: number; readonly until: number | null };

/** One instance per object. Works before the table exists. */
export class TicketStore {
  readonly #sql: Sql;
  #hasTable = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get #isCreated(): boolean {
    this.#hasTable ||= this.#sql.hasTable("ticket");
    return this.#hasTable;
  }

  add(hash: string, { task, expires_at, until }: StoredTicket): void {
    this.#sql.transaction(() => {
      if (this.#isCreated) this.#sql.run(`DELETE FROM ticket WHERE expires_at < ?`, Date.now());
      else this.#sql.run(TICKET_TABLE);
      const query = `INSERT INTO ticket (hash, task, expires_at, until) VALUES (?, ?, ?, ?)`;
      this.#sql.run(query, hash, task, expires_at, until);
    });
  }

  /** Deletes a ticket and returns it; null if there is none. */
  take(hash: string): StoredTicket | null {
    if (!this.#isCreated) return null;
    const query = `DELETE FROM ticket WHERE hash = ? RETURNING task, expires_at, until`;
    return this.#sql.first<StoredTicket>(query, hash) ?? null;
  }

  clear(): void {
    if (this.#isCreated) this.#sql.run(`DELETE FROM ticket`);
  }
}
