// Words of time that make work recur: every 5 minutes · 每天早上9点 · weekdays at 18:30 · 每周一、周四8点.

import type { ScheduleConfig } from "../../protocol/plan.ts";
import { readNumber } from "./numerals.ts";
import { placesIn } from "./places.ts";
import { literalSpans } from "./payload.ts";
import { blot, fold, tidy, without, type Span } from "./text.ts";

export type Timing = {
  /** Null where the text says on which days but not at what time. */
  readonly config: ScheduleConfig | null;
  /** The work for a single run, without the words of time. */
  readonly rest: string;
  /** Where the words of time stand; the first is what makes it recur. */
  readonly spans: readonly Span[];
};

/** Minutes between runs, or the day fields of a cron expression. */
type Rhythm = { readonly minutes: number } | { readonly days: string; readonly period: string };
type Found = Span & { readonly rhythm: Rhythm };

const NUMBER = String.raw`\d+|[一二两三四五六七八九十百]+|half(?: an?)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|半`;
const EVERY_EN = new RegExp(
  String.raw`\b(?:once )?every (?:(${NUMBER}) ?)?(minutes?|mins?|hours?|hrs?|days?)\b|\b(hourly)\b|\bonce an? (minute|hour)\b`,
  "i",
);
const EVERY_ZH = new RegExp(String.raw`每隔?\s*(${NUMBER})?\s*个?(分钟|小时|钟头|天)(?:[执运]行)?(?:一次)?`);
const WEEKDAYS = "sunday|monday|tuesday|wednesday|thursday|friday|saturday";
const WEEKDAY_LIST = `(?:${WEEKDAYS})s?(?:(?:,? and |, ?| & )(?:${WEEKDAYS})s?)*`;
const DAYS_EN = new RegExp(
  String.raw`\b(?:(?:every|each) ?(?:single )?(day|morning|afternoon|evening|night)|(daily|nightly)|(?:on |every )?(weekdays?|workdays?|working days?|monday (?:to|through) friday)|(?:on |every )?(weekends?)|(?:every week on|weekly on|every|each|on) (${WEEKDAY_LIST})|(?:every month on|monthly on|each month on) (?:the )?(\d{1,2})(?:st|nd|rd|th)?|on the (\d{1,2})(?:st|nd|rd|th)? of (?:every|each) month)\b`,
  "i",
);
const DAYS_ZH =
  /每(?:个)?(?:周|星期|礼拜)一(?:到|至)(?:周|星期|礼拜)?五|(?:每个?)?(?:工作日|平日)|每个?周末|(?:每逢?|逢)个?(?:周|星期|礼拜)([一二三四五六日天末](?:[、,和与及]?(?:每?(?:周|星期|礼拜))?[一二三四五六日天])*)|每个?月(?:的)?(\d{1,2}|[一二三四五六七八九十]+)[号日]|(?:每天|每日|(?<![今明昨后前])天天(?!气))的?|每个?(?=早上|早晨|清晨|上午|中午|下午|傍晚|晚上|凌晨|夜里|早|晚)/;

const PERIOD_ZH = "凌晨|清晨|早上|早晨|上午|中午|正午|下午|傍晚|晚上|夜里|半夜|早|晚";
const CLOCK_ZH = new RegExp(
  String.raw`(${PERIOD_ZH})?的?(?:在|于)?\s*(?:(\d{1,2})[:](\d{2})|(\d{1,2}|[零一二两三四五六七八九十]{1,3})(?:点|时)(?:钟|整)?(?:(半)|(一刻)|(三刻)|(\d{1,2}|[零一二三四五六七八九十]{1,3})分?)?)|(中午|正午|半夜|午夜)`,
);
const CLOCK_EN =
  /(?:\bat |\bby |\baround |@ ?)?(?:\b(noon|midday|midnight)\b|\b(half past|quarter past|quarter to) (\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\b(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\.?|p\.?m\.?|o'clock)?(?![\w%])|(?<=at )(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?:\s*(a\.?m\.?|p\.?m\.?|o'clock))?)(?: in the (morning|afternoon|evening))?/i;

/** How the text recurs, or null when it is about a single time. */
export function readTiming(text: string): Timing | null {
  const folded = blot(fold(text), literalSpans(text));
  const found = findRhythm(folded);
  if (found === null) return null;
  const zone = zoneOf(folded);
  if ("minutes" in found.rhythm) {
    return { config: { interval_minutes: found.rhythm.minutes }, rest: tidy(without(text, found)), spans: [found] };
  }
  const { days, period } = found.rhythm;
  const clock = findClock(folded, found, period);
  if (clock === null) return { config: null, rest: tidy(without(text, found)), spans: [found] };
  const spans = zone === null ? [found, clock] : [found, clock, zone];
  const rest = [...spans].sort((a, b) => b.start - a.start).reduce(without, text);
  return {
    config: configOf(days, clock.time, zone?.zone),
    rest: tidy(rest.replace(/\s+(?:at|on|in)\s*$/i, "")),
    spans,
  };
}

