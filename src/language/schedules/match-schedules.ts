// Finds the schedules that words of the person name, and reads new times for one of them.

import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import type { Message } from "../messages.ts";
import { normalizeCharacters, trimPunctuation } from "../text-spans.ts";
import { findTimeOfDay } from "../time-of-day.ts";
import { getWallClock, toInstant } from "../wall-clock.ts";
import { describeSchedule } from "./describe-schedule.ts";
import { parseSchedule } from "./parse-schedule.ts";

/** The parts of a schedule by which people name it. */
export type NamedSchedule = {
  readonly title: string;
  readonly query: string;
  readonly schedule_config: ScheduleConfig;
};

const STOP_WORDS =
  /\b(?:the|my|a|an|all|of|both|that|this|these|those|it|them|to|at|on|in|me|one|ones|please|schedules?|scheduled|reminders?|recurring|repeating|tasks?|jobs?|runs?|thing|everything|remind|tell|telling|send|sending|giv(?:e|ing)|about|for)\b|的|我|那个|这个|那些|这些|它们?|所有|全部|都|个|条|项|定时|任务|提醒|周期|重复|计划|日程|全|那|这|请|给|一下/gi;
/** Words that name the recurrence instead of the work, in the words of the descriptions. */
const RECURRENCE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bdaily\b|每日|天天|日报/gi, " every day "],
  [/\bhourly\b/gi, " every hour "],
  [/\bweekdays?\b/gi, " weekday "],
];

/**
 * Returns the schedules that fit the words best: those with the most words in title, query and description. Words that
 * name nothing in particular ("my schedule", 它) name all; words that fit no schedule name none. The word "reminder" names
 * only reminders, if there are some.
 */
export function findNamedSchedules<S extends NamedSchedule>(
  words: string,
  schedules: readonly S[],
  isReminder: (schedule: S) => boolean = () => false,
): readonly S[] {
  const reminders = /\breminders?\b|提醒/i.test(words) ? schedules.filter(isReminder) : [];
  if (reminders.length > 0) return findNamedSchedules(words, reminders);
  const tokens = splitTokens(words);
  if (tokens.length === 0) return schedules;
  const scores = schedules.map((schedule) => {
    const text = describeForMatch(schedule);
    return tokens.filter((token) => text.includes(token)).length;
  });
  const best = Math.max(0, ...scores);
  return best === 0 ? [] : schedules.filter((_, i) => scores[i] === best);
}

function describeForMatch({ title, query, schedule_config: config }: NamedSchedule): string {
  const words = [title, query, describeSchedule(config, null, "en"), describeSchedule(config, null, "zh")];
  return normalizeCharacters(words.join(" ")).toLowerCase();
}

/** Splits words into tokens: English words, 每天 and its like, and pairs of other Chinese characters. */
function splitTokens(words: string): string[] {
  const plain = RECURRENCE_WORDS.reduce(
    (text, [pattern, described]) => text.replace(pattern, described),
    normalizeCharacters(words).toLowerCase(),
  );
  const parts = trimPunctuation(plain.replace(STOP_WORDS, " ")).match(/[a-z0-9:]{2,}|[\u4e00-\u9fff]+/g) ?? [];
  return [...new Set(parts.flatMap((part) => (/[a-z0-9]/.test(part) ? [stem(part)] : splitChinese(part))))];
}

/** Drops the endings of plurals and of verbs, so that "drinking" fits "drink". */
function stem(word: string): string {
  return word.length > 5 ? word.replace(/(?:ing|s)$/, "") : word;
}

function splitChinese(text: string): string[] {
  if (text.length <= 2) return [text];
  return Array.from({ length: text.length - 1 }, (_, i) => text.slice(i, i + 2));
}

/**
 * Parses the new times of a schedule. A time of day alone keeps the days: 9:45 for a schedule on weekdays remains on
 * weekdays, and a single time on its date. Other words are those of `parseSchedule`. `zone` is the person's, for a schedule without one;
 * `now` is in ms since the epoch.
 */
export function parseNewTimes(
  words: string,
  { schedule_config: before }: Pick<NamedSchedule, "schedule_config">,
  zone: string | undefined,
  now: number,
): { readonly config: ScheduleConfig } | { readonly problem: Message } {
  const timezone = before.timezone ?? zone;
  const plain = normalizeCharacters(words);
  const clock = findTimeOfDay(plain, "");
  const [, , ...days] = before.cron?.split(" ") ?? [];
  const isClockOnly =
    clock !== null && trimPunctuation(`${plain.slice(0, clock.start)}${plain.slice(clock.end)}`) === "";
  if (isClockOnly && typeof clock.time === "string" && before.cron !== undefined && days.length === 3) {
    const [hour, minute] = clock.time.split(":").map(Number);
    return { config: { ...before, cron: `${minute} ${hour} ${days.join(" ")}` } };
  }
  if (isClockOnly && typeof clock.time === "string" && before.run_at !== undefined) {
    const { date } = getWallClock(Date.parse(before.run_at), timezone ?? "UTC");
    const at = toInstant(date, clock.time, timezone ?? "UTC");
    return { config: { ...before, run_at: new Date(at).toISOString() } };
  }
  return parseSchedule(words, timezone, now);
}
