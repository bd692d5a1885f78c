// The schema of the times of a schedule. `language/parse-schedule.ts` parses texts into it.

import * as z from "zod";

/** Exactly one of the three kinds of time, and the time zone of `daily_time` and `cron`. */
export const scheduleConfigSchema = z
  .strictObject({
    interval_minutes: z.int().positive().optional(),
    daily_time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be HH:MM")
      .optional(),
    cron: z.string().min(1).optional(),
    timezone: z.string().optional(),
  })
  .refine(
    (c) => [c.interval_minutes, c.daily_time, c.cron].filter((v) => v !== undefined).length === 1,
    "exactly one of interval_minutes, daily_time and cron must be set",
  );
export type ScheduleConfig = z.infer<typeof scheduleConfigSchema>;
