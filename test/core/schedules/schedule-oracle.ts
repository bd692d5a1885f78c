// An independent implementation of schedules that shares no code with the runtime: it walks through time minute by
// minute.

import { randomBetween } from "../../support/random.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A cron expression as sets of values; `text` is its source. */
export type CronFields = {
  readonly text: string;
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly day: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  readonly weekday: ReadonlySet<number>;
  readonly anyDay: boolean;
  readonly anyWeekday: boolean;
  /** True without stars and steps in minutes and hours: such a run follows the wall clock. */
  readonly isFixed: boolean;
};

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ");

type RandomField = readonly [text: string, values: ReadonlySet<number>];

/** Creates a random standard cron expression. `isFixed` excludes stars and steps in its times. */
export function createRandomCron(random: () => number, isFixed: boolean): CronFields {
  const star = isFixed ? 0 : 0.35;
  const [minuteText, minute] = createRandomField(random, 0, 59, star, !isFixed);
  const [hourText, hour] = createRandomField(random, 0, 23, star, !isFixed);
  const [dayText, day] = createRandomField(random, 1, 31, 0.6, true);
  const [monthText, month] = createRandomField(random, 1, 12, 0.7, true, MONTHS);
  const [weekdayText, weekday] = createRandomField(random, 0, 7, 0.6, true, WEEKDAYS);
  return {
    text: [minuteText, hourText, dayText, monthText, weekdayText].join(" "),
    minute,
    hour,
    day,
    month,
    weekday: new Set([...weekday].map((value) => value % 7)),
    anyDay: dayText === "*",
    anyWeekday: weekdayText === "*",
    isFixed: !/[*/]/.test(minuteText + hourText),
  };
}

function createRandomField(
  random: () => number,
  least: number,
  most: number,
  star: number,
  mayStep: boolean,
  names: readonly string[] = [],
): RandomField {
  const all = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  if (random() < star) return ["*", new Set(all)];
  if (mayStep && random() < 0.2) {
    const step = randomBetween(random, 1, Math.min(20, most));
    return [`*/${step}`, new Set(all.filter((value) => (value - least) % step === 0))];
  }
  const values = new Set<number>();
  const parts = Array.from({ length: random() < 0.6 ? 1 : randomBetween(random, 2, 4) }, () => {
    const from = randomBetween(random, least, most);
    const name = (value: number) =>
      (random() < 0.3 ? names[value - (least === 1 ? 1 : 0)] : undefined) ?? String(value);
    if (random() < 0.6) {
      values.add(from);
      return name(from);
    }
    const to = randomBetween(random, from, most);
    const step = mayStep && random() < 0.3 ? randomBetween(random, 1, 5) : 1;
    for (let value = from; value <= to; value += step) values.add(value);
    return `${from}-${to}${step === 1 ? "" : `/${step}`}`;
  });
  return [parts.join(","), values];
}

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/** Returns the UTC offset of a time zone, in ms. */
export function getUtcOffset(at: number, zone: string): number {
  // Clocks change only on quarters of an hour in the tested years.
  const quarter = Math.floor(at / (15 * MINUTE));
  const key = `${zone} ${quarter}`;
  const cached = offsets.get(key);
  if (cached !== undefined) return cached;
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
  formats.set(zone, format);
  const start = quarter * 15 * MINUTE;
  const part = Object.fromEntries(format.formatToParts(start).map(({ type, value }) => [type, Number(value)]));
  const wall = Date.UTC(part["year"] ?? 0, (part["month"] ?? 0) - 1, part["day"], part["hour"], part["minute"]);
  if (offsets.size > 200_000) offsets.clear();
  offsets.set(key, wall - start);
  return wall - start;
}

function matchesFields(fields: CronFields, wall: number): boolean {
  const date = new Date(wall);
  if (!fields.minute.has(date.getUTCMinutes()) || !fields.hour.has(date.getUTCHours())) return false;
  if (!fields.month.has(date.getUTCMonth() + 1)) return false;
  const isDay = fields.day.has(date.getUTCDate());
  const isWeekday = fields.weekday.has(date.getUTCDay());
  if (fields.anyDay || fields.anyWeekday) return isDay && isWeekday;
  return isDay || isWeekday;
}

/** Returns the first run after an instant, or null if there is none within `days`. */
export function findNextByWalking(fields: CronFields, after: number, zone: string, days: number): number | null {
  const first = Math.floor((after - DAY) / MINUTE) * MINUTE;
  let latest = first - MINUTE + getUtcOffset(first - MINUTE, zone);
  let before = latest;
  for (let at = first; at <= after + days * DAY; at += MINUTE) {
    const wall = at + getUtcOffset(at, zone);
    const isDue = fields.isFixed
      ? wall > latest && matchesAnyMinute(fields, before, wall)
      : matchesFields(fields, wall);
    if (isDue && at > after) return at;
    latest = Math.max(latest, wall);
    before = wall;
  }
  return null;
}

/** Returns true if a minute in (`before`, `wall`] matches: more than one minute only where clocks jump ahead. */
function matchesAnyMinute(fields: CronFields, before: number, wall: number): boolean {
  for (let each = before + MINUTE; each <= wall; each += MINUTE) if (matchesFields(fields, each)) return true;
  return false;
}
