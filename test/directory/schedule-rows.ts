// Helpers that write schedules to D1 and read its rows.

import { env } from "cloudflare:workers";
import { listConversations } from "../../src/directory/conversation-directory.ts";
import { putSchedules, type DueTick } from "../../src/directory/schedule-directory.ts";
import type { Env } from "../../src/env.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Schedule } from "../../src/protocol/schedules/schedule.ts";

export const { DB } = env as unknown as Env;

export function createSchedule(userId: string, scheduleId: string, changes: Partial<Schedule> = {}): Schedule {
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

/** Returns `count` schedules of one user, all due at 1,000. */
export function createSchedules(userId: string, count: number, changes: Partial<Schedule> = {}): Schedule[] {
  return Array.from({ length: count }, (_, i) => createSchedule(userId, `${userId}-${i}`, changes));
}

/** Writes schedules in batches that are small enough for one message. */
export async function putAllSchedules(schedules: readonly Schedule[]): Promise<void> {
  for (let i = 0; i < schedules.length; i += 1_000) await putSchedules(DB, schedules.slice(i, i + 1_000));
}

export type ScheduleRow = { readonly next_run_at: number | null; readonly claimed_until: number };

export function readScheduleRow(userId: string, scheduleId: string): Promise<ScheduleRow | null> {
  return DB.prepare(`SELECT next_run_at, claimed_until FROM schedule WHERE user_id = ? AND schedule_id = ?`)
    .bind(userId, scheduleId)
    .first<ScheduleRow>();
}

/** Returns a conversation from the user's list, or undefined. */
export async function findConversation(userId: string, id: string): Promise<ConversationInfo | undefined> {
  const conversations = await listConversations(DB, userId, 1_000, null);
  return conversations.find(({ conversation_id }) => conversation_id === id);
}

export function listIds(ticks: readonly Pick<DueTick, "schedule_id">[]): string[] {
  return ticks.map(({ schedule_id }) => schedule_id).toSorted();
}

export async function clearSchedules(): Promise<void> {
  await DB.prepare(`DELETE FROM schedule`).run();
}
