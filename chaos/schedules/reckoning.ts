// Computes due times minute by minute on the wall clock of the time zone: slow, simple, and independent of the tested
// code. Owns a cache of wall clocks by zone.

import type { ScheduleConfig } from "../../src/protocol/schedules/schedule-config.ts";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const DAY = 1_440 * MINUTE;
const MOST_DAYS = 400;
/** A wall clock time, encoded in ms as if it were UTC. */
type Wall = number;

export type Reckoning = (after: number) => number;

/** Returns a function that computes the first due time after a time. Intervals count from `anchor`, a due time. */
export function reckoningOf(config: ScheduleConfig, anchor: number): Reckoning {
  const find = config.interval_minutes === undefined ? onWallClock(config) : every(config.interval_minutes, anchor);
  let known = { after: 0, due: 0 };
  return (after) => {
    if (after < known.after || after >= known.due) known = { after, due: find(after) };
    return known.due;
  };
}

function every(minutes: number, anchor: number): Reckoning {
  const interval = minutes * MINUTE;
  return (after) => anchor + Math.max(0, Math.floor((after - anchor) / interval) + 1) * interval;
}

function onWallClock(config: ScheduleConfig): Reckoning {
  const fields = fieldsOf(config);
  const keepsPace = fields.slice(0, 2).some((field) => /[*/]/.test(field));
  const isMeant = patternOf(fields);
  const wall = wallClockOf(config.timezone ?? "UTC");
  return (after) => {
    const first = (Math.floor(after / MINUTE) + 1) * MINUTE;
    for (let at = first; at < first + MOST_DAYS * DAY; at += MINUTE) {
      if (keepsPace ? isMeant(wall(at)) : isFixedDue(isMeant, wall, at)) return at;
    }
    throw new Error(`${JSON.stringify(config)} is never due`);
  };
}

function fieldsOf({ daily_time: time, cron = "" }: ScheduleConfig): readonly string[] {
  return time === undefined ? cron.split(" ") : [time.slice(3), time.slice(0, 2), "*", "*", "*"];
}

/** A fixed time is due at its first occurrence or, if a clock change skips it, at the first instant after the gap. */
function isFixedDue(isMeant: (wall: Wall) => boolean, wallAt: (at: number) => Wall, at: number): boolean {
  const wall = wallAt(at);
  for (let skipped = wallAt(at - MINUTE) + MINUTE; skipped < wall; skipped += MINUTE) if (isMeant(skipped)) return true;
  return isMeant(wall) && !isRepeated(wallAt, at);
}

/** Returns true if the wall clock showed the same time within the last three hours. */
function isRepeated(wallAt: (at: number) => Wall, at: number): boolean {
  const wall = wallAt(at);
  for (let back = QUARTER; back <= 12 * QUARTER; back += QUARTER) if (wallAt(at - back) === wall) return true;
  return false;
}

/** Parses minute, hour, day of month, month and day of week: lists, ranges, steps and stars of numbers. */
function patternOf(fields: readonly string[]): (wall: Wall) => boolean {
  const [minutes = [], ...rest] = fields.map((field) =>
    Array.from({ length: 60 }, (_, value) => field.split(",").some((part) => fits(part, value))),
  );
  return (wall) => {
    if (minutes[Math.floor(wall / MINUTE) % 60] !== true) return false;
    const time = new Date(wall);
    const shown = [time.getUTCHours(), time.getUTCDate(), time.getUTCMonth() + 1, time.getUTCDay()];
    return rest.every((values, i) => values[shown[i] ?? 0]);
  };
}

function fits(part: string, value: number): boolean {
  const [range = "*", step = "1"] = part.split("/");
  const [from = 0, to = from] = range === "*" ? [0, 59] : range.split("-").map(Number);
  return value >= from && value <= to && (value - from) % Number(step) === 0;
}

const clocks = new Map<string, (at: number) => Wall>();

/**
 * Returns the wall clock of a zone. Offsets change only at quarters of an hour, so there is one cache entry for each.
 */
function wallClockOf(zone: string): (at: number) => Wall {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const digits = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", ...digits });
  const offsets = new Map<number, number>();
  const clock = (at: number): Wall => {
    const quarter = Math.floor(at / QUARTER) * QUARTER;
    let offset = offsets.get(quarter);
    if (offset === undefined) offsets.set(quarter, (offset = read(format, quarter) - quarter));
    return at + offset;
  };
  clocks.set(zone, clock);
  return clock;
}

function read(format: Intl.DateTimeFormat, at: number): Wall {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
}
