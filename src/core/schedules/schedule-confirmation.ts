// The question that confirms recurring tasks before their schedules are created.

import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import type { Language } from "../../protocol/language/detect-language.ts";
import { computeNextRun } from "./next-run.ts";
import { describeRunTime, describeSchedule } from "../../protocol/language/describe-schedule.ts";

/** A proposed task with its schedule. */
export type RecurringTask = { readonly title: string; readonly schedule_config: ScheduleConfig };

/**
 * Formats the question whether the tasks shall recur: each task with its schedule and next run in words, in the
 * person's zone. `now` is in milliseconds since the epoch. The schedules must be valid (`findScheduleProblem` returns
 * null).
 */
export function formatConfirmation(
  tasks: readonly RecurringTask[],
  now: number,
  zone: string | undefined,
  language: Language,
): string {
  const lines = tasks.map((task) => formatRecurringTask(task, now, zone, language));
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) {
    return language === "zh" ? `${only}要这样设置吗？` : `${only} Shall I set it up?`;
  }
  const list = lines.map((line) => `- ${line}`).join("\n");
  return language === "zh"
    ? `以下任务将按时间重复：\n${list}\n要这样设置吗？`
    : `These tasks will recur:\n${list}\nShall I set them up?`;
}

/** Formats one recurring task as a sentence with its schedule and, if there is one, its next run. */
function formatRecurringTask(
  { title, schedule_config: config }: RecurringTask,
  now: number,
  zone: string | undefined,
  language: Language,
): string {
  const at = computeNextRun(config, now, zone);
  const schedule = describeSchedule(config, zone, language);
  const next = at === null ? null : describeRunTime(at, now, zone, language);
  if (language === "zh") return `“${title}”将重复执行：${schedule}。${next === null ? "" : `下次执行：${next}。`}`;
  return `"${title}" will run ${schedule}.${next === null ? "" : ` Next run: ${next}.`}`;
}
