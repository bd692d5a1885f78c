// Parser of single times in a request: in 10 minutes · tomorrow at 9 · 明天下午三点 · on 3 December at 14:00.

import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import { parseNumeral } from "../numerals.ts";
import { createMessage, type Message } from "../messages.ts";
import { normalizeCharacters, removeSpans, trimPunctuation, type TextSpan } from "../text-spans.ts";
import { findTimeOfDay, isExplicitTime, type TimeOfDayMatch } from "../time-of-day.ts";
import { findTimeZone } from "../time-zone-in-text.ts";
import { getWallClock, toInstant } from "../wall-clock.ts";

/** A single time in a request. `rest` is the work without the words of the time. */
export type OneTimeMatch = { readonly rest: string } & (
  | { readonly config: ScheduleConfig }
  | { readonly problem: Message }
);

/** The current time (ms since the epoch) and the person's time zone. */
export type TimeContext = { readonly now: number; readonly zone: string | undefined };

const REMINDER = /\bremind(?:er)?\b|提醒|叫我|喊我/i;
/** Questions about times are no schedules: what day is it tomorrow? */
const QUESTION =
  /^(?:what|when|how|which|who|why|is|are|will|does|do)\b|[?？吗呢]\s*$|几点|什么时候|多少|哪天|星期几|多久/i;
const DAY_MS = 86_400_000;
const UNIT_MS: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|秒)/i, 1_000],
  [/^(?:m|分)/i, 60_000],
  [/^(?:h|小时|钟头)/i, 3_600_000],
  [/^(?:d|天|日)/i, DAY_MS],
  [/^(?:w|周|星期|礼拜)/i, 7 * DAY_MS],
];
const NUMBER_EN = String.raw`\d+(?:\.\d+)?|half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety`;
const UNIT_EN = "seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?";
const DELAY = new RegExp(
  String.raw`\bin (${NUMBER_EN}) ?(${UNIT_EN})( and a half)?\b|\b(${NUMBER_EN}) (${UNIT_EN}) from now\b|(?:过|再过)?(\d+(?:\.\d+)?|[零一二两三四五六七八九十百]+|半)个?(半)?(秒钟?|分钟?|小时|钟头|天|周|星期|礼拜)(?:以后|之后|过?后)`,
  "i",
);

/**
 * Finds the single time of a request, at least a minute precise. Returns null if there is none, as for a question about
 * times, and a `problem` for a day without a time of day in a reminder, and for a time that has passed. Days count from
 * today in the person's zone, UTC if it is unknown.
 */
export function findOneTime(text: string, { now, zone: own }: TimeContext): OneTimeMatch | null {
  const plain = normalizeCharacters(text);
  const isReminder = REMINDER.test(plain);
  if (!isReminder && QUESTION.test(plain.trim())) return null;
  const delay = findDelay(plain, isReminder);
  if (delay !== null) {
    const rest = trimPunctuation(removeSpans(text, [delay]));
    return { rest, config: toRunAt(now + delay.ms, own) };
  }
  const today = getWallClock(now, own ?? "UTC");
  const day = findDay(plain, today.date, today.weekday);
  const clock = findClock(plain, day, isReminder);
  if (clock?.time === null) return null;
  if (clock === null)
    return day === null || !isReminder
      ? null
      : {
          rest: text,
          problem: createMessage("schedule.timeMissing", { words: plain.slice(day.start, day.end).trim() }),
        };
  const named = findTimeZone(plain, clock);
  if (named !== null && "problem" in named) return { rest: text, problem: named.problem };
  const zone = named?.zone ?? own ?? "UTC";
  const spans = [...(day === null ? [] : [day]), clock, ...(named === null ? [] : [named])];
  const rest = trimPunctuation(
    removeSpans(text, mergeSpans(spans)).replace(/(?<!\s)\s+(?:at|on)\s*$|^\s*(?:at|on|在)\s+/i, ""),
  );
  const first = toInstant(day?.date ?? today.date, clock.time, zone);
  const at = first <= now && day === null ? toInstant(today.date + DAY_MS, clock.time, zone) : first;
  if (at <= now)
    return {
      rest,
      problem: createMessage("schedule.timePassed", { words: plain.slice(spans[0]?.start, spans[0]?.end).trim() }),
    };
  return { rest, config: toRunAt(at, zone) };
}

function toRunAt(at: number, zone: string | undefined): ScheduleConfig {
  return { run_at: new Date(at).toISOString(), ...(zone === undefined ? {} : { timezone: zone }) };
}

function findDelay(text: string, isReminder: boolean): (TextSpan & { readonly ms: number }) | null {
  const match = DELAY.exec(text);
  if (match === null) return null;
  const [words, en, unitEn, andHalf, fromNow, unitFromNow, zh, half, unitZh] = match;
  const isLeading = trimPunctuation(text.slice(0, match.index)).length <= 2;
  if (!isReminder && !isLeading) return null;
  const unit = unitEn ?? unitFromNow ?? unitZh ?? "";
  const amount = parseAmount(en ?? fromNow ?? zh ?? "") + ((andHalf ?? half) === undefined ? 0 : 0.5);
  const ms = Math.round(amount * (UNIT_MS.find(([pattern]) => pattern.test(unit))?.[1] ?? Number.NaN));
  return ms > 0 ? { ms, start: match.index, end: match.index + words.length } : null;
}

