// The question before work is set up to recur.

import type { ScheduleConfig } from "../../protocol/schedule.ts";
import type { Language } from "../../protocol/words/language.ts";
import { nextRun } from "./arithmetic.ts";
import { describeNext, describeSchedule } from "../../protocol/words/schedule-words.ts";

export type Recurring = { readonly title: string; readonly schedule_config: ScheduleConfig };

/**
 * Asks whether the tasks shall recur as they were understood: each with its schedule and its next run in words, in
 * the person's zone. `now` is milliseconds since the epoch. The schedules are ones that `problemWith` takes.
 */
export function confirmation(
  tasks: readonly Recurring[],
  now: number,
  zone: string | undefined,
  language: Language,
): string {
  const lines = tasks.map((task) => lineOf(task, now, zone, language));
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) {
    return language === "zh" ? `${only}要这样设置吗？` : `${only} Shall I set it up?`;
  }
  const list = lines.map((line) => `- ${line}`).join("\n");
  return language === "zh"
    ? `以下任务将按时间重复：\n${list}\n要这样设置吗？`
    : `These tasks will recur:\n${list}\nShall I set them up?`;
}

function lineOf(
  { title, schedule_config: config }: Recurring,
  now: number,
  zone: string | undefined,
  language: Language,
): string {
  const at = nextRun(config, now, zone);
  const schedule = describeSchedule(config, zone, language);
  const next = at === null ? null : describeNext(at, now, zone, language);
  if (language === "zh") return `“${title}”将重复执行：${schedule}。${next === null ? "" : `下次执行：${next}。`}`;
  return `"${title}" will run ${schedule}.${next === null ? "" : ` Next run: ${next}.`}`;
}
