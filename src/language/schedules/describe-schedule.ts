// Descriptions of schedules and times in English and Chinese.

import { parseCron, type CronExpression } from "./parse-cron.ts";
import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import type { Language } from "../detect-language.ts";
import { getWallClock, type WallClock } from "../wall-clock.ts";

const WEEKDAYS_EN = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS_EN = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS_ZH = [..."日一二三四五六"];

/**
 * Describes a schedule: `every weekday at 18:30 (Asia/Shanghai)`, `每个工作日 18:30（Asia/Shanghai）`. `zone` is shown if
 * the schedule has none; undefined means UTC, null shows none. An interval has no zone. An invalid cron expression is
 * shown unchanged.
 */
export function describeSchedule(config: ScheduleConfig, zone: string | null | undefined, language: Language): string {
  if (config.interval_minutes !== undefined) return describeInterval(config.interval_minutes, language);
  if (config.run_at !== undefined) return describeOneTime(Date.parse(config.run_at), config.timezone ?? zone, language);
  const words =
    config.daily_time === undefined
      ? describeCron(config.cron ?? "", language)
      : describeDailyTime(config.daily_time, language);
  const name = config.timezone ?? (zone === undefined ? "UTC" : zone);
  return name === null ? words : words + formatZoneSuffix(name, language);
}

/**
 * Describes a time in the calendar of a zone: `tomorrow, Sunday 22 November 2026, 09:00 (Asia/Shanghai)`,
 * `明天，2026年11月22日星期日 09:00（Asia/Shanghai）`. Both times are in ms since the epoch; `zone` is UTC if undefined.
 * Throws a RangeError for an unknown zone.
 */
export function describeRunTime(at: number, now: number, zone: string | undefined, language: Language): string {
  const name = zone ?? "UTC";
  const { year, month, day, weekday, time, date } = getWallClock(at, name);
  const passed = Math.round((date - getWallClock(now, name).date) / 86_400_000);
  const relativeDay = { zh: ["今天，", "明天，", "后天，"], en: ["today, ", "tomorrow, "] }[language][passed] ?? "";
  const words = describeDate({ year, month, day, weekday }, language);
  return `${relativeDay}${words}${language === "zh" ? " " : ", "}${time}` + formatZoneSuffix(name, language);
}

/** Describes a single time: `once, on Thursday 3 December 2026 at 14:00`, `2026年12月3日星期四 14:00，仅一次`. */
function describeOneTime(at: number, zone: string | null | undefined, language: Language): string {
  const clock = getWallClock(at, zone ?? "UTC");
  const suffix = zone === null ? "" : formatZoneSuffix(zone ?? "UTC", language);
  return language === "zh"
    ? `${describeDate(clock, language)} ${clock.time}，仅一次${suffix}`
    : `once, on ${describeDate(clock, language)} at ${clock.time}${suffix}`;
}

function describeDate(
  { year, month, day, weekday }: Pick<WallClock, "year" | "month" | "day" | "weekday">,
  language: Language,
): string {
  return language === "zh"
    ? `${year}年${month}月${day}日星期${WEEKDAYS_ZH[weekday]}`
    : `${WEEKDAYS_EN[weekday]} ${day} ${MONTHS_EN[month - 1]} ${year}`;
}

function formatZoneSuffix(zone: string, language: Language): string {
  return language === "zh" ? `（${zone}）` : ` (${zone})`;
}

function describeDailyTime(time: string, language: Language): string {
  return language === "zh" ? `每天 ${time}` : `every day at ${time}`;
}

function describeInterval(minutes: number, language: Language): string {
  // One day is described as 24 hours, because an interval does not keep its time of day when the clocks change.
  const [amount, en, zh] =
    minutes % 1_440 === 0 && minutes > 1_440
      ? [minutes / 1_440, "days", "天"]
      : minutes % 60 === 0
        ? [minutes / 60, "hours", "小时"]
        : [minutes, "minutes", "分钟"];
  if (amount === 1) return language === "zh" ? `每${zh}` : `every ${en.slice(0, -1)}`;
  return language === "zh" ? `每${amount}${zh}` : `every ${amount} ${en}`;
}

function describeCron(expression: string, language: Language): string {
  const cron = parseCron(expression);
  if ("problem" in cron) return expression;
  const days = describeDays(cron, language);
  const { words, isClock } = describeTimes(cron, language);
  if (language === "zh") return days === "每天" && !isClock ? words : `${days} ${words}`;
  if (isClock) return `${days} at ${words}`;
  return days === "every day" ? words : `${words}, ${days}`;
}

