import { expect, test } from "vitest";
import { EventLoopLag, ReadBatcher, type EndpointProfile } from "../../src/models/read-batching.ts";

const TOKEN_BYTES = 230;
const KNOWN = ["ends", "flows"] as const;

/** `waits` in ms: until the read has what it waits for, and `joins` until what was read is passed on. */
type Reads = {
  readonly waits: readonly number[];
  readonly joins: readonly number[];
  readonly sizes: readonly number[];
};

/** Reads a stream of chunks that arrive at these times (ms), as a reader with `readAtLeast` would. */
function read(
  arrivals: readonly number[],
  bytes = TOKEN_BYTES,
  lateness = new EventLoopLag(),
  known: EndpointProfile = "ends",
): Reads {
  const pace = new ReadBatcher(lateness, known);
  const waits: number[] = [];
  const joins: number[] = [];
  const sizes: number[] = [];
  for (let at = 0; at < arrivals.length;) {
    const first = arrivals[at] ?? 0;
    const count = Math.min(Math.ceil(pace.minBytes / bytes), arrivals.length - at);
    const last = arrivals[at + count - 1] ?? first;
    waits.push(last - first);
    sizes.push(count * bytes);
    pace.recordRead(count * bytes, last);
    joins.push(pace.bufferMs);
    at += count;
  }
  return { waits, joins, sizes };
}

const steady = (count: number, everyMs: number) => Array.from({ length: count }, (_, index) => 500 + index * everyMs);

test("the first chunk passes alone", () => {
  expect(new ReadBatcher(new EventLoopLag(), "ends").minBytes).toBe(1);
});

test("where nothing is known, every chunk is read alone", () => {
  expect(new Set(read(steady(400, 0.01), TOKEN_BYTES, new EventLoopLag(), "unknown").sizes)).toEqual(
    new Set([TOKEN_BYTES]),
  );
});

test.each([0.5, 1, 2, 5, 10, 20, 30, 37, 50, 80, 100, 250])(
  "with a token every %d ms none waits as long as 100 ms",
  (everyMs) => {
    for (const bytes of [60, 230, 600, 3_000]) {
      for (const known of KNOWN) {
        const { waits } = read(steady(400, everyMs), bytes, new EventLoopLag(), known);
        expect(Math.max(...waits)).toBeLessThanOrEqual(40);
      }
    }
  },
);

test("a slow stream is not joined at all", () => {
  expect(Math.max(...read(steady(200, 50)).sizes)).toBe(TOKEN_BYTES);
});

test.each([2, 5, 10, 20, 50, 400])("with a token every %d ms no read waits for more than one", (everyMs) => {
  for (const known of KNOWN) {
    const pace = new ReadBatcher(new EventLoopLag(), known);
    for (const at of steady(1_000, everyMs)) {
      pace.recordRead(TOKEN_BYTES, at);
      expect(pace.minBytes).toBe(1);
    }
  }
});

test("nor after a burst of fifteen tokens", () => {
  const pace = new ReadBatcher(new EventLoopLag(), "ends");
  for (let i = 0; i < 15; i++) pace.recordRead(TOKEN_BYTES, 500);
  expect(pace.minBytes).toBe(1);
});

test("words wait for others while they come fast, and in a burst until it is over", () => {
  const joinMs = (...arrivals: readonly number[]) => {
    const pace = new ReadBatcher(new EventLoopLag(), "ends");
    for (const at of arrivals) pace.recordRead(TOKEN_BYTES, at);
    return pace.bufferMs;
  };
  expect(joinMs(500)).toBe(0);
  expect(joinMs(500, 500)).toBe(1);
  expect(joinMs(500, 510)).toBe(30);
  expect(joinMs(500, 510, 510)).toBe(30);
  expect(joinMs(500, 510, 900)).toBe(0);
  expect(joinMs(500, 550, 550)).toBe(1);
});

test("a torrent is soon read in pieces of at least 1 KiB", () => {
  const { sizes } = read(steady(2_000, 0.01));
  expect(sizes.slice(30, -1).every((size) => size >= 1_024)).toBe(true);
  expect(sizes.length).toBeLessThan(2_000 / 7);
});

test("a stream that slows down is no longer joined after a moment", () => {
  const { sizes } = read([...steady(500, 0.1), ...Array.from({ length: 50 }, (_, index) => 600 + index * 60)]);
  expect(sizes.slice(-30)).toEqual(Array.from({ length: 30 }, () => TOKEN_BYTES));
});

/** What of so many tokens that come at once is not read before more comes, in bytes. */
function heldBack(pace: ReadBatcher, tokens: number, at: number): number {
  let left = tokens * TOKEN_BYTES;
  while (left >= pace.minBytes) {
    const size = Math.min(Math.ceil(pace.minBytes / TOKEN_BYTES) * TOKEN_BYTES, left);
    pace.recordRead(size, at);
    left -= size;
  }
  return left;
}

test("a pause after a burst holds back no more than a fifth of the burst", () => {
  for (let burst = 1; burst <= 200; burst++) {
    expect(heldBack(new ReadBatcher(new EventLoopLag(), "ends"), burst, 1_000)).toBeLessThanOrEqual(
      (burst * TOKEN_BYTES) / 5,
    );
  }
});

