// When a schedule runs, in words of the language of the moment.

import { readCron, type Cron } from "../../protocol/cron.ts";
import type { ScheduleConfig } from "../../protocol/schedule.ts";
import type { Language, Say } from "../language.ts";
import type { WORDS } from "./words.ts";

type Name = keyof (typeof WORDS)["en"];

/** More times of a day than these are no simple words any more. */
const MOST_TIMES = 4;
/** The same of the dates of a month. */
const MOST_DATES = 6;
const WORKDAYS = "1,2,3,4,5";
/** A Sunday. */
const SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;

/** `Every weekday at 18:30 (Asia/Shanghai)`, `每天 09:00`. An expression that has no simple words is shown as it is. */
export function rhythmOf(config: ScheduleConfig, say: Say<Name>, language: Language): string {
  const { interval_minutes: minutes, daily_time: time, cron, timezone: zone } = config;
  // A distance between runs is the same everywhere.
  if (minutes !== undefined) return intervalWords(minutes, say);
  const words = time === undefined ? cronWords(cron ?? "", say, language) : say("daily", { times: time });
  return zone === undefined ? words : say("inZone", { words, zone });
}

function intervalWords(minutes: number, say: Say<Name>): string {
  if (minutes % 1_440 === 0) return say("everyDays", { n: minutes / 1_440 });
  return minutes % 60 === 0 ? say("everyHours", { n: minutes / 60 }) : say("everyMinutes", { n: minutes });
}

function cronWords(expression: string, say: Say<Name>, language: Language): string {
  const cron = readCron(expression);
  const asItIs = say("cron", { cron: expression });
  if ("problem" in cron || cron.month.length < 12) return asItIs;
  return (isEveryDay(cron) ? stepWords(cron, say) : null) ?? clockWords(cron, say, language) ?? asItIs;
}

const isEveryDay = ({ anyDay, weekday }: Cron): boolean => anyDay && weekday.length === 7;

/** `Every 15 minutes`: what goes round the hour or the day evenly. */
function stepWords({ minute, hour }: Cron, say: Say<Name>): string | null {
  if (hour.length === 24 && isEven(minute, 60)) return say("everyMinutes", { n: 60 / minute.length });
  if (hour.length === 24 && minute.length === 1) return say("hourlyPast", { n: minute[0] ?? 0 });
  if (minute.length === 1 && minute[0] === 0 && hour.length > MOST_TIMES && isEven(hour, 24))
    return say("everyHours", { n: 24 / hour.length });
  return null;
}

function isEven(values: readonly number[], whole: number): boolean {
  const step = whole / values.length;
  return values.length > 1 && Number.isInteger(step) && values.every((value, i) => value === i * step);
}

function clockWords(cron: Cron, say: Say<Name>, language: Language): string | null {
  const { minute, hour, day, weekday, anyDay, anyWeekday } = cron;
  const clocks = hour.flatMap((h) => minute.map((m) => `${twoDigits(h)}:${twoDigits(m)}`));
  if (clocks.length > MOST_TIMES) return null;
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const times = list.format(clocks);
  if (isEveryDay(cron)) return say("daily", { times });
  if (anyDay) {
    if (weekday.join() === WORKDAYS) return say("workdays", { times });
    return say("weekly", { times, days: list.format(inWeekOrder(weekday).map((each) => weekdayName(each, language))) });
  }
  if (day.length > MOST_DATES) return null;
  return anyWeekday ? say("monthly", { times, days: list.format(day.map(String)) }) : null;
}

/** 0 is Sunday, with which no list of weekdays begins. */
function inWeekOrder(weekdays: readonly number[]): number[] {
  return weekdays.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
}

/** 0 and 7 are Sunday. */
export function weekdayName(weekday: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(SUNDAY + weekday * DAY_MS);
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");
