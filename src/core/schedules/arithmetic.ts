// When a schedule runs next, and what keeps one from ever running.

import { Cron } from "croner";
import { readCron } from "../../protocol/cron.ts";
import { jsonSchema } from "../../protocol/json.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../../protocol/schedule.ts";
import { cut } from "../../protocol/shortened.ts";
import type { Both, Language } from "../../protocol/words/language.ts";
import * as say from "../../protocol/words/schedule-problems.ts";
import { isZone } from "../../protocol/words/zone.ts";

const MOST_MINUTES = 366 * 1_440;
const MOST_SHOWN = 100;

/**
 * The first run after `after`, both in milliseconds since the epoch. An interval counts from `after`, which is the
 * due time before; `daily_time` and `cron` are meant in the schedule's own zone, else in `zone`, else in UTC.
 *
 * A time that the clocks skip runs at the first instant after the gap, one that they repeat at its first occurrence.
 * An expression with a star or a step among its minutes or hours keeps its pace through both. Null where no run ever
 * comes. Throws for what `problemWith` refuses.
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

function expressionOf({ daily_time: time, cron = "" }: ScheduleConfig): string {
  return time === undefined ? cron : `${Number(time.slice(3))} ${Number(time.slice(0, 2))} * * *`;
}

/**
 * What is wrong with a schedule, as a sentence with an example; null for one that `scheduleConfigSchema` and `nextRun`
 * take. The value may be anything, such as what a model has proposed.
 */
export function problemWith(config: unknown, zone = "UTC", language: Language = "en"): string | null {
  return problemIn(config, zone)?.[language] ?? null;
}

const KINDS = ["interval_minutes", "daily_time", "cron"] as const;

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

/** A value as it was given; nothing for what is no JSON, or nested beyond reason. */
function shown(value: unknown): string {
  if (typeof value === "string") return cut(value, MOST_SHOWN);
  return jsonSchema.safeParse(value).success ? cut(JSON.stringify(value), MOST_SHOWN) : "";
}
