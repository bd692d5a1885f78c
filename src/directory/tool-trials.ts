// The D1 rows of tool trials: code that is running, or that never returned. Code that killed its host may do so again;
// it is refused after `MAX_LOST_TRIALS` lost trials.
//
// Order: `beginTrial`, run if the result is less than `MAX_LOST_TRIALS`, `endTrial`. A trial that is never ended counts
// as lost after `MAX_RUN_MS`, or at once if the same run begins again. All rows expire after a day.

/** The number of lost trials after which code is refused. */
export const MAX_LOST_TRIALS = 2;

/** An older trial is lost: no run takes this long. */
const MAX_RUN_MS = 10_000;
/** After this time lost trials are ignored: the host may have died for another reason. */
const TRIAL_EXPIRY_MS = 86_400_000;

const TRIAL_ROWS = `FROM tool_trial WHERE user_id = ?1 AND hash = ?2`;

/** Counts the lost trials of a code, for each run at most as many as matter. Parameters: user, hash, run, now. */
const COUNT_LOST_TRIALS = `SELECT coalesce(sum(min(${MAX_LOST_TRIALS}, lost + (run = ?3 OR began_at <= ?4 - ${MAX_RUN_MS}))), 0) AS lost ${TRIAL_ROWS}`;

/**
 * Records that the code with this `hash` is about to run, unless `MAX_LOST_TRIALS` of its trials were lost already.
 * Returns the number of lost trials, in all runs. `runId` identifies the run, the same after a crash; `now` is in ms.
 * A repeated run has lost its previous trial. This is recorded even if the code is refused now, because nobody else
 * could know it.
 */
export async function beginTrial(
  db: D1Database,
  userId: string,
  hash: string,
  runId: string,
  now: number,
): Promise<number> {
  const [, counted] = await db.batch<{ lost: number }>([
    db.prepare(`DELETE FROM tool_trial WHERE user_id = ? AND began_at <= ?`).bind(userId, now - TRIAL_EXPIRY_MS),
    db.prepare(COUNT_LOST_TRIALS).bind(userId, hash, runId, now),
    db
      .prepare(
        `INSERT INTO tool_trial (user_id, hash, run, began_at) SELECT ?1, ?2, ?3, ?4
         WHERE (${COUNT_LOST_TRIALS}) < ${MAX_LOST_TRIALS} OR EXISTS (SELECT 1 ${TRIAL_ROWS} AND run = ?3)
         ON CONFLICT (user_id, hash, run) DO UPDATE SET began_at = excluded.began_at, lost = lost + 1`,
      )
      .bind(userId, hash, runId, now),
  ]);
  return counted?.results[0]?.lost ?? 0;
}

/**
 * Records that the code returned, with any result. Deletes the trial, and the trials of the same code that were lost
 * when it began, because the code can return.
 */
export async function endTrial(db: D1Database, userId: string, hash: string, runId: string): Promise<void> {
  await db
    .prepare(
      `DELETE FROM tool_trial WHERE user_id = ?1 AND hash = ?2 AND (run = ?3 OR began_at <= -${MAX_RUN_MS} +
         (SELECT began_at FROM tool_trial WHERE user_id = ?1 AND hash = ?2 AND run = ?3))`,
    )
    .bind(userId, hash, runId)
    .run();
}
