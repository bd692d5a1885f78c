// The threads of running MCP calls by the id of their call. A call removes its row when it ends. The rows of calls whose
// client has left, or whose host has died, are removed by a later call of the same user after a day.

/** Lifetime of a row whose call has not removed it. */
const MAX_AGE_MS = 86_400_000;

/** Identifies a thread. */
export type CalledThread = { readonly conversation_id: string; readonly thread_id: string };

/** Stores the thread of a call that started `at` (ms since the epoch). A later call with the same id replaces it. */
export async function addRunningCall(
  db: D1Database,
  userId: string,
  callId: string,
  { conversation_id, thread_id }: CalledThread,
  at: number,
): Promise<void> {
  await db.batch([
    db.prepare(`DELETE FROM mcp_call WHERE user_id = ? AND started_at < ?`).bind(userId, at - MAX_AGE_MS),
    db
      .prepare(
        `INSERT OR REPLACE INTO mcp_call (user_id, call_id, conversation_id, thread_id, started_at) VALUES (?, ?, ?, ?, ?)`,
      )
      .bind(userId, callId, conversation_id, thread_id, at),
  ]);
}

/** Returns the thread of a running call; null for an unknown or ended one. */
export async function findRunningCall(db: D1Database, userId: string, callId: string): Promise<CalledThread | null> {
  return db
    .prepare(`SELECT conversation_id, thread_id FROM mcp_call WHERE user_id = ? AND call_id = ?`)
    .bind(userId, callId)
    .first<CalledThread>();
}

/** Removes a call. */
export async function removeRunningCall(db: D1Database, userId: string, callId: string): Promise<void> {
  await db.prepare(`DELETE FROM mcp_call WHERE user_id = ? AND call_id = ?`).bind(userId, callId).run();
}
