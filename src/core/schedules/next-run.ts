// Computes the next run of a schedule and validates schedule configurations.

import { Cron } from "croner";
import { parseCron } from "../../language/schedules/parse-cron.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import type { Schedule } from "../../protocol/schedules/schedule.ts";
import { truncate } from "../../lib/truncate.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import { isKnownTimeZone } from "../../language/time-zone.ts";

/** The longest interval: 366 days. */
const MAX_INTERVAL_MINUTES = 366 * 1_440;
const MAX_SHOWN_CHARS = 100;
/** The fields of which a schedule has exactly one. */
const TIMING_FIELDS = ["interval_minutes", "daily_time", "cron", "run_at"] as const;

/**
 * Returns the first run after `after`, both in milliseconds since the epoch; null if there is no further run. An
 * interval counts from `after`, which is the previous due time. `daily_time` and `cron` are read in the schedule's own
 * zone, else in `zone`.
 *
 * Daylight saving: a skipped time runs at the first instant after the gap, a repeated time at its first occurrence.
 * Expressions with `*` or a step in minutes or hours keep their interval through both. Throws for a configuration that
 * `findScheduleProblem` rejects.
 */
export function computeNextRun(config: ScheduleConfig, after: number, zone = "UTC"): number | null {
  if (config.interval_minutes !== undefined) return after + config.interval_minutes * 60_000;
  if (config.run_at !== undefined) {
    const at = Date.parse(config.run_at);
    return at > after ? at : null;
  }
  const pattern = new Cron(toCronExpression(config), {
    mode: "5-part",
    timezone: config.timezone ?? zone,
    fixedTimeRule: "no-wildcard",
  });
  return pattern.nextRun(new Date(after))?.getTime() ?? null;
}

/** Returns the cron expression of a schedule; a `daily_time` becomes one with fixed minute and hour. */
function toCronExpression({ daily_time: time, cron = "" }: ScheduleConfig): string {
  return time === undefined ? cron : `${Number(time.slice(3))} ${Number(time.slice(0, 2))} * * *`;
}

/**
 * Returns the first problem of a schedule configuration; null if `scheduleConfigSchema` and `computeNextRun` accept it.
 * Checks the shape, field names, number of timings, zone, then the timing itself. `value` may be any value, for example
 * a proposal of a model.
 */
export function findScheduleProblem(value: unknown, zone = "UTC"): Message | null {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return createMessage("schedule.noRecurrence", { words: formatShownValue(value) });
  const config = new Map<string, unknown>(Object.entries(value).filter(([, given]) => given !== undefined));
  const unknownName = [...config.keys()].find(
    (name) => name !== "timezone" && !TIMING_FIELDS.some((kind) => kind === name),
  );
  if (unknownName !== undefined) return createMessage("schedule.unknownField", { name: unknownName });
  const [kind, ...others] = TIMING_FIELDS.filter((each) => config.has(each));
  if (kind === undefined) return createMessage("schedule.kindMissing");
  if (others.length > 0) return createMessage("schedule.severalKinds", { fields: [kind, ...others].join(", ") });
  const named = config.get("timezone") ?? zone;
  if (typeof named !== "string" || !isKnownTimeZone(named))
    return createMessage("schedule.unknownTimeZone", { zone: formatShownValue(named) });
  const wrong = findTimingProblem(kind, config.get(kind));
  if (wrong !== null) return wrong;
  return scheduleConfigSchema.safeParse(value).success
    ? null
    : createMessage("schedule.noRecurrence", { words: formatShownValue(value) });
}

/** Returns the problem of one timing value; null if it is valid. */
function findTimingProblem(kind: (typeof TIMING_FIELDS)[number], value: unknown): Message | null {
  switch (kind) {
    case "interval_minutes":
      if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
        return createMessage("schedule.intervalTooShort", { words: formatShownValue(value) });
      return value > MAX_INTERVAL_MINUTES
        ? createMessage("schedule.intervalTooLong", { words: formatShownValue(value) })
        : null;
    case "daily_time":
      return typeof value === "string" && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)
        ? null
        : createMessage("schedule.invalidTime", { words: formatShownValue(value) });
    case "run_at":
      return typeof value === "string" && scheduleConfigSchema.safeParse({ run_at: value }).success
        ? null
        : createMessage("schedule.invalidRunAt", { words: formatShownValue(value) });
    case "cron": {
      const cron =
        typeof value === "string"
          ? parseCron(value)
          : { problem: createMessage("schedule.wrongFieldCount", { expression: formatShownValue(value) }) };
      return "problem" in cron ? cron.problem : null;
    }
  }
}

/** Formats a value for a message, truncated; "" if it is not JSON or is nested too deeply. */
function formatShownValue(value: unknown): string {
  if (typeof value === "string") return truncate(value, MAX_SHOWN_CHARS);
  return jsonValueSchema.safeParse(value).success ? truncate(JSON.stringify(value), MAX_SHOWN_CHARS) : "";
}

const MAX_UPCOMING_RUNS = 5;

/** The fields of a schedule that decide its upcoming runs. */
type ScheduleTiming = {
  readonly schedule_config: ScheduleConfig;
  readonly status: Schedule["status"];
  readonly next_run_at?: number | undefined;
};

/**
 * Returns up to 5 upcoming runs in ascending order, in milliseconds since the epoch; empty if the schedule is not
 * active or has no next run. A run that is due but has not started comes first; other missed runs are omitted.
 */
export function listUpcomingRuns(
  { schedule_config: config, status, next_run_at }: ScheduleTiming,
  now: number,
): number[] {
  if (status !== "active" || next_run_at === undefined) return [];
  const runs = [next_run_at];
  let next = computeNextRun(config, getStartTime(config, next_run_at, now));
  while (next !== null && runs.length < MAX_UPCOMING_RUNS) {
    runs.push(next);
    next = computeNextRun(config, next);
  }
  return runs;
}

/** Returns the time from which the runs after `due` are computed. An interval keeps its phase, however late it is. */
function getStartTime({ interval_minutes: minutes }: ScheduleConfig, due: number, now: number): number {
  if (now < due) return due;
  return minutes === undefined ? now : now - ((now - due) % (minutes * 60_000));
}
