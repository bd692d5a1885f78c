// Tools that count down to a day.

import { findYear } from "../spoken-dates.ts";
import { DATE_CODE } from "./date-code.ts";
import {
  NUMBER_RESULT,
  createCalendarTemplate,
  integerSchema,
  stringSchema,
  createParameters,
  ZONE_SCHEMA,
  type ToolTemplate,
} from "./tool-template.ts";
import type { SubtaskWords } from "./subtask-words.ts";

/** Annual festivals as month and day; `lunar` ones in the Chinese calendar. */
const FESTIVALS: readonly (readonly [pattern: RegExp, day: string, lunar?: "lunar"])[] = [
  [/chinese new year'?s eve|除夕|年三十/, "1-0", "lunar"],
  [/chinese new year|spring festival|lunar new year|春节|农历新年|大年初一/, "1-1", "lunar"],
  [/dragon boat|端午/, "5-5", "lunar"],
  [/mid-?autumn|中秋/, "8-15", "lunar"],
  [/new year'?s eve|跨年夜|年底|年末|end of (?:the|this) year/, "12-31"],
  [/new year|元旦|新年/, "01-01"],
  [/christmas|xmas|圣诞/, "12-25"],
  [/valentine|情人节/, "02-14"],
  [/labou?r day|may day|劳动节|五一/, "05-01"],
  [/children'?s day|儿童节|六一/, "06-01"],
  [/national day|国庆|十一(?!月)/, "10-01"],
  [/halloween|万圣/, "10-31"],
];
export const COUNTDOWN_WORDS =
  /还有(?:多少|几)天|还(?:剩|差)(?:多少|几)天|[距离].*?(?:多少|几)天|倒计时|(?:多少|几)天(?:就)?[到过]|\bdays? (?:left |remaining |are left |are there |is it |do we have )*(?:until|till|til|before)\b|(?:how many|^|number of) ?days? (?:left |remaining |are left |are there |is it )*to\b|how (?:long|many days).*(?:until|till|til|before)\b|countdown/;

function findFestival({ said }: SubtaskWords) {
  return FESTIVALS.find(([pattern]) => pattern.test(said)) ?? null;
}

/** Returns the date of the named festival in the named year; null for a lunar one. */
export function getFestivalDate(words: SubtaskWords): string | null {
  const [, day, kind] = findFestival(words) ?? [];
  const year = findYear(words.said, words.today) ?? words.today.slice(0, 4);
  return day === undefined || kind === "lunar" ? null : `${year}-${day}`;
}

export const COUNTDOWN_TEMPLATES: readonly ToolTemplate[] = [
  createCalendarTemplate({
    name: "days_until_lunar",
    description:
      "Days until a date of the Chinese lunar calendar comes next, e.g. Spring Festival 1-1 or Mid-Autumn 8-15. 距离农历节日还有多少天：春节、端午、中秋。",
    parameters: createParameters({
      month: integerSchema("Lunar month 农历月"),
      day: integerSchema("Lunar day 农历日; 0: the day before the first 除夕"),
      timezone: ZONE_SCHEMA,
    }),
    returns: NUMBER_RESULT,
    code: String.raw`// Lunar years from 2020 on: which months are long, whether the repeated one is, and which that is.
const YEARS = [
  0x07954, 0x06aa0, 0x0ad50, 0x05b52, 0x04b60, 0x0a6e6, 0x0a4e0, 0x0d260, 0x0ea65, 0x0d530,
  0x05aa0, 0x076a3, 0x096d0, 0x04afb, 0x04ad0, 0x0a4d0, 0x1d0b6, 0x0d250, 0x0d520, 0x0dd45,
  0x0b5a0, 0x056d0, 0x055b2, 0x049b0, 0x0a577, 0x0a4b0, 0x0aa50, 0x1b255, 0x06d20, 0x0ada0,
];

function run({ month, day, timezone }) {
  const today = Date.parse(new Date().toLocaleDateString("sv-SE", { timeZone: timezone })) / 86400000;
  let first = Date.UTC(2020, 0, 25) / 86400000;
  for (const year of YEARS) {
    for (let at = 1; at <= 12; at += 1) {
      const length = year & (0x10000 >> at) ? 30 : 29;
      const wanted = first + day - 1;
      if (at === month && day <= length && wanted >= today) return wanted - today;
      first += length;
      if ((year & 15) === at) first += year & 0x10000 ? 30 : 29;
    }
  }
  throw new Error("No such lunar date until 2049. 2049 年以前没有这个农历日期。");
}`,
    requestPattern: COUNTDOWN_WORDS,
    equivalentPattern: /lunar|农历/,
    parseArgs(words) {
      const [, day = "", kind] = findFestival(words) ?? [];
      if (kind !== "lunar" || findYear(words.said, words.today) !== null) return null;
      const [month, date] = day.split("-").map(Number);
      return { month, day: date, timezone: words.timezone };
    },
  }),
  createCalendarTemplate({
    name: "days_until",
    description:
      "Counts the days from today until a date; a date without a year is its next occurrence: countdown, days left. 距离某一天还有多少天：倒计时。",
    parameters: createParameters({
      date: stringSchema("YYYY-MM-DD, or MM-DD for the next one"),
      timezone: ZONE_SCHEMA,
    }),
    returns: NUMBER_RESULT,
    code: String.raw`${DATE_CODE}function run({ date, timezone }) {
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: timezone });
  if (date.length > 5) return dayOf(date) - dayOf(today);
  let year = Number(today.slice(0, 4));
  if (date < today.slice(5)) year += 1;
  while (date === "02-29" && new Date(Date.UTC(year, 1, 29)).getUTCDate() !== 29) year += 1;
  return dayOf(year + "-" + date) - dayOf(today);
}`,
    requestPattern: COUNTDOWN_WORDS,
    equivalentPattern: /days? (?:until|till|to|left)|countdown|还有.*天|倒计时/,
    parseArgs(words) {
      const [spoken, other] = words.dates.filter(({ date }) => date !== words.today);
      if (other !== undefined) return null;
      const [, festival, kind] = findFestival(words) ?? [];
      if (spoken === undefined && (festival === undefined || kind === "lunar")) return null;
      const isYearSaid = spoken === undefined ? findYear(words.said, words.today) !== null : !spoken.isYearly;
      const full = spoken?.date ?? getFestivalDate(words) ?? "";
      const date = isYearSaid ? full : full.slice(5);
      return { date, timezone: words.timezone };
    },
  }),
];
