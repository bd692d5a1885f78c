// Requests about schedules that exist, as orders to the runtime.

import * as z from "zod";
import { tryParseJson } from "../../lib/parse-json.ts";
import { formatMessage } from "../../language/messages.ts";
import type { Language } from "../../language/detect-language.ts";
import { describeSchedule } from "../../language/schedules/describe-schedule.ts";
import { findNamedSchedules, parseNewTimes } from "../../language/schedules/match-schedules.ts";
import { parseScheduleCommand, type ScheduleCommand } from "../../language/schedules/schedule-command.ts";
import { scheduleConfigSchema } from "../../protocol/schedules/schedule-config.ts";
import { REMINDER_AGENT } from "../../protocol/schedules/schedule.ts";
import { createCallAnswer, type EmbeddedAnswer } from "../chat-completions.ts";
import { formatSentence } from "../messages.ts";
import type { PromptContext } from "../prompt-context.ts";

const listedSchema = z.array(
  z.object({
    schedule_id: z.string(),
    title: z.string(),
    query: z.string(),
    agent_name: z.string(),
    schedule_config: scheduleConfigSchema,
    status: z.string(),
    /** True for a schedule of this conversation. */
    here: z.boolean(),
  }),
);
type ListedSchedule = z.infer<typeof listedSchema>[number];

/** Marks answers about schedules, in the words of the runtime. */
const ABOUT_SCHEDULES =
  /^(?:(?:Your schedules|Ended|Paused|Resumed|Changed|你的定时任务|已结束|已暂停|已恢复|已修改)[:：]|Scheduled(?: for|:)|已安排)/m;

const PRONOUN = /^(?:it|that|this|that one|this one|them|它们?|这个|那个)?$/i;

/** True if the request is about schedules that exist. "stop it" is one only after an answer about schedules. */
export function isScheduleOrder({ request, earlier }: PromptContext): boolean {
  const command = parseScheduleCommand(request);
  if (command === null) return false;
  if (command.isCertain || (command.action === "change" && PRONOUN.test(command.object))) return true;
  const last = earlier.findLast(({ role, text }) => role === "assistant" && text.trim() !== "");
  return last !== undefined && ABOUT_SCHEDULES.test(last.text);
}

/**
 * Answers a request about schedules that exist: reads them, asks which one is meant if several fit, then orders. Returns
 * null for any other request.
 */
export function answerScheduleOrder(talk: PromptContext, language: Language): EmbeddedAnswer | null {
  const command = isScheduleOrder(talk) ? parseScheduleCommand(talk.request) : null;
  if (command === null) return null;
  const refuse = (reason: string): EmbeddedAnswer =>
    createCallAnswer("create_plan", { tasks: [], adequate: false, reason, guidance_message: reason });
  const findOutcome = (name: string) => talk.outcomes.findLast(({ call }) => call.name === name)?.content;
  // Another answer than yes: a change is a request of its own.
  if (findOutcome("manage_schedules") !== undefined) return refuse(formatSentence("scheduleUnchanged", language));
  const list = findOutcome("list_schedules");
  if (list === undefined) return createCallAnswer("list_schedules", {});
  const schedules = listedSchema.safeParse(tryParseJson(list)).data ?? [];
  if (command.action === "show" || schedules.length === 0)
    return createCallAnswer("manage_schedules", { action: "show", schedule_ids: [] });
  const answer = findOutcome("ask_user");
  const named = selectSchedules(command, schedules, answer, language);
  if (named.length === 0) return refuse(formatSentence("noSuchSchedule", language));
  if (named.length > 1 && !command.isAll && answer === undefined)
    return createCallAnswer("ask_user", {
      question: formatSentence("whichSchedule", language),
      options: named.map((schedule) => formatOption(schedule, language)),
    });
  if (named.length > 1 && !command.isAll) return refuse(formatSentence("noSuchSchedule", language));
  return order(command, named, talk, language) ?? refuse(formatSentence("noSuchSchedule", language));
}

function selectSchedules(
  { action, object, isAll }: ScheduleCommand,
  schedules: readonly ListedSchedule[],
  answer: string | undefined,
  language: Language,
): readonly ListedSchedule[] {
  const fitting = schedules.filter(
    ({ status }) =>
      status !== "completed" &&
      (action !== "pause" || status === "active") &&
      (action !== "resume" || status === "paused"),
  );
  const found = findNamedSchedules(object, fitting, ({ agent_name: agent }) => agent === REMINDER_AGENT);
  const here = found.filter((schedule) => schedule.here);
  const named = isAll || here.length === 0 ? found : here;
  if (answer === undefined || named.length < 2) return named;
  const chosen = named.filter((schedule) => formatOption(schedule, language) === answer.trim());
  return chosen.length > 0 ? chosen.slice(0, 1) : findNamedSchedules(answer, named);
}

/** Formats a schedule as an option of a question: its title and its times. */
function formatOption({ title, schedule_config: config }: ListedSchedule, language: Language): string {
  return `${title}${language === "zh" ? "，" : ", "}${describeSchedule(config, null, language)}`;
}

function order(
  { action, times }: ScheduleCommand,
  named: readonly ListedSchedule[],
  { timezone, now }: PromptContext,
  language: Language,
): EmbeddedAnswer | null {
  const schedule_ids = named.map(({ schedule_id: id }) => id);
  if (action !== "change") return createCallAnswer("manage_schedules", { action, schedule_ids });
  const [first] = named;
  if (first === undefined) return null;
  const read = parseNewTimes(times, first, timezone, now);
  if ("config" in read)
    return createCallAnswer("manage_schedules", { action, schedule_ids, schedule_config: read.config });
  const reason = formatMessage(language, read.problem);
  return createCallAnswer("create_plan", { tasks: [], adequate: false, reason, guidance_message: reason });
}