/** The time of day that the text states, as `HH:MM`: what someone answers when asked for it. */
export function readClock(text: string): string | null {
  const folded = fold(text);
  return clockAt(folded, "")?.time ?? null;
}

export function configOf(days: string, time: string, zone: string | undefined): ScheduleConfig {
  const timezone = zone === undefined ? {} : { timezone: zone };
  if (days === "* * *") return { daily_time: time, ...timezone };
  const [hour = "0", minute = "0"] = time.split(":");
  return { cron: `${Number(minute)} ${Number(hour)} ${days}`, ...timezone };
}

/** The day fields of the rhythm in a text that states no time. */
export function daysOf(text: string): string {
  const rhythm = findRhythm(fold(text))?.rhythm;
  return rhythm !== undefined && "days" in rhythm ? rhythm.days : "* * *";
}

function findRhythm(text: string): Found | null {
  return findInterval(text) ?? findDays(text);
}

function findInterval(text: string): Found | null {
  const english = EVERY_EN.exec(text);
  const chinese = english === null ? EVERY_ZH.exec(text) : null;
  const match = english ?? chinese;
  if (match === null) return null;
  const unit = (match[2] ?? match[3] ?? match[4] ?? "").toLowerCase();
  const isDay = /^(?:day|天)/.test(unit);
  // "every day" and 每天 name a day, to which a time belongs; every 2 days is an interval.
  if (isDay && match[1] === undefined) return null;
  const size = isDay ? 1_440 : /^(?:h|小时|钟头)/.test(unit) ? 60 : 1;
  const minutes = Math.round(amountOf(match[1]) * size);
  if (minutes < 1) return null;
  return { rhythm: { minutes }, start: match.index, end: match.index + match[0].length };
}

function amountOf(word: string | undefined): number {
  if (word === undefined || /^an?$/i.test(word)) return 1;
  if (/^(?:half|半)/i.test(word)) return 0.5;
  return Number(readNumber(word, 0)?.value ?? 1);
}

function findDays(text: string): Found | null {
  const chinese = DAYS_ZH.exec(text);
  const english = chinese === null ? DAYS_EN.exec(text) : null;
  const match = chinese ?? english;
  if (match === null) return null;
  const span = { start: match.index, end: match.index + match[0].length };
  const rhythm = chinese === null ? englishDays(match) : chineseDays(match);
  return rhythm === null ? null : { rhythm, ...span };
}

function englishDays(match: RegExpExecArray): Rhythm | null {
  const [whole, each, adverb, workday, weekend, names, monthly, ofMonth] = match;
  const monthDay = monthly ?? ofMonth;
  if (workday !== undefined) return { days: "* * 1-5", period: "" };
  if (weekend !== undefined) return { days: "* * 0,6", period: "" };
  if (monthDay !== undefined) return { days: `${Number(monthDay)} * *`, period: "" };
  if (names !== undefined) {
    // "on Monday" is one Monday; "on Mondays" and "every Monday" are all of them.
    if (/^on /i.test(whole) && !/s$/i.test(names)) return null;
    const numbers = [...names.toLowerCase().matchAll(new RegExp(WEEKDAYS, "g"))].map(([name]) =>
      WEEKDAYS.split("|").indexOf(name),
    );
    return { days: `* * ${numbers.join(",")}`, period: "" };
  }
  return { days: "* * *", period: (each ?? adverb ?? "").toLowerCase() };
}

function chineseDays(match: RegExpExecArray): Rhythm {
  const [whole, names, monthDay] = match;
  if (/工作日|平日|一(?:到|至)/.test(whole)) return { days: "* * 1-5", period: "" };
  if (/周末/.test(whole) || names === "末") return { days: "* * 0,6", period: "" };
  if (monthDay !== undefined) return { days: `${readNumber(monthDay, 0)?.value ?? 1} * *`, period: "" };
  if (names === undefined) return { days: "* * *", period: "" };
  const numbers = [...names]
    .map((char) => "日一二三四五六".indexOf(char === "天" ? "日" : char))
    .filter((day) => day >= 0);
  return { days: `* * ${numbers.join(",")}`, period: "" };
}

