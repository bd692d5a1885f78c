// The sweep: hands every tick that is due to its conversation. The cron trigger calls it every minute.
//
// Nothing depends on a sweep coming to its end. What it claimed is free again when the lease runs out, what it did not
// reach is due still, and a tick that is handed over twice makes one run (S1): the conversation sees to that.

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

/** What one sweep may take. Times are in milliseconds. */
export type Bounds = {
  /** An invocation may make 10,000 calls; each tick is one, and each page three more. */
  readonly mostTicks: number;
  /** Ticks that are claimed and handed over together. */
  readonly pageSize: number;
  /** Pages that are on their way side by side: a conversation that hangs holds up its own page alone. */
  readonly lanes: number;
  /** After this no further page is claimed: the next sweep comes in a minute. */
  readonly sweepMs: number;
  readonly handOverMs: number;
  /** Outlasts a page. A tick that failed is tried again after it, by the next sweep. */
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

/** Hands over what is due. Resolves with the number of ticks that were; rejects when the directory fails. */
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

/** Null when the conversation has no room for another run: the tick stays due, and the next sweep asks again. */
async function handOver(conversations: Bindings["CONVERSATION"], tick: DueTick): Promise<Outcome | null> {
  const { user_id: userId, schedule_id: scheduleId, conversation_id: conversationId, due_at: dueAt } = tick;
  const answer = await conversations.getByName(objectName(userId, conversationId)).tick(scheduleId, dueAt);
  if (!answer.ok) {
    if (answer.failure.code === "not_found") return { kind: "gone", tick };
    if (answer.failure.code === "too_many_requests") return null;
    throw new Error(`${conversationId}: ${answer.failure.message}`);
  }
  const { next_run_at } = answer.value;
  // By its own clock it is early. Let go, it would come up again at once.
  if (next_run_at !== null && next_run_at <= dueAt) throw new Error(`${conversationId}: ${scheduleId} is not due yet`);
  return { kind: "next", tick, next_run_at };
}
