// Parser of schedules inside a request: every 5 minutes · 每天早上9点 · weekdays at 18:30 Tokyo time.

import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import { findTimeOfDay, readDayPart, HOUR_WORDS, isExplicitTime, type TimeOfDayMatch } from "../time-of-day.ts";
import { findTimeOfDayFrom, MAX_TIME_CHARS, collectTimeList } from "./time-of-day-list.ts";
import { findRecurringDays, type RecurringDays } from "./recurring-days.ts";
import { findRecurringInterval, type RecurringInterval } from "./recurring-interval.ts";
import { createMessage, type Message } from "../messages.ts";
import { parseCron } from "./parse-cron.ts";
import { maskSpans, removeSpans, normalizeCharacters, trimPunctuation, type TextSpan } from "../text-spans.ts";
import { parseTimeZoneAt, findTimeZone, toTimezoneField } from "../time-zone-in-text.ts";

/** The parsed times of a schedule. */
export type ScheduleTimes =
  | { readonly kind: "config"; readonly config: ScheduleConfig }
  /**
   * Days without a time of day. `days` are the last three fields of a cron expression, `period` is the part of the day.
   */
  | { readonly kind: "untimed"; readonly days: string; readonly period: string; readonly problem: Message }
  | { readonly kind: "problem"; readonly problem: Message };

export type ScheduleMatch = {
  readonly when: ScheduleTimes;
  /** The work of a single run, without the words of the schedule. */
  readonly rest: string;
  /** The spans of the words of the schedule. The first one makes it recur. */
  readonly spans: readonly [TextSpan, ...TextSpan[]];
};

/**
 * Parses the schedule in a request. Returns null if the text contains none. The spans of `literal`, such as quotations,
 * are ignored, except for a span right after the word "cron" or "schedule".
 */
export function findSchedule(text: string, literal: readonly TextSpan[] = []): ScheduleMatch | null {
  const plain = normalizeCharacters(text);
  const cronLabel = /\b(?:cron|schedule)(?: expression| schedule)?\s*:?\s*$|cron\s*表达式\s*:?\s*$/i;
  const folded = maskSpans(
    plain,
    literal.filter(({ start }) => !cronLabel.test(plain.slice(Math.max(0, start - 40), start))),
  );
  const found = findCronExpression(folded) ?? findRecurrence(folded);
  if (found === null) return null;
  const { when, spans } = found;
  return {
    when,
    spans,
    rest: trimPunctuation(removeSpans(text, spans).replace(/(?<!\s)\s+(?:at|on|in|from)\s*$/i, "")),
  };
}

/**
 * Creates the config of a schedule at these times (`HH:MM`, all with the same minute). `days` are the last three fields
 * of a cron expression: day, month, weekday. One time on all days yields `daily_time`, anything else `cron`.
 */
function createDailyConfig(days: string, times: readonly string[], zone: string | undefined): ScheduleConfig {
  const timezone = zone === undefined ? {} : { timezone: zone };
  const [first = "00:00"] = times;
  if (days === "* * *" && times.length === 1) return { daily_time: first, ...timezone };
  const hours = [...new Set(times.map((time) => Number(time.slice(0, 2))))].toSorted((a, b) => a - b);
  return { cron: `${Number(first.slice(3))} ${hours.join(",")} ${days}`, ...timezone };
}

type FoundSchedule = { readonly when: ScheduleTimes; readonly spans: readonly [TextSpan, ...TextSpan[]] };

const CRON_FIELD = String.raw`(?:\*|[\d,-]{1,200}|[a-z]{3}(?:[,-][a-z]{3}){0,20})(?:\/\d+)?`;
const CRON = new RegExp(
  String.raw`(?:(?:(?:on )?(?:the )?\bcron(?: ?expression| schedule| ?表达式)?|按) ?:? ?["'“\x60]?)?(?<![\w*/]|\* {1,4})(${CRON_FIELD}(?: {1,4}${CRON_FIELD}){4})(?![\w*/]| {1,4}\*)["'”\x60]?(?: ?(?:执行|运行))?`,
  "i",
);

/**
 * Parses a cron expression within other words. It needs adjacent stars, a step, or the word "cron": 2 * 3 * 4 is math.
 */
