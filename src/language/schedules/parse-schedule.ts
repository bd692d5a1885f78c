// Parser of a text that consists of a schedule only, as in an input field.

import { parseCron } from "./parse-cron.ts";
import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import { createMessage, type Message } from "../messages.ts";
import { normalizeCharacters, trimPunctuation } from "../text-spans.ts";
import { findSchedule, type ScheduleMatch, type ScheduleTimes } from "./find-schedule.ts";
import { findOneTime } from "./one-time.ts";
import { parseTimeZoneAt, toTimezoneField } from "../time-zone-in-text.ts";
import { isKnownTimeZone } from "../../language/time-zone.ts";

const MAX_SCHEDULE_CHARS = 200;

/**
 * Parses every text form of a schedule: `every 5 minutes`, `daily at 09:00`, `工作日18:30`, a cron expression. `timezone`
 * is set if the text contains no zone, except for intervals. A single time ("tomorrow at 9") is parsed only if `now` (ms
 * since the epoch) is given. Returns a `problem` for invalid text and for an unknown
 * zone. Does not throw.
 */
export function parseSchedule(
  text: string,
  timezone?: string,
  now?: number,
): { readonly config: ScheduleConfig } | { readonly problem: Message } {
  const words = normalizeCharacters(text).trim();
  const parsed =
    words.length > MAX_SCHEDULE_CHARS
      ? toScheduleProblem(createMessage("schedule.noRecurrence", { words: `${words.slice(0, 40)}…` }))
      : (parseSingleTime(words, timezone, now) ?? parseScheduleWords(words));
  if (parsed.kind !== "config") return { problem: parsed.problem };
  const { config } = parsed;
  if (config.interval_minutes !== undefined || config.timezone !== undefined || timezone === undefined)
    return { config };
  return isKnownTimeZone(timezone)
    ? { config: { ...config, timezone } }
    : { problem: createMessage("schedule.unknownTimeZone", { zone: timezone }) };
}

/** Parses a text that is a single time and nothing else. */
function parseSingleTime(words: string, zone: string | undefined, now: number | undefined): ScheduleTimes | null {
  if (now === undefined || findSchedule(words) !== null) return null;
  const once = findOneTime(words, { now, zone });
  if (once === null || ("config" in once && trimPunctuation(once.rest.replace(FILLER_WORDS, " ")) !== "")) return null;
  return "config" in once ? { kind: "config", config: once.config } : toScheduleProblem(once.problem);
}

function toScheduleProblem(problem: Message): ScheduleTimes {
  return { kind: "problem", problem };
}

function parseScheduleWords(words: string): ScheduleTimes {
  if (words === "") return toScheduleProblem(createMessage("schedule.noRecurrence", { words }));
  const expression = parseBareCron(words);
  if (expression !== null) return expression;
  const match = findSchedule(words);
  if (match !== null && (match.when.kind === "problem" || getUnparsedWords(match) === "")) return match.when;
  // Unlike in a sentence, the word "every" is optional here: "5 minutes", "9点", "Monday at 9".
  const candidates = addRecurrenceWords(words)
    .map((lead) => findSchedule(lead))
    .filter((timing) => timing !== null && getUnparsedWords(timing) === "")
    .flatMap((timing) => timing?.when ?? []);
  const timed = candidates.find(({ kind }) => kind !== "untimed");
  if (timed !== undefined) return timed;
  if (match === null) return candidates[0] ?? toScheduleProblem(createMessage("schedule.noRecurrence", { words }));
  return toScheduleProblem(
    findSchedule(match.rest) === null
      ? createMessage("schedule.unparsedWords", { words: getUnparsedWords(match) })
      : createMessage("schedule.secondSchedule", { words: getUnparsedWords(match) }),
  );
}

const FILLER_WORDS =
  /\b(?:please|run(?:s|ning)?|do (?:it|this|that)|it|this|that|repeat(?:s|ed|ing)?|schedule[ds]?|recurring|once|starting now|and)\b|请|执行|运行|重复|触发|提醒我?|一次|一回|吧|的|在|and|,|，|。|\.|!/gi;

/**
 * Returns the words that were not parsed. They are reported and never dropped, because they may be part of the times.
 */
function getUnparsedWords({ rest }: ScheduleMatch): string {
  return trimPunctuation(rest.replace(FILLER_WORDS, " ")).trim();
}

function addRecurrenceWords(words: string): string[] {
  const adverb = /^(weekly|monthly|yearly|annually)\b/i.exec(words)?.[1]?.toLowerCase();
  if (adverb !== undefined) {
    const unit = { weekly: "week", monthly: "month" }[adverb] ?? "year";
    return [`every ${unit}${words.slice(adverb.length)}`];
  }
  return /[\u4e00-\u9fff]/.test(words) ? [`每${words}`, `每天${words}`] : [`every ${words}`, `every day at ${words}`];
}

const CRON_WORD = /^(?:[\d*/,?#LW-]+|(?:[a-z]{3}|\d)(?:[-,/#](?:[a-z]{3}|\d+))*[LW]?)$/i;

/** Parses a text of cron fields, followed by an optional zone. Returns null if the words are not cron fields. */
function parseBareCron(text: string): ScheduleTimes | null {
  const bare = text.replace(/^cron(?: expression)?\s*:?\s*/i, "").replace(/^[`"'](.*)[`"']$/, "$1");
  const words = bare.split(/\s+/);
  const foreign = words.findIndex((word) => !CRON_WORD.test(word));
  const fields = foreign < 0 ? words : words.slice(0, foreign);
  const isMeant = bare !== text || fields.join("").includes("*");
  if (fields.length < (isMeant ? 2 : 5) || /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(bare)) return null;
  const expression = fields.join(" ");
  const cron = parseCron(expression);
  if ("problem" in cron) return toScheduleProblem(cron.problem);
  const end = foreign < 0 ? bare.length : bare.indexOf(words[foreign] ?? "");
  const zone = parseTimeZoneAt(bare, end);
  const left = bare.slice(zone?.end ?? end).trim();
  if (left !== "") return toScheduleProblem(createMessage("schedule.unparsedWords", { words: left }));
  if (zone !== null && "problem" in zone) return toScheduleProblem(zone.problem);
  return { kind: "config", config: { cron: expression, ...toTimezoneField(zone) } };
}
