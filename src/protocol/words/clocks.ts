// Lists of times of day for one schedule: at 9 and 17 · 9am and 5pm · 下午3点和5点.

import { findClock, isExplicit, type Clock } from "./clock.ts";

/** Maximum number of characters between the days and their time, and of a time of day. */
export const MOST_CHARS = 80;

/** Matches text after a bare number that shows that the number is a time and not an amount. */
const LAST =
  /^\s*(?:$|[,，.。!\p{Cc}]|and \d{1,2}\s*(?:$|[,.])|(?:please|tell|give|show|send|remind|say|ask|roll|flip|toss|pick|draw|choose|count|calculate|compute|generate|make|check|get|run|write|what|how)\b)/iu;
const LATE = /p\.?m|下午|傍晚|晚/i;
const OWN_HALF = /[ap]\.?m|noon|midnight|[早晨晚夜]|[上中正下]午|零点/i;

/** Finds the first time of day from an index on. Its span refers to the whole text. */
export function findFrom(text: string, from: number, period: string): Clock | null {
  const clock = findClock(text.slice(from), period);
  return clock === null ? null : { ...clock, start: clock.start + from, end: clock.end + from };
}

/** Returns the first time and the times that follow it in a list: `and 18:00`, 、下午6点. */
export function withMore(text: string, first: Clock, period: string): Clock[] {
  const found = [first];
  for (let end = first.end; ;) {
    const joint = /^\s*(?:,? and (?:at )?|[,，、&] ?|和|与|及|以及)\s*/.exec(text.slice(end));
    const start = end + (joint?.[0].length ?? 0);
    const next = joint === null ? null : findFrom(text.slice(0, start + MOST_CHARS), start, period);
    if (next === null || next.start > start) break;
    found.push({ ...next, start: end });
    end = next.end;
  }
  const isTime = (clock: Clock) => isExplicit(text, clock) || LAST.test(text.slice(clock.end));
  return inHalves(text, found.slice(0, found.findLastIndex((clock, i) => i === 0 || isTime(clock)) + 1));
}

/** Applies the half of the day of one time to its neighbours if the order stays ascending: 下午3点和5点, `3 and 5pm`. */
function inHalves(text: string, clocks: readonly Clock[]): Clock[] {
  const told = [...clocks];
  const words = ({ start, end }: Clock) => text.slice(start, end);
  const says = (at: number, half: RegExp) => told[at] !== undefined && half.test(words(told[at]));
  const pass = (at: number, beside: number, isRight: (late: string, other: string) => boolean) => {
    const [clock, other] = [told[at], told[beside]];
    if (typeof clock?.time !== "string" || typeof other?.time !== "string" || OWN_HALF.test(words(clock))) return;
    const late = `${Number(clock.time.slice(0, 2)) + 12}${clock.time.slice(2)}`;
    if (clock.time < "12" && other.time >= "12" && isRight(late, other.time)) told[at] = { ...clock, time: late };
  };
  for (let at = 1; at < told.length; at += 1) if (says(0, LATE)) pass(at, at - 1, (late, other) => late > other);
  for (let at = told.length - 2; at >= 0; at -= 1)
    if (says(told.length - 1, /p\.?m/i)) pass(at, at + 1, (late, other) => late < other);
  return told;
}
