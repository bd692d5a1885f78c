// Tools about weeks, months and years.

import { monthIn, yearIn } from "../dates.ts";
import { DAY } from "./day-code.ts";
import { festivalDate, UNTIL } from "./festivals.ts";
import { A_FLAG, A_NUMBER, A_TEXT, calendar, DATE, integer, LOCALE, takes, type Template } from "./template.ts";
import { dayOrToday, localeOf } from "./words.ts";

export const CALENDAR: readonly Template[] = [
  calendar({
    name: "week_of_year",
    description: "The ISO week number of a date: which week of the year. 日期是一年中的第几周。",
    parameters: takes({ date: DATE }),
    returns: A_NUMBER,
    code: String.raw`${DAY}function run({ date }) {
  const day = dayOf(date);
  const thursday = day + 3 - ((day + 3) % 7 + 7) % 7;
  const year = dateOf(thursday).slice(0, 4);
  return Math.floor((thursday - dayOf(year + "-01-01")) / 7) + 1;
}`,
    asked:
      /第几(?:个?星期|周)|(?<!(?:day|days) of (?:the )?)week (?:number|of (?:the )?year|is it|are we|is this)|iso week|(?:which|what) week\b|周数/,
    read: (words) => ({ date: dayOrToday(words) }),
  }),
  calendar({
    name: "quarter_of_date",
    description: "The quarter of the year, 1 to 4, that a date lies in. 日期属于第几季度。",
    parameters: takes({ date: DATE }),
    returns: A_NUMBER,
    code: String.raw`${DAY}function run({ date }) {
  dayOf(date);
  return Math.ceil(Number(date.slice(5, 7)) / 3);
}`,
    asked: /[几哪]一?个?季度|(?:which|what) quarter|quarter (?:of|is|are)/,
    means: /quarter|季度/,
    read(words) {
      const month = words.dates.length > 0 ? null : monthIn(words.said, words.today);
      return { date: month === null ? dayOrToday(words) : `${month.year}-${String(month.month).padStart(2, "0")}-01` };
    },
  }),
  calendar({
    name: "is_leap_year",
    description: "Whether a year is a leap year. 判断某年是不是闰年。",
    parameters: takes({ year: integer("年") }),
    returns: A_FLAG,
    code: String.raw`function run({ year }) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}`,
    asked: /闰年|leap/,
    read({ said, today }) {
      const isOther = /下一|上一|哪|next|last|which|between|list|之间/.test(
        said.replace(/(?:next|last|this) year(?= )/, ""),
      );
      const year = yearIn(said, today) ?? (/\b(?:it|now)\b|现在/.test(said) ? Number(today.slice(0, 4)) : null);
      return isOther || year === null ? null : { year };
    },
  }),
  calendar({
    name: "month_calendar",
    description: "The calendar of a month as text, weeks from Monday. 某年某月的月历、日历。",
    parameters: takes({ year: integer("年"), month: integer("月, 1–12") }),
    returns: A_TEXT,
    code: String.raw`function run({ year, month }) {
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % 7;
  const cells = Array(before).fill("  ");
  for (let day = 1; day <= days; day += 1) cells.push(String(day).padStart(2));
  const lines = [year + "-" + String(month).padStart(2, "0"), "Mo Tu We Th Fr Sa Su"];
  for (let at = 0; at < cells.length; at += 7) lines.push(cells.slice(at, at + 7).join(" "));
  return lines.join("\n");
}`,
    asked: /月历|日历|calendar/,
    read({ said, today }) {
      if (/农历|lunar|event|日程|meeting|会议/.test(said)) return null;
      return monthIn(said, today) ?? { year: Number(today.slice(0, 4)), month: Number(today.slice(5, 7)) };
    },
  }),
  calendar({
    name: "days_in_month",
    description: "How many days a month has. 某年某月有多少天。",
    parameters: takes({ year: integer("年"), month: integer("月, 1–12") }),
    returns: A_NUMBER,
    code: String.raw`function run({ year, month }) {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}`,
    asked: /(?:多少|几)天|天数|(?:how many|number of) days|days (?:in|are)/,
    means: /days? in (?:a |the )?month|月.*天数/,
    read: ({ said, dates, today }) => (dates.length === 0 && !UNTIL.test(said) ? monthIn(said, today) : null),
  }),
  calendar({
    name: "days_in_year",
    description: "How many days a year has. 某年有多少天。",
    parameters: takes({ year: integer("年") }),
    returns: A_NUMBER,
    code: String.raw`function run({ year }) {
  return (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / 86400000;
}`,
    asked: /年.{0,3}(?:多少|几)天|(?:how many|number of) days.*(?:in|does|are)/,
    means: /days? in (?:a |the )?year|年.*天数/,
    read({ said, dates, today }) {
      const year = yearIn(said, today);
      return dates.length > 0 || year === null || UNTIL.test(said) ? null : { year };
    },
  }),
  calendar({
    name: "weekday_of_date",
    description: "The day of the week that a date falls on. 某个日期是星期几、周几。",
    parameters: takes({ date: DATE, locale: LOCALE }),
    returns: A_TEXT,
    code: String.raw`${DAY}function run({ date, locale }) {
  return new Date(dayOf(date) * 86400000).toLocaleDateString(locale, { weekday: "long", timeZone: "UTC" });
}`,
    asked:
      /(?:星期|周|礼拜)(?:几|[一二三四五六日天末]吗)|\bis (?:today|tomorrow)(?: an?)? \w+day|(?:what|which) day|day of (?:the )?week|week ?day/,
    read(words) {
      const [spoken, other] = words.dates;
      const date = spoken?.date ?? festivalDate(words);
      return other === undefined && date !== null ? { date, locale: localeOf(words) } : null;
    },
  }),
];
