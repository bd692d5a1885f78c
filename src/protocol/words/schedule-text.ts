// Parser of a text that consists of a schedule only, as in an input field.

import { readCron } from "../cron.ts";
import type { ScheduleConfig } from "../schedule.ts";
import { languageOf, type Both } from "./language.ts";
import * as say from "./schedule-problems.ts";
import { fold, tidy } from "./text.ts";
import { readTiming, type Timing, type When } from "./timing.ts";
import { isZone, zoneAfter, zoned } from "./zone.ts";

const MAX_CHARS = 200;

/**
 * Parses every text form of a schedule: `every 5 minutes`, `daily at 09:00`, `工作日18:30`, a cron expression. `timezone`
 * is the default zone if the text contains none. For invalid text it returns a `problem`: a sentence in the language of
 * the text, with an example. Does not throw.
 */
export function readScheduleText(
  text: string,
  timezone?: string,
): { readonly config: ScheduleConfig } | { readonly problem: string } {
  const words = fold(text).trim();
  const read = words.length > MAX_CHARS ? refused(say.notASchedule(`${words.slice(0, 40)}…`)) : readWords(words);
  const language = languageOf(text);
  if (read.kind !== "config") return { problem: read.problem[language] };
  const { config } = read;
  if (config.interval_minutes !== undefined || config.timezone !== undefined || timezone === undefined)
    return { config };
  return isZone(timezone) ? { config: { ...config, timezone } } : { problem: say.unknownZone(timezone)[language] };
}

function refused(problem: Both): When {
  return { kind: "problem", problem };
}

function readWords(words: string): When {
  if (words === "") return refused(say.notASchedule(words));
  const expression = readBareCron(words);
  if (expression !== null) return expression;
  const whole = readTiming(words);
  if (whole !== null && (whole.when.kind === "problem" || leftOf(whole) === "")) return whole.when;
  // Unlike in a sentence, the word "every" is optional here: "5 minutes", "9点", "Monday at 9".
  const led = leads(words)
    .map((lead) => readTiming(lead))
    .filter((timing) => timing !== null && leftOf(timing) === "")
    .flatMap((timing) => timing?.when ?? []);
  const timed = led.find(({ kind }) => kind !== "untimed");
  if (timed !== undefined) return timed;
  if (whole === null) return led[0] ?? refused(say.notASchedule(words));
  return refused(readTiming(whole.rest) === null ? say.notUnderstood(leftOf(whole)) : say.twoSchedules(leftOf(whole)));
}

const FILLER =
  /\b(?:please|run(?:s|ning)?|do (?:it|this|that)|it|this|that|repeat(?:s|ed|ing)?|schedule[ds]?|recurring|once|starting now|and)\b|请|执行|运行|重复|触发|提醒我?|一次|一回|吧|的|在|and|,|，|。|\.|!/gi;

/**
 * Returns the words that were not parsed. They are reported and never dropped, because they may be part of the times.
 */
function leftOf({ rest }: Timing): string {
  return tidy(rest.replace(FILLER, " ")).trim();
}

function leads(words: string): string[] {
  const adverb = /^(weekly|monthly|yearly|annually)\b/i.exec(words)?.[1]?.toLowerCase();
  if (adverb !== undefined) {
    const unit = { weekly: "week", monthly: "month" }[adverb] ?? "year";
    return [`every ${unit}${words.slice(adverb.length)}`];
  }
  return /[\u4e00-\u9fff]/.test(words) ? [`每${words}`, `每天${words}`] : [`every ${words}`, `every day at ${words}`];
}

const WORD = /^(?:[\d*/,?#LW-]+|(?:[a-z]{3}|\d)(?:[-,/#](?:[a-z]{3}|\d+))*[LW]?)$/i;

/** Parses a text of cron fields, followed by an optional zone. Returns null if the words are not cron fields. */
function readBareCron(text: string): When | null {
  const bare = text.replace(/^cron(?: expression)?\s*:?\s*/i, "").replace(/^[`"'](.*)[`"']$/, "$1");
  const words = bare.split(/\s+/);
  const foreign = words.findIndex((word) => !WORD.test(word));
  const fields = foreign < 0 ? words : words.slice(0, foreign);
  const isMeant = bare !== text || fields.join("").includes("*");
  if (fields.length < (isMeant ? 2 : 5) || /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(bare)) return null;
  const expression = fields.join(" ");
  const cron = readCron(expression);
  if ("problem" in cron) return refused(cron.problem);
  const end = foreign < 0 ? bare.length : bare.indexOf(words[foreign] ?? "");
  const zone = zoneAfter(bare, end);
  const left = bare.slice(zone?.end ?? end).trim();
  if (left !== "") return refused(say.notUnderstood(left));
  if (zone !== null && "problem" in zone) return refused(zone.problem);
  return { kind: "config", config: { cron: expression, ...zoned(zone) } };
}
