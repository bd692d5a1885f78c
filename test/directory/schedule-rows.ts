// Schedules to put into a real D1, and what stands there.

import { env } from "cloudflare:workers";
import { listConversations } from "../../src/directory/conversation-directory.ts";
import { putSchedules, type DueTick } from "../../src/directory/schedule-directory.ts";
import type { Env } from "../../src/env.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Schedule } from "../../src/protocol/schedules/schedule.ts";

export const { DB } = env as unknown as Env;

export function schedule(userId: string, scheduleId: string, changes: Partial<Schedule> = {}): Schedule {
  return {
    schedule_id: scheduleId,
    conversation_id: `conv-${scheduleId}`,
    user_id: userId,
    title: "Morning report",
    query: "Report the weather",
    agent_name: "assistant",
    schedule_config: { interval_minutes: 5 },
    catch_up: "once",
    status: "active",
    next_run_at: 1_000,
    failures: 0,
    created_at: 1,
    updated_at: 1,
    ...changes,
  };
}

/** As many schedules of one user, all due at 1,000. */
export function many(userId: string, count: number, changes: Partial<Schedule> = {}): Schedule[] {
  return Array.from({ length: count }, (_, i) => schedule(userId, `${userId}-${i}`, changes));
}

/** In statements that are small enough for one message. */
export async function putAll(schedules: readonly Schedule[]): Promise<void> {
  for (let i = 0; i < schedules.length; i += 1_000) await putSchedules(DB, schedules.slice(i, i + 1_000));
}

export type Row = { readonly next_run_at: number | null; readonly claimed_until: number };

export function rowOf(userId: string, scheduleId: string): Promise<Row | null> {
  return DB.prepare(`SELECT next_run_at, claimed_until FROM schedule WHERE user_id = ? AND schedule_id = ?`)
    .bind(userId, scheduleId)
    .first<Row>();
}

/** A conversation as it is listed. */
export async function conversationOf(userId: string, id: string): Promise<ConversationInfo | undefined> {
  const conversations = await listConversations(DB, userId, 1_000, null);
  return conversations.find(({ conversation_id }) => conversation_id === id);
}

export function idsOf(ticks: readonly Pick<DueTick, "schedule_id">[]): string[] {
  return ticks.map(({ schedule_id }) => schedule_id).toSorted();
}

export async function clear(): Promise<void> {
  await DB.prepare(`DELETE FROM schedule`).run();
}
