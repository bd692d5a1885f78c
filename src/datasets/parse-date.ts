// Parses dates as tables contain them: 2026-03-01 · 2026/3/1 · 2026年3月1日 · 01.03.2026 · 3/14/2026 · 1 Mar 2026 ·
// 14/3/26 · 1-Mar-26; and months: 2026-03 · 2026年3月 · 03/2026 · Mar 2026.

/** The order of day and month where the year is last. One column has one order. */
export type DateOrder = "day_first" | "month_first";
/** A parsed date as `2026-03-01`, with a time as `08:30:00`, or null without one. Times with a zone are in UTC. */
export type ParsedDate = { readonly date: string; readonly time: string | null };

const MONTHS = "january february march april may june july august september october november december".split(" ");
const YEAR_FIRST = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号])(.*)$/s;
/** Two-digit years are accepted after a slash or a dot only, because with dashes the first part may be the year. */
const YEAR_LAST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|(?<=[./])\d{2}(?!\d))(.*)$/s;
const NAMED_DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([A-Za-z]{3,9})\.?,?[ -](\d{4}|\d{2}(?![\d:]))(.*)$/s;
const NAMED_MONTH_FIRST = /^([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(.*)$/s;
const TIME =
  /^(?:T|\s+)(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?|[时點点](?:(\d{1,2})分(?:(\d{1,2})秒)?)?)\s*([AaPp]\.?[Mm]\.?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/;

/**
 * Parses a date with an optional time. `order` applies only to numbers with the year last, and not between dots.
 * Returns null if the text is not a date or the date does not exist in the calendar.
 */
export function parseDate(text: string, order: DateOrder): ParsedDate | null {
  if (!/\d{2}/.test(text) || text.length > 40) return null;
  const parts = parseYearFirst(text) ?? parseNamedMonth(text) ?? parseYearLast(text, order);
  if (parts === null || !isCalendarDate(parts.year, parts.month, parts.day)) return null;
  const date = formatIsoDate(parts.year, parts.month, parts.day);
  const rest = parts.rest.trimEnd();
  return rest === "" ? { date, time: null } : parseWithTime(date, rest);
}

const YEAR_MONTH = /^(\d{4})(?:[-/](\d{1,2})|\s*年\s*(\d{1,2})\s*月(?:份)?)$/;
const MONTH_YEAR = /^(?:(\d{1,2})\/|([A-Za-z]{3,9})\.?,?[ -])(\d{4})$/;

/** True for texts such as 2025-26, which are school years and look like months every twelve years. */
export function isYearSpan(text: string): boolean {
  const [, year, dash] = /^\d{2}(\d{2})-(\d{2})$/.exec(text) ?? [];
  return dash !== undefined && (Number(year) + 1) % 100 === Number(dash);
}

/** Parses a month as its first day, without a time. Returns null if the text is not a month. */
export function parseMonth(text: string): ParsedDate | null {
  const [, year, number, han] = YEAR_MONTH.exec(text) ?? [];
  const [, before, word, yearAfter] = MONTH_YEAR.exec(text) ?? [];
  const month = word === undefined ? Number(number ?? han ?? before) : findMonthNumber(word);
  const yearNumber = Number(year ?? yearAfter);
  return isCalendarDate(yearNumber, month, 1) ? { date: formatIsoDate(yearNumber, month, 1), time: null } : null;
}

/** True if both orders can parse the text and give different dates. */
export function isAmbiguousDate(text: string): boolean {
  const [, first, mark, second] = YEAR_LAST.exec(text) ?? [];
  return first !== second && mark !== "." && Number(first) <= 12 && Number(second) <= 12;
}

type DateParts = { readonly year: number; readonly month: number; readonly day: number; readonly rest: string };

function parseYearFirst(text: string): DateParts | null {
  const match = YEAR_FIRST.exec(text);
  if (match === null) return null;
  const [, year, , month, day, hanMonth, hanDay, rest = ""] = match;
  return { year: Number(year), month: Number(month ?? hanMonth), day: Number(day ?? hanDay), rest };
}

function parseYearLast(text: string, order: DateOrder): DateParts | null {
  const match = YEAR_LAST.exec(text);
  if (match === null) return null;
  const [, first, mark, second, year, rest = ""] = match;
  // 1.2.10 is a chapter number, 01.02.10 a date.
  if (mark === "." && year?.length === 2 && !/^\d\d\.\d\d\./.test(text)) return null;
  // With dots the day comes first in all locales.
  const isDayFirst = mark === "." || order === "day_first";
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return { year: expandYear(year), month: Number(month), day: Number(day), rest };
}

/** Expands two-digit years as POSIX does: 69 is 1969, 68 is 2068. */
function expandYear(digits: string | undefined): number {
  const year = Number(digits);
  return digits?.length === 2 ? year + (year < 69 ? 2000 : 1900) : year;
}

function parseNamedMonth(text: string): DateParts | null {
  const match = NAMED_DAY_FIRST.exec(text);
  const [, day, word, year, rest = ""] = match ?? swapDayAndMonth(NAMED_MONTH_FIRST.exec(text)) ?? [];
  if (word === undefined) return null;
  const month = findMonthNumber(word);
  return month === 0 ? null : { year: expandYear(year), month, day: Number(day), rest };
}

/**
 * Returns the number of a month from 1, by at least three letters of its English name; 0 if the word is not a month.
 */
function findMonthNumber(word: string): number {
  return MONTHS.findIndex((name) => name.startsWith(word.toLowerCase())) + 1;
}

function swapDayAndMonth(match: readonly string[] | null): (string | undefined)[] | null {
  return match === null ? null : [match[0], match[2], match[1], match[3], match[4]];
}

/** Parses the time after a date. Returns null if the rest is not a time. */
function parseWithTime(date: string, rest: string): ParsedDate | null {
  const match = TIME.exec(rest);
  if (match === null) return null;
  const [, hours, minutes, seconds, fraction = "", hanMinutes, hanSeconds, half, zone] = match;
  const parts = [Number(hours), Number(minutes ?? hanMinutes ?? 0), Number(seconds ?? hanSeconds ?? 0)] as const;
  const [hour, minute, second] = parts;
  if (half === undefined ? hour > 23 : hour < 1 || hour > 12) return null;
  if (minute > 59 || second > 59) return null;
  // An hour without minutes needs a marker: `10` alone may mean anything.
  if (half === undefined && minutes === undefined && !/[时點点]/.test(rest)) return null;
  const hour24 = half === undefined ? hour : (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  const millis = fraction === "" ? "" : `.${fraction.slice(0, 3).padEnd(3, "0")}`;
  const time = `${padTwoDigits(hour24)}:${padTwoDigits(minute)}:${padTwoDigits(second)}${millis}`;
  return zone === undefined ? { date, time } : convertToUtc(date, time, zone);
}

function convertToUtc(date: string, time: string, zone: string): ParsedDate | null {
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : "Z";
  const at = new Date(`${date}T${time}${offset}`);
  if (Number.isNaN(at.getTime())) return null;
  const iso = at.toISOString();
  return { date: iso.slice(0, 10), time: iso.slice(11, time.includes(".") ? 23 : 19) };
}

function isCalendarDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
}

function formatIsoDate(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, "0")}-${padTwoDigits(month)}-${padTwoDigits(day)}`;
}

const padTwoDigits = (value: number): string => String(value).padStart(2, "0");