function parseAmount(word: string): number {
  if (/^(?:half|半)/i.test(word)) return 0.5;
  return /^an?$/i.test(word) ? 1 : parseNumeral(word.toLowerCase());
}

type Day = TextSpan & { readonly date: number };

const WEEKDAYS_EN = "sun mon tue wed thu fri sat".split(" ");
const MONTHS_EN = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH_EN =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const RELATIVE_DAYS: readonly (readonly [RegExp, number])[] = [
  [/\bthe day after tomorrow\b|(?<!大)后天/i, 2],
  [/大后天/, 3],
  [/\btomorrow\b|明天|明日|明(?=[早晚])/i, 1],
  [/\btoday\b|\bthis (?=morning|afternoon|evening)|\bto(?=night\b)|今天|今日|今(?=[早晚])/i, 0],
];
const WEEKDAY =
  /\b(?:on |this |coming )?(next )?(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)day\b(?!s)|(下个?|这个?|本)?(?:周|星期|礼拜)([一二三四五六日天])/i;
const DATE = new RegExp(
  String.raw`\b(?:on )?(\d{4})-(\d{1,2})-(\d{1,2})\b[T ]?|\b(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH_EN}\b(?:,? (\d{4})\b)?|\b(?:on )?${MONTH_EN} (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4})\b)?|(?:(\d{4}) ?年 ?)?(\d{1,2}|[一二三四五六七八九十]{1,2}) ?月 ?(\d{1,2}|[一二三四五六七八九十]{1,3}) ?[日号]`,
  "i",
);

/** Finds a single day. `today` is the midnight of today's date in UTC. A date without a year is the next one. */
function findDay(text: string, today: number, weekday: number): Day | null {
  const date = DATE.exec(text);
  if (date !== null) return parseDate(date, today);
  for (const [pattern, days] of RELATIVE_DAYS) {
    const match = pattern.exec(text);
    if (match !== null) return { date: today + days * DAY_MS, start: match.index, end: match.index + match[0].length };
  }
  const named = WEEKDAY.exec(text);
  if (named === null) return null;
  const [words, nextEn, nameEn, leadZh, nameZh] = named;
  const target =
    nameEn === undefined
      ? "日一二三四五六".indexOf((nameZh ?? "").replace("天", "日"))
      : WEEKDAYS_EN.indexOf(nameEn.slice(0, 3).toLowerCase());
  // Weeks begin on Monday: 下周一 and "next Monday" are in the week after this one.
  const monday = today - ((weekday + 6) % 7) * DAY_MS;
  const inWeek = monday + ((target + 6) % 7) * DAY_MS;
  const isNext = nextEn !== undefined || leadZh?.startsWith("下") === true;
  const ahead = isNext ? inWeek + 7 * DAY_MS : inWeek < today ? inWeek + 7 * DAY_MS : inWeek;
  return { date: ahead, start: named.index, end: named.index + words.length };
}

function parseDate(match: RegExpExecArray, today: number): Day | null {
  const [words, isoYear, isoMonth, isoDay, day1, month1, year1, month2, day2, year2, yearZh, monthZh, dayZh] = match;
  const name = month1 ?? month2;
  const month =
    name === undefined
      ? parseNumeral(isoMonth ?? monthZh ?? "")
      : MONTHS_EN.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const day = parseNumeral(isoDay ?? day1 ?? day2 ?? dayZh ?? "");
  const stated = isoYear ?? year1 ?? year2 ?? yearZh;
  const thisYear = new Date(today).getUTCFullYear();
  const years =
    stated === undefined ? [thisYear, thisYear + 1, thisYear + 2, thisYear + 3, thisYear + 4] : [Number(stated)];
  const dates = years
    .map((year) => Date.UTC(year, month - 1, day))
    .filter((date) => new Date(date).getUTCMonth() === month - 1 && new Date(date).getUTCDate() === day);
  const date = stated === undefined ? dates.find((each) => each >= today) : dates[0];
  return date === undefined ? null : { date, start: match.index, end: match.index + words.length };
}

/** Finds the time of day: next to the day, or alone in a reminder, where it must be explicit. */
function findClock(text: string, day: Day | null, isReminder: boolean): TimeOfDayMatch | null {
  if (day === null) {
    const clock = isReminder ? findTimeOfDay(text, "") : null;
    return clock !== null && isExplicitTime(text, clock) ? clock : null;
  }
  const period = /^\s*(morning|afternoon|evening|night)\b/i.exec(text.slice(day.end))?.[1] ?? "";
  const after = findTimeOfDay(text.slice(day.end), period);
  if (after !== null && (isExplicitTime(text.slice(day.end), after) || after.start <= 2)) {
    const lead = text.slice(day.end, day.end + after.start);
    const isNear = /^\s*(?:,|morning|afternoon|evening|night|at|的|在|\s)*$/i.test(lead);
    return { time: after.time, start: isNear ? day.end : day.end + after.start, end: day.end + after.end };
  }
  const before = findTimeOfDay(text.slice(0, day.start), "");
  return before !== null && isExplicitTime(text, before) ? before : null;
}

function mergeSpans(spans: readonly TextSpan[]): TextSpan[] {
  return spans
    .toSorted((a, b) => a.start - b.start)
    .reduce<TextSpan[]>((merged, span) => {
      const last = merged.at(-1);
      if (last === undefined || span.start > last.end) return [...merged, span];
      return [...merged.slice(0, -1), { start: last.start, end: Math.max(last.end, span.end) }];
    }, []);
}
