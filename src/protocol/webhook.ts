// What is sent to the webhook of a schedule.

import * as z from "zod";
import { runResultSchema } from "./recurring.ts";

/** One run has ended. `timestamp` says when, in ISO 8601; the times in `data` are milliseconds since the epoch. */
export const runReportSchema = z.object({
  type: z.literal("schedule.run"),
  timestamp: z.iso.datetime(),
  data: runResultSchema.extend({ title: z.string(), conversation_id: z.string() }),
});
export type RunReport = z.infer<typeof runReportSchema>;
