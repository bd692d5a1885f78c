// When work recurs. Words about schedules are read in `words/schedule-text.ts`.

import * as z from "zod";

/** Exactly one of the three times, and the zone in which `daily_time` and `cron` are meant. */
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
