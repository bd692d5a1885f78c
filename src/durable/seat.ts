// One open socket: how long it may stay, how much it may say, and whether anybody still reads at its other end.
//
// The platform does not tell how much of what was sent to a socket has arrived, and a dead peer says nothing. What
// shows that a reader is there is that it speaks: commands, and the `ping` that the platform answers without us.
// Nothing here sets a timer: a seat is looked at when something is sent to it or comes from it, so that a quiet
// conversation can sleep.

/** Characters that are sent to a socket without any word from it. What it lost it gets with its last `seq`. */
const MAX_UNHEARD_CHARS = 8 * 1024 * 1024;
/** Who has ever pinged goes on with it. Browsers slow the timers of hidden pages down to one a minute. */
const MAX_SILENCE_MS = 180_000;
/** How often silence is looked for: often enough for that, rarely enough to cost nothing. */
const LOOK_EVERY_MS = 10_000;
const WINDOW_MS = 10_000;

export const CLOSED = {
  flooding: { code: 1008, reason: "Too many commands" },
  gone: { code: 1013, reason: "Nobody seems to be reading. Come back with the last seq" },
  expired: { code: 4401, reason: "The token has expired" },
  unknownSeq: { code: 4409, reason: "There is no such seq. Start over from 0" },
} as const satisfies Record<string, Closing>;
export type Closing = { readonly code: number; readonly reason: string };

/** What may happen to a command that comes in: carried out, refused, or the end of its socket. */
export type Admission = "welcome" | "too_many" | Closing;

export class Seat {
  readonly #expiresAt: number;
  /** When the platform last answered a `ping` of this socket; null when it never did. */
  readonly #lastPing: () => number | null;
  #heardAt: number;
  #unheardChars = 0;
  #lookAt: number;
  #windowSince = 0;
  #commands = 0;

  /** `expiresAt` and `now` are in milliseconds since the epoch. */
  constructor(expiresAt: number, lastPing: () => number | null, now: number) {
    this.#expiresAt = expiresAt;
    this.#lastPing = lastPing;
    this.#heardAt = now;
    this.#lookAt = now + LOOK_EVERY_MS;
  }

  /** A command comes in; `limit` is how many may come within ten seconds. */
  admit(now: number, limit: number): Admission {
    this.#hear(now);
    if (now >= this.#expiresAt) return CLOSED.expired;
    if (now - this.#windowSince >= WINDOW_MS) {
      this.#windowSince = now;
      this.#commands = 0;
    }
    this.#commands += 1;
    if (this.#commands <= limit) return "welcome";
    return this.#commands <= 2 * limit ? "too_many" : CLOSED.flooding;
  }

  /** `chars` are about to be sent. Says why the socket has to be closed instead; null when it may stay. */
  objection(chars: number, now: number): Closing | null {
    if (now >= this.#expiresAt) return CLOSED.expired;
    this.#unheardChars += chars;
    if (now < this.#lookAt && this.#unheardChars <= MAX_UNHEARD_CHARS) return null;
    this.#lookAt = now + LOOK_EVERY_MS;
    return this.isGone(now) ? CLOSED.gone : null;
  }

  /** True for a socket that fell silent, or that was sent a lot without a word from it. */
  isGone(now: number): boolean {
    const pingedAt = this.#lastPing();
    if (pingedAt !== null && pingedAt > this.#heardAt) this.#hear(pingedAt);
    if (this.#unheardChars > MAX_UNHEARD_CHARS) return true;
    return pingedAt !== null && now - this.#heardAt > MAX_SILENCE_MS;
  }

  #hear(now: number): void {
    this.#heardAt = now;
    this.#unheardChars = 0;
  }
}
