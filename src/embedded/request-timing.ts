// Finds schedules in a request. Quoted text and text to work on is ignored.

import { removeConfirmationWords } from "../language/schedules/schedule-confirmation.ts";
import type { ScheduleConfig } from "../protocol/schedules/schedule-config.ts";
import { parseSchedule } from "../language/schedules/parse-schedule.ts";
import { createDailyConfig, findSchedule, type ScheduleMatch } from "../language/schedules/find-schedule.ts";
import { findLiteralSpans } from "./text-payload.ts";

/** Returns the schedule of the request; null if it runs once. */
export function parseRequestTiming(text: string): ScheduleMatch | null {
  return findSchedule(text, findLiteralSpans(text));
}

/** Removes a confirmation (`…, yes go ahead`, `好的，每天…`) from a scheduled request. */
export function stripScheduleConfirmation(text: string): string {
  return parseRequestTiming(text) === null ? text : removeConfirmationWords(text, findLiteralSpans(text));
}

const CHANGE =
  /^(?:(?:no|nope|yes|ok(?:ay)?|sure|well|actually|but|please|can you|could you|i'd prefer|i prefer|make (?:it|that)|change (?:it|that)(?: to)?|let's (?:make it|do|say)|rather|better|set it to|run it)[\s,:]+)+|[\s,]+(?:instead|rather|please|then)(?=[\s.!]*$)|^(?:(?:不对?|好的?|可以|行|嗯|那|但是?|还是|请|帮我|把时间|应该是?|(?:改|换|调整?|设)[成到为]?)[\s,，]*)+|(?:吧|吗|好了|可以吗|行吗)(?=[\s。！!]*$)/gi;

/** Applies an answer to the confirmation: `make it 10`, 改成8点吧, `weekdays at 8:30 instead`. */
export function applyScheduleAnswer(config: ScheduleConfig, answer: string, timezone?: string): ScheduleConfig {
  const said = answer.trim().replace(CHANGE, "").trim();
  const minutes = /^\d+$/.test(said) ? Number(said) : 0;
  if (config.interval_minutes !== undefined && minutes > 0) return { ...config, interval_minutes: minutes };
  const read = parseSchedule(said, config.timezone ?? timezone);
  if ("problem" in read) return config;
  const { daily_time: time, timezone: zone } = read.config;
  const [, days] = /^\d+ [\d,]+ (\S+ \S+ \S+)$/.exec(config.cron ?? "") ?? [];
  // A time alone keeps the days.
  const isTimeAlone = time !== undefined && days !== undefined && findSchedule(said) === null;
  return isTimeAlone ? createDailyConfig(days, [time], zone) : read.config;
}