function findCronExpression(text: string): FoundSchedule | null {
  const match = CRON.exec(text);
  const expression = match?.[1];
  if (match === null || expression === undefined) return findMalformedCron(text);
  if (!/\* \*|\*\/\d/.test(expression) && !/cron/i.test(match[0])) return null;
  const span = { start: match.index, end: match.index + match[0].length };
  const cron = parseCron(expression);
  if ("problem" in cron) return { when: { kind: "problem", problem: cron.problem }, spans: [span] };
  const zone = parseTimeZoneAt(text, span.end);
  if (zone !== null && "problem" in zone)
    return { when: { kind: "problem", problem: zone.problem }, spans: [span, zone] };
  const config = { cron: expression.replaceAll(/ +/g, " "), ...toTimezoneField(zone) };
  return { when: { kind: "config", config }, spans: zone === null ? [span] : [span, zone] };
}

/** Fields after the word "cron", or fields that begin with adjacent stars, whose number is not five: `cron * * *`. */
const WRONG_FIELD_COUNT = new RegExp(
  String.raw`(?:\bcron(?: ?expression| schedule| ?表达式)? ?:? ?|^\s*(?=\* \*))["'“\x60]?((?:${CRON_FIELD})(?: {1,4}(?:\*|\d[\d,-]*)(?:\/\d+)?){1,6})(?![\w*/])["'”\x60]?`,
  "i",
);

function findMalformedCron(text: string): FoundSchedule | null {
  const match = WRONG_FIELD_COUNT.exec(text);
  const fields = match?.[1];
  if (match === null || fields === undefined || !fields.includes("*")) return null;
  const span = { start: match.index, end: match.index + match[0].length };
  return {
    when: { kind: "problem", problem: createMessage("schedule.wrongFieldCount", { expression: fields }) },
    spans: [span],
  };
}

function findRecurrence(text: string): FoundSchedule | null {
  const interval = findRecurringInterval(text);
  const days = findRecurringDays(text);
  if (interval === null) return days === null ? null : buildFromDays(text, days);
  const adjacentDays = days !== null && areAdjacent(text, interval, days) ? days : null;
  if (days !== null && adjacentDays === null && days.start < interval.start) return buildFromDays(text, days);
  return isDurationQuestion(text, interval) ? null : buildFromInterval(text, interval, adjacentDays);
}

/** True if the recurrence is part of a question about durations: how many hours are in every day? */
function isDurationQuestion(text: string, span: TextSpan): boolean {
  return (
    /\b(?:how (?:many|much|long|often|far)|on average|why)\b|多少[个]?(?:秒|分钟|小时|天|字|次|人|钱)|平均|为什么|多久/i.test(
      text,
    ) &&
    !/^\s*(?:at |,|，|\d)/.test(text.slice(span.end)) &&
    (span.start > 2 || text.startsWith("平均"))
  );
}

function areAdjacent(text: string, a: TextSpan, b: TextSpan): boolean {
  const between = a.start < b.start ? text.slice(a.end, b.start) : text.slice(b.end, a.start);
  const bare = between.replace(WINDOW_EN, "").replace(WINDOW_ZH, "");
  return a.start !== b.start && /^[\s,，的里内]*(?:on|at)?\s*$/.test(bare);
}

const HOUR_EN = String.raw`(?:noon|midnight|\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?)`;
const WINDOW_EN = new RegExp(
  String.raw`\b(?:between|from) (${HOUR_EN})(?: and | to | until | till |\s?[-–]\s?)(${HOUR_EN})(?![\w:])`,
  "i",
);
const HOUR_ZH = String.raw`(?:早上|上午|中午|下午|晚上|凌晨)?(?:\d{1,2}(?:[:]\d{2}| ?点(?:半|\d{1,2}分?)?)|[零一二两三四五六七八九十]{1,3}点半?)`;
const WINDOW_ZH = new RegExp(`从?(${HOUR_ZH}) ?(?:到|至|-|~) ?(${HOUR_ZH})(?:之间|期间|内)?`);

