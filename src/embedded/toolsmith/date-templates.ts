// Tools for date arithmetic.

import { maskSpans } from "../../language/text-spans.ts";
import { DATE_CODE } from "./date-code.ts";
import {
  NUMBER_RESULT,
  TEXT_RESULT,
  createCalendarTemplate,
  DATE_SCHEMA,
  integerSchema,
  LOCALE_SCHEMA,
  createParameters,
  ZONE_SCHEMA,
  type TemplateArgs,
  type ToolTemplate,
} from "./tool-template.ts";
import { BLOT, getDayOrToday, replaceNumerals, getLocale, type SubtaskWords } from "./subtask-words.ts";

const UNITS: readonly (readonly [name: string, pattern: string])[] = [
  ["days", "days?|天|日"],
  ["weeks", "weeks?|个?(?:星期|周|礼拜)"],
  ["months", "months?|个月"],
  ["years", "years?|年"],
];
const STEP = new RegExp(String.raw`(\d+)\s*(?:(${UNITS.map(([, pattern]) => pattern).join(")|(")}))(?![a-z日])`, "g");
const BACK = /\bago\b|\bbefore\b|\bearlier\b|minus|subtract|之?前|以前|减/;
const ON = /\bfrom (?:now|▢|\d)|\bfrom\s*$|\bafter\b|\blater\b|\bhence\b|\bin \d|plus|\badd\b|[之以过]?后|再过|加/;
const WEEKDAY = /(?:周|星期|礼拜)[一二三四五六日天](?!前|后)|(?<!what )\b(?:mon|tues|wednes|thurs|fri|satur|sun)day/;
const HOW_MANY = /多少|几[天周月年个]|how (?:many|long|old)/;

/** Parses `3 weeks and 2 days after …` to arguments. */
function parseSteps(words: SubtaskWords): TemplateArgs | null {
  const spans = words.dates.map(({ start, end }) => ({ start, end }));
  const said = maskSpans(words.said, spans)
    .replaceAll("\u0001", BLOT)
    .replace(/去年的?(?=▢)/, "1年前")
    .replace(/明年的?(?=▢)/, "1年后")
    .replace(/半年|half a year/, "6 months ");
  const rest = replaceNumerals({ ...words, said });
  const isBack = BACK.test(rest);
  // 两周后的周五 is not the day in two weeks.
  if (WEEKDAY.test(said) || HOW_MANY.test(rest) || (!isBack && !ON.test(rest))) return null;
  const steps: Record<string, number> = {};
  for (const [, count = "", ...units] of rest.matchAll(STEP)) {
    const name = UNITS[units.findIndex((unit) => unit !== undefined)]?.[0] ?? "days";
    steps[name] = (steps[name] ?? 0) + Number(count) * (isBack ? -1 : 1);
  }
  return Object.keys(steps).length === 0 ? null : steps;
}

