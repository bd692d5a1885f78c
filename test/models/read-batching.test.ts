import { expect, test } from "vitest";
import { EventLoopLag, ReadBatcher, type EndpointProfile } from "../../src/models/read-batching.ts";

const TOKEN_BYTES = 230;
const PROFILES = ["ends", "flows"] as const;

/** Times in ms: `waits` until a read has its bytes, and `joins` until the read bytes are passed on. */
type BatchTimings = {
  readonly waits: readonly number[];
  readonly joins: readonly number[];
  readonly sizes: readonly number[];
};

/** Reads a stream of chunks that arrive at these times (ms), as a reader with `readAtLeast` would. */
function simulateReads(
  arrivals: readonly number[],
  bytes = TOKEN_BYTES,
  lag = new EventLoopLag(),
  profile: EndpointProfile = "ends",
): BatchTimings {
  const batcher = new ReadBatcher(lag, profile);
  const waits: number[] = [];
  const joins: number[] = [];
  const sizes: number[] = [];
  for (let index = 0; index < arrivals.length;) {
    const first = arrivals[index] ?? 0;
    const count = Math.min(Math.ceil(batcher.minBytes / bytes), arrivals.length - index);
    const last = arrivals[index + count - 1] ?? first;
    waits.push(last - first);
    sizes.push(count * bytes);
    batcher.recordRead(count * bytes, last);
    joins.push(batcher.bufferMs);
    index += count;
  }
  return { waits, joins, sizes };
}

const createArrivals = (count: number, everyMs: number) =>
  Array.from({ length: count }, (_, index) => 500 + index * everyMs);

test("with an unknown profile each chunk is read alone", () => {
  expect(new Set(simulateReads(createArrivals(400, 0.01), TOKEN_BYTES, new EventLoopLag(), "unknown").sizes)).toEqual(
    new Set([TOKEN_BYTES]),
  );
});

test.each([0.5, 1, 2, 5, 10, 20, 30, 37, 50, 80, 100, 250])(
  "with a token every %d ms no token waits for 100 ms",
  (everyMs) => {
    for (const bytes of [60, 230, 600, 3_000]) {
      for (const profile of PROFILES) {
        const { waits } = simulateReads(createArrivals(400, everyMs), bytes, new EventLoopLag(), profile);
        expect(Math.max(...waits)).toBeLessThanOrEqual(40);
      }
    }
  },
);

test.each([2, 5, 10, 20, 50, 400])("with a token every %d ms no read waits for more than one token", (everyMs) => {
  for (const profile of PROFILES) {
    const batcher = new ReadBatcher(new EventLoopLag(), profile);
    for (const time of createArrivals(1_000, everyMs)) {
      batcher.recordRead(TOKEN_BYTES, time);
      expect(batcher.minBytes).toBe(1);
    }
  }
});

test("text is buffered while it arrives quickly, and during a burst until its end", () => {
  const getBufferMs = (...arrivals: readonly number[]) => {
    const batcher = new ReadBatcher(new EventLoopLag(), "ends");
    for (const time of arrivals) batcher.recordRead(TOKEN_BYTES, time);
    return batcher.bufferMs;
  };
  expect(getBufferMs(500)).toBe(0);
  expect(getBufferMs(500, 500)).toBe(1);
  expect(getBufferMs(500, 510)).toBe(30);
  expect(getBufferMs(500, 510, 510)).toBe(30);
  expect(getBufferMs(500, 510, 900)).toBe(0);
  expect(getBufferMs(500, 550, 550)).toBe(1);
});

test("a fast stream is soon read in chunks of at least 1 KiB", () => {
  const { sizes } = simulateReads(createArrivals(2_000, 0.01));
  expect(sizes.slice(30, -1).every((size) => size >= 1_024)).toBe(true);
  expect(sizes.length).toBeLessThan(2_000 / 7);
});

test("a stream that slows down is no longer batched after a short time", () => {
  const { sizes } = simulateReads([
    ...createArrivals(500, 0.1),
    ...Array.from({ length: 50 }, (_, index) => 600 + index * 60),
  ]);
  expect(sizes.slice(-30)).toEqual(Array.from({ length: 30 }, () => TOKEN_BYTES));
});

/** Returns the bytes of a burst of tokens that stay unread until more arrive. */
function countHeldBack(batcher: ReadBatcher, tokens: number, at: number): number {
  let remaining = tokens * TOKEN_BYTES;
  while (remaining >= batcher.minBytes) {
    const size = Math.min(Math.ceil(batcher.minBytes / TOKEN_BYTES) * TOKEN_BYTES, remaining);
    batcher.recordRead(size, at);
    remaining -= size;
  }
  return remaining;
}

test("a pause after a burst holds back at most a fifth of the burst", () => {
  for (let burst = 1; burst <= 200; burst++) {
    expect(countHeldBack(new ReadBatcher(new EventLoopLag(), "ends"), burst, 1_000)).toBeLessThanOrEqual(
      (burst * TOKEN_BYTES) / 5,
    );
  }
});

