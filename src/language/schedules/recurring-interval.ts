// Parser of recurring intervals: every 5 minutes · hourly · 每隔十分钟 · 每半小时 · every other day.

import { INVALID_WEEKDAY_ZH } from "./recurring-days.ts";
import { parseNumeral } from "../numerals.ts";
import { createMessage, type Message } from "../messages.ts";
import type { TextSpan } from "../text-spans.ts";

/**
 * An interval in a text, in minutes. `minuteField`: the minute field of a cron expression, if the interval is bound to
 * the hour.
 */
export type RecurringInterval = TextSpan &
  ({ readonly minutes: number; readonly minuteField?: string } | { readonly problem: Message });

const NUMBER_EN = String.raw`-?\d+(?:\.\d+)?|half(?: an?)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty-five|forty|fifty|sixty|ninety|few|several|couple of|other|second|third`;
const UNIT_EN = "seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d";
const EVERY_EN = new RegExp(
  String.raw`\b(?:once )?(?:every|each) (?:(${NUMBER_EN})( and a half)?[ -]?)?(${UNIT_EN}|weeks|week(?! on\b)|months?|years?)(?:\b|(?<=\dh)(?=\d))( and a half)?|\b(hourly|biweekly|fortnightly)\b(?! (?:rate|wage|pay|salary|forecast))|\bonce (?:an?|per) (minute|hour)\b|\bevery (quarter|half)(?: of an|-| an)? ?hour\b|\bonce (?:a|per) (week)\b`,
  "gi",
);
const NUMBER_ZH = String.raw`-?\d+(?:\.\d+)?|[零一二两三四五六七八九十百]+|半|几`;
const UNIT_ZH = "秒钟|秒|分钟|分(?![之钱])|小时|钟头|刻钟|天|日(?![的出落])";
const ONCE_ZH = "(?:[执运]行)?(?:一次)?";
const NO_INTERVAL_ZH = `(?!的?(?:[一二三四五六日末年周星礼]|天(?!气)|${INVALID_WEEKDAY_ZH}))`;
const EVERY_ZH = new RegExp(
  String.raw`(?:每隔?|每过)\s{0,9}(${NUMBER_ZH})?\s{0,9}个?(半)?(${UNIT_ZH}|(?:周|星期|礼拜)${NO_INTERVAL_ZH}|月(?![底末]))${ONCE_ZH}|隔[天日周]`,
  "g",
);
/** The smaller unit of a duration, right after the larger one: 2 hours and 30 minutes · 2小时30分钟. */
const SMALLER_UNIT = new RegExp(
  String.raw`(?:,? and |,? ?(?!an? |other|second|third))(${NUMBER_EN})[ -]?(${UNIT_EN})\b(?! (?:of|before|after|later|past|ago|long|each)\b)|[ 零又和加]?(${NUMBER_ZH})\s*个?(${UNIT_ZH})(?![钟后前内出落])${ONCE_ZH}|(半)(?![点天年夜价个])${ONCE_ZH}`,
  "iy",
);

const UNIT_MINUTES: readonly (readonly [RegExp, number])[] = [
  [/^(?:s$|sec|秒)/, 1 / 60],
  [/^(?:m$|min|分)/, 1],
  [/^刻/, 15],
  [/^(?:h$|hour|hr|小时|钟头)/, 60],
  [/^(?:d$|day|天|日)/, 1_440],
  [/^(?:biweek|fortnight)/, 20_160],
  [/^(?:week|周|星期|礼拜)/, 10_080],
];
const MAX_INTERVAL_MINUTES = 366 * 1_440;

/** Intervals that are bound to the hour: on the quarter hour · 每个整点. */
const ON_HOUR = /\bon (?:the|every|each) (?:(quarter|half)[ -])?hour\b(?! of)|每(?:个|逢|到)?整点|逢整点|整点(?=报时)/i;

/**
 * Finds the first interval in the text, English words before Chinese ones. Returns null if there is none, and a
 * `problem` unless it is a definite number of whole minutes, from one minute to 366 days. `every day`, 每天 and
 * `every month` are days and belong to `findRecurringDays`.
 */
export function findRecurringInterval(text: string): RecurringInterval | null {
  for (const match of text.matchAll(EVERY_EN)) {
    const interval = parseEnglishInterval(match);
    if (interval !== null) return interval;
  }
  for (const match of text.matchAll(EVERY_ZH)) {
    const interval = parseChineseInterval(match);
    if (interval !== null) return interval;
  }
  const onHour = ON_HOUR.exec(text);
  if (onHour === null) return null;
  const part = onHour[1]?.toLowerCase();
  if (part === "quarter") return { minutes: 15, minuteField: "*/15", ...getMatchSpan(onHour) };
  return { minutes: 60, minuteField: part === undefined ? "0" : "30", ...getMatchSpan(onHour) };
}