function buildFromInterval(text: string, interval: RecurringInterval, days: RecurringDays | null): FoundSchedule {
  const isFirst = days === null || interval.start < days.start;
  const spans: [TextSpan, ...TextSpan[]] = days === null ? [interval] : isFirst ? [interval, days] : [days, interval];
  const problem = (words: Message): FoundSchedule => ({ when: { kind: "problem", problem: words }, spans });
  if ("problem" in interval) return problem(interval.problem);
  if (days !== null && "problem" in days) return problem(days.problem);
  const start = Math.min(...spans.map((span) => span.start));
  const end = Math.max(...spans.map((span) => span.end));
  const intervalWords = text.slice(start, end).trim();
  const past = parseMinutesPastHour(text.slice(end));
  if (past !== null && interval.minutes === 60) {
    spans.push({ start: end, end: end + past.length });
    const config = { cron: `${past.minute} * ${days?.days ?? "* * *"}` };
    return { when: { kind: "config", config }, spans };
  }
  if (interval.minuteField !== undefined)
    return { when: { kind: "config", config: { cron: `${interval.minuteField} * ${days?.days ?? "* * *"}` } }, spans };
  const window = WINDOW_EN.exec(text) ?? WINDOW_ZH.exec(text);
  if (window !== null) spans.push({ start: window.index, end: window.index + window[0].length });
  if (window === null && startsWithTime(text.slice(end))) {
    const clock = findTimeOfDay(text.slice(end), "");
    const timingWords = `${intervalWords}${text.slice(end, end + (clock?.end ?? 0))}`;
    return problem(
      interval.minutes === 10_080
        ? createMessage("schedule.dayMissing", { words: intervalWords })
        : createMessage("schedule.intervalAndTime", { words: timingWords }),
    );
  }
  if (window === null && days === null) {
    return { when: { kind: "config", config: { interval_minutes: interval.minutes } }, spans };
  }
  const cron = buildStepCron(interval.minutes, days?.days ?? "* * *", window);
  if (cron === null) return problem(createMessage("schedule.unevenSteps", { words: intervalWords }));
  const zone = parseTimeZoneAt(text, Math.max(...spans.map((span) => span.end)));
  if (zone !== null) spans.push(zone);
  if (zone !== null && "problem" in zone) return problem(zone.problem);
  return { when: { kind: "config", config: { cron, ...toTimezoneField(zone) } }, spans };
}

/** True if a time of day follows immediately: every 2 days at 9. */
function startsWithTime(after: string): boolean {
  const clock = findTimeOfDay(after, "");
  return clock !== null && isExplicitTime(after, clock) && /^[\s,，的]*$/.test(after.slice(0, clock.start));
}

const PAST_HOUR = new RegExp(
  String.raw`^,? (?:at )?(?:(?::|minute )(\d{1,2})|(\d{1,2})(?: minutes)? past(?: the hour)?|on the hour|(?:on the |the )?(half[ -]hour|half past|quarter past|quarter to|quarter[ -]hour)\b(?: the hour)?(?! (?:\d|(?:${HOUR_WORDS})\b)))(?!\d)|^的?(?:第?(\d{1,2})分(?!钟?后)钟?|整点|(半点|一刻|三刻))`,
  "i",
);

function parseMinutesPastHour(after: string): { readonly minute: number; readonly length: number } | null {
  const match = PAST_HOUR.exec(after);
  if (match === null) return null;
  const part = match[3] ?? match[5];
  const named = part === undefined ? null : /half|半/i.test(part) ? 30 : /to|三/i.test(part) ? 45 : 15;
  const minute = named ?? Number(match[1] ?? match[2] ?? match[4] ?? 0);
  return minute < 60 ? { minute, length: match[0].length } : null;
}

/**
 * Creates a cron expression with even steps, within the hours of a window if there is one. The hour of the window's end
 * is included only if the step is at least an hour. Returns null if the steps are not even.
 */
function buildStepCron(minutes: number, days: string, window: RegExpExecArray | null): string | null {
  const isWithinHour = minutes < 60;
  const step = isWithinHour ? minutes : minutes / 60;
  if (!Number.isInteger(step) || (isWithinHour ? 60 : 24) % step !== 0 || (step === 24 && days === "* * *"))
    return null;
  const every = step === 1 ? "*" : `*/${step}`;
  if (window === null) return isWithinHour ? `${every} * ${days}` : `0 ${every} ${days}`;
  const [from, to] = [window[1], window[2]].map((words) => findTimeOfDay(words ?? "", "")?.time ?? null);
  if (from?.endsWith(":00") !== true || to?.endsWith(":00") !== true) return null;
  const hours: number[] = [];
  const [first, last] = [Number(from.slice(0, 2)), Number(to.slice(0, 2))];
  for (let hour = first; ; hour = (hour + (isWithinHour ? 1 : step)) % 24) {
    const passed = (hour - first + 24) % 24;
    const length = (last - first + 24) % 24;
    if (hours.includes(hour) || passed > length || (isWithinHour && passed === length)) break;
    hours.push(hour);
  }
  return hours.length === 0 ? null : `${isWithinHour ? every : "0"} ${formatHourField(hours)} ${days}`;
}