/** Describes the times of a day. `isClock`: the words are a list of times, without "every". */
function describeTimes(
  { minute, hour }: CronExpression,
  language: Language,
): { readonly words: string; readonly isClock: boolean } {
  const zh = language === "zh";
  const [first = 0] = minute;
  if (minute.length === 1 && hour.length <= 6) {
    return {
      words: joinWords(
        hour.map((each) => formatTime(each, first)),
        language,
      ),
      isClock: true,
    };
  }
  const hours = describeHours(hour, minute.at(-1) === first ? first : 59, language);
  const step = findEvenStep(minute, 60);
  if (minute.length === 1) {
    const past = zh ? `第${first}分钟` : first === 0 ? " on the hour" : ` at ${first} minutes past`;
    const onHour = zh && first === 0 ? "整点" : past;
    const every = zh ? `每小时${onHour}` : `every hour${past}`;
    const even = findEvenStep(hour, 24);
    if (even !== null && even > 1) {
      const start = formatTime(hour[0] ?? 0, first);
      return { words: zh ? `从 ${start} 起每${even}小时` : `every ${even} hours from ${start} on`, isClock: false };
    }
    return { words: zh ? `${hours}${every}` : `${every}${hours}`, isClock: false };
  }
  if (step !== null) {
    const every = describeInterval(step, language);
    return { words: zh ? `${hours}${every}` : `${every}${hours}`, isClock: false };
  }
  const minutes = joinWords(minute.map(String), language);
  return {
    words: zh ? `${hours}每小时第${minutes}分钟` : `every hour at ${minutes} minutes past${hours}`,
    isClock: false,
  };
}

/** Describes the hours. `past` is the minute of the last run within its hour. */
function describeHours(hour: readonly number[], past: number, language: Language): string {
  if (hour.length === 24) return "";
  const [first = 0, last = 0] = [hour[0], hour.at(-1)];
  const isRun = hour.length === last - first + 1;
  if (isRun) {
    const [from, to] = [formatTime(first, past === 59 ? 0 : past), formatTime(last, past)];
    return language === "zh" ? `${from} 到 ${to} ` : ` from ${from} to ${to}`;
  }
  const hours = joinWords(hour.map(String), language);
  return language === "zh" ? `${hours}点 ` : ` in the hours ${hours}`;
}

/** Returns the step of values evenly spaced in a cycle (0, 15, 30, 45 of 60 have the step 15), or null. */
function findEvenStep(values: readonly number[], cycle: number): number | null {
  const step = cycle / values.length;
  const [first = 0] = values;
  return Number.isInteger(step) &&
    first < step &&
    values.every((value, i) => value === first + i * step) &&
    (first === 0 || cycle === 24)
    ? step
    : null;
}

function describeDays(cron: CronExpression, language: Language): string {
  const { day, month, anyDay, anyWeekday } = cron;
  const zh = language === "zh";
  const isYearLong = month.length === 12;
  const months = zh
    ? joinWords(
        month.map((each) => `${each}月`),
        language,
      )
    : joinWords(
        month.map((each) => MONTHS_EN[each - 1] ?? ""),
        language,
      );
  const weekdays = describeWeekdays(cron.weekday, language);
  if (anyDay) {
    const words = anyWeekday ? (zh ? "每天" : "every day") : weekdays;
    return isYearLong ? words : zh ? `${months}的${words}` : `${words} in ${months}`;
  }
  const dates = joinWords(
    day.map((each) => (zh ? `${each}日` : formatOrdinal(each))),
    language,
  );
  const monthly = isYearLong
    ? zh
      ? `每月${dates}`
      : `on the ${dates} of every month`
    : zh
      ? `每年${months}${dates}`
      : `on the ${dates} of ${months}`;
  if (anyWeekday) return monthly;
  // In cron, a date needs to match only one of two restricted fields.
  const also = isYearLong ? weekdays : zh ? `${months}的${weekdays}` : `${weekdays} in ${months}`;
  return zh ? `${monthly}以及${also}` : `${monthly} and also ${also}`;
}

function describeWeekdays(weekday: readonly number[], language: Language): string {
  const zh = language === "zh";
  if (weekday.length === 7) return zh ? "每天" : "every day";
  if (weekday.join() === "1,2,3,4,5") return zh ? "每个工作日" : "every weekday";
  // Lists of weekdays begin with Monday.
  const sorted = weekday.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  if (zh) return `每周${sorted.map((each) => WEEKDAYS_ZH[each]).join("、")}`;
  return `every ${joinWords(
    sorted.map((each) => WEEKDAYS_EN[each] ?? ""),
    language,
  )}`;
}

function formatTime(hour: number, minute: number): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

function formatOrdinal(value: number): string {
  const suffix = value % 100 >= 11 && value % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
  return `${value}${suffix}`;
}

function joinWords(words: readonly string[], language: Language): string {
  if (language === "zh") return words.join("、");
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
