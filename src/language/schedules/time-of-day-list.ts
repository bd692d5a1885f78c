// Lists of times of day for one schedule: at 9 and 17 · 9am and 5pm · 下午3点和5点.

import { findTimeOfDay, isExplicitTime, type TimeOfDayMatch } from "../time-of-day.ts";

/** Maximum number of characters between the days and their time, and of a time of day. */
export const MAX_TIME_CHARS = 80;

/** Matches text after a bare number that shows that the number is a time and not an amount. */
const AFTER_BARE_TIME =
  /^\s*(?:$|[,，.。!\p{Cc}]|and \d{1,2}\s*(?:$|[,.])|(?:please|tell|give|show|send|remind|say|ask|roll|flip|toss|pick|draw|choose|count|calculate|compute|generate|make|check|get|run|write|what|how)\b)/iu;
const AFTERNOON = /p\.?m|下午|傍晚|晚/i;
const EXPLICIT_HALF = /[ap]\.?m|noon|midnight|[早晨晚夜]|[上中正下]午|零点/i;

/** Like `findTimeOfDay`, but searches from an index on. The span refers to the whole text. */
export function findTimeOfDayFrom(text: string, from: number, period: string): TimeOfDayMatch | null {
  const clock = findTimeOfDay(text.slice(from), period);
  return clock === null ? null : { ...clock, start: clock.start + from, end: clock.end + from };
}

/**
 * Returns the first time and the times that follow it in a list: `and 18:00`, 、下午6点. Their spans include the words
 * before them. A bare number at the end counts only if the words after it show that it is a time.
 */
export function collectTimeList(text: string, first: TimeOfDayMatch, period: string): TimeOfDayMatch[] {
  const found = [first];
  for (let end = first.end; ;) {
    const joint = /^\s*(?:,? and (?:at )?|[,，、&] ?|和|与|及|以及)\s*/.exec(text.slice(end));
    const start = end + (joint?.[0].length ?? 0);
    const next = joint === null ? null : findTimeOfDayFrom(text.slice(0, start + MAX_TIME_CHARS), start, period);
    if (next === null || next.start > start) break;
    found.push({ ...next, start: end });
    end = next.end;
  }
  const isTime = (clock: TimeOfDayMatch) => isExplicitTime(text, clock) || AFTER_BARE_TIME.test(text.slice(clock.end));
  return applyDayHalves(text, found.slice(0, found.findLastIndex((clock, i) => i === 0 || isTime(clock)) + 1));
}

/** Applies the half of the day of one time to its neighbours if the order stays ascending: 下午3点和5点, `3 and 5pm`. */
function applyDayHalves(text: string, clocks: readonly TimeOfDayMatch[]): TimeOfDayMatch[] {
  const adjusted = [...clocks];
  const words = ({ start, end }: TimeOfDayMatch) => text.slice(start, end);
  const matchesHalf = (at: number, half: RegExp) => adjusted[at] !== undefined && half.test(words(adjusted[at]));
  const shiftToAfternoon = (at: number, neighbour: number, isRight: (late: string, other: string) => boolean) => {
    const [clock, other] = [adjusted[at], adjusted[neighbour]];
    if (typeof clock?.time !== "string" || typeof other?.time !== "string" || EXPLICIT_HALF.test(words(clock))) return;
    const late = `${Number(clock.time.slice(0, 2)) + 12}${clock.time.slice(2)}`;
    if (clock.time < "12" && other.time >= "12" && isRight(late, other.time)) adjusted[at] = { ...clock, time: late };
  };
  for (let at = 1; at < adjusted.length; at += 1)
    if (matchesHalf(0, AFTERNOON)) shiftToAfternoon(at, at - 1, (late, other) => late > other);
  for (let at = adjusted.length - 2; at >= 0; at -= 1)
    if (matchesHalf(adjusted.length - 1, /p\.?m/i)) shiftToAfternoon(at, at + 1, (late, other) => late < other);
  return adjusted;
}
