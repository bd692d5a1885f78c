// Formats the time until a question expires. The text changes only as often as it is useful to read.

import type { Say } from "../language.ts";
import type { WORDS } from "./words.ts";

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

export function computeCountdown(
  expiresAt: number,
  now: number,
  say: Say<keyof (typeof WORDS)["en"]>,
): QuestionCountdown {
  const left = expiresAt - now;
  if (left <= 0) return { words: say("timeIsUp"), isUrgent: true, isOver: true, validForMs: HOUR_MS };
  const isUrgent = left <= URGENT_MS;
  const shared = { isUrgent, isOver: false };
  if (left < MINUTE_MS)
    return { ...shared, words: say("secondsLeft", { n: Math.ceil(left / 1_000) }), validForMs: 1_000 };
  if (isUrgent) {
    const [minutes, seconds] = [Math.floor(left / MINUTE_MS), Math.floor((left % MINUTE_MS) / 1_000)];
    return {
      ...shared,
      words: say("clockLeft", { clock: `${minutes}:${String(seconds).padStart(2, "0")}` }),
      validForMs: 1_000,
    };
  }
  if (left < 2 * HOUR_MS)
    return { ...shared, words: say("minutesLeft", { n: Math.round(left / MINUTE_MS) }), validForMs: 10_000 };
  if (left < 48 * HOUR_MS)
    return { ...shared, words: say("hoursLeft", { n: Math.floor(left / HOUR_MS) }), validForMs: MINUTE_MS };
  return { ...shared, words: say("daysLeft", { n: Math.floor(left / (24 * HOUR_MS)) }), validForMs: MINUTE_MS };
}
