// The schema of the times of a schedule. `language/parse-schedule.ts` parses texts into it.

import * as z from "zod";

/** Exactly one of the four kinds of time, and the time zone of `daily_time` and `cron`. `run_at` is a single run. */
export const scheduleConfigSchema = z
  .strictObject({
    interval_minutes: z.int().positive().optional(),
    daily_time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be HH:MM")
      .optional(),
    cron: z.string().min(1).optional(),
    run_at: z.iso.datetime({ offset: true }).optional(),
    timezone: z.string().optional(),
  })
  .refine(
    (c) => [c.interval_minutes, c.daily_time, c.cron, c.run_at].filter((v) => v !== undefined).length === 1,
    "exactly one of interval_minutes, daily_time, cron and run_at must be set",
  );
export type ScheduleConfig = z.infer<typeof scheduleConfigSchema>;
