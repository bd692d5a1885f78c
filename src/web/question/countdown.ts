// Formats the time until a question expires. The text changes only as often as it is useful to read.

import type { Say } from "../language.ts";
import type { WORDS } from "./words.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const URGENT_MS = 5 * MINUTE;

export type Countdown = {
  readonly words: string;
  readonly isUrgent: boolean;
  readonly isOver: boolean;
  /** The minimum time in ms until the text changes. */
  readonly holdsMs: number;
};

export function countdownOf(expiresAt: number, now: number, say: Say<keyof (typeof WORDS)["en"]>): Countdown {
  const left = expiresAt - now;
  if (left <= 0) return { words: say("timeIsUp"), isUrgent: true, isOver: true, holdsMs: HOUR };
  const isUrgent = left <= URGENT_MS;
  const told = { isUrgent, isOver: false };
  if (left < MINUTE) return { ...told, words: say("secondsLeft", { n: Math.ceil(left / 1_000) }), holdsMs: 1_000 };
  if (isUrgent) {
    const [minutes, seconds] = [Math.floor(left / MINUTE), Math.floor((left % MINUTE) / 1_000)];
    return {
      ...told,
      words: say("clockLeft", { clock: `${minutes}:${String(seconds).padStart(2, "0")}` }),
      holdsMs: 1_000,
    };
  }
  if (left < 2 * HOUR) return { ...told, words: say("minutesLeft", { n: Math.round(left / MINUTE) }), holdsMs: 10_000 };
  if (left < 48 * HOUR) return { ...told, words: say("hoursLeft", { n: Math.floor(left / HOUR) }), holdsMs: MINUTE };
  return { ...told, words: say("daysLeft", { n: Math.floor(left / (24 * HOUR)) }), holdsMs: MINUTE };
}
