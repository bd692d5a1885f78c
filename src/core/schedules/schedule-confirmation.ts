// The question that confirms recurring tasks before their schedules are created.

import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import type { Language } from "../../language/detect-language.ts";
import { createMessage, formatMessage, type Message } from "../../language/messages.ts";
import { computeNextRun } from "./next-run.ts";
import { describeRunTime, describeSchedule } from "../../language/schedules/describe-schedule.ts";

/** A proposed task with its schedule. */
export type RecurringTask = { readonly title: string; readonly schedule_config: ScheduleConfig };

/**
 * Formats the question by which the person confirms recurring tasks; several tasks are listed, one per line. A task is
 * described by its title, its schedule and its next run, if there is one. The schedule is in its own time zone or, if
 * it has none, in `zone`; the next run is in `zone`. `zone` is the person's time zone, UTC if undefined; `now` is in ms
 * since the epoch. The schedules must be valid (`findScheduleProblem` returns null).
 */
export function formatConfirmation(
  tasks: readonly RecurringTask[],
  now: number,
  zone: string | undefined,
  language: Language,
): string {
  const proposals = tasks.map((task) => describeRecurringTask(task, now, zone, language));
  const [only] = proposals;
  if (proposals.length === 1 && only !== undefined)
    return formatMessage(language, createMessage("schedule.confirmOne", { proposal: only }));
  const list = proposals.map((proposal) => `- ${formatMessage(language, proposal)}`).join("\n");
  return formatMessage(language, createMessage("schedule.confirmSeveral", { proposals: list }));
}

/** Describes one recurring task with its schedule and, if there is one, its next run. */
function describeRecurringTask(
  { title, schedule_config: config }: RecurringTask,
  now: number,
  zone: string | undefined,
  language: Language,
): Message {
  const at = computeNextRun(config, now, zone);
  const schedule = describeSchedule(config, zone, language);
  if (at === null) return createMessage("schedule.proposalWithoutRun", { title, schedule });
  return createMessage("schedule.proposal", { title, schedule, time: describeRunTime(at, now, zone, language) });
}
