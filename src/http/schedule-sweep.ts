// The sweep: hands due schedule runs (ticks) to their conversations. The cron trigger calls it every minute.
//
// A sweep owns no state between two calls, and may stop at any point:
// - A claim of a sweep that stopped expires with its lease.
// - Ticks that were not reached remain due.
// - A tick that is handed over twice starts one run (S1); the conversation ensures this.
// Two sweeps may run at the same time: they claim different ticks.

import { openDirectory } from "../directory/open-directory.ts";
import {
  claimDueTicks,
  findDueSchedules,
  settleTicks,
  type DueTick,
  type TickOutcome,
  type ScheduleKey,
} from "../directory/schedule-directory.ts";
import { formatObjectName } from "../durable/conversation-api.ts";
import type { Env } from "../env.ts";
import { withTimeout } from "../lib/with-timeout.ts";

/** Limits of one sweep. Times are in milliseconds. */
export type SweepLimits = {
  /** An invocation may make 10,000 subrequests. Each tick takes one, and each page three more. */
  readonly maxTicks: number;
  /** Number of ticks that are claimed and handed over together. */
  readonly pageSize: number;
  /** Number of pages that are processed in parallel. A conversation that hangs delays only its own page. */
  readonly concurrency: number;
  /** After this time no further page is claimed, because the next sweep starts a minute after this one. */
  readonly claimPeriodMs: number;
  /** Timeout for handing one tick to its conversation. */
  readonly handOverTimeoutMs: number;
  /** Duration of a claim. It must exceed the time that a page takes. Failed ticks can be claimed again after it. */
  readonly leaseMs: number;
};

const DEFAULT_SWEEP_LIMITS: SweepLimits = {
  maxTicks: 9_000,
  pageSize: 50,
  concurrency: 4,
  claimPeriodMs: 40_000,
  handOverTimeoutMs: 10_000,
  leaseMs: 30_000,
};

type SweepBindings = Pick<Env, "DB" | "CONVERSATION">;

/**
 * Hands over the due ticks, at most `maxTicks`, and returns the number of those that their conversation has accepted or
 * whose schedule is gone. Failed handovers are logged, and their ticks remain due, like those that were not reached in
 * time. Rejects if the directory fails, after all lanes have ended.
 */
export async function sweep(env: SweepBindings, limits: SweepLimits = DEFAULT_SWEEP_LIMITS): Promise<number> {
  const startedAt = Date.now();
  const pages = splitIntoPages(
    await findDueSchedules(openDirectory(env.DB), startedAt, limits.maxTicks),
    limits.pageSize,
  );
  let handedOver = 0;
  const runLane = async () => {
    for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
      if (Date.now() - startedAt > limits.claimPeriodMs) return;
      const count = await handOverPage(env, page, limits);
      handedOver += count;
    }
  };
  const laneResults = await Promise.allSettled(Array.from({ length: limits.concurrency }, runLane));
  for (const laneResult of laneResults) if (laneResult.status === "rejected") throw laneResult.reason;
  return handedOver;
}

function splitIntoPages<T>(rows: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size));
}

/** Claims a page of ticks, hands them over, and stores the outcomes. Returns the number of ticks with an outcome. */
async function handOverPage(env: SweepBindings, page: readonly ScheduleKey[], limits: SweepLimits): Promise<number> {
  const ticks = await claimDueTicks(openDirectory(env.DB), page, Date.now(), limits.leaseMs);
  const results = await Promise.allSettled(
    ticks.map((tick) => withTimeout(limits.handOverTimeoutMs, handOverTick(env.CONVERSATION, tick))),
  );
  const outcomes = results.flatMap((answer) => (answer.status === "fulfilled" ? (answer.value ?? []) : []));
  const failures = results.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
  if (failures.length > 0) {
    console.error(`${failures.length} of ${ticks.length} ticks could not be handed over, one of them:`, failures[0]);
  }
  await settleTicks(openDirectory(env.DB), outcomes);
  return outcomes.length;
}

/**
 * Hands over one tick. Returns null if the conversation has no capacity: the tick remains due for the next sweep.
 * Throws for other failures.
 */
async function handOverTick(conversations: SweepBindings["CONVERSATION"], tick: DueTick): Promise<TickOutcome | null> {
  const { user_id: userId, schedule_id: scheduleId, conversation_id: conversationId, due_at: dueAt } = tick;
  const result = await conversations.getByName(formatObjectName(userId, conversationId)).tick(scheduleId, dueAt);
  if (!result.ok) {
    if (result.failure.code === "not_found") return { kind: "gone", tick };
    if (result.failure.code === "too_many_requests") return null;
    throw new Error(`${conversationId}: ${result.failure.message}`);
  }
  const { next_run_at } = result.value;
  // The conversation's clock is behind, and it considers the tick early. Releasing the claim would repeat it at once.
  if (next_run_at !== null && next_run_at <= dueAt) throw new Error(`${conversationId}: ${scheduleId} is not due yet`);
  return { kind: "next", tick, next_run_at };
}
