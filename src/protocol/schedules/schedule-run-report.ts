// The body of a webhook request of a schedule.

import * as z from "zod";
import { scheduleRunResultSchema } from "./schedule.ts";

/** The report of an ended run. `timestamp` is its end in ISO 8601; the times in `data` are in ms since the epoch. */
export const scheduleRunReportSchema = z.object({
  type: z.literal("schedule.run"),
  timestamp: z.iso.datetime(),
  data: scheduleRunResultSchema.extend({ title: z.string(), conversation_id: z.string() }),
});
export type ScheduleRunReport = z.infer<typeof scheduleRunReportSchema>;