export const DATE_TEMPLATES: readonly ToolTemplate[] = [
  createCalendarTemplate({
    name: "shift_date",
    description:
      "The date so many days, weeks, months or years after another one, or before it with negative numbers, with its weekday. 日期加减：多少天、周、月、年之后或之前是几号、星期几。",
    parameters: createParameters(
      {
        date: DATE_SCHEMA,
        days: integerSchema("天"),
        weeks: integerSchema("周"),
        months: integerSchema("月"),
        years: integerSchema("年"),
        locale: LOCALE_SCHEMA,
      },
      ["days", "weeks", "months", "years"],
    ),
    returns: TEXT_RESULT,
    code: String.raw`${DATE_CODE}function run({ date, days = 0, weeks = 0, months = 0, years = 0, locale }) {
  dayOf(date);
  const [year, month, day] = date.split("-").map(Number);
  const lastOfMonth = new Date(Date.UTC(year + years, month + months, 0)).getUTCDate();
  const start = Date.UTC(year + years, month - 1 + months, Math.min(day, lastOfMonth));
  const shifted = new Date(start + (days + 7 * weeks) * 86400000);
  const weekday = shifted.toLocaleDateString(locale, { weekday: "long", timeZone: "UTC" });
  return shifted.toISOString().slice(0, 10) + " " + weekday;
}`,
    equivalentPattern:
      /(?:add|shift|plus|offset|subtract).*(?:date|day|week|month)|date.*(?:add|plus|after|before|shift|offset)|日期.*加|天[之以]?[后前]/,
    parseArgs(words) {
      const { said, dates, today } = words;
      if (dates.length > 1) return null;
      const steps = parseSteps(words);
      const isAsked =
        /几[月号日]|星期几|周几|礼拜几|哪一?[天日年]|什么[日时]|日期|\bdate\b|\bday\b|\bwhen\b|what|which|是[?？]?$|[前后][?？]?$|from (?:now|today)|ago|\d{4}/;
      if (steps !== null)
        return isAsked.test(said) ? { date: getDayOrToday(words), ...steps, locale: getLocale(words) } : null;
      const [only] = dates;
      // 明天是几号, what is the date tomorrow, when is next Friday
      const isDate =
        /几[月号]|日期|哪一?天|\bdate\b|\bwhen\b/.test(said) && /天|日|[周期拜]|[a-z]day|tomorrow/.test(said);
      if (!isDate || only === undefined || only.date === today || /\d/.test(said)) return null;
      return { date: today, days: (Date.parse(only.date) - Date.parse(today)) / 86_400_000, locale: getLocale(words) };
    },
  }),
  createCalendarTemplate({
    name: "age",
    description:
      "How old somebody is, in full years, from the date of birth: age. 根据出生日期计算年龄：今年多大、几岁。",
    parameters: createParameters({ birth_date: DATE_SCHEMA, timezone: ZONE_SCHEMA }),
    returns: NUMBER_RESULT,
    code: String.raw`${DATE_CODE}function run({ birth_date, timezone }) {
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: timezone });
  if (dayOf(birth_date) > dayOf(today)) throw new Error("The date of birth lies ahead. 出生日期在将来。");
  const years = Number(today.slice(0, 4)) - Number(birth_date.slice(0, 4));
  return today.slice(5) < birth_date.slice(5) ? years - 1 : years;
}`,
    requestPattern: /多大|几岁|年龄|周岁|how old|\bage\b/,
    parseArgs: ({ dates: [birth], timezone }) =>
      birth?.isYearly === false ? { birth_date: birth.date, timezone } : null,
  }),
  createCalendarTemplate({
    name: "days_between",
    description:
      "Counts the days from one date to another: days between two dates, how many days since. 计算两个日期之间相差多少天。",
    parameters: createParameters({ from: DATE_SCHEMA, to: DATE_SCHEMA }),
    returns: NUMBER_RESULT,
    code: String.raw`${DATE_CODE}function run({ from, to }) {
  return dayOf(to) - dayOf(from);
}`,
    equivalentPattern:
      /days? (?:between|from|since)|date (?:diff|difference)|difference.*dates?|(?:两|日期).*(?:相差|之间)/,
    requestPattern: /(?:多少|几)天|天数|相差|间隔|days|how long/,
    parseArgs({ said, dates, today }) {
      const [from, to] = dates;
      const isOther = /(?:多少|几)个?(?:周|星期|月|年|小时)|weeks|months|years|hours/.test(said);
      if (isOther || from === undefined || dates.length > 2) return null;
      if (to !== undefined) {
        const isBackwards = /距|相差|间隔|\bbetween\b/.test(said) && to.date < from.date;
        return isBackwards ? { from: to.date, to: from.date } : { from: from.date, to: to.date };
      }
      const isSince = /\bsince\b|\bpassed\b|\bago\b|到现在|至今|距今|过去了|已经/.test(said);
      return isSince && from.date !== today ? { from: from.date, to: today } : null;
    },
  }),
];
