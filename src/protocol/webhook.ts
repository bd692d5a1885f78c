// The body of a webhook request of a schedule.

import * as z from "zod";
import { runResultSchema } from "./recurring.ts";

/** The report of an ended run. `timestamp` is its end in ISO 8601; the times in `data` are in ms since the epoch. */
export const runReportSchema = z.object({
  type: z.literal("schedule.run"),
  timestamp: z.iso.datetime(),
  data: runResultSchema.extend({ title: z.string(), conversation_id: z.string() }),
});
export type RunReport = z.infer<typeof runReportSchema>;
