// The calendar and the clock of a time zone.

/** A time in the calendar of a zone. `weekday` is 0 (Sunday) to 6, `time` is `HH:MM`. */
export type WallClock = {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly time: string;
  /** The midnight of this date in UTC, in ms since the epoch: differences are whole days. */
  readonly date: number;
};

/** Reads a time (ms since the epoch) in a zone. Throws a RangeError for an unknown zone. */
export function getWallClock(at: number, zone: string): WallClock {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? "";
  const [year, month, day] = [Number(part("year")), Number(part("month")), Number(part("day"))];
  const date = Date.UTC(year, month - 1, day);
  return { year, month, day, weekday: new Date(date).getUTCDay(), time: `${part("hour")}:${part("minute")}`, date };
}

/**
 * Returns the instant (ms since the epoch) of a date and a time `HH:MM` in a zone; `date` is the midnight of the date in
 * UTC. A repeated time yields its first occurrence; a time that the clocks skip, the time shifted by the gap.
 */
export function toInstant(date: number, time: string, zone: string): number {
  const local = date + getMilliseconds(time);
  const getOffset = (at: number): number => {
    const clock = getWallClock(at, zone);
    return clock.date + getMilliseconds(clock.time) - at;
  };
  const candidates = [local - getOffset(local - 86_400_000), local - getOffset(local + 86_400_000)];
  const exact = candidates.filter((at) => at + getOffset(at) === local);
  return Math.min(...(exact.length > 0 ? exact : [local - getOffset(local - 86_400_000)]));
}

function getMilliseconds(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return (hours * 60 + minutes) * 60_000;
}
