// Computes the next run of a schedule and validates schedule configurations.

import { Cron } from "croner";
import { readCron } from "../../protocol/cron.ts";
import { jsonSchema } from "../../protocol/json.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../../protocol/schedule.ts";
import { cut } from "../../protocol/shortened.ts";
import type { Both, Language } from "../../protocol/words/language.ts";
import * as say from "../../protocol/words/schedule-problems.ts";
import { isZone } from "../../protocol/words/zone.ts";

/** The longest interval: 366 days. */
const MOST_MINUTES = 366 * 1_440;
const MOST_SHOWN = 100;

/**
 * Returns the first run after `after`, both in milliseconds since the epoch; null if there is no further run. An
 * interval counts from `after`, which is the previous due time. `daily_time` and `cron` are read in the schedule's own
 * zone, else in `zone`.
 *
 * Daylight saving: a skipped time runs at the first instant after the gap, a repeated time at its first occurrence.
 * Expressions with `*` or a step in minutes or hours keep their interval through both. Throws for a configuration that
 * `findScheduleProblem` rejects.
 */
export function nextRun(config: ScheduleConfig, after: number, zone = "UTC"): number | null {
  if (config.interval_minutes !== undefined) return after + config.interval_minutes * 60_000;
  const pattern = new Cron(expressionOf(config), {
    mode: "5-part",
    timezone: config.timezone ?? zone,
    fixedTimeRule: "no-wildcard",
  });
  return pattern.nextRun(new Date(after))?.getTime() ?? null;
}

/** Returns the cron expression of a schedule; a `daily_time` becomes one with fixed minute and hour. */
function expressionOf({ daily_time: time, cron = "" }: ScheduleConfig): string {
  return time === undefined ? cron : `${Number(time.slice(3))} ${Number(time.slice(0, 2))} * * *`;
}

/**
 * Returns the first problem of a schedule configuration as a sentence with an example; null if `scheduleConfigSchema`
 * and `computeNextRun` accept it. `config` may be any value, for example a proposal of a model.
 */
export function problemWith(config: unknown, zone = "UTC", language: Language = "en"): string | null {
  return problemIn(config, zone)?.[language] ?? null;
}

/** The fields of which a schedule has exactly one. */
const KINDS = ["interval_minutes", "daily_time", "cron"] as const;

/** Returns the first problem in both languages: shape, field names, number of timings, zone, then the timing itself. */
function problemIn(value: unknown, zone: string): Both | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return say.notASchedule(shown(value));
  const config = new Map<string, unknown>(Object.entries(value).filter(([, given]) => given !== undefined));
  const strange = [...config.keys()].find((name) => name !== "timezone" && !KINDS.some((kind) => kind === name));
  if (strange !== undefined) return say.unknownField(strange);
  const [kind, ...others] = KINDS.filter((each) => config.has(each));
  if (kind === undefined) return say.noKind;
  if (others.length > 0) return say.twoKinds([kind, ...others]);
  const named = config.get("timezone") ?? zone;
  if (typeof named !== "string" || !isZone(named)) return say.unknownZone(shown(named));
  const wrong = problemOfKind(kind, config.get(kind));
  if (wrong !== null) return wrong;
  return scheduleConfigSchema.safeParse(value).success ? null : say.notASchedule(shown(value));
}

/** Returns the problem of one timing value; null if it is valid. */
function problemOfKind(kind: (typeof KINDS)[number], value: unknown): Both | null {
  switch (kind) {
    case "interval_minutes":
      if (typeof value !== "number" || !Number.isInteger(value) || value < 1) return say.tooOften(shown(value));
      return value > MOST_MINUTES ? say.tooSeldom(shown(value)) : null;
    case "daily_time":
      return typeof value === "string" && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)
        ? null
        : say.noSuchTime(shown(value));
    case "cron": {
      const cron = typeof value === "string" ? readCron(value) : { problem: say.notFiveFields(shown(value)) };
      return "problem" in cron ? cron.problem : null;
    }
  }
}

/** Formats a value for a message, truncated; "" if it is not JSON or is nested too deeply. */
function shown(value: unknown): string {
  if (typeof value === "string") return cut(value, MOST_SHOWN);
  return jsonSchema.safeParse(value).success ? cut(JSON.stringify(value), MOST_SHOWN) : "";
}
