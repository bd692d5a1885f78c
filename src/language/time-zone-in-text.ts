// Parser of the time zone of a time of day: at 9 Tokyo time · 9:00 UTC+8 · 北京时间9点 · (Asia/Shanghai).

import { UTC_OFFSET, formatUtcOffset, findPlaces } from "./place-time-zones.ts";
import { createMessage, type Message } from "./messages.ts";
import type { TextSpan } from "./text-spans.ts";
import { isKnownTimeZone } from "./time-zone.ts";

/** A zone in a text. `zone` is null for the user's own zone: `local time`. */
export type TimeZoneMatch = TextSpan & ({ readonly zone: string | null } | { readonly problem: Message });

/** Unambiguous abbreviations. CST and IST are ambiguous. */
const ZONE_ABBREVIATIONS = new Map([
  ["UTC", "UTC"],
  ["GMT", "UTC"],
  ["Z", "UTC"],
  ...["ET", "EST", "EDT"].map((name) => [name, "America/New_York"] as const),
  ...["PT", "PST", "PDT"].map((name) => [name, "America/Los_Angeles"] as const),
  ...["CET", "CEST"].map((name) => [name, "Europe/Paris"] as const),
  ["BST", "Europe/London"],
  ["JST", "Asia/Tokyo"],
  ["KST", "Asia/Seoul"],
  ["HKT", "Asia/Hong_Kong"],
  ["SGT", "Asia/Singapore"],
]);
const AMBIGUOUS_ABBREVIATIONS = "CST|IST|MST|AST|CDT|MDT";

const LEADING_OFFSET = new RegExp(`^${UTC_OFFSET}`, "i");
const ABBREVIATION = new RegExp(String.raw`^(?:${[...ZONE_ABBREVIATIONS.keys()].join("|")})(?![\w/])`);
const IANA_PATH = /^[A-Z][A-Za-z]+\/[A-Za-z_+\-\d]+(?:\/[A-Za-z_]+)?/;
const LOCAL_TIME = /^(?:(?:my |your |our )?local time|my (?:own )?time(?: ?zone)?|本地时间|当地时间|我的时间)/i;
const UNKNOWN_ZONE_EN =
  /^(?!Tell|Show|Get|Give|What|Check|Report|Find|The\b)([A-Z][A-Za-z]*(?:[ _][A-Z][A-Za-z]*){0,2}) time\b/;
const UNKNOWN_ZONE_ZH = /([\u4e00-\u9fff]{2,4})时间\s*$/;
const NOT_A_PLACE_ZH = /[告诉报查问看显示取说知道把将每天日周月年号在到和的点分早晚上中下午晨现当前]/;

/** Finds the zone of a time of day: after it, then with a place anywhere in the text, then before it. Null if none. */
export function findTimeZone(text: string, clock: TextSpan): TimeZoneMatch | null {
  return parseTimeZoneAt(text, clock.end) ?? findPlaceTimeZone(text) ?? parseTimeZoneBefore(text, clock.start);
}

/** Returns the `timezone` member of a schedule config. Returns {} if no zone was found or it is the user's own. */
export function toTimezoneField(match: { readonly zone: string | null } | null): { readonly timezone?: string } {
  return match === null || match.zone === null ? {} : { timezone: match.zone };
}

/**
 * Parses a zone exactly at index `at`, after an optional bracket and preposition: local time, an offset, an
 * abbreviation or an IANA name. Returns a `problem` if it is unknown or ambiguous, and null if there is none or a known
 * place, which only `findTimeZone` reads.
 */
export function parseTimeZoneAt(text: string, at: number): TimeZoneMatch | null {
  const lead = /^\s*[(,]?\s*(?:in |at )?/.exec(text.slice(at))?.[0].length ?? 0;
  const words = text.slice(at + lead);
  const spanned = (length: number) => {
    const close = /^\s*\)/.exec(words.slice(length))?.[0].length ?? 0;
    return { start: at, end: at + lead + length + close };
  };
  const localTime = LOCAL_TIME.exec(words)?.[0];
  if (localTime !== undefined) return { zone: null, ...spanned(localTime.length) };
  const offset = LEADING_OFFSET.exec(words);
  if (offset !== null) {
    const zone = formatUtcOffset(offset);
    const span = spanned(offset[0].length);
    return isKnownTimeZone(zone)
      ? { zone, ...span }
      : { problem: createMessage("schedule.unknownTimeZone", { zone: offset[0] }), ...span };
  }
  const letters = ABBREVIATION.exec(words)?.[0];
  if (letters !== undefined) return { zone: ZONE_ABBREVIATIONS.get(letters) ?? "UTC", ...spanned(letters.length) };
  const path = IANA_PATH.exec(words)?.[0];
  if (path !== undefined) {
    return isKnownTimeZone(path)
      ? { zone: path, ...spanned(path.length) }
      : { problem: createMessage("schedule.unknownTimeZone", { zone: path }), ...spanned(path.length) };
  }
  const unknown = new RegExp(`^(?:${AMBIGUOUS_ABBREVIATIONS})(?![\\w/])`).exec(words) ?? UNKNOWN_ZONE_EN.exec(words);
  if (unknown === null || findPlaces(unknown[1] ?? unknown[0]).length > 0) return null;
  return {
    problem: createMessage("schedule.unknownTimeZone", { zone: unknown[1] ?? unknown[0] }),
    ...spanned(unknown[0].length),
  };
}

/**
 * Finds a place with the word "time" next to a time of day: `9点北京时间`, `at 9 Tokyo time`. Ignores places in the work.
 */
function findPlaceTimeZone(text: string): TimeZoneMatch | null {
  for (const place of findPlaces(text)) {
    const match = /^(?: time|时间)(?=\s*[\d零一二两三四五六七八九十早上中下晚凌每工at]|\s*[,，)]|\s|$)/i.exec(
      text.slice(place.end),
    );
    const isAsked = /(?:查询?|告诉我?|显示|报|what's|tell me|the|show|in) ?$/i.test(
      text.slice(Math.max(0, place.start - 10), place.start),
    );
    const nearClock = /\d|[零一二两三四五六七八九十]点|am|pm|noon|每天|每周|工作日|every|daily/i.test(
      text.slice(Math.max(0, place.start - 8), place.start) + text.slice(place.end, place.end + 10),
    );
    if (match !== null && !isAsked && nearClock) {
      return { zone: place.zone, start: place.start, end: place.end + match[0].length };
    }
  }
  return null;
}

/** Parses a zone before the time of day: the user's own, or an unknown place as a `problem` (`每天哥谭时间9点`). */
function parseTimeZoneBefore(text: string, at: number): TimeZoneMatch | null {
  const head = text.slice(0, at);
  const localTime = /(?:本地|当地|我的)时间\s*$/.exec(head);
  if (localTime !== null) return { zone: null, start: localTime.index, end: at };
  const name = UNKNOWN_ZONE_ZH.exec(
    head.replace(/^.*(?:每天|每日|工作日|每周[一二三四五六日天、,和]*|[,，])/, ""),
  )?.[1];
  if (name === undefined || NOT_A_PLACE_ZH.test(name)) return null;
  return { problem: createMessage("schedule.unknownTimeZone", { zone: name }), start: at - name.length - 2, end: at };
}
