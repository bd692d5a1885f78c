// The schedules of a run, and where its days lie: around dates on which clocks change.

import type { ScheduleConfig } from "../../src/protocol/schedule.ts";

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

/** Every other one skips what it missed. */
export const WISHES: readonly Wish[] = CONFIGS.map((config, i) => ({ config, catchUp: i % 2 === 0 ? "once" : "skip" }));

/** Days on which clocks change in one of these zones, in the order in which a run comes to them. */
export const CHANGES: readonly number[] = [
  Date.UTC(2027, 2, 14),
  Date.UTC(2027, 2, 28),
  Date.UTC(2027, 3, 4),
  Date.UTC(2027, 8, 26),
  Date.UTC(2027, 9, 3),
  Date.UTC(2027, 9, 31),
  Date.UTC(2027, 10, 7),
];
