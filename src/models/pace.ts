/** A chunk that comes within this of the one before was there already. */
export const THERE_MS = 1;
/** How far back the speed of a stream looks. */
const MEMORY_MS = 150;
/** How long the newest words of a fast stream may wait to be told together with those behind them. */
const CALM_JOIN_MS = 30;
/** A stream that has brought so much without a pause is a torrent. */
const TORRENT_BYTES = 4_096;
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
 * How a stream is read: how many bytes the next read waits for, and how long what was read waits for more.
 *
 * A read that waits for bytes has no limit in time, and what a stream holds back when it pauses, breaks or stays open
 * is not to be had. So a read waits for one, but in a torrent: then for 2 KiB, and never for more than a fifth of
 * what has come without a pause. Tokens that come one by one wait in a timer's hands: at one every 50 ms each
 * passes alone, at one every 10 ms two to four travel together.
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
  /** Bytes that have come since the stream last paused. */
  #run = 0;
  /** How long it paused, in ms. */
  #pause = Infinity;
  #isThere = false;

  constructor(crowd: Crowd) {
    this.#crowd = crowd;
  }

  /** `now` in milliseconds; must not run backwards. */
  took(bytes: number, now: number): void {
    const elapsed = now - (this.#at ?? now);
    this.#crowd.took(elapsed, now);
    const kept = Math.exp(-elapsed / MEMORY_MS);
    this.#speed = this.#speed * kept + bytes * (elapsed > 0 ? (1 - kept) / elapsed : 1 / MEMORY_MS);
    this.#isThere = this.#at !== undefined && elapsed <= THERE_MS;
    this.#run = this.#isThere ? this.#run + bytes : bytes;
    if (elapsed > THERE_MS) this.#pause = elapsed;
    this.#at = now;
  }

  get minimum(): number {
    const torrent = this.#run < TORRENT_BYTES ? 1 : Math.min(MOST_BYTES, this.#run / 5);
    if (this.#crowd.streams <= CALM_STREAMS) return Math.floor(torrent);
    const busyMs = Math.min(BUSY_JOIN_MS, (CALM_JOIN_MS * this.#crowd.streams) / CALM_STREAMS);
    return Math.floor(Math.max(torrent, Math.min(BUSY_BYTES, this.#speed * busyMs)));
  }

  /** How long what was just read may wait for more, in ms; 0 passes it on at once. */
  get joinMs(): number {
    if (this.#pause < CALM_JOIN_MS) return CALM_JOIN_MS;
    return this.#isThere ? THERE_MS : 0;
  }
}
