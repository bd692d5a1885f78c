// The D1 rows of trials: code that is running, or that was and never came back. What took its host down may do so again.

/** Tries that never came back after which code should not run any more. */
export const MOST_LOST = 2;

/** A try that is older has not come back: no run takes so long. */
const LONGEST_RUN_MS = 10_000;
/** After that the past is forgiven: the host may have gone down for another reason. */
const FORGIVEN_AFTER_MS = 86_400_000;

const ROWS = `FROM tool_trial WHERE user_id = ?1 AND hash = ?2`;

/** How many tries have not come back, of one run at most as many as matter; `?1` to `?4` are user, hash, run and now. */
const LOST = `SELECT coalesce(sum(min(${MOST_LOST}, lost + (run = ?3 OR began_at <= ?4 - ${LONGEST_RUN_MS}))), 0) AS lost ${ROWS}`;

/**
 * Notes that code is about to run under the name `run`, unless `MOST_LOST` tries of it never came back already. Answers
 * how many did not: those of the same run, and others after ten seconds. `now` is in epoch milliseconds.
 *
 * A run that begins again has lost the try before it. That is noted even if it will not run any more: until then nobody
 * else could know.
 */
export async function beginTrial(
  db: D1Database,
  userId: string,
  hash: string,
  run: string,
  now: number,
): Promise<number> {
  const [, counted] = await db.batch<{ lost: number }>([
    db.prepare(`DELETE FROM tool_trial WHERE user_id = ? AND began_at <= ?`).bind(userId, now - FORGIVEN_AFTER_MS),
    db.prepare(LOST).bind(userId, hash, run, now),
    db
      .prepare(
        `INSERT INTO tool_trial (user_id, hash, run, began_at) SELECT ?1, ?2, ?3, ?4
         WHERE (${LOST}) < ${MOST_LOST} OR EXISTS (SELECT 1 ${ROWS} AND run = ?3)
         ON CONFLICT (user_id, hash, run) DO UPDATE SET began_at = excluded.began_at, lost = lost + 1`,
      )
      .bind(userId, hash, run, now),
  ]);
  return counted?.results[0]?.lost ?? 0;
}

/** Notes that code which was begun has come back, this way or that. So it can: what was lost before is forgiven. */
export async function endTrial(db: D1Database, userId: string, hash: string, run: string): Promise<void> {
  await db
    .prepare(
      `DELETE FROM tool_trial WHERE user_id = ?1 AND hash = ?2 AND (run = ?3 OR began_at <= -${LONGEST_RUN_MS} +
         (SELECT began_at FROM tool_trial WHERE user_id = ?1 AND hash = ?2 AND run = ?3))`,
    )
    .bind(userId, hash, run)
    .run();
}
