// The state of one open WebSocket: token expiry, rate of commands, and whether a reader is still present.
//
// The platform does not report how much of the sent data has arrived, and a dead peer sends nothing. Presence is
// inferred from incoming commands and from `ping`, which the platform answers without waking the object.
//
// Owns counters in memory only; after hibernation they start at zero. It uses no timer, because a timer would keep the
// object in memory: the state is checked when a message is sent or received.

/** Characters (UTF-16 units) that may be sent without any sign of the reader. It can resume from its last `seq`. */
const MAX_UNHEARD_CHARS = 8 * 1024 * 1024;
/**
 * The maximum silence of a client that has pinged before. Browsers slow the timers of hidden pages to one per minute.
 */
const MAX_SILENCE_MS = 180_000;
/** The interval between checks for silence. */
const LOOK_EVERY_MS = 10_000;
const WINDOW_MS = 10_000;

/** The close frames that we send; codes are wire. 1008 and 1013 are defined by RFC 6455 and IANA, 44xx are ours. */
export const CLOSED = {
  flooding: { code: 1008, reason: "Too many commands" },
  gone: { code: 1013, reason: "Nobody seems to be reading. Come back with the last seq" },
  expired: { code: 4401, reason: "The token has expired" },
  unknownSeq: { code: 4409, reason: "There is no such seq. Start over from 0" },
} as const satisfies Record<string, Closing>;
export type Closing = { readonly code: number; readonly reason: string };

/** The decision about an incoming command: execute it, reject it, or close the socket. */
export type Admission = "welcome" | "too_many" | Closing;

export class Seat {
  readonly #expiresAt: number;
  /**
   * Returns the time (ms since the epoch) at which the platform last answered a `ping` of this socket; null if never.
   */
  readonly #lastPing: () => number | null;
  #heardAt: number;
  #unheardChars = 0;
  #lookAt: number;
  #windowSince = 0;
  #commands = 0;

  /** `expiresAt` and `now` are in ms since the epoch. */
  constructor(expiresAt: number, lastPing: () => number | null, now: number) {
    this.#expiresAt = expiresAt;
    this.#lastPing = lastPing;
    this.#heardAt = now;
    this.#lookAt = now + LOOK_EVERY_MS;
  }

  /**
   * Counts an incoming command. `limit` is the number per 10 s: more are rejected, more than twice as many close the
   * socket.
   */
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

  /**
   * Counts `chars` that are about to be sent. Returns the reason to close the socket instead; null if it may stay open.
   */
  objection(chars: number, now: number): Closing | null {
    if (now >= this.#expiresAt) return CLOSED.expired;
    this.#unheardChars += chars;
    if (now < this.#lookAt && this.#unheardChars <= MAX_UNHEARD_CHARS) return null;
    this.#lookAt = now + LOOK_EVERY_MS;
    return this.isGone(now) ? CLOSED.gone : null;
  }

  /** Returns true if the reader has been silent too long, or was sent too much without a sign of it. */
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
