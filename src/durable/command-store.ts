// What the commands of clients began, as questions to their table. Most conversations are never asked.

import type { Begun } from "./queue.ts";
import type { Sql, SqlRow } from "./sql.ts";

export class CommandStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** All threads that commands began. */
  threads(): Begun[] {
    return [...this.#sql.rows(`SELECT thread_id, min(seq) AS seq FROM command GROUP BY thread_id`)].map(begunIn);
  }

  /** Where a thread begins; null when no command began one of that id. */
  thread(threadId: string): Begun | null {
    const query = `SELECT thread_id, min(seq) AS seq FROM command WHERE thread_id = ? GROUP BY thread_id`;
    const row = this.#sql.first(query, threadId);
    return row === undefined ? null : begunIn(row);
  }

  /** The commands of a thread, with the numbers of their events. */
  of(threadId: string): { readonly id: string; readonly seq: number }[] {
    const rows = this.#sql.rows(`SELECT id, seq FROM command WHERE thread_id = ? ORDER BY seq`, threadId);
    return [...rows].map((row) => ({ id: String(row["id"]), seq: Number(row["seq"]) }));
  }
}

function begunIn(row: SqlRow): Begun {
  return { thread_id: String(row["thread_id"]), seq: Number(row["seq"]) };
}