type Clock = Span & { readonly time: string };

/** The time of day beside the words for the days; further away only after `at` or with a 点. */
function findClock(text: string, rhythm: Span, period: string): Clock | null {
  const rest = text.slice(rhythm.end);
  const after = clockAt(rest, period);
  const isNear =
    after !== null &&
    /^[\s,]*(?:at|by|around|北京时间|[a-z ]+ time)?[\s,]*$/i.test(
      rest.slice(0, after.start).replace(/[\u4e00-\u9fff]{2,4}时间/, ""),
    );
  if (after !== null && (isNear || isExplicit(rest, after))) return moved(after, rhythm.end);
  const head = text.slice(0, rhythm.start);
  const before = clockAt(head, period);
  return before !== null && isExplicit(head, before) ? before : null;
}

function isExplicit(text: string, clock: Span): boolean {
  return /^(?:at |@)|点|[:]|[ap]\.?m/i.test(text.slice(clock.start, clock.end));
}

function moved(clock: Clock, by: number): Clock {
  return { ...clock, start: clock.start + by, end: clock.end + by };
}

function clockAt(text: string, period: string): Clock | null {
  const chinese = /[点时:半午]/.test(text) && /[\u4e00-\u9fff]/.test(text) ? CLOCK_ZH.exec(text) : null;
  const match = chinese ?? CLOCK_EN.exec(text);
  if (match === null) return null;
  const time = chinese === null ? englishTime(match, period) : chineseTime(match);
  return time === null ? null : { time, start: match.index, end: match.index + match[0].length };
}

function chineseTime(match: RegExpExecArray): string | null {
  const [, period = "", hour, minute, spoken, half, quarter, threeQuarters, minutes, alone] = match;
  if (alone !== undefined) return /中午|正午/.test(alone) ? "12:00" : "00:00";
  const past =
    half !== undefined
      ? 30
      : quarter !== undefined
        ? 15
        : threeQuarters !== undefined
          ? 45
          : valueOf(minutes ?? minute ?? "0");
  const stated = valueOf(hour ?? spoken ?? "");
  const isLate = /下午|傍晚|晚/.test(period) ? stated < 12 : /中午|正午/.test(period) && stated < 3;
  const isEarly = /凌晨|半夜|夜里/.test(period) && stated === 12;
  return timeOf(isEarly ? 0 : isLate ? stated + 12 : stated, past);
}

function englishTime(match: RegExpExecArray, period: string): string | null {
  const [, named, relation, relatedTo, digits, minute, suffix, spelled, spelledSuffix, partOfDay] = match;
  if (named !== undefined) return /midnight/i.test(named) ? "00:00" : "12:00";
  const isTo = /to$/i.test(relation ?? "");
  const past = relation === undefined ? valueOf(minute ?? "0") : /half/i.test(relation) ? 30 : isTo ? 45 : 15;
  const stated = valueOf(relatedTo ?? digits ?? spelled ?? "") - (isTo ? 1 : 0);
  const half = (suffix ?? spelledSuffix ?? "").toLowerCase();
  const isLate = half.startsWith("p") || (!half.startsWith("a") && /afternoon|evening|night/.test(partOfDay ?? period));
  if (half.startsWith("a") && stated === 12) return timeOf(0, past);
  return timeOf(isLate && stated < 12 ? stated + 12 : stated, past);
}

function timeOf(hour: number, minute: number): string | null {
  if (!Number.isInteger(hour) || hour < 0 || hour > 24 || minute > 59 || Number.isNaN(minute)) return null;
  return `${String(hour % 24).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

function valueOf(text: string): number {
  return Number(readNumber(text.toLowerCase(), 0)?.value ?? Number.NaN);
}

/** `9点北京时间`, `at 9 Tokyo time`: a zone for the schedule, unlike the `Tokyo` in the work itself. */
function zoneOf(text: string): (Span & { readonly zone: string }) | null {
  for (const place of placesIn(text)) {
    const match = /^(?: time|时间)(?=\s*[\d零一二两三四五六七八九十早上中下晚凌]|,|，|\s|$)/i.exec(
      text.slice(place.end),
    );
    const isAsked = /(?:查询?|告诉我?|显示|what's|tell me|the|show) ?$/i.test(text.slice(0, place.start));
    const nearClock = /\d|点|am|pm/i.test(
      text.slice(Math.max(0, place.start - 8), place.start) + text.slice(place.end, place.end + 10),
    );
    if (match !== null && !isAsked && nearClock) {
      return { zone: place.zone, start: place.start, end: place.end + match[0].length };
    }
  }
  return null;
}