test("with the profile 'flows' a fast stream is read in chunks of 1 KiB from its fourth chunk on", () => {
  // At the slower rate the awaited bytes take some ms to arrive.
  for (const everyMs of [0.01, 0.8]) {
    const { sizes } = simulateReads(createArrivals(40, everyMs), TOKEN_BYTES, new EventLoopLag(), "flows");
    expect(sizes.slice(0, 3)).toEqual([TOKEN_BYTES, TOKEN_BYTES, TOKEN_BYTES]);
    expect(sizes.slice(3, -1).every((size) => size >= 1_024)).toBe(true);
  }
});

test("with the profile 'flows' a first pause holds back less than 1 KiB or a fifth, and a later one no more than usual", () => {
  for (let burst = 1; burst <= 100; burst++) {
    const batcher = new ReadBatcher(new EventLoopLag(), "flows");
    expect(countHeldBack(batcher, burst, 1_000)).toBeLessThan(Math.max(1_024, (burst * TOKEN_BYTES) / 5 + 1));
    for (const time of [1_100, 1_200, 9_000]) {
      batcher.recordRead(TOKEN_BYTES, time);
      expect(countHeldBack(batcher, burst, time)).toBeLessThanOrEqual((burst * TOKEN_BYTES) / 5);
    }
  }
});

test("an endpoint has the profile 'flows' after a long stream without pauses", () => {
  const getProfileAfter = (profile: EndpointProfile, arrivals: readonly number[]): EndpointProfile => {
    const batcher = new ReadBatcher(new EventLoopLag(), profile);
    for (const time of arrivals) batcher.recordRead(TOKEN_BYTES, time);
    return batcher.profile;
  };
  const [short, long, slow] = [createArrivals(10, 1), createArrivals(40, 20), createArrivals(40, 50)];
  expect(getProfileAfter("unknown", short)).toBe("ends");
  expect(getProfileAfter("ends", short)).toBe("ends");
  expect(getProfileAfter("flows", short)).toBe("flows");
  expect(getProfileAfter("unknown", long)).toBe("ends");
  expect(getProfileAfter("ends", long)).toBe("flows");
  expect(getProfileAfter("flows", slow)).toBe("ends");
  expect(getProfileAfter("flows", [500, 540])).toBe("ends");
});

class FixedLag extends EventLoopLag {
  readonly #ms: number;

  constructor(ms: number) {
    super();
    this.#ms = ms;
  }

  override estimate(): number {
    return this.#ms;
  }
}

test("an isolate without lag batches no slow stream, and batches more with more lag", () => {
  const getSettledSizes = (lagMs: number) =>
    simulateReads(createArrivals(400, 50), TOKEN_BYTES, new FixedLag(lagMs)).sizes.slice(50, -1);
  expect(new Set(getSettledSizes(1.9))).toEqual(new Set([TOKEN_BYTES]));
  expect(new Set(getSettledSizes(2))).toEqual(new Set([3 * TOKEN_BYTES]));
  expect(new Set(getSettledSizes(10_000))).toEqual(new Set([5 * TOKEN_BYTES]));
});

test("the first text is delivered at once, also with much lag", () => {
  const batcher = new ReadBatcher(new FixedLag(10_000), "ends");
  expect(batcher.minBytes).toBe(1);
  batcher.recordRead(TOKEN_BYTES, 500);
  expect(batcher.bufferMs).toBe(0);
});

test.each([0.5, 1, 2, 5, 10, 20, 30, 37, 50, 80, 100, 250, 1_000])(
  "with any lag and a token every %d ms no token waits much longer than 500 ms",
  (everyMs) => {
    for (const bytes of [60, 230, 600, 3_000]) {
      const arrivals = [...Array.from({ length: 40 }, () => 400), ...createArrivals(4_000, everyMs)];
      const { waits, joins } = simulateReads(arrivals, bytes, new FixedLag(10_000));
      expect(Math.max(...waits.map((ms, i) => ms + (joins[i] ?? 0)).slice(-50))).toBeLessThanOrEqual(500 + 2 * everyMs);
    }
  },
);

test("EventLoopLag estimates the recent delay of timers", () => {
  const lag = new EventLoopLag();
  expect(lag.estimate(1_000)).toBe(0);
  for (let at = 0; at < 1_000; at += 10) lag.recordTimer(at, at + 8);
  expect(lag.estimate(1_000)).toBeGreaterThan(7);
  expect(lag.estimate(1_000)).toBeLessThanOrEqual(8);
  for (let at = 1_000; at < 3_000; at += 10) lag.recordTimer(at + 0.5, at);
  expect(lag.estimate(3_000)).toBeLessThan(0.1);
});

test("EventLoopLag ignores a single long delay and forgets earlier lag", () => {
  const lag = new EventLoopLag();
  lag.recordTimer(1_000, 1_700);
  expect(lag.estimate(1_700)).toBeLessThanOrEqual(2);
  for (let at = 1_700; at < 2_700; at += 10) lag.recordTimer(at, at + 500);
  expect(lag.estimate(2_700)).toBeGreaterThan(10);
  expect(lag.estimate(10_000)).toBeLessThan(0.1);
});
