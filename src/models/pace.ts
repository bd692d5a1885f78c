// Adaptive read batching: how many bytes the next read of a model stream waits for, and how long text that was read is
// buffered before it is passed on.
//
// The cost of a read hardly depends on its size, here and in everything behind it (log, sockets, clients). But a read
// that waits for a minimum of bytes has no timeout, and bytes that it holds are lost if the stream pauses, breaks or
// stays open.
// - The minimum is 1 byte unless the endpoint's answers are known to end (`EndpointProfile`) and this stream is fast or
//   the isolate lags.
// - A fast stream has delivered `FAST_STREAM_BYTES` without a pause. Its reads wait for a fifth of what has come since
//   the last pause, at most `MAX_READ_BYTES`. With the profile `flows` it counts as fast sooner, and reads wait for at
//   least `FLOWING_MIN_READ_BYTES`, until the answer stalls for the first time.
// - Tokens that arrive in single reads are joined by a timer: at one token per 50 ms each is passed on alone, at one
//   per 10 ms two to four together.
// - When the isolate lags, the delay and the minimum grow with the lag. The lag is measured instead of the load,
//   because an isolate that falls behind reads less and must not be taken for idle.
//
// All times are in ms of one monotonic clock (`performance.now`), all sizes in bytes.

/** A read that completes within this time of the one before belongs to the same burst. */
const THERE_MS = 1;
/** The time constant of the average speed. */
const MEMORY_MS = 150;
/** The time for which text of a steady stream is buffered. Shorter pauses than this count as steady. */
const JOIN_MS = 30;
/** A stream that has delivered this many bytes without a pause is fast. */
const TORRENT_BYTES = 4_096;
/** At this speed in bytes per ms, the time between two reads is no pause. */
const TORRENT_SPEED = 200;
/** The maximum number of bytes that a read waits for. */
const MOST_BYTES = 2_048;
/** With the profile `flows`: a stream is fast after this many bytes. */
const FLOW_BYTES = 400;
/** With the profile `flows`: a read of a fast stream waits for at least this many bytes. */
const FLOW_READ_BYTES = 1_024;
/** A longer time between two reads is a stall. */
const STILL_MS = 30;
/** A lag does not increase the minimum of a stream that has delivered less. */
const SHORT_BYTES = 1_024;
/** The event loop lags if its timers are later than this. */
const BUSY_LATE_MS = 2;
/** When the event loop lags by n ms, buffer text for n × 60 ms, and wait as long again per read. */
const BUSY_JOIN_MS = 60;
/** The maximum delay because of a lag. */
const MOST_BUSY_MS = 250;
/** The time constant of the average lag. */
const LATE_MEMORY_MS = 300;
/** Caps one lag sample: a single long computation is no overload. */
const MOST_LATE_MS = 12;
/** Caps the weight of one sample, however long ago the last one was. */
const MOST_SPAN_MS = 50;

/**
 * The lag of the isolate's event loop: an exponential average of how late its timers run. One instance per isolate, fed
 * by the probe in body-reader.ts and read by all streams.
 */
export class Lateness {
  #mean = 0;
  /** The time of the last sample. */
  #at = 0;

  /** Records that a timer due at `due` ran at `now`. */
  ran(due: number, now: number): void {
    const late = Math.min(MOST_LATE_MS, Math.max(0, now - due));
    const span = Math.min(MOST_SPAN_MS, now - this.#at);
    this.#mean = this.at(now) + late * (1 - Math.exp(-span / LATE_MEMORY_MS));
    this.#at = now;
  }

  /** Returns the lag at `now` in ms. Without new samples it decays to 0. */
  at(now: number): number {
    return this.#mean * Math.exp((this.#at - now) / LATE_MEMORY_MS);
  }
}

/**
 * The last answers of an endpoint: `unknown` before the first one and after one that broke or stayed open, which allows
 * no minimum; `ends` if they came to their end; `flows` if in addition the last long one never stalled.
 */
export type Habit = "unknown" | "ends" | "flows";

/**
 * The batching of one stream. Call `recordRead` after each read; `minBytes` and `bufferMs` then apply to the next one.
 * One instance per stream, never reset.
 */
export class Pace {
  readonly #lateness: Lateness;
  readonly #known: Habit;
  /** The average speed in bytes per ms. */
  #speed = 0;
  /** The time of the last read; undefined before the first. */
  #at: number | undefined;
  /** All bytes so far. */
  #bytes = 0;
  /** The bytes that have come without a pause since the last one. */
  #run = 0;
  /** True after the first stall of this answer. */
  #hasStood = false;
  /** The time between the last two reads; undefined before the second. */
  #gap: number | undefined;
  /** The last pause; `Infinity` before the first. */
  #pause = Infinity;

  /** `knownProfile` is the profile of the endpoint before this answer. */
  constructor(lateness: Lateness, known: Habit) {
    this.#lateness = lateness;
    this.#known = known;
  }

  /** Records a read that completed at `now`, which must not decrease. */
  took(bytes: number, now: number): void {
    const elapsed = now - (this.#at ?? now);
    const kept = Math.exp(-elapsed / MEMORY_MS);
    this.#speed = this.#speed * kept + bytes * (elapsed > 0 ? (1 - kept) / elapsed : 1 / MEMORY_MS);
    this.#bytes += bytes;
    const isBehind = this.#at !== undefined && (elapsed <= THERE_MS || bytes >= TORRENT_SPEED * elapsed);
    this.#run = isBehind ? this.#run + bytes : 0;
    this.#hasStood ||= elapsed > STILL_MS;
    if (elapsed > THERE_MS) this.#pause = elapsed;
    this.#gap = this.#at === undefined ? undefined : elapsed;
    this.#at = now;
  }

  /**
   * Returns the new profile of the endpoint. Valid only if the answer came to its end. A short one without a stall
   * changes nothing.
   */
  get habit(): Habit {
    if (this.#hasStood || this.#known === "unknown") return "ends";
    return this.#bytes < TORRENT_BYTES ? this.#known : "flows";
  }

  /** Returns the number of bytes that the next read waits for, at least 1. */
  get minimum(): number {
    if (this.#known === "unknown") return 1;
    const isFlowing = this.#known === "flows" && !this.#hasStood;
    const least = isFlowing ? FLOW_READ_BYTES : 1;
    const torrent = this.#run < (isFlowing ? FLOW_BYTES : TORRENT_BYTES) ? 1 : Math.max(least, this.#run / 5);
    const busy = this.#bytes < SHORT_BYTES ? 1 : this.#speed * this.#busyMs;
    return Math.floor(Math.min(MOST_BYTES, Math.max(torrent, busy)));
  }

  /** Returns how many ms the text of the last read is buffered; 0 passes it on at once. */
  get joinMs(): number {
    if (this.#gap === undefined) return 0;
    if (this.#busyMs > 0) return this.#busyMs;
    if (this.#pause < JOIN_MS) return JOIN_MS;
    return this.#gap <= THERE_MS ? THERE_MS : 0;
  }

  /** Returns the delay because of a lag; 0 if the isolate is on time. */
  get #busyMs(): number {
    const late = this.#lateness.at(this.#at ?? 0);
    return late < BUSY_LATE_MS ? 0 : Math.min(MOST_BUSY_MS, BUSY_JOIN_MS * late);
  }
}
