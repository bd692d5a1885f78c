// The sweep: hands due schedule runs (ticks) to their conversations. The cron trigger calls it every minute.
//
// A sweep owns no state between two calls, and may stop at any point:
// - A claim of a sweep that stopped expires with its lease.
// - Ticks that were not reached remain due.
// - A tick that is handed over twice starts one run (S1); the conversation ensures this.
// Two sweeps may run at the same time: they claim different ticks.

import {
  claimDue,
  findDue,
  settleTicks,
  type DueTick,
  type Outcome,
  type ScheduleKey,
} from "../directory/schedules.ts";
import { objectName } from "../durable/api.ts";
import type { Env } from "../env.ts";
import { within } from "../protocol/within.ts";

/** Limits of one sweep. Times are in milliseconds. */
export type Bounds = {
  /** An invocation may make 10,000 subrequests. Each tick takes one, and each page three more. */
  readonly mostTicks: number;
  /** Number of ticks that are claimed and handed over together. */
  readonly pageSize: number;
  /** Number of pages that are processed in parallel. A conversation that hangs delays only its own page. */
  readonly lanes: number;
  /** After this time no further page is claimed, because the next sweep starts a minute after this one. */
  readonly sweepMs: number;
  /** Timeout for handing one tick to its conversation. */
  readonly handOverMs: number;
  /** Duration of a claim. It must exceed the time that a page takes. Failed ticks can be claimed again after it. */
  readonly leaseMs: number;
};

const BOUNDS: Bounds = {
  mostTicks: 9_000,
  pageSize: 50,
  lanes: 4,
  sweepMs: 40_000,
  handOverMs: 10_000,
  leaseMs: 30_000,
};

type Bindings = Pick<Env, "DB" | "CONVERSATION">;

/**
 * Hands over all due ticks and returns their number. Failed handovers are logged, and their ticks remain due. Rejects
 * if the directory fails, after all lanes have ended.
 */
export async function sweep(env: Bindings, bounds: Bounds = BOUNDS): Promise<number> {
  const startedAt = Date.now();
  const pages = pagesOf(await findDue(env.DB, startedAt, bounds.mostTicks), bounds.pageSize);
  let carried = 0;
  const lane = async () => {
    for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
      if (Date.now() - startedAt > bounds.sweepMs) return;
      const handed = await carry(env, page, bounds);
      carried += handed;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: bounds.lanes }, lane));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return carried;
}

function pagesOf<T>(rows: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size));
}

/** Claims a page of ticks, hands them over, and stores the outcomes. Returns the number of ticks with an outcome. */
async function carry(env: Bindings, page: readonly ScheduleKey[], bounds: Bounds): Promise<number> {
  const ticks = await claimDue(env.DB, page, Date.now(), bounds.leaseMs);
  const answers = await Promise.allSettled(
    ticks.map((tick) => within(bounds.handOverMs, handOver(env.CONVERSATION, tick))),
  );
  const outcomes = answers.flatMap((answer) => (answer.status === "fulfilled" ? (answer.value ?? []) : []));
  const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
  if (failures.length > 0) {
    console.error(`${failures.length} of ${ticks.length} ticks could not be handed over, one of them:`, failures[0]);
  }
  await settleTicks(env.DB, outcomes);
  return outcomes.length;
}

/**
 * Hands over one tick. Returns null if the conversation has no capacity: the tick remains due for the next sweep.
 * Throws for other failures.
 */
async function handOver(conversations: Bindings["CONVERSATION"], tick: DueTick): Promise<Outcome | null> {
  const { user_id: userId, schedule_id: scheduleId, conversation_id: conversationId, due_at: dueAt } = tick;
  const answer = await conversations.getByName(objectName(userId, conversationId)).tick(scheduleId, dueAt);
  if (!answer.ok) {
    if (answer.failure.code === "not_found") return { kind: "gone", tick };
    if (answer.failure.code === "too_many_requests") return null;
    throw new Error(`${conversationId}: ${answer.failure.message}`);
  }
  const { next_run_at } = answer.value;
  // The conversation's clock is behind, and it considers the tick early. Releasing the claim would repeat it at once.
  if (next_run_at !== null && next_run_at <= dueAt) throw new Error(`${conversationId}: ${scheduleId} is not due yet`);
  return { kind: "next", tick, next_run_at };
}
