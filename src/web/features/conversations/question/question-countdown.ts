// Formats the time until a question expires. The text changes only as often as it is useful to read.

import type { Translate } from "../../../session/language.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const URGENT_MS = 5 * MINUTE_MS;

export type QuestionCountdown = {
  readonly words: string;
  readonly isUrgent: boolean;
  readonly isOver: boolean;
  /** The minimum time in ms until the text changes. */
  readonly validForMs: number;
};

/** Returns the countdown at the time `now`. Times are in ms since the epoch. It is urgent for the last 5 minutes. */
export function computeCountdown(expiresAt: number, now: number, t: Translate<"question">): QuestionCountdown {
  const left = expiresAt - now;
  if (left <= 0) return { words: t("timeIsUp"), isUrgent: true, isOver: true, validForMs: HOUR_MS };
  const isUrgent = left <= URGENT_MS;
  const shared = { isUrgent, isOver: false };
  if (left < MINUTE_MS)
    return { ...shared, words: t("secondsLeft", { n: Math.ceil(left / 1_000) }), validForMs: 1_000 };
  if (isUrgent) {
    const [minutes, seconds] = [Math.floor(left / MINUTE_MS), Math.floor((left % MINUTE_MS) / 1_000)];
    return {
      ...shared,
      words: t("clockLeft", { clock: `${minutes}:${String(seconds).padStart(2, "0")}` }),
      validForMs: 1_000,
    };
  }
  if (left < 2 * HOUR_MS)
    return { ...shared, words: t("minutesLeft", { n: Math.round(left / MINUTE_MS) }), validForMs: 10_000 };
  if (left < 48 * HOUR_MS)
    return { ...shared, words: t("hoursLeft", { n: Math.floor(left / HOUR_MS) }), validForMs: MINUTE_MS };
  return { ...shared, words: t("daysLeft", { n: Math.floor(left / (24 * HOUR_MS)) }), validForMs: MINUTE_MS };
}
