// When a task recurs, in words.

import type { ScheduleConfig } from "../../protocol/schedule.ts";
import type { Language, Say } from "../language.ts";
import type { WORDS } from "./words.ts";

type Name = keyof (typeof WORDS)["en"];

/** `Every weekday at 18:30 (Asia/Shanghai)`. A time that has no short words is shown as it is written. */
export function recurrenceOf(config: ScheduleConfig, say: Say<Name>, language: Language): string {
  const { interval_minutes: minutes, daily_time: time, cron, timezone: zone } = config;
  if (minutes !== undefined) {
    if (minutes % 1_440 === 0) return say("everyDays", { n: minutes / 1_440 });
    return minutes % 60 === 0 ? say("everyHours", { n: minutes / 60 }) : say("everyMinutes", { n: minutes });
  }
  const words = time === undefined ? cronWords(cron ?? "", say, language) : say("daily", { time });
  return zone === undefined ? words : say("inZone", { words, zone });
}

function cronWords(expression: string, say: Say<Name>, language: Language): string {
  const [minute = "", hour = "", day, month, weekday = "", ...more] = expression.trim().split(/\s+/);
  const isClock = /^\d{1,2}$/.test(minute) && /^\d{1,2}$/.test(hour) && month === "*" && more.length === 0;
  if (!isClock) return say("cron", { cron: expression });
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (day === "*") {
    if (weekday === "*") return say("daily", { time });
    if (weekday === "1-5") return say("workdays", { time });
    if (/^[0-7]$/.test(weekday)) return say("weekly", { time, day: weekdayName(Number(weekday), language) });
  }
  if (weekday === "*" && day !== undefined && /^\d{1,2}$/.test(day)) return say("monthly", { time, day });
  return say("cron", { cron: expression });
}

/** 0 and 7 are Sunday. */
function weekdayName(weekday: number, language: Language): string {
  const sunday = Date.UTC(2026, 0, 4);
  const format = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
  return format.format(sunday + weekday * 86_400_000);
}
