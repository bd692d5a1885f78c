// The language of the sentences about a schedule.

import { detectLanguage } from "../../language/detect-language.ts";
import { formatMessage, type Message } from "../../language/messages.ts";
import type { Schedule } from "../../protocol/schedules/schedule.ts";

/** Formats a message in the language of the schedule: its own, else that of its query. */
export function formatForSchedule({ query, language }: Schedule, message: Message): string {
  return formatMessage(detectLanguage(query, language), message);
}
