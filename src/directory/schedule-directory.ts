// The D1 rows of schedules. Written by their conversations, and by the sweep that hands over due ticks.
//
// The row is a copy: the conversation decides what is due. Order of a sweep: `findDueSchedules`, `claimDueTicks`, hand
// over, `settleTicks`. If a sweep dies, its claims expire and another sweep repeats the ticks, which the conversation
// accepts once.
//
// Invariants:
// - A claim belongs to one tick, that is one schedule and one due time. Nobody else claims it before it expires; it
//   ends when the due time changes.
// - A row advances only from the due time that was handed over: a late answer changes nothing.

import { scheduleSchema, type Schedule } from "../protocol/schedules/schedule.ts";
import { LIST_START, type ListPosition } from "./list-position.ts";
import { splitJsonLists } from "./tool-rows.ts";

/** The primary key of a row. */
export type ScheduleKey = { readonly user_id: string; readonly schedule_id: string };

/** A claimed tick. `due_at` is in ms since the epoch, like all times here. */
export type DueTick = ScheduleKey & { readonly conversation_id: string; readonly due_at: number };

/**
 * The answer of a conversation to a tick: its next due time (null: none for now), or `gone` if the schedule was
 * deleted.
 */
export type TickOutcome =
  | { readonly kind: "next"; readonly tick: DueTick; readonly next_run_at: number | null }
  | { readonly kind: "gone"; readonly tick: DueTick };

/** The number of rows that one search examines, the longest overdue first: it stays fast with any backlog. */
const MAX_SCANNED_ROWS = 50_000;

/** A claim more than a minute in the future was made before the clock was set back, and is ignored. */
const UNCLAIMED = `(claimed_until <= ?1 OR claimed_until > ?1 + 60000)`;

/** Writes schedules. Nothing is written for a version that is older, by `updated_at`, or identical. */
export async function putSchedules(db: D1Database, schedules: readonly Schedule[]): Promise<void> {
  for (const page of splitJsonLists(schedules.map((schedule) => JSON.stringify(schedule))))
    await putScheduleList(db, page);
}

/** A changed due time ends the claim of the old one. */
async function putScheduleList(db: D1Database, page: string): Promise<void> {
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

export async function removeSchedule(db: D1Database, userId: string, scheduleId: string): Promise<void> {
  await db.prepare(`DELETE FROM schedule WHERE user_id = ? AND schedule_id = ?`).bind(userId, scheduleId).run();
}

/**
 * S3. Returns the statement that deletes the schedules of a conversation, for the batch that deletes the conversation.
 */
export function prepareScheduleDeletion(db: D1Database, userId: string, conversationId: string): D1PreparedStatement {
  return db.prepare(`DELETE FROM schedule WHERE user_id = ? AND conversation_id = ?`).bind(userId, conversationId);
}

/** Returns at most `limit` schedules of a user, newest first, after the cursor `after`. */
export async function listSchedules(
  db: D1Database,
  userId: string,
  limit: number,
  after: ListPosition | null,
): Promise<Schedule[]> {
  const { at, id } = after ?? LIST_START;
  const { results } = await db
    .prepare(
      `SELECT body FROM schedule WHERE user_id = ? AND (created_at, schedule_id) < (?, ?)
       ORDER BY created_at DESC, schedule_id DESC LIMIT ?`,
    )
    .bind(userId, at, id, limit)
    .all<{ body: string }>();
  return results.map(({ body }) => scheduleSchema.parse(JSON.parse(body)));
}

/** Returns the number of a user's schedules with runs to come outside one conversation, which knows its own better. */
export async function countSchedulesOutside(db: D1Database, userId: string, conversationId: string): Promise<number> {
  const query = db.prepare(
    `SELECT count(*) AS count FROM schedule WHERE user_id = ? AND conversation_id <> ? AND body ->> 'status' <> 'completed'`,
  );
  return (await query.bind(userId, conversationId).first<number>("count")) ?? 0;
}

/**
 * Returns due, unclaimed schedules in the order in which to hand them over: one of each user, then a second of each,
 * and so on, so that one user's backlog does not delay others. Claims nothing.
 */
export async function findDueSchedules(db: D1Database, now: number, limit: number): Promise<ScheduleKey[]> {
  const { results } = await db
    .prepare(
      `SELECT user_id, schedule_id FROM (
         SELECT user_id, schedule_id, next_run_at,
           row_number() OVER (PARTITION BY user_id ORDER BY next_run_at, schedule_id) AS turn
         FROM (SELECT user_id, schedule_id, next_run_at FROM schedule
           WHERE next_run_at <= ?1 AND ${UNCLAIMED} ORDER BY next_run_at LIMIT ?2)
       ) ORDER BY turn, next_run_at LIMIT ?3`,
    )
    .bind(now, MAX_SCANNED_ROWS, limit)
    .all<ScheduleKey>();
  return results;
}

/**
 * Claims the ticks of `keys` that are still due and unclaimed, in one statement, until `now + leaseMs`. Returns these.
 */
export async function claimDueTicks(
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

/**
 * Stores the answers to ticks and releases their claims; `gone` deletes the row. Rows with another due time do not
 * change.
 */
export async function settleTicks(db: D1Database, outcomes: readonly TickOutcome[]): Promise<void> {
  const advanced = outcomes.filter(({ kind }) => kind === "next");
  const gone = outcomes.filter(({ kind }) => kind === "gone");
  const statements = [
    ...(advanced.length === 0 ? [] : [db.prepare(ADVANCE_SCHEDULES).bind(JSON.stringify(advanced))]),
    ...(gone.length === 0 ? [] : [db.prepare(DELETE_GONE_SCHEDULES).bind(JSON.stringify(gone))]),
  ];
  if (statements.length > 0) await db.batch(statements);
}

const ADVANCE_SCHEDULES = `UPDATE schedule SET next_run_at = answer.value ->> 'next_run_at', claimed_until = 0
  FROM json_each(?) AS answer
  WHERE user_id = answer.value ->> '$.tick.user_id' AND schedule_id = answer.value ->> '$.tick.schedule_id'
    AND schedule.next_run_at = answer.value ->> '$.tick.due_at'`;

const DELETE_GONE_SCHEDULES = `DELETE FROM schedule
  WHERE (user_id, schedule_id, next_run_at) IN
    (SELECT value ->> '$.tick.user_id', value ->> '$.tick.schedule_id', value ->> '$.tick.due_at' FROM json_each(?))`;
