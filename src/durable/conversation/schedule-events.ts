// The events of schedule runs and schedule changes, the language of their sentences, and the report to webhooks.

import type { EventDraft } from "../../core/ports.ts";
import { detectLanguage } from "../../language/detect-language.ts";
import { createMessage, formatMessage, type Message, type MessageKey } from "../../language/messages.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";
import type { ScheduleRunReport } from "../../protocol/schedules/schedule-run-report.ts";
import { SCHEDULE_RESULT_COMPONENT, type Schedule, type ScheduleRunResult } from "../../protocol/schedules/schedule.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { Item } from "../../protocol/wire/items.ts";

/** Formats a message in the language of the schedule: that of the person's request, else that of its query. */
export function formatForSchedule({ query, language }: Schedule, message: Message): string {
  return formatMessage(detectLanguage(language === undefined ? query : "", language), message);
}

const CHANGE_MESSAGES = {
  deleted: "schedule.deleted",
  paused: "schedule.paused",
  set: "schedule.updated",
  skipped: "schedule.runSkipped",
} as const satisfies Readonly<Record<string, MessageKey>>;

/** The kinds of schedule changes that a system thread reports. */
export type ScheduleChange = keyof typeof CHANGE_MESSAGES;

/** Creates the events of a system thread, which ends as it begins. */
export function createSystemThread(
  threadId: string,
  change: ScheduleChange,
  schedule: Schedule,
  controller: EventDraft,
): EventDraft[] {
  const { schedule_id } = schedule;
  const content = formatForSchedule(schedule, createMessage(CHANGE_MESSAGES[change]));
  const done: EventDraft = { event: "done", data: { role: "system", thread_id: threadId, metadata: { schedule_id } } };
  return [createSystemDraft(threadId, content, schedule_id), controller, done];
}

/**
 * Creates the first event (`thread_started`) of a thread that no message starts: a schedule run, or a schedule change.
 */
export function createSystemDraft(threadId: string, content: string, scheduleId: string): EventDraft {
  const scope = { thread_id: threadId, task_id: deriveId(threadId, "ask") };
  const metadata = { created_at: Date.now(), schedule_id: scheduleId };
  return { event: "thread_started", data: { ...scope, role: "system", payload: { content }, metadata } };
}

/**
 * True for items that are listed with their schedule and not in the history of the conversation (F55): results of runs,
 * and the first events of runs and of schedule changes.
 */
export function isScheduleItem({ event, role, payload }: Item): boolean {
  return (event === "thread_started" && role === "system") || payload["component_type"] === SCHEDULE_RESULT_COMPONENT;
}

/**
 * The maximum length of a result in a delivery, in UTF-16 units, so that it fits a row and a message. The schedule's
 * results contain all of it.
 */
const MAX_RESULT_CHARS = 100_000;

/** Creates the body of a delivery to a webhook. */
export function createRunReport(schedule: Schedule, run: ScheduleRunResult, now: number): ScheduleRunReport {
  const { title, conversation_id } = schedule;
  const timestamp = new Date(run.ended_at ?? now).toISOString();
  const shown = run.result === undefined ? run : { ...run, result: truncateWithEllipsis(run.result, MAX_RESULT_CHARS) };
  return { type: "schedule.run", timestamp, data: { ...shown, title, conversation_id } };
}
