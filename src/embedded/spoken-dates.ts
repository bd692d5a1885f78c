// Calendar dates: 2026-10-20 · 2026年10月20日 · 明年五月一日 · October 20, 2026 · tomorrow · 后天.

import { parseNumeralAt } from "../language/numerals.ts";
import { normalizeCharacters, type TextSpan } from "../language/text-spans.ts";

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const RELATIVE = new Map([
  ["day before yesterday", -2],
  ["day after tomorrow", 2],
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
  ["大前天", -3],
  ["前天", -2],
  ["昨天", -1],
  ["昨日", -1],
  ["今天", 0],
  ["今日", 0],
  ["明天", 1],
  ["明日", 1],
  ["后天", 2],
  ["大后天", 3],
]);
const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join("|")})\\.?`;
const HAN = "[零〇一二三四五六七八九十]";
const YEARS = new Map([
  ["前年", -2],
  ["去年", -1],
  ["last year", -1],
  ["今年", 0],
  ["this year", 0],
  ["明年", 1],
  ["next year", 1],
  ["后年", 2],
]);
const YEAR_ZH = String.raw`(?:\d{4}|${HAN}{4})年|[去今明后]年的?|前年的?`;
const PATTERN = new RegExp(
  [
    String.raw`(?<iso>\d{4})[-/.](?<isoMonth>\d{1,2})[-/.](?<isoDay>\d{1,2})`,
    String.raw`\b(?<usMonth>\d{1,2})/(?<usDay>\d{1,2})/(?<usYear>\d{4})\b`,
    String.raw`(?<hanYear>${YEAR_ZH})?(?<hanMonth>\d{1,2}|${HAN}{1,2})月(?<hanDay>\d{1,2}|${HAN}{1,3})[日号]?(?!\d)`,
    String.raw`\b${MONTH.replace("(", "(?<name>")} (?<nameDay>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<nameYear>\d{4}))?\b`,
    String.raw`\b(?<dayFirst>\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH.replace("(", "(?<nameSecond>")}(?:,? (?<yearLast>\d{4}))?\b`,
    String.raw`(?<![上下])(?<week>\b(?:last|this|next) |[上下这]个?|本)(?:(?<weekday>mon|tue|wed|thu|fri|sat|sun)[a-z]*day\b|(?:周|星期|礼拜)(?<hanWeekday>[一二三四五六日天]))`,
    `(?<relative>${[...RELATIVE.keys()].sort((a, b) => b.length - a.length).join("|")})`,
  ].join("|"),
  "gi",
);

/** `isYearly` is true if the text names no year. */
export type SpokenDate = TextSpan & { readonly date: string; readonly isYearly: boolean };

/** Returns the dates in the text as `YYYY-MM-DD`. A missing year is the year of `today`. */
export function findDates(text: string, today: string): string[] {
  return findSpokenDates(text, today).map(({ date }) => date);
}

/** With `unreal`, also returns full dates that do not exist (2026-02-30), so that the caller can reject them. */
export function findSpokenDates(text: string, today: string, unreal = false): SpokenDate[] {
  return [...normalizeCharacters(text).matchAll(PATTERN)].flatMap((match) => {
    const { groups = {} } = match;
    const span = { start: match.index, end: match.index + match[0].length };
    const { relative, hanYear } = groups;
    if (relative !== undefined)
      return [{ date: addDays(today, RELATIVE.get(relative.toLowerCase()) ?? 0), isYearly: false, ...span }];
    if (groups["week"] !== undefined) return [{ date: resolveWeekday(groups, today), isYearly: false, ...span }];
    const said = groups["iso"] ?? groups["usYear"] ?? groups["nameYear"] ?? groups["yearLast"];
    const year = said ?? (hanYear === undefined ? today.slice(0, 4) : findYear(hanYear, today));
    const name = (groups["name"] ?? groups["nameSecond"] ?? "").slice(0, 3).toLowerCase();
    const month =
      groups["isoMonth"] ??
      groups["usMonth"] ??
      groups["hanMonth"] ??
      String(MONTHS.findIndex((full) => full.startsWith(name)) + 1);
    const day =
      groups["isoDay"] ?? groups["usDay"] ?? groups["hanDay"] ?? groups["nameDay"] ?? groups["dayFirst"] ?? "";
    const date = `${year}-${toTwoDigits(month)}-${toTwoDigits(day)}`;
    const counts = isExistingDate(date) || (unreal && /^\d{4}-(?:0[1-9]|1[0-2])-(?:[0-2]\d|3[01])$/.test(date));
    return counts ? [{ date, isYearly: said === undefined && hanYear === undefined, ...span }] : [];
  });
}

const WEEKDAYS = "mon tue wed thu fri sat sun 一 二 三 四 五 六 日".split(" ");

/** Resolves a weekday of last, this or next week; weeks begin on Monday. `last Friday` is the most recent one. */
function resolveWeekday(
  { week = "", weekday, hanWeekday = "" }: Partial<Record<string, string>>,
  today: string,
): string {
  const day = WEEKDAYS.indexOf(weekday?.toLowerCase() ?? hanWeekday.replace("天", "日")) % 7;
  const ahead = day - ((new Date(today).getUTCDay() + 6) % 7);
  if (/^last/i.test(week)) return addDays(today, ahead < 0 ? ahead : ahead - 7);
  return addDays(today, ahead + (week.startsWith("上") ? -7 : /^(?:next|下)/i.test(week) ? 7 : 0));
}

const YEAR = new RegExp(
  String.raw`(\d{4}|${HAN}{4})(?=\s*年)|(前年|[去今明后]年|(?:last|this|next) year)|\b(\d{4})\b`,
  "i",
);

/** Returns the year that the text names, or null. */
export function findYear(text: string, today: string): number | null {
  const [, han, relative, digits] = YEAR.exec(normalizeCharacters(text)) ?? [];
  if (relative !== undefined) return Number(today.slice(0, 4)) + (YEARS.get(relative.toLowerCase()) ?? 0);
  const said = han ?? digits;
  return said === undefined ? null : Number(parseNumeralAt(said, 0)?.value);
}

const MONTH_ONLY = new RegExp(
  String.raw`(?<iso>\d{4})-(?<isoMonth>\d{1,2})(?![-\d])|(?<han>\d{1,2}|${HAN}{1,2})月|\b${MONTH.replace("(", "(?<name>")}(?![a-z])|(?<relative>(?:last|this|next) month|上个?月|这个?月|本月|当月|下个?月)`,
  "i",
);

/** Returns the month that the text names, apart from its year: `2024年2月` · `February 2024` · `next month`. */
export function findMonth(text: string, today: string): { readonly year: number; readonly month: number } | null {
  const { groups } = MONTH_ONLY.exec(normalizeCharacters(text)) ?? {};
  if (groups === undefined) return null;
  const { iso, isoMonth, han, name = "", relative } = groups;
  const year = iso === undefined ? (findYear(text, today) ?? Number(today.slice(0, 4))) : Number(iso);
  if (relative !== undefined) {
    const step = /^(?:last|上)/i.test(relative) ? -1 : /^(?:next|下)/i.test(relative) ? 1 : 0;
    const at = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1 + step;
    return { year: Math.floor(at / 12), month: (at % 12) + 1 };
  }
  const said = isoMonth ?? (han === undefined ? undefined : parseNumeralAt(han, 0)?.value);
  const month =
    said === undefined ? MONTHS.findIndex((full) => full.startsWith(name.slice(0, 3).toLowerCase())) + 1 : Number(said);
  return month >= 1 && month <= 12 ? { year, month } : null;
}

function toTwoDigits(said: string): string {
  return (parseNumeralAt(said, 0)?.value ?? said).padStart(2, "0");
}

/** Returns the local date of an instant in a time zone; UTC if the zone is unknown. */
export function formatLocalDate(instant: number, zone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en-CA", {
      timeZone: zone ?? "UTC",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    }).format(instant);
  } catch {
    return new Date(instant).toISOString().slice(0, 10);
  }
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

function isExistingDate(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
