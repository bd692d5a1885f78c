// Tools about the clock.

import { findTimeOfDay, isExplicitTime } from "../../language/time-of-day.ts";
import { findUnknownPlace } from "../../language/place-time-zones.ts";
import { findAskedIdeas } from "../idea-glossary.ts";
import { HOURS_AWAY } from "../tool-mismatch.ts";
import {
  NUMBER_RESULT,
  TEXT_RESULT,
  LOCALE_SCHEMA,
  stringSchema,
  createParameters,
  createTimeTemplate,
  ZONE_SCHEMA,
  type ToolTemplate,
} from "./tool-template.ts";
import { replaceNumerals, getLocale, type SubtaskWords } from "./subtask-words.ts";

const DIFFERENCE = /时差|time difference|hours? (?:ahead|behind|apart)/;
const STAMP = /时间戳|time ?stamp|unix time|epoch/;

/** Returns the named zone or the person's own; null for an unknown place. */
function findZone({ places, text, timezone }: SubtaskWords): string | null {
  const [place] = places;
  if (place !== undefined) return place.zone;
  return findUnknownPlace(text) === null ? timezone : null;
}

function findExplicitClock({ said }: SubtaskWords): { readonly time: string; readonly start: number } | null {
  const clock = findTimeOfDay(said, "");
  return clock === null || clock.time === null || !isExplicitTime(said, clock)
    ? null
    : { time: clock.time, start: clock.start };
}