test("where answers flow, a torrent is read in pieces of 1 KiB from its fourth chunk on", () => {
  // At the slower one, what is waited for takes some ms to come.
  for (const everyMs of [0.01, 0.8]) {
    const { sizes } = read(steady(40, everyMs), TOKEN_BYTES, new EventLoopLag(), "flows");
    expect(sizes.slice(0, 3)).toEqual([TOKEN_BYTES, TOKEN_BYTES, TOKEN_BYTES]);
    expect(sizes.slice(3, -1).every((size) => size >= 1_024)).toBe(true);
  }
});

test("there a first pause holds back less than 1 KiB, or a fifth, and a later one no more than elsewhere", () => {
  for (let burst = 1; burst <= 100; burst++) {
    const pace = new ReadBatcher(new EventLoopLag(), "flows");
    expect(heldBack(pace, burst, 1_000)).toBeLessThan(Math.max(1_024, (burst * TOKEN_BYTES) / 5 + 1));
    for (const at of [1_100, 1_200, 9_000]) {
      pace.recordRead(TOKEN_BYTES, at);
      expect(heldBack(pace, burst, at)).toBeLessThanOrEqual((burst * TOKEN_BYTES) / 5);
    }
  }
});

test("answers flow at an endpoint whose last long one never stood still", () => {
  const habitAfter = (known: EndpointProfile, arrivals: readonly number[]): EndpointProfile => {
    const pace = new ReadBatcher(new EventLoopLag(), known);
    for (const at of arrivals) pace.recordRead(TOKEN_BYTES, at);
    return pace.profile;
  };
  const [short, long, slow] = [steady(10, 1), steady(40, 20), steady(40, 50)];
  expect(habitAfter("unknown", short)).toBe("ends");
  expect(habitAfter("ends", short)).toBe("ends");
  expect(habitAfter("flows", short)).toBe("flows");
  expect(habitAfter("unknown", long)).toBe("ends");
  expect(habitAfter("ends", long)).toBe("flows");
  expect(habitAfter("flows", slow)).toBe("ends");
  expect(habitAfter("flows", [500, 540])).toBe("ends");
});

class LateBy extends EventLoopLag {
  readonly #ms: number;

  constructor(ms: number) {
    super();
    this.#ms = ms;
  }

  override estimate(): number {
    return this.#ms;
  }
}

test("an isolate that is on time joins nothing that comes slowly; the later it is the more it joins", () => {
  const settled = (late: number) => read(steady(400, 50), TOKEN_BYTES, new LateBy(late)).sizes.slice(50, -1);
  expect(new Set(settled(1.9))).toEqual(new Set([TOKEN_BYTES]));
  expect(new Set(settled(2))).toEqual(new Set([3 * TOKEN_BYTES]));
  expect(new Set(settled(10_000))).toEqual(new Set([5 * TOKEN_BYTES]));
});

test("the first words pass at once, however late the isolate is", () => {
  const pace = new ReadBatcher(new LateBy(10_000), "ends");
  expect(pace.minBytes).toBe(1);
  pace.recordRead(TOKEN_BYTES, 500);
  expect(pace.bufferMs).toBe(0);
});

test.each([0.5, 1, 2, 5, 10, 20, 30, 37, 50, 80, 100, 250, 1_000])(
  "however late an isolate is, with a token every %d ms none waits for much more than half a second",
  (everyMs) => {
    for (const bytes of [60, 230, 600, 3_000]) {
      const arrivals = [...Array.from({ length: 40 }, () => 400), ...steady(4_000, everyMs)];
      const { waits, joins } = read(arrivals, bytes, new LateBy(10_000));
      expect(Math.max(...waits.map((ms, i) => ms + (joins[i] ?? 0)).slice(-50))).toBeLessThanOrEqual(500 + 2 * everyMs);
    }
  },
);

test("how late an isolate is, is what its timers were late by of late", () => {
  const lateness = new EventLoopLag();
  expect(lateness.estimate(1_000)).toBe(0);
  for (let at = 0; at < 1_000; at += 10) lateness.recordTimer(at, at + 8);
  expect(lateness.estimate(1_000)).toBeGreaterThan(7);
  expect(lateness.estimate(1_000)).toBeLessThanOrEqual(8);
  for (let at = 1_000; at < 3_000; at += 10) lateness.recordTimer(at + 0.5, at);
  expect(lateness.estimate(3_000)).toBeLessThan(0.1);
});

test("one long wait makes nobody late, and lateness is forgotten", () => {
  const lateness = new EventLoopLag();
  lateness.recordTimer(1_000, 1_700);
  expect(lateness.estimate(1_700)).toBeLessThanOrEqual(2);
  for (let at = 1_700; at < 2_700; at += 10) lateness.recordTimer(at, at + 500);
  expect(lateness.estimate(2_700)).toBeGreaterThan(10);
  expect(lateness.estimate(10_000)).toBeLessThan(0.1);
});
