// The D1 rows of schedules. Written by their conversations, and by the sweep that looks for what is due.
//
// Invariants:
//   S1. A claim belongs to one tick, a schedule and a due time: nobody else claims it while the claim stands, and
//       once the schedule is due at another time it is worth nothing.
//   S2. A row only moves on from the due time that was handed over: an answer that is late changes nothing.

import { scheduleSchema, type Schedule } from "../protocol/recurring.ts";
import { jsonListsOf } from "./json-lists.ts";

/** Where a page of schedules begins: after the last one of the page before. */
export type SchedulePlace = { readonly createdAt: number; readonly scheduleId: string };

/** What names a row. */
export type ScheduleKey = { readonly user_id: string; readonly schedule_id: string };

/** A tick that was claimed. `due_at` is in epoch milliseconds, as all times. */
export type DueTick = ScheduleKey & { readonly conversation_id: string; readonly due_at: number };

/** What a conversation answered to a tick: `next_run_at` is null when it wants none for now. */
export type Outcome =
  | { readonly kind: "next"; readonly tick: DueTick; readonly next_run_at: number | null }
  | { readonly kind: "gone"; readonly tick: DueTick };

/** Rows that one search for what is due looks at, the longest overdue first: it stays quick whatever has piled up. */
const MOST_SCANNED = 50_000;

/** A claim that stands more than a minute ahead was made before the clock was set back: it keeps nobody from the tick. */
const UNCLAIMED = `(claimed_until <= ?1 OR claimed_until > ?1 + 60000)`;

/** Notes how schedules stand. What is older than what is known, or the same, writes nothing. */
export async function putSchedules(db: D1Database, schedules: readonly Schedule[]): Promise<void> {
  for (const page of jsonListsOf(schedules.map((schedule) => JSON.stringify(schedule)))) await putPage(db, page);
}

async function putPage(db: D1Database, page: string): Promise<void> {
  await db
    .prepare(
      `INSERT INTO schedule (user_id, schedule_id, conversation_id, body, next_run_at, created_at, updated_at)
       SELECT value ->> 'user_id', value ->> 'schedule_id', value ->> 'conversation_id', value,
         value ->> 'next_run_at', value ->> 'created_at', value ->> 'updated_at'
       FROM json_each(?) WHERE true
       ON CONFLICT (user_id, schedule_id) DO UPDATE
       SET body = excluded.body, next_run_at = excluded.next_run_at, updated_at = excluded.updated_at,
         claimed_until = iif(excluded.next_run_at IS schedule.next_run_at, schedule.claimed_until, 0)
       WHERE excluded.updated_at >= schedule.updated_at
         AND (excluded.body <> schedule.body OR excluded.next_run_at IS NOT schedule.next_run_at)`,
    )
    .bind(page)
    .run();
}

/** Forgets one schedule, or all of a conversation. */
export async function removeSchedules(
  db: D1Database,
  userId: string,
  which: { readonly schedule_id: string } | { readonly conversation_id: string },
): Promise<void> {
  await (
    "schedule_id" in which
      ? db.prepare(`DELETE FROM schedule WHERE user_id = ? AND schedule_id = ?`).bind(userId, which.schedule_id)
      : deletionOfSchedules(db, userId, which.conversation_id)
  ).run();
}

/** S3. The statement that goes with the deletion of a conversation. */
export function deletionOfSchedules(db: D1Database, userId: string, conversationId: string): D1PreparedStatement {
  return db.prepare(`DELETE FROM schedule WHERE user_id = ? AND conversation_id = ?`).bind(userId, conversationId);
}

/** A user's schedules, the newest first. */
export async function listSchedules(
  db: D1Database,
  userId: string,
  limit: number,
  after: SchedulePlace | null,
): Promise<Schedule[]> {
  const order = `ORDER BY created_at DESC, schedule_id DESC LIMIT ?`;
  const query =
    after === null
      ? db.prepare(`SELECT body FROM schedule WHERE user_id = ? ${order}`).bind(userId, limit)
      : db
          .prepare(`SELECT body FROM schedule WHERE user_id = ? AND (created_at, schedule_id) < (?, ?) ${order}`)
          .bind(userId, after.createdAt, after.scheduleId, limit);
  const { results } = await query.all<{ body: string }>();
  return results.map(({ body }) => scheduleSchema.parse(JSON.parse(body)));
}

/** How many a user has outside of a conversation, which knows its own better. */
export async function countSchedulesOutside(db: D1Database, userId: string, conversationId: string): Promise<number> {
  const query = db.prepare(`SELECT count(*) AS count FROM schedule WHERE user_id = ? AND conversation_id <> ?`);
  return (await query.bind(userId, conversationId).first<number>("count")) ?? 0;
}

/**
 * What is due at `now` and nobody has claimed, in the order in which it should be handed over: one of each user,
 * then a second one of each, and so on. Claims nothing.
 */
export async function findDue(db: D1Database, now: number, limit: number): Promise<ScheduleKey[]> {
  const { results } = await db
    .prepare(
      `SELECT user_id, schedule_id FROM (
         SELECT user_id, schedule_id, next_run_at,
           row_number() OVER (PARTITION BY user_id ORDER BY next_run_at, schedule_id) AS turn
         FROM (SELECT user_id, schedule_id, next_run_at FROM schedule
           WHERE next_run_at <= ?1 AND ${UNCLAIMED} ORDER BY next_run_at LIMIT ?2)
       ) ORDER BY turn, next_run_at LIMIT ?3`,
    )
    .bind(now, MOST_SCANNED, limit)
    .all<ScheduleKey>();
  return results;
}

/** S1. Claims those of `keys` that are still due and unclaimed, at once or not at all, until `now + leaseMs`. */
export async function claimDue(
  db: D1Database,
  keys: readonly ScheduleKey[],
  now: number,
  leaseMs: number,
): Promise<DueTick[]> {
  const { results } = await db
    .prepare(
      `UPDATE schedule SET claimed_until = ?2
       WHERE (user_id, schedule_id) IN (SELECT value ->> 'user_id', value ->> 'schedule_id' FROM json_each(?3))
         AND next_run_at <= ?1 AND ${UNCLAIMED}
       RETURNING user_id, schedule_id, conversation_id, next_run_at AS due_at`,
    )
    .bind(now, now + leaseMs, JSON.stringify(keys))
    .all<DueTick>();
  return results;
}

/** S2. Notes what became of ticks, and lets go of them. Rows that have moved on meanwhile stay as they are. */
export async function settleTicks(db: D1Database, outcomes: readonly Outcome[]): Promise<void> {
  const handed = outcomes.filter(({ kind }) => kind === "next");
  const gone = outcomes.filter(({ kind }) => kind === "gone");
  const statements = [
    ...(handed.length === 0 ? [] : [db.prepare(ADVANCE).bind(JSON.stringify(handed))]),
    ...(gone.length === 0 ? [] : [db.prepare(FORGET).bind(JSON.stringify(gone))]),
  ];
  if (statements.length > 0) await db.batch(statements);
}

const ADVANCE = `UPDATE schedule SET next_run_at = answer.value ->> 'next_run_at', claimed_until = 0
  FROM json_each(?) AS answer
  WHERE user_id = answer.value ->> '$.tick.user_id' AND schedule_id = answer.value ->> '$.tick.schedule_id'
    AND schedule.next_run_at = answer.value ->> '$.tick.due_at'`;

const FORGET = `DELETE FROM schedule
  WHERE (user_id, schedule_id, next_run_at) IN
    (SELECT value ->> '$.tick.user_id', value ->> '$.tick.schedule_id', value ->> '$.tick.due_at' FROM json_each(?))`;