function formatHourField(hours: readonly number[]): string {
  const sorted = [...hours].toSorted((a, b) => a - b);
  const isRun = sorted.length > 2 && sorted.every((hour, i) => i === 0 || hour === (sorted[i - 1] ?? 0) + 1);
  return isRun ? `${sorted[0]}-${sorted.at(-1)}` : sorted.join(",");
}

function buildFromDays(text: string, days: RecurringDays): FoundSchedule | null {
  const spans: [TextSpan, ...TextSpan[]] = [days];
  const problem = (words: Message): FoundSchedule => ({ when: { kind: "problem", problem: words }, spans });
  if ("problem" in days) return isDurationQuestion(text, days) ? null : problem(days.problem);
  const clocks = findDayTimes(text, days);
  const [clock] = clocks;
  if (clock === undefined) {
    const dayWords = text.slice(days.start, days.end).trim();
    if (days.isBare || isDurationQuestion(text, days)) return null;
    const period = days.period === "" ? readDayPart(text, days.end) : days.period;
    return {
      when: {
        kind: "untimed",
        days: days.days,
        period,
        problem: createMessage("schedule.timeMissing", { words: dayWords }),
      },
      spans,
    };
  }
  spans.push(...clocks);
  const zone = findTimeZone(text, clocks.at(-1) ?? clock);
  if (zone !== null) spans.push(...subtractSpans(zone, spans));
  const invalid = clocks.find(({ time }) => time === null);
  if (invalid !== undefined)
    return problem(
      createMessage("schedule.invalidTime", {
        words: text.slice(invalid.start, invalid.end).replace(/^at /i, "").trim(),
      }),
    );
  if (zone !== null && "problem" in zone) return problem(zone.problem);
  const times = clocks.flatMap(({ time }) => (time === null ? [] : [time]));
  const isEven = new Set(times.map((time) => time.slice(3))).size === 1;
  if (!isEven)
    return problem(
      createMessage("schedule.differentMinutes", {
        words: text.slice(clock.start, clocks.at(-1)?.end).replace(/^at /i, ""),
      }),
    );
  const cron = parseCron(`0 0 ${days.days}`);
  if ("problem" in cron)
    return problem(createMessage("schedule.impossibleDate", { words: text.slice(days.start, days.end).trim() }));
  return { when: { kind: "config", config: createDailyConfig(days.days, times, zone?.zone ?? undefined) }, spans };
}

/** Returns the part of the span outside the other spans, so that no text is removed twice. */
function subtractSpans(span: TextSpan, others: readonly TextSpan[]): TextSpan[] {
  const start = Math.max(span.start, ...others.filter((o) => o.start <= span.start).map((o) => o.end));
  const end = Math.min(span.end, ...others.filter((o) => o.start > span.start).map((o) => o.start));
  return start < end ? [{ start, end }] : [];
}

/** Finds the times of day for the days, in order. A time that is not adjacent to the days must be explicit. */
function findDayTimes(text: string, days: RecurringDays & { readonly period: string }): TimeOfDayMatch[] {
  const after = findTimeOfDayFrom(text, days.end, days.period);
  const isNear =
    after !== null &&
    after.start - days.end <= MAX_TIME_CHARS &&
    /^[\s,，]*(?:at|by|around|from|北京时间|[a-z ]+ time)?[\s,，]*$/i.test(
      text.slice(days.end, after.start).replace(/[\u4e00-\u9fff]{2,4}时间/, ""),
    );
  if (after !== null && (isNear || isExplicitTime(text, after))) return collectTimeList(text, after, days.period);
  const head = maskSpans(text, [{ start: days.start, end: text.length }]);
  const before = findTimeOfDayFrom(head, 0, days.period);
  return before !== null && isExplicitTime(text, before) ? collectTimeList(head, before, days.period) : [];
}
