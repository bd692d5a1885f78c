// Reads the table of client commands, grouped by thread. `ConversationStore` writes it.

import type { ThreadPosition } from "../threads/thread-queue.ts";
import type { Sql, SqlRow } from "../../sql.ts";

/** Stateless. Separate from `ConversationStore`, because only A2A and push notifications need these queries. */
export class CommandStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Returns the first position of every thread that a command started. */
  listThreads(): ThreadPosition[] {
    return [...this.#sql.rows(`SELECT thread_id, min(seq) AS seq FROM command GROUP BY thread_id`)].map(
      decodeThreadPosition,
    );
  }

  /** Returns the first position of a thread; null if no command started it. */
  getThread(threadId: string): ThreadPosition | null {
    const query = `SELECT thread_id, min(seq) AS seq FROM command WHERE thread_id = ? GROUP BY thread_id`;
    const row = this.#sql.first(query, threadId);
    return row === undefined ? null : decodeThreadPosition(row);
  }

  /** Returns the commands of a thread, ordered by seq. */
  listThreadCommands(threadId: string): { readonly id: string; readonly seq: number }[] {
    const rows = this.#sql.rows(`SELECT id, seq FROM command WHERE thread_id = ? ORDER BY seq`, threadId);
    return [...rows].map((row) => ({ id: String(row["id"]), seq: Number(row["seq"]) }));
  }
}

function decodeThreadPosition(row: SqlRow): ThreadPosition {
  return { thread_id: String(row["thread_id"]), seq: Number(row["seq"]) };
}
