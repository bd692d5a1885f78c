// The schedules of a run, and its simulated dates: days on which clocks change.

import type { ScheduleConfig } from "../../src/protocol/schedules/schedule-config.ts";

export type Wish = { readonly config: ScheduleConfig; readonly catchUp: "once" | "skip" };

const daily = (time: string, timezone: string): ScheduleConfig => ({ daily_time: time, timezone });
const cron = (expression: string, timezone: string): ScheduleConfig => ({ cron: expression, timezone });
const every = (minutes: number): ScheduleConfig => ({ interval_minutes: minutes });

const CONFIGS: readonly ScheduleConfig[] = [
  every(10),
  every(15),
  every(40),
  every(45),
  every(90),
  every(120),
  every(1_440),
  every(1_440),
  cron("*/20 * * * *", "America/New_York"),
  cron("5 * * * *", "Europe/Berlin"),
  cron("*/30 1-4 * * *", "UTC"),
  cron("0,30 9-17 * * 1-5", "Asia/Kolkata"),
  cron("15 1,2,3 * * *", "Europe/Berlin"),
  cron("20,50 1-2 * * *", "America/New_York"),
  cron("30 2 * * 0", "America/New_York"),
  cron("0 6 1 * *", "Asia/Tokyo"),
  cron("10 0,12 * * 6,0", "Australia/Lord_Howe"),
  daily("02:30", "Europe/Berlin"),
  daily("02:30", "America/New_York"),
  daily("01:30", "America/New_York"),
  daily("01:45", "Australia/Lord_Howe"),
  daily("02:15", "Australia/Lord_Howe"),
  daily("02:00", "Europe/Berlin"),
  daily("03:00", "Europe/Berlin"),
  daily("01:30", "Europe/London"),
  daily("00:00", "Asia/Kathmandu"),
  daily("09:00", "Asia/Shanghai"),
  daily("23:59", "Pacific/Auckland"),
  daily("00:00", "America/Santiago"),
];

/** Every second schedule skips missed due times. */
export const WISHES: readonly Wish[] = CONFIGS.map((config, i) => ({ config, catchUp: i % 2 === 0 ? "once" : "skip" }));

/** The Sundays on which clocks change in one of these zones, in order: the month, and the position in the month. */
const SUNDAYS = [
  [3, 2],
  [3, "last"],
  [4, 1],
  [9, "last"],
  [10, 1],
  [10, "last"],
  [11, 1],
] as const;
/** The number of clock changes per year. */
export const CHANGES = SUNDAYS.length;
const FIRST_YEAR = 2027;

/** Returns the start (UTC) of the day of the `index`-th clock change, counted across years. */
export function changeOfClocks(index: number): number {
  const [month, which] = SUNDAYS[index % CHANGES] ?? SUNDAYS[0];
  const year = FIRST_YEAR + Math.floor(index / CHANGES);
  const after = which === "last" ? new Date(Date.UTC(year, month, 1)) : new Date(Date.UTC(year, month - 1, 1));
  const toSunday = which === "last" ? -(after.getUTCDay() || 7) : ((7 - after.getUTCDay()) % 7) + 7 * (which - 1);
  return after.setUTCDate(1 + toSunday);
}
