/** A chunk that comes within this of the one before was there already. */
const THERE_MS = 1;
/** How far back the speed of a stream looks. */
const MEMORY_MS = 150;
/** How long the newest words of a fast stream may wait to be told together with those behind them. */
const JOIN_MS = 30;
/** A stream that has brought so much without a pause is a torrent. */
const TORRENT_BYTES = 4_096;
/** Bytes per millisecond that are no pause, however many were waited for. */
const TORRENT_SPEED = 200;
const MOST_BYTES = 2_048;
/** Where answers flow, so much is a torrent, and so much a read waits for in one at least. */
const FLOW_BYTES = 400;
const FLOW_READ_BYTES = 1_024;
/** An answer that stands still for longer does not flow. */
const STILL_MS = 30;
/** Of a stream that has brought less, no read waits because the isolate is busy. */
const SHORT_BYTES = 1_024;
/** An isolate whose timers are later than this is busy. */
const BUSY_LATE_MS = 2;
/** In a busy isolate words wait so long in a timer's hands, and as long again in a read, for each ms that it is late. */
const BUSY_JOIN_MS = 60;
const MOST_BUSY_MS = 250;
/** How far back lateness looks. */
const LATE_MEMORY_MS = 300;
/** One timer says no more than this, however late it was and however long there was none: somebody's long sum is no crowd. */
const MOST_LATE_MS = 12;
const MOST_SPAN_MS = 50;

/** How late the timers of an isolate are: who has more to do than can be done comes late to everything. */
export class Lateness {
  #mean = 0;
  #at = 0;

  /** A timer that was due at that time ran at `now`; both in ms. */
  ran(due: number, now: number): void {
    const late = Math.min(MOST_LATE_MS, Math.max(0, now - due));
    const span = Math.min(MOST_SPAN_MS, now - this.#at);
    this.#mean = this.at(now) + late * (1 - Math.exp(-span / LATE_MEMORY_MS));
    this.#at = now;
  }

  /** In ms; who has not run a timer for long is thought to be on time. */
  at(now: number): number {
    return this.#mean * Math.exp((this.#at - now) / LATE_MEMORY_MS);
  }
}

/**
 * What the last answers of an endpoint were like: nothing is known, or one had no end, so no read waits; they came to
 * their end; and the last long one never stood still.
 */
export type Habit = "unknown" | "ends" | "flows";

/**
 * How a stream is read: how many bytes the next read waits for, and how long what was read waits for more.
 *
 * A read that waits for bytes has no limit in time, and what a stream holds back when it pauses, breaks or stays open
 * is not to be had. So in an isolate that is on time a read waits for one byte, but in a torrent: then for 2 KiB, and
 * never for more than a fifth of what has come without a pause. Where answers flow, a torrent begins sooner, and a read
 * waits for 1 KiB in it, until this answer stands still for once. Tokens that come one by one wait in a timer's hands:
 * at one every 50 ms each passes alone, at one every 10 ms two to four travel together.
 *
 * A read costs about as much whatever its size, here and with everybody whom it is passed on to. The more an isolate
 * is behind, the longer bytes wait for others. What counts is that it is late, and not what its streams bring: an
 * isolate that falls behind takes in less, and must not be thought idle for it.
 */
export class Pace {
  readonly #lateness: Lateness;
  readonly #known: Habit;
  /** Bytes per millisecond. */
  #speed = 0;
  #at: number | undefined;
  #bytes = 0;
  /** Bytes that have come right behind others since the stream last paused. */
  #run = 0;
  #hasStood = false;
  /** Milliseconds between the newest two chunks. */
  #gap: number | undefined;
  /** How long it last paused, in ms. */
  #pause = Infinity;

  /** `known` is what the endpoint's answers were like before. */
  constructor(lateness: Lateness, known: Habit) {
    this.#lateness = lateness;
    this.#known = known;
  }

  /** `now` in milliseconds; must not run backwards. */
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

  /** What the endpoint's answers are like, if this one came to its end. One that was short says little more. */
  get habit(): Habit {
    if (this.#hasStood || this.#known === "unknown") return "ends";
    return this.#bytes < TORRENT_BYTES ? this.#known : "flows";
  }

  get minimum(): number {
    if (this.#known === "unknown") return 1;
    const isFlowing = this.#known === "flows" && !this.#hasStood;
    const least = isFlowing ? FLOW_READ_BYTES : 1;
    const torrent = this.#run < (isFlowing ? FLOW_BYTES : TORRENT_BYTES) ? 1 : Math.max(least, this.#run / 5);
    const busy = this.#bytes < SHORT_BYTES ? 1 : this.#speed * this.#busyMs;
    return Math.floor(Math.min(MOST_BYTES, Math.max(torrent, busy)));
  }

  /** How long what was just read may wait for more, in ms; 0 passes it on at once. */
  get joinMs(): number {
    if (this.#gap === undefined) return 0;
    if (this.#busyMs > 0) return this.#busyMs;
    if (this.#pause < JOIN_MS) return JOIN_MS;
    return this.#gap <= THERE_MS ? THERE_MS : 0;
  }

  /** 0 in an isolate that is on time. */
  get #busyMs(): number {
    const late = this.#lateness.at(this.#at ?? 0);
    return late < BUSY_LATE_MS ? 0 : Math.min(MOST_BUSY_MS, BUSY_JOIN_MS * late);
  }
}
