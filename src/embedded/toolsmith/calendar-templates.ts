// Tools about weeks, months and years.

import { findMonth, findYear } from "../spoken-dates.ts";
import { DATE_CODE } from "./date-code.ts";
import { getFestivalDate, COUNTDOWN_WORDS } from "./countdown-templates.ts";
import {
  FLAG_RESULT,
  NUMBER_RESULT,
  TEXT_RESULT,
  createCalendarTemplate,
  DATE_SCHEMA,
  integerSchema,
  LOCALE_SCHEMA,
  createParameters,
  type ToolTemplate,
} from "./tool-template.ts";
import { getDayOrToday, getLocale } from "./subtask-words.ts";

export const CALENDAR_TEMPLATES: readonly ToolTemplate[] = [
  createCalendarTemplate({
    name: "week_of_year",
    description: "The ISO week number of a date: which week of the year. 日期是一年中的第几周。",
    parameters: createParameters({ date: DATE_SCHEMA }),
    returns: NUMBER_RESULT,
    code: String.raw`${DATE_CODE}function run({ date }) {
  const day = dayOf(date);
  const thursday = day + 3 - ((day + 3) % 7 + 7) % 7;
  const year = dateOf(thursday).slice(0, 4);
  return Math.floor((thursday - dayOf(year + "-01-01")) / 7) + 1;
}`,
    requestPattern:
      /第几(?:个?星期|周)|(?<!(?:day|days) of (?:the )?)week (?:number|of (?:the )?year|is it|are we|is this)|iso week|(?:which|what) week\b|周数/,
    parseArgs: (words) => ({ date: getDayOrToday(words) }),
  }),
  createCalendarTemplate({
    name: "quarter_of_date",
    description: "The quarter of the year, 1 to 4, that a date lies in. 日期属于第几季度。",
    parameters: createParameters({ date: DATE_SCHEMA }),
    returns: NUMBER_RESULT,
    code: String.raw`${DATE_CODE}function run({ date }) {
  dayOf(date);
  return Math.ceil(Number(date.slice(5, 7)) / 3);
}`,
    requestPattern: /[几哪]一?个?季度|(?:which|what) quarter|quarter (?:of|is|are)/,
    equivalentPattern: /quarter|季度/,
    parseArgs(words) {
      const month = words.dates.length > 0 ? null : findMonth(words.said, words.today);
      return {
        date: month === null ? getDayOrToday(words) : `${month.year}-${String(month.month).padStart(2, "0")}-01`,
      };
    },
  }),
  createCalendarTemplate({
    name: "is_leap_year",
    description: "Whether a year is a leap year. 判断某年是不是闰年。",
    parameters: createParameters({ year: integerSchema("年") }),
    returns: FLAG_RESULT,
    code: String.raw`function run({ year }) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}`,
    requestPattern: /闰年|leap/,
    parseArgs({ said, today }) {
      const isOther = /下一|上一|哪|next|last|which|between|list|之间/.test(
        said.replace(/(?:next|last|this) year(?= )/, ""),
      );
      const year = findYear(said, today) ?? (/\b(?:it|now)\b|现在/.test(said) ? Number(today.slice(0, 4)) : null);
      return isOther || year === null ? null : { year };
    },
  }),
  createCalendarTemplate({
    name: "month_calendar",
    description: "The calendar of a month as text, weeks from Monday. 某年某月的月历、日历。",
    parameters: createParameters({ year: integerSchema("年"), month: integerSchema("月, 1–12") }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ year, month }) {
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % 7;
  const cells = Array(before).fill("  ");
  for (let day = 1; day <= days; day += 1) cells.push(String(day).padStart(2));
  const lines = [year + "-" + String(month).padStart(2, "0"), "Mo Tu We Th Fr Sa Su"];
  for (let at = 0; at < cells.length; at += 7) lines.push(cells.slice(at, at + 7).join(" "));
  return lines.join("\n");
}`,
    requestPattern: /月历|日历|calendar/,
    parseArgs({ said, today }) {
      if (/农历|lunar|event|日程|meeting|会议/.test(said)) return null;
      return findMonth(said, today) ?? { year: Number(today.slice(0, 4)), month: Number(today.slice(5, 7)) };
    },
  }),
  createCalendarTemplate({
    name: "days_in_month",
    description: "How many days a month has. 某年某月有多少天。",
    parameters: createParameters({ year: integerSchema("年"), month: integerSchema("月, 1–12") }),
    returns: NUMBER_RESULT,
    code: String.raw`function run({ year, month }) {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}`,
    requestPattern: /(?:多少|几)天|天数|(?:how many|number of) days|days (?:in|are)/,
    equivalentPattern: /days? in (?:a |the )?month|月.*天数/,
    parseArgs: ({ said, dates, today }) =>
      dates.length === 0 && !COUNTDOWN_WORDS.test(said) ? findMonth(said, today) : null,
  }),
  createCalendarTemplate({
    name: "days_in_year",
    description: "How many days a year has. 某年有多少天。",
    parameters: createParameters({ year: integerSchema("年") }),
    returns: NUMBER_RESULT,
    code: String.raw`function run({ year }) {
  return (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / 86400000;
}`,
    requestPattern: /年.{0,3}(?:多少|几)天|(?:how many|number of) days.*(?:in|does|are)/,
    equivalentPattern: /days? in (?:a |the )?year|年.*天数/,
    parseArgs({ said, dates, today }) {
      const year = findYear(said, today);
      return dates.length > 0 || year === null || COUNTDOWN_WORDS.test(said) ? null : { year };
    },
  }),
  createCalendarTemplate({
    name: "weekday_of_date",
    description: "The day of the week that a date falls on. 某个日期是星期几、周几。",
    parameters: createParameters({ date: DATE_SCHEMA, locale: LOCALE_SCHEMA }),
    returns: TEXT_RESULT,
    code: String.raw`${DATE_CODE}function run({ date, locale }) {
  return new Date(dayOf(date) * 86400000).toLocaleDateString(locale, { weekday: "long", timeZone: "UTC" });
}`,
    requestPattern:
      /(?:星期|周|礼拜)(?:几|[一二三四五六日天末]吗)|\bis (?:today|tomorrow)(?: an?)? \w+day|(?:what|which) day|day of (?:the )?week|week ?day/,
    parseArgs(words) {
      const [spoken, other] = words.dates;
      const date = spoken?.date ?? getFestivalDate(words);
      return other === undefined && date !== null ? { date, locale: getLocale(words) } : null;
    },
  }),
];
