// A second opinion on schedules that shares nothing with the code: it walks through time minute by minute.

import { between } from "../../support/random.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** What an expression asks for, as sets of values; the text says the same. */
export type Wanted = {
  readonly text: string;
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly day: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  readonly weekday: ReadonlySet<number>;
  readonly anyDay: boolean;
  readonly anyWeekday: boolean;
  /** No star and no step among minutes and hours: a run by the clock on the wall. */
  readonly isFixed: boolean;
};

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ");

/** The expression with every value written out: the second library takes no value twice. */
export function spelled({ minute, hour, day, month, weekday, anyDay, anyWeekday }: Wanted): string {
  const list = (values: ReadonlySet<number>) => [...values].toSorted((a, b) => a - b).join(",");
  const dates = [anyDay ? "*" : list(day), list(month), anyWeekday ? "*" : list(weekday)];
  return [list(minute), list(hour), ...dates].join(" ");
}

type Field = readonly [text: string, values: ReadonlySet<number>];

/** A random expression that ordinary cron takes. `isFixed` asks for one without stars and steps in its times. */
export function randomWanted(random: () => number, isFixed: boolean): Wanted {
  const star = isFixed ? 0 : 0.35;
  const [minuteText, minute] = randomField(random, 0, 59, star, !isFixed);
  const [hourText, hour] = randomField(random, 0, 23, star, !isFixed);
  const [dayText, day] = randomField(random, 1, 31, 0.6, true);
  const [monthText, month] = randomField(random, 1, 12, 0.7, true, MONTHS);
  const [weekdayText, weekday] = randomField(random, 0, 7, 0.6, true, WEEKDAYS);
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

function randomField(
  random: () => number,
  least: number,
  most: number,
  star: number,
  mayStep: boolean,
  names: readonly string[] = [],
): Field {
  const all = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  if (random() < star) return ["*", new Set(all)];
  if (mayStep && random() < 0.2) {
    const step = between(random, 1, Math.min(20, most));
    return [`*/${step}`, new Set(all.filter((value) => (value - least) % step === 0))];
  }
  const values = new Set<number>();
  const parts = Array.from({ length: random() < 0.6 ? 1 : between(random, 2, 4) }, () => {
    const from = between(random, least, most);
    const name = (value: number) =>
      (random() < 0.3 ? names[value - (least === 1 ? 1 : 0)] : undefined) ?? String(value);
    if (random() < 0.6) {
      values.add(from);
      return name(from);
    }
    const to = between(random, from, most);
    const step = mayStep && random() < 0.3 ? between(random, 1, 5) : 1;
    for (let value = from; value <= to; value += step) values.add(value);
    return `${from}-${to}${step === 1 ? "" : `/${step}`}`;
  });
  return [parts.join(","), values];
}

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/** Milliseconds that the clocks of a zone are ahead of UTC. */
export function offsetAt(at: number, zone: string): number {
  // Clocks have changed on the quarter of an hour only, in all the years that the tests are about.
  const quarter = Math.floor(at / (15 * MINUTE));
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
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

/** Whether clocks change within a day of an instant. */
export function changesNear(at: number, zone: string): boolean {
  const hours = Array.from({ length: 61 }, (_, i) => at + (i - 30) * 3_600_000);
  return new Set(hours.map((hour) => offsetAt(hour, zone))).size > 1;
}

function matches(wanted: Wanted, wall: number): boolean {
  const date = new Date(wall);
  if (!wanted.minute.has(date.getUTCMinutes()) || !wanted.hour.has(date.getUTCHours())) return false;
  if (!wanted.month.has(date.getUTCMonth() + 1)) return false;
  const isDay = wanted.day.has(date.getUTCDate());
  const isWeekday = wanted.weekday.has(date.getUTCDay());
  if (wanted.anyDay || wanted.anyWeekday) return isDay && isWeekday;
  return isDay || isWeekday;
}

/** The first run after an instant, or null when there is none within `days`. */
export function walk(wanted: Wanted, after: number, zone: string, days: number): number | null {
  const first = Math.floor((after - DAY) / MINUTE) * MINUTE;
  let latest = first - MINUTE + offsetAt(first - MINUTE, zone);
  let before = latest;
  for (let at = first; at <= after + days * DAY; at += MINUTE) {
    const wall = at + offsetAt(at, zone);
    const isDue = wanted.isFixed ? wall > latest && anyBetween(wanted, before, wall) : matches(wanted, wall);
    if (isDue && at > after) return at;
    latest = Math.max(latest, wall);
    before = wall;
  }
  return null;
}

/** Whether a minute after `before` and up to `wall` is wanted: several minutes only where clocks jump ahead. */
function anyBetween(wanted: Wanted, before: number, wall: number): boolean {
  for (let each = before + MINUTE; each <= wall; each += MINUTE) if (matches(wanted, each)) return true;
  return false;
}
