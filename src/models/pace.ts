/** How long the newest bytes may wait to be joined with those behind them, at the speed measured. */
const JOIN_MS = 30;
/** How far back the speed looks. Longer than a burst, so that a burst alone is not taken for a fast stream. */
const MEMORY_MS = 150;
const MOST_BYTES = 2_048;

/**
 * How many bytes the next read of a stream should wait for. Waiting has no time limit of its own, so
 * the answer is what the measured speed brings within `JOIN_MS`: at a token every 50 ms each chunk
 * passes alone, at one every 10 ms two to four travel together, a torrent comes in pieces of 2 KiB.
 * Never more than a fifth of what came within the last `MEMORY_MS`: so much, at most, is held back
 * when a fast stream pauses without warning.
 */
export class Pace {
  #recent = 0;
  #at = 0;

  /** `now` in milliseconds; must not run backwards. */
  took(bytes: number, now: number): void {
    this.#recent = this.#recent * Math.exp((this.#at - now) / MEMORY_MS) + bytes;
    this.#at = now;
  }

  get minimum(): number {
    return Math.max(1, Math.min(MOST_BYTES, Math.floor((this.#recent * JOIN_MS) / MEMORY_MS)));
  }
}
