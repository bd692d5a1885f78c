import { expect, test } from "vitest";
import { Crowd, Pace } from "../../src/models/pace.ts";

const TOKEN_BYTES = 230;

type Reads = { readonly waits: readonly number[]; readonly sizes: readonly number[] };

/** Reads a stream of chunks that arrive at these times (ms), as a reader with `readAtLeast` would. */
function read(arrivals: readonly number[], bytes = TOKEN_BYTES, crowd = new Crowd()): Reads {
  const pace = new Pace(crowd);
  const waits: number[] = [];
  const sizes: number[] = [];
  for (let at = 0; at < arrivals.length;) {
    const first = arrivals[at] ?? 0;
    const count = Math.min(Math.ceil(pace.minimum / bytes), arrivals.length - at);
    const last = arrivals[at + count - 1] ?? first;
    waits.push(last - first);
    sizes.push(count * bytes);
    pace.took(count * bytes, last);
    at += count;
  }
  return { waits, sizes };
}

const steady = (count: number, everyMs: number) => Array.from({ length: count }, (_, index) => 500 + index * everyMs);

test("the first chunk passes alone", () => {
  expect(new Pace(new Crowd()).minimum).toBe(1);
});

test.each([0.5, 1, 2, 5, 10, 20, 30, 37, 50, 80, 100, 250])(
  "with a token every %d ms none waits as long as 100 ms",
  (everyMs) => {
    for (const bytes of [60, 230, 600, 3_000]) {
      expect(Math.max(...read(steady(400, everyMs), bytes).waits)).toBeLessThanOrEqual(40);
    }
  },
);

test("a slow stream is not joined at all", () => {
  expect(Math.max(...read(steady(200, 50)).sizes)).toBe(TOKEN_BYTES);
});

test.each([2, 5, 10, 20, 50, 400])("with a token every %d ms no read waits for more than one", (everyMs) => {
  const pace = new Pace(new Crowd());
  for (const at of steady(1_000, everyMs)) {
    pace.took(TOKEN_BYTES, at);
    expect(pace.minimum).toBe(1);
  }
});

test("nor after a burst of fifteen tokens", () => {
  const pace = new Pace(new Crowd());
  for (let i = 0; i < 15; i++) pace.took(TOKEN_BYTES, 500);
  expect(pace.minimum).toBe(1);
});

test("words wait for others while they come fast, and in a burst until it is over", () => {
  const joinMs = (...arrivals: readonly number[]) => {
    const pace = new Pace(new Crowd());
    for (const at of arrivals) pace.took(TOKEN_BYTES, at);
    return pace.joinMs;
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

test("a pause after a burst holds back no more than a fifth of the burst", () => {
  for (let burst = 1; burst <= 200; burst++) {
    const pace = new Pace(new Crowd());
    let left = burst * TOKEN_BYTES;
    while (left >= pace.minimum) {
      const size = Math.min(Math.ceil(pace.minimum / TOKEN_BYTES) * TOKEN_BYTES, left);
      pace.took(size, 1_000);
      left -= size;
    }
    expect(left).toBeLessThanOrEqual((burst * TOKEN_BYTES) / 5);
  }
});

class CrowdOf extends Crowd {
  readonly #count: number;

  constructor(count: number) {
    super();
    this.#count = count;
  }

  override get streams(): number {
    return this.#count;
  }
}

test("a few streams are not joined, hundreds are", () => {
  const settled = (streams: number) => read(steady(400, 50), TOKEN_BYTES, new CrowdOf(streams)).sizes.slice(50, -1);
  expect(new Set(settled(64))).toEqual(new Set([TOKEN_BYTES]));
  expect(new Set(settled(256))).toEqual(new Set([3 * TOKEN_BYTES]));
  expect(new Set(settled(10_000))).toEqual(new Set([4 * TOKEN_BYTES]));
});

test.each([0.5, 1, 2, 5, 10, 20, 30, 37, 50, 80, 100, 250, 1_000])(
  "however many streams there are, with a token every %d ms none waits for much more than half a second",
  (everyMs) => {
    for (const bytes of [60, 230, 600, 3_000]) {
      const arrivals = [...Array.from({ length: 40 }, () => 400), ...steady(400, everyMs)];
      const { waits } = read(arrivals, bytes, new CrowdOf(10_000));
      expect(Math.max(...waits.slice(-50))).toBeLessThanOrEqual(500 + 2 * everyMs);
    }
  },
);

test.each([5, 50, 400])("streams are counted as long as they are read, each once, be it every %d ms", (everyMs) => {
  const crowd = new Crowd();
  const paces = Array.from({ length: 100 }, () => new Pace(crowd));
  for (let at = 0; at < 10_000; at += everyMs) for (const pace of paces) pace.took(TOKEN_BYTES, at);
  expect(crowd.streams / 100).toBeGreaterThan(0.8);
  expect(crowd.streams / 100).toBeLessThan(1.3);
  new Pace(crowd).took(TOKEN_BYTES, 15_000);
  expect(crowd.streams).toBeLessThan(1);
});