/** `in 2 hours and 30 minutes`, `半小时前`: the distance in minutes. */
function parseMinutesAway(words: SubtaskWords): number | null {
  const said = replaceNumerals(words)
    .replace(/half (?:an|1) hour/g, "30 minutes")
    .replace(/(?<![个\d])半个?小时/g, "30分钟");
  if (!HOURS_AWAY.test(said) || !/what(?:'s| is| will| was)?(?: be)?(?: the)? time|几点/.test(said)) return null;
  const steps = [...said.matchAll(/(\d+(?:\.\d+)?)\s*个?(半)?\s*(?:(hours?|小时)|minutes?|分钟)/g)];
  const minutes = steps.map(
    ([, count, half, hours]) => (Number(count) + (half === undefined ? 0 : 0.5)) * (hours === undefined ? 1 : 60),
  );
  const away = minutes.reduce((sum, one) => sum + one, 0);
  return away === 0 ? null : /\bago\b|earlier|前/.test(said) ? -away : away;
}

/** Returns the zone of the given time and the zone asked for. */
function findConversionZones(words: SubtaskWords): readonly [from: string, to: string] | null {
  const { places, said, timezone } = words;
  const clock = findExplicitClock(words);
  const [a, b] = places;
  if (clock === null || a === undefined) return null;
  if (b === undefined) {
    if (/\bhere\b|\bmy time\b|local time|我这|本地|当地时间是/.test(said)) return [a.zone, timezone];
    return /[是为]多少|几点|convert|what time|换算|转/.test(said)
      ? a.start < clock.start
        ? [a.zone, timezone]
        : [timezone, a.zone]
      : null;
  }
  const near = (place: { start: number; end: number }) =>
    Math.min(Math.abs(place.start - clock.start), Math.abs(place.end - clock.start));
  return near(a) <= near(b) ? [a.zone, b.zone] : [b.zone, a.zone];
}

const WALL_CLOCK_CODE = String.raw`// What a clock in a zone shows at an instant, as if it were UTC.
function wall(instant, zone) {
  return Date.parse(new Date(instant).toLocaleString("sv-SE", { timeZone: zone }).replace(" ", "T") + "Z");
}

`;

export const TIME_TEMPLATES: readonly ToolTemplate[] = [
  createTimeTemplate({
    name: "convert_time_zone",
    description:
      "Converts a time of day from one time zone to another: what time is it there when it is … here. 时区换算：某地几点是另一地几点。",
    parameters: createParameters({
      time: stringSchema("HH:MM, or YYYY-MM-DD HH:MM"),
      from: stringSchema("IANA time zone of the time"),
      to: stringSchema("IANA time zone that is asked for"),
    }),
    returns: TEXT_RESULT,
    code: String.raw`${WALL_CLOCK_CODE}function run({ time, from, to }) {
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: from });
  const said = time.length > 8 ? time : today + " " + time.padStart(5, "0");
  const shown = Date.parse(said.replace(" ", "T") + "Z");
  if (Number.isNaN(shown)) throw new Error("There is no such time. 没有这个时间：" + time);
  let instant = shown;
  for (let i = 0; i < 2; i += 1) instant += shown - wall(instant, from);
  return new Date(wall(instant, to)).toISOString().slice(0, 16).replace("T", " ") + " (" + to + ")";
}`,
    equivalentPattern: /(?:convert|change|translat).*(?:time|zone)|时区.*换算/,
    parseArgs(words) {
      const clock = findExplicitClock(words);
      const zones = findConversionZones(words);
      return clock === null || zones === null ? null : { time: clock.time, from: zones[0], to: zones[1] };
    },
  }),
  createTimeTemplate({
    name: "timestamp_to_time",
    description: "Turns a Unix timestamp in seconds or milliseconds into a date and time. 时间戳转换为日期时间。",
    parameters: createParameters({
      timestamp: { type: "number", description: "Seconds or milliseconds 秒或毫秒" },
      timezone: ZONE_SCHEMA,
    }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ timestamp, timezone }) {
  const ms = Math.abs(timestamp) < 1e11 ? timestamp * 1000 : timestamp;
  return new Date(ms).toLocaleString("sv-SE", { timeZone: timezone }) + " (" + timezone + ")";
}`,
    requestPattern: STAMP,
    equivalentPattern: /timestamp to|from timestamp|时间戳转/,
    parseArgs(words) {
      const [timestamp] = words.numbers;
      const isStamp = typeof timestamp === "number" && words.dates.length === 0 && words.isComplete;
      const zone = findZone(words);
      return isStamp && zone !== null ? { timestamp, timezone: zone } : null;
    },
  }),
  createTimeTemplate({
    name: "time_to_timestamp",
    description: "The Unix timestamp, in seconds, of a date and time in a time zone. 日期时间转换为时间戳（秒）。",
    parameters: createParameters({ date: stringSchema("YYYY-MM-DD or YYYY-MM-DD HH:MM"), timezone: ZONE_SCHEMA }),
    returns: NUMBER_RESULT,
    code: String.raw`function run({ date, timezone }) {
  const shown = Date.parse((date.length > 10 ? date : date + " 00:00").replace(" ", "T") + "Z");
  if (Number.isNaN(shown)) throw new Error("There is no such time. 没有这个时间：" + date);
  let instant = shown;
  for (let i = 0; i < 2; i += 1) {
    const wall = new Date(instant).toLocaleString("sv-SE", { timeZone: timezone });
    instant += shown - Date.parse(wall.replace(" ", "T") + "Z");
  }
  return instant / 1000;
}`,
    requestPattern: STAMP,
    equivalentPattern: /to timestamp|转.*时间戳/,
    parseArgs(words) {
      const [day] = words.dates;
      const zone = findZone(words);
      if (day === undefined || zone === null) return null;
      const clock = findExplicitClock({ ...words, said: words.said.slice(day.end) });
      return { date: clock === null ? day.date : `${day.date} ${clock.time}`, timezone: zone };
    },
  }),
  createTimeTemplate({
    name: "current_timestamp",
    description: "The current Unix timestamp in seconds. 当前时间戳（秒）。",
    parameters: createParameters({}),
    returns: NUMBER_RESULT,
    code: String.raw`function run() {
  return Math.floor(Date.now() / 1000);
}`,
    requestPattern: STAMP,
    equivalentPattern: /(?:current|now).*timestamp|当前时间戳/,
    parseArgs: ({ isComplete, dates }) => (isComplete || dates.length > 0 ? null : {}),
  }),
  createTimeTemplate({
    name: "time_away",
    description:
      "What time it will be, or was, so many minutes from now in a time zone: in 3 hours, 90 minutes ago. 多少小时、分钟之后或之前是几点。",
    parameters: createParameters({
      minutes: { type: "number", description: "Before now if negative 负数为之前" },
      timezone: ZONE_SCHEMA,
    }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ minutes, timezone }) {
  return new Date(Date.now() + minutes * 60000).toLocaleString("sv-SE", { timeZone: timezone }) + " (" + timezone + ")";
}`,
    equivalentPattern: /time.*(?:from now|later|ago)|(?:小时|分钟)[之以]?[后前]/,
    parseArgs(words) {
      const minutes = parseMinutesAway(words);
      const zone = findZone(words);
      return minutes === null || zone === null || findExplicitClock(words) !== null
        ? null
        : { minutes, timezone: zone };
    },
  }),
  createTimeTemplate({
    name: "time_zone_difference",
    description: "The time difference between two time zones now, in hours. 两地时差。",
    parameters: createParameters({
      from: stringSchema("IANA time zone 时区"),
      to: stringSchema("IANA time zone 时区"),
    }),
    returns: TEXT_RESULT,
    code: String.raw`${WALL_CLOCK_CODE}function run({ from, to }) {
  const now = Date.now();
  const shown = (zone) => new Date(wall(now, zone)).toISOString().slice(0, 16).replace("T", " ") + " (" + zone + ")";
  const hours = Math.abs(wall(now, from) - wall(now, to)) / 3600000;
  return hours + " h: " + shown(from) + ", " + shown(to);
}`,
    requestPattern: DIFFERENCE,
    parseArgs({ places: [a, b, other], said, timezone }) {
      if (a === undefined || other !== undefined) return null;
      const isHere = /\bhere\b|\b(?:my|local) time\b|我这|这里|本地/.test(said);
      if (b === undefined) return isHere ? { from: timezone, to: a.zone } : null;
      return isHere ? null : { from: a.zone, to: b.zone };
    },
  }),
  createTimeTemplate({
    name: "current_time",
    description:
      "The current date and time in a time zone: what time is it now, the clock. 查询现在时间、当前时间：现在几点了。",
    parameters: createParameters({ timezone: ZONE_SCHEMA }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ timezone }) {
  return new Date().toLocaleString("sv-SE", { timeZone: timezone }) + " (" + timezone + ")";
}`,
    equivalentPattern:
      /(?:current|now|local|present).*time|^(?:get )?time(?: now)?$|what time|现在.*时间|当前.*时间|几点/,
    parseArgs(words) {
      const isOther = words.dates.some(({ date }) => date !== words.today) || HOURS_AWAY.test(words.said);
      const isAsked = findAskedIdeas(words.text).has("time") && !DIFFERENCE.test(words.said) && !STAMP.test(words.said);
      const zone = findZone(words);
      return isAsked && !isOther && zone !== null && findExplicitClock(words) === null ? { timezone: zone } : null;
    },
  }),
  createTimeTemplate({
    name: "current_date",
    description:
      "Today's date with the day of the week, in a time zone: what day is it today. 今天的日期：今天几号、星期几。",
    parameters: createParameters({ timezone: ZONE_SCHEMA, locale: LOCALE_SCHEMA }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ timezone, locale }) {
  return new Date().toLocaleDateString(locale, { dateStyle: "full", timeZone: timezone });
}`,
    requestPattern:
      /今[天日](?:是|的)?(?:几(?!天)|什么日|日期|星期|周|礼拜)|(?:现在|当前)的?日期|^[^\d]*日期$|几月几[号日]|今年是?(?:哪一?|几几|多少)年|现在是?几月|^date\b|what (?:year|month) is (?:it|this)|(?:today'?s|current|the) (?:date|day|weekday)(?! (?:before|after|of the year|\d))|what(?:'s| is) today|what (?:day|date|weekday) is (?:it|today)|(?:date|day) (?:is )?today/,
    equivalentPattern:
      /(?:current|today'?s?|now).*(?:date|day)|^(?:get )?date$|what day is it|今天.*(?:日期|几号)|当前日期/,
    parseArgs(words) {
      const isToday =
        words.dates.every(({ date }) => date === words.today) &&
        !/[前后]|[去明]年|上个?[周月]|下个?[周月星]|\b(?:last|next|ago|before|after|until|since|from now|later|in (?:an?|\d+|[a-z]+) (?:day|week|month|year)s?)\b|再过/.test(
          words.said,
        );
      const zone = findZone(words);
      return isToday && zone !== null ? { timezone: zone, locale: getLocale(words) } : null;
    },
  }),
];
