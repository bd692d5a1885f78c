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
const SAME_BURST_MS = 1;
/** The time constant of the average speed. */
const SPEED_WINDOW_MS = 150;
/** The time for which text of a steady stream is buffered. Shorter pauses than this count as steady. */
const BUFFER_MS = 30;
/** A stream that has delivered this many bytes without a pause is fast. */
const FAST_STREAM_BYTES = 4_096;
/** At this speed in bytes per ms, the time between two reads does not count as a pause. */
const FAST_BYTES_PER_MS = 200;
/** The maximum number of bytes that a read waits for. */
const MAX_READ_BYTES = 2_048;
/** With the profile `flows`: a stream is fast after this many bytes. */
const FLOWING_FAST_BYTES = 400;
/** With the profile `flows`: a read of a fast stream waits for at least this many bytes. */
const FLOWING_MIN_READ_BYTES = 1_024;
/** A longer time between two reads is a stall. */
const STALL_MS = 30;
/** A lag does not increase the minimum of a stream that has delivered less. */
const SHORT_BYTES = 1_024;
/** The event loop lags if its timers are later than this. */
const MIN_LAG_MS = 2;
/** When the event loop lags by n ms, buffer text for n × 60 ms, and wait as long again per read. */
const DELAY_PER_LAG_MS = 60;
/** The maximum delay because of a lag. */
const MAX_LAG_DELAY_MS = 250;
/** The time constant of the average lag. */
const LAG_WINDOW_MS = 300;
/** Caps one lag sample: a single long computation is not an overload. */
const MAX_LAG_SAMPLE_MS = 12;
/** Caps the weight of one sample, however long ago the last one was. */
const MAX_SAMPLE_INTERVAL_MS = 50;

/**
 * The lag of the isolate's event loop: an exponential average of how late its timers run. One instance per isolate, fed
 * by the probe in body-reader.ts and read by all streams.
 */
export class EventLoopLag {
  #mean = 0;
  /** The time of the last sample. */
  #sampledAt = 0;

  /** Records that a timer due at `due` ran at `now`. */
  recordTimer(due: number, now: number): void {
    const late = Math.min(MAX_LAG_SAMPLE_MS, Math.max(0, now - due));
    const span = Math.min(MAX_SAMPLE_INTERVAL_MS, now - this.#sampledAt);
    this.#mean = this.estimate(now) + late * (1 - Math.exp(-span / LAG_WINDOW_MS));
    this.#sampledAt = now;
  }

  /** Returns the lag at `now` in ms. Without new samples it decays to 0. */
  estimate(now: number): number {
    return this.#mean * Math.exp((this.#sampledAt - now) / LAG_WINDOW_MS);
  }
}

/**
 * The last answers of an endpoint: `unknown` before the first one and after one that broke or stayed open, which allows
 * no minimum; `ends` if they came to their end; `flows` if in addition the last long one never stalled.
 */
export type EndpointProfile = "unknown" | "ends" | "flows";

/**
 * The batching of one stream. Call `recordRead` after each read; `minBytes` and `bufferMs` then apply to the next one.
 * One instance per stream, never reset.
 */
export class ReadBatcher {
  readonly #lag: EventLoopLag;
  readonly #knownProfile: EndpointProfile;
  /** The average speed in bytes per ms. */
  #speed = 0;
  /** The time of the last read; undefined before the first. */
  #lastReadAt: number | undefined;
  /** All bytes so far. */
  #totalBytes = 0;
  /** The bytes that have come without a pause since the last one. */
  #burstBytes = 0;
  /** True after the first stall of this answer. */
  #hasStalled = false;
  /** The time between the last two reads; undefined before the second. */
  #lastGapMs: number | undefined;
  /** The last pause; `Infinity` before the first. */
  #lastPauseMs = Infinity;

  /** `knownProfile` is the profile of the endpoint before this answer. */
  constructor(lag: EventLoopLag, knownProfile: EndpointProfile) {
    this.#lag = lag;
    this.#knownProfile = knownProfile;
  }

  /** Records a read that completed at `now`, which must not decrease. */
  recordRead(bytes: number, now: number): void {
    const elapsed = now - (this.#lastReadAt ?? now);
    const decay = Math.exp(-elapsed / SPEED_WINDOW_MS);
    this.#speed = this.#speed * decay + bytes * (elapsed > 0 ? (1 - decay) / elapsed : 1 / SPEED_WINDOW_MS);
    this.#totalBytes += bytes;
    const isBurst =
      this.#lastReadAt !== undefined && (elapsed <= SAME_BURST_MS || bytes >= FAST_BYTES_PER_MS * elapsed);
    this.#burstBytes = isBurst ? this.#burstBytes + bytes : 0;
    this.#hasStalled ||= elapsed > STALL_MS;
    if (elapsed > SAME_BURST_MS) this.#lastPauseMs = elapsed;
    this.#lastGapMs = this.#lastReadAt === undefined ? undefined : elapsed;
    this.#lastReadAt = now;
  }

  /**
   * Returns the new profile of the endpoint. Valid only if the answer came to its end. A short one without a stall
   * changes nothing.
   */
  get profile(): EndpointProfile {
    if (this.#hasStalled || this.#knownProfile === "unknown") return "ends";
    return this.#totalBytes < FAST_STREAM_BYTES ? this.#knownProfile : "flows";
  }

  /** Returns the number of bytes that the next read waits for, at least 1. */
  get minBytes(): number {
    if (this.#knownProfile === "unknown") return 1;
    const isFlowing = this.#knownProfile === "flows" && !this.#hasStalled;
    const minFastBytes = isFlowing ? FLOWING_MIN_READ_BYTES : 1;
    const fastBytes =
      this.#burstBytes < (isFlowing ? FLOWING_FAST_BYTES : FAST_STREAM_BYTES)
        ? 1
        : Math.max(minFastBytes, this.#burstBytes / 5);
    const lagBytes = this.#totalBytes < SHORT_BYTES ? 1 : this.#speed * this.#lagDelayMs;
    return Math.floor(Math.min(MAX_READ_BYTES, Math.max(fastBytes, lagBytes)));
  }

  /** Returns how many ms the text of the last read is buffered; 0 passes it on at once. */
  get bufferMs(): number {
    if (this.#lastGapMs === undefined) return 0;
    if (this.#lagDelayMs > 0) return this.#lagDelayMs;
    if (this.#lastPauseMs < BUFFER_MS) return BUFFER_MS;
    return this.#lastGapMs <= SAME_BURST_MS ? SAME_BURST_MS : 0;
  }

  /** Returns the delay because of a lag; 0 if the isolate is on time. */
  get #lagDelayMs(): number {
    const late = this.#lag.estimate(this.#lastReadAt ?? 0);
    return late < MIN_LAG_MS ? 0 : Math.min(MAX_LAG_DELAY_MS, DELAY_PER_LAG_MS * late);
  }
}
