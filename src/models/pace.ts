/** How far back the speed of a stream looks. Longer than a burst, so that a burst alone is not taken for a fast stream. */
const MEMORY_MS = 150;
/** How long the newest bytes may wait to be joined with those behind them, at the speed measured. */
const CALM_JOIN_MS = 30;
const MOST_BYTES = 2_048;
/** The longest wait, and the most bytes, when an isolate is busy: three or four tokens of a common model. */
const BUSY_JOIN_MS = 500;
const BUSY_BYTES = 750;
/** So many streams an isolate passes on token by token. */
const CALM_STREAMS = 64;

/**
 * How many streams the one thread of an isolate reads. Told by the reads themselves: in a second each stream
 * waits for a second altogether, however often it is read. So nobody has to say that a stream has ended, which
 * nobody can whose host was taken away.
 */
export class Crowd {
  #streams = 0;
  #at = 0;

  get streams(): number {
    return this.#streams;
  }

  /** A stream was read for the first time since `elapsedMs` before `now`. */
  took(elapsedMs: number, now: number): void {
    this.#streams = this.#streams * Math.exp((this.#at - now) / 1_000) + Math.min(1, elapsedMs / 1_000);
    this.#at = now;
  }
}

/**
 * How many bytes the next read of a stream should wait for. Waiting has no time limit of its own, so
 * the answer is what the measured speed brings within `CALM_JOIN_MS`: at a token every 50 ms each chunk
 * passes alone, at one every 10 ms two to four travel together, a torrent comes in pieces of 2 KiB.
 * Never more than a fifth of a burst: so much, at most, is held back when a fast stream pauses
 * without warning.
 *
 * A read costs about as much whatever its size, here and with everybody whom it is passed on to. The more
 * streams there are, the longer their bytes wait for others, up to `BUSY_BYTES`. Their number is what counts
 * and not what they bring: an isolate that falls behind takes in less, and must not be thought idle for it.
 */
export class Pace {
  readonly #crowd: Crowd;
  /** Bytes per millisecond. */
  #speed = 0;
  #at: number | undefined;

  constructor(crowd: Crowd) {
    this.#crowd = crowd;
  }

  /** `now` in milliseconds; must not run backwards. */
  took(bytes: number, now: number): void {
    const elapsed = now - (this.#at ?? now);
    this.#crowd.took(elapsed, now);
    const kept = Math.exp(-elapsed / MEMORY_MS);
    this.#speed = this.#speed * kept + bytes * (elapsed > 0 ? (1 - kept) / elapsed : 1 / MEMORY_MS);
    this.#at = now;
  }

  get minimum(): number {
    const calm = Math.min(MOST_BYTES, this.#speed * CALM_JOIN_MS);
    const busyMs = Math.min(BUSY_JOIN_MS, (CALM_JOIN_MS * this.#crowd.streams) / CALM_STREAMS);
    const busy = Math.min(BUSY_BYTES, this.#speed * busyMs);
    return Math.max(1, Math.floor(Math.max(calm, busy)));
  }
}
