// Tools about the clock.

import { findClock, isExplicit } from "../../../protocol/words/clock.ts";
import { unknownPlaceIn } from "../../../protocol/words/places.ts";
import { ideasAsked } from "../glossary.ts";
import { HOURS_AWAY } from "../unlike.ts";
import { A_NUMBER, A_TEXT, LOCALE, string, takes, time, ZONE, type Template } from "./template.ts";
import { digitised, localeOf, type Words } from "./words.ts";

const DIFFERENCE = /时差|time difference|hours? (?:ahead|behind|apart)/;
const STAMP = /时间戳|time ?stamp|unix time|epoch/;

/** Returns the named zone or the person's own; null for an unknown place. */
function zoneIn({ places, text, timezone }: Words): string | null {
  const [place] = places;
  if (place !== undefined) return place.zone;
  return unknownPlaceIn(text) === null ? timezone : null;
}

function clockIn({ said }: Words): { readonly time: string; readonly start: number } | null {
  const clock = findClock(said, "");
  return clock === null || clock.time === null || !isExplicit(said, clock)
    ? null
    : { time: clock.time, start: clock.start };
}

/** `in 2 hours and 30 minutes`, `半小时前`: the distance in minutes. */
function minutesAway(words: Words): number | null {
  const said = digitised(words)
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
function zonesOf(words: Words): readonly [from: string, to: string] | null {
  const { places, said, timezone } = words;
  const clock = clockIn(words);
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

const WALL = String.raw`// What a clock in a zone shows at an instant, as if it were UTC.
function wall(instant, zone) {
  return Date.parse(new Date(instant).toLocaleString("sv-SE", { timeZone: zone }).replace(" ", "T") + "Z");
}

`;

export const TIME: readonly Template[] = [
  time({
    name: "convert_time_zone",
    description:
      "Converts a time of day from one time zone to another: what time is it there when it is … here. 时区换算：某地几点是另一地几点。",
    parameters: takes({
      time: string("HH:MM, or YYYY-MM-DD HH:MM"),
      from: string("IANA time zone of the time"),
      to: string("IANA time zone that is asked for"),
    }),
    returns: A_TEXT,
    code: String.raw`${WALL}function run({ time, from, to }) {
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: from });
  const said = time.length > 8 ? time : today + " " + time.padStart(5, "0");
  const shown = Date.parse(said.replace(" ", "T") + "Z");
  if (Number.isNaN(shown)) throw new Error("There is no such time. 没有这个时间：" + time);
  let instant = shown;
  for (let i = 0; i < 2; i += 1) instant += shown - wall(instant, from);
  return new Date(wall(instant, to)).toISOString().slice(0, 16).replace("T", " ") + " (" + to + ")";
}`,
    means: /(?:convert|change|translat).*(?:time|zone)|时区.*换算/,
    read(words) {
      const clock = clockIn(words);
      const zones = zonesOf(words);
      return clock === null || zones === null ? null : { time: clock.time, from: zones[0], to: zones[1] };
    },
  }),
  time({
    name: "timestamp_to_time",
    description: "Turns a Unix timestamp in seconds or milliseconds into a date and time. 时间戳转换为日期时间。",
    parameters: takes({
      timestamp: { type: "number", description: "Seconds or milliseconds 秒或毫秒" },
      timezone: ZONE,
    }),
    returns: A_TEXT,
    code: String.raw`function run({ timestamp, timezone }) {
  const ms = Math.abs(timestamp) < 1e11 ? timestamp * 1000 : timestamp;
  return new Date(ms).toLocaleString("sv-SE", { timeZone: timezone }) + " (" + timezone + ")";
}`,
    asked: STAMP,
    means: /timestamp to|from timestamp|时间戳转/,
    read(words) {
      const [timestamp] = words.numbers;
      const isStamp = typeof timestamp === "number" && words.dates.length === 0 && words.isComplete;
      const zone = zoneIn(words);
      return isStamp && zone !== null ? { timestamp, timezone: zone } : null;
    },
  }),
  time({
    name: "time_to_timestamp",
    description: "The Unix timestamp, in seconds, of a date and time in a time zone. 日期时间转换为时间戳（秒）。",
    parameters: takes({ date: string("YYYY-MM-DD or YYYY-MM-DD HH:MM"), timezone: ZONE }),
    returns: A_NUMBER,
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
    asked: STAMP,
    means: /to timestamp|转.*时间戳/,
    read(words) {
      const [day] = words.dates;
      const zone = zoneIn(words);
      if (day === undefined || zone === null) return null;
      const clock = clockIn({ ...words, said: words.said.slice(day.end) });
      return { date: clock === null ? day.date : `${day.date} ${clock.time}`, timezone: zone };
    },
  }),
  time({
    name: "current_timestamp",
    description: "The current Unix timestamp in seconds. 当前时间戳（秒）。",
    parameters: takes({}),
    returns: A_NUMBER,
    code: String.raw`function run() {
  return Math.floor(Date.now() / 1000);
}`,
    asked: STAMP,
    means: /(?:current|now).*timestamp|当前时间戳/,
    read: ({ isComplete, dates }) => (isComplete || dates.length > 0 ? null : {}),
  }),
  time({
    name: "time_away",
    description:
      "What time it will be, or was, so many minutes from now in a time zone: in 3 hours, 90 minutes ago. 多少小时、分钟之后或之前是几点。",
    parameters: takes({
      minutes: { type: "number", description: "Before now if negative 负数为之前" },
      timezone: ZONE,
    }),
    returns: A_TEXT,
    code: String.raw`function run({ minutes, timezone }) {
  return new Date(Date.now() + minutes * 60000).toLocaleString("sv-SE", { timeZone: timezone }) + " (" + timezone + ")";
}`,
    means: /time.*(?:from now|later|ago)|(?:小时|分钟)[之以]?[后前]/,
    read(words) {
      const minutes = minutesAway(words);
      const zone = zoneIn(words);
      return minutes === null || zone === null || clockIn(words) !== null ? null : { minutes, timezone: zone };
    },
  }),
  time({
    name: "time_zone_difference",
    description: "The time difference between two time zones now, in hours. 两地时差。",
    parameters: takes({ from: string("IANA time zone 时区"), to: string("IANA time zone 时区") }),
    returns: A_TEXT,
    code: String.raw`${WALL}function run({ from, to }) {
  const now = Date.now();
  const shown = (zone) => new Date(wall(now, zone)).toISOString().slice(0, 16).replace("T", " ") + " (" + zone + ")";
  const hours = Math.abs(wall(now, from) - wall(now, to)) / 3600000;
  return hours + " h: " + shown(from) + ", " + shown(to);
}`,
    asked: DIFFERENCE,
    read({ places: [a, b, other], said, timezone }) {
      if (a === undefined || other !== undefined) return null;
      const isHere = /\bhere\b|\b(?:my|local) time\b|我这|这里|本地/.test(said);
      if (b === undefined) return isHere ? { from: timezone, to: a.zone } : null;
      return isHere ? null : { from: a.zone, to: b.zone };
    },
  }),
  time({
    name: "current_time",
    description:
      "The current date and time in a time zone: what time is it now, the clock. 查询现在时间、当前时间：现在几点了。",
    parameters: takes({ timezone: ZONE }),
    returns: A_TEXT,
    code: String.raw`function run({ timezone }) {
  return new Date().toLocaleString("sv-SE", { timeZone: timezone }) + " (" + timezone + ")";
}`,
    means: /(?:current|now|local|present).*time|^(?:get )?time(?: now)?$|what time|现在.*时间|当前.*时间|几点/,
    read(words) {
      const isOther = words.dates.some(({ date }) => date !== words.today) || HOURS_AWAY.test(words.said);
      const isAsked = ideasAsked(words.text).has("time") && !DIFFERENCE.test(words.said) && !STAMP.test(words.said);
      const zone = zoneIn(words);
      return isAsked && !isOther && zone !== null && clockIn(words) === null ? { timezone: zone } : null;
    },
  }),
  time({
    name: "current_date",
    description:
      "Today's date with the day of the week, in a time zone: what day is it today. 今天的日期：今天几号、星期几。",
    parameters: takes({ timezone: ZONE, locale: LOCALE }),
    returns: A_TEXT,
    code: String.raw`function run({ timezone, locale }) {
  return new Date().toLocaleDateString(locale, { dateStyle: "full", timeZone: timezone });
}`,
    asked:
      /今[天日](?:是|的)?(?:几(?!天)|什么日|日期|星期|周|礼拜)|(?:现在|当前)的?日期|^[^\d]*日期$|几月几[号日]|今年是?(?:哪一?|几几|多少)年|现在是?几月|^date\b|what (?:year|month) is (?:it|this)|(?:today'?s|current|the) (?:date|day|weekday)(?! (?:before|after|of the year|\d))|what(?:'s| is) today|what (?:day|date|weekday) is (?:it|today)|(?:date|day) (?:is )?today/,
    means: /(?:current|today'?s?|now).*(?:date|day)|^(?:get )?date$|what day is it|今天.*(?:日期|几号)|当前日期/,
    read(words) {
      const isToday =
        words.dates.every(({ date }) => date === words.today) &&
        !/[前后]|[去明]年|上个?[周月]|下个?[周月星]|\b(?:last|next|ago|before|after|until|since|from now|later|in (?:an?|\d+|[a-z]+) (?:day|week|month|year)s?)\b|再过/.test(
          words.said,
        );
      const zone = zoneIn(words);
      return isToday && zone !== null ? { timezone: zone, locale: localeOf(words) } : null;
    },
  }),
];
