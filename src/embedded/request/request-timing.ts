// Schedules in a request, and work for a single later time. Quoted text is ignored.

import { removeConfirmationWords } from "../../language/schedules/schedule-confirmation.ts";
import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import { parseSchedule } from "../../language/schedules/parse-schedule.ts";
import { createDailyConfig, findSchedule, type ScheduleMatch } from "../../language/schedules/find-schedule.ts";
import { maskSpans, normalizeCharacters } from "../../language/text-spans.ts";
import { findLiteralSpans } from "../work/literal-text.ts";

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

const DAY = "(?:on |next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today";
const CLOCK = String.raw`(?:\d{1,2}(?::\d{2})?(?: ?(?:[ap]\.?m\.?|o'clock))?|noon|midnight)`;
const LATER = String.raw`(?:(?:${DAY})(?: morning| afternoon| evening| night)?,? (?:at )?${CLOCK}|at ${CLOCK} (?:${DAY})|in (?:an?|half an|\d+|[a-z]+) (?:minute|hour|day|week)s?)`;
const DAY_ZH = "大?后天|明[天早晚]|今[天早晚]|下?个?(?:周|星期|礼拜)[一二三四五六日天]";
const NUMBER_ZH = String.raw`(?:\d{1,3}|[零一两二三四五六七八九十半]{1,3})`;
const DEFERRED: readonly RegExp[] = [
  new RegExp(
    String.raw`^\s*(?:please,? )?(?:${LATER}(?![\w:])[\s,:]+[a-z]|remind me .*\b${LATER}\b|remind me (?:tomorrow|tonight|later|on \w+day)\b|set (?:an? )?(?:timer|alarm)\b)`,
    "i",
  ),
  new RegExp(String.raw`[a-z"'\d] ${LATER}[\s.!]*$`, "i"),
  new RegExp(`^\\s*(?:请|帮我|麻烦)*(?:${DAY_ZH})[^,，。]{0,12}提醒我`),
  new RegExp(
    String.raw`^\s*(?:请|帮我|麻烦|在|过)*(?:(?:${DAY_ZH})的?(?:凌晨|早上|上午|中午|下午|傍晚|晚上)?${NUMBER_ZH}(?:点(?:钟|整|半|[一三]刻|\d{1,2}分?)?|:\d{2})|${NUMBER_ZH}个?半?(?:分钟|小时|刻钟|天|周|星期)[之以]?后)(?:的时候|时)?[\s,，]*[\u4e00-\u9fff]`,
  ),
];
/** A question about a time can be answered now. */
const QUESTION =
  /[?？]|\b(?:what|which|how|when|who|why|is|are|will|was|convert|between|until|since)\b|几|多少|什么|哪|是|到|距/i;

/** True if the work is to run once, at a later time. It must not run now. */
export function isDeferredOnce(text: string): boolean {
  const folded = normalizeCharacters(text);
  const said = maskSpans(folded, findLiteralSpans(folded));
  return !QUESTION.test(said) && DEFERRED.some((pattern) => pattern.test(said));
}
