// Finds schedules in a request. Quoted text and text to work on is ignored.

import { withoutConfirmation } from "../../protocol/words/confirmation.ts";
import type { ScheduleConfig } from "../../protocol/schedule.ts";
import { readScheduleText } from "../../protocol/words/schedule-text.ts";
import { dailyAt, readTiming, type Timing } from "../../protocol/words/timing.ts";
import { literalSpans } from "./payload.ts";

/** Returns the schedule of the request; null if it runs once. */
export function timingOf(text: string): Timing | null {
  return readTiming(text, literalSpans(text));
}

/** Removes a confirmation (`…, yes go ahead`, `好的，每天…`) from a scheduled request. */
export function workOf(text: string): string {
  return timingOf(text) === null ? text : withoutConfirmation(text, literalSpans(text));
}

const CHANGE =
  /^(?:(?:no|nope|yes|ok(?:ay)?|sure|well|actually|but|please|can you|could you|i'd prefer|i prefer|make (?:it|that)|change (?:it|that)(?: to)?|let's (?:make it|do|say)|rather|better|set it to|run it)[\s,:]+)+|[\s,]+(?:instead|rather|please|then)(?=[\s.!]*$)|^(?:(?:不对?|好的?|可以|行|嗯|那|但是?|还是|请|帮我|把时间|应该是?|(?:改|换|调整?|设)[成到为]?)[\s,，]*)+|(?:吧|吗|好了|可以吗|行吗)(?=[\s。！!]*$)/gi;

/** Applies an answer to the confirmation: `make it 10`, 改成8点吧, `weekdays at 8:30 instead`. */
export function amended(config: ScheduleConfig, answer: string, timezone?: string): ScheduleConfig {
  const said = answer.trim().replace(CHANGE, "").trim();
  const minutes = /^\d+$/.test(said) ? Number(said) : 0;
  if (config.interval_minutes !== undefined && minutes > 0) return { ...config, interval_minutes: minutes };
  const read = readScheduleText(said, config.timezone ?? timezone);
  if ("problem" in read) return config;
  const { daily_time: time, timezone: zone } = read.config;
  const [, days] = /^\d+ [\d,]+ (\S+ \S+ \S+)$/.exec(config.cron ?? "") ?? [];
  // A time alone keeps the days.
  const isTimeAlone = time !== undefined && days !== undefined && readTiming(said) === null;
  return isTimeAlone ? dailyAt(days, [time], zone) : read.config;
}