function parseEnglishInterval(match: RegExpExecArray): RecurringInterval | null {
  const [, number, before, unit, after, adverb, once, part, week] = match;
  if (part !== undefined) return { minutes: part.toLowerCase() === "half" ? 30 : 15, ...getMatchSpan(match) };
  const amount = parseAmount(number) + ((before ?? after) === undefined ? 0 : 0.5);
  return buildInterval(amount, (unit ?? adverb ?? once ?? week ?? "").toLowerCase(), number !== undefined, match);
}

function parseChineseInterval(match: RegExpExecArray): RecurringInterval | null {
  const [words, number, half, unit] = match;
  if (unit === undefined) return { minutes: words.endsWith("周") ? 20_160 : 2_880, ...getMatchSpan(match) };
  // 每隔一天 skips one day, but 每隔5分钟 means every five minutes.
  const isSkipping = /^每隔\s*(?:一|1)\s*个?[天日周星礼]/.test(words) && parseSmallerUnit(match, unit, true) === null;
  const amount = isSkipping ? 2 : parseAmount(number) + (half === undefined ? 0 : 0.5);
  return buildInterval(
    amount - (number === undefined && half !== undefined ? 1 : 0),
    unit,
    number !== undefined,
    match,
  );
}

function getMatchSpan(match: RegExpExecArray): TextSpan {
  return { start: match.index, end: match.index + match[0].length };
}

function getUnitMinutes(unit: string): number {
  return UNIT_MINUTES.find(([pattern]) => pattern.test(unit))?.[1] ?? 1;
}

/** Parses an amount of a smaller unit. Without a number before, it needs an "and": every hour, 5 minutes of rest. */
function parseSmallerUnit(match: RegExpExecArray, unit: string, isCounted: boolean) {
  const { end } = getMatchSpan(match);
  SMALLER_UNIT.lastIndex = end;
  const more = SMALLER_UNIT.exec(match.input);
  if (more === null || !match[0].toLowerCase().endsWith(unit)) return null;
  if (!isCounted && !/^,? and /i.test(more[0])) return null;
  const [, english, unitEn, chinese, unitZh, half] = more;
  const [size, smaller] = [getUnitMinutes(unit), getUnitMinutes((unitEn ?? unitZh ?? unit).toLowerCase())];
  const minutes = half === undefined ? parseAmount(english ?? chinese) * smaller : size / 2;
  const isPart = smaller * 60 >= size && (smaller < size || minutes < size);
  return isPart ? { minutes, end: end + more[0].length } : null;
}

function buildInterval(
  amount: number,
  unit: string,
  isCounted: boolean,
  match: RegExpExecArray,
): RecurringInterval | null {
  const smaller = parseSmallerUnit(match, unit, isCounted) ?? { minutes: 0, end: getMatchSpan(match).end };
  const span = { start: match.index, end: smaller.end };
  const words = match.input.slice(span.start, span.end);
  if (Number.isNaN(amount + smaller.minutes))
    return { problem: createMessage("schedule.unparsedWords", { words }), ...span };
  if (/^(?:month|year|月)/.test(unit))
    return isCounted ? { problem: createMessage("schedule.dayMissing", { words }), ...span } : null;
  if (!isCounted && /^(?:d$|day|天|日)/.test(unit)) return null;
  const minutes = Math.round((amount * getUnitMinutes(unit) + smaller.minutes) * 1e6) / 1e6;
  if (minutes < 1 || !Number.isInteger(minutes))
    return { problem: createMessage("schedule.intervalTooShort", { words }), ...span };
  if (minutes > MAX_INTERVAL_MINUTES) return { problem: createMessage("schedule.intervalTooLong", { words }), ...span };
  return { minutes, ...span };
}

/** Returns NaN if the words contain no definite number: every few minutes. */
function parseAmount(word: string | undefined): number {
  const plain = word?.toLowerCase();
  if (plain === undefined || /^an?$/.test(plain)) return 1;
  if (plain.startsWith("-")) return 0;
  if (/^(?:half|半)/.test(plain)) return 0.5;
  if (plain === "other" || plain === "second") return 2;
  if (plain === "third") return 3;
  if (plain === "couple of") return 2;
  return parseNumeral(plain);
}
