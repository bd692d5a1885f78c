// How many messages a person begins: the count, and the conversations' way to it.

import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  RateLimiter,
  type RateGrant,
  type GrantHolderApi,
  type RateLimiterApi,
  type PrefetchRequest,
} from "../../src/durable/rate-limiter.ts";
import { RateLimitClient } from "../../src/durable/rate-limit-client.ts";
import { ensurePresent } from "../../src/protocol/assert.ts";
import { toFault } from "../../src/protocol/wire/fault.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => vi.useRealTimers());

function kept() {
  const values = new Map<string, unknown>();
  const storage = {
    get: async <T>(key: string) => values.get(key) as T | undefined,
    put: async (key: string, value: unknown) => void values.set(key, value),
  };
  return { storage, values };
}

const nobody = (): GrantHolderApi => {
  throw new Error("is not asked");
};

describe("the count", () => {
  test("as many begin within a minute as may, and then again", async () => {
    const pace = new RateLimiter(kept().storage, nobody);
    const begin = (wanted: number) => pace.acquire(wanted, 5, undefined, Date.now);
    expect(await begin(3)).toEqual({ granted: 3, ahead: 0, until: NOON + MINUTE_MS });
    vi.setSystemTime(NOON + 20_500);
    expect(await begin(3)).toEqual({ granted: 2, ahead: 0, until: NOON + MINUTE_MS });
    vi.setSystemTime(NOON + MINUTE_MS - 1);
    expect(await begin(1)).toEqual({ granted: 0, ahead: 0, until: NOON + MINUTE_MS });
    vi.setSystemTime(NOON + MINUTE_MS);
    expect(await begin(9)).toEqual({ granted: 5, ahead: 0, until: NOON + 2 * MINUTE_MS });
  });

  test("those who ask at the same time share what there is, also while the count is being read", async () => {
    const pace = new RateLimiter(kept().storage, nobody);
    const answers = await Promise.all(Array.from({ length: 50 }, () => pace.acquire(1, 20, undefined, Date.now)));
    expect(answers.filter(({ granted }) => granted === 1)).toHaveLength(20);
  });

  test("survives sleep, and a clock that goes back locks nobody out", async () => {
    const { storage, values } = kept();
    await new RateLimiter(storage, nobody).acquire(4, 5, undefined, Date.now);
    expect(values.size, "a write per message would be slow").toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    const again = (now: number) => new RateLimiter(storage, nobody).acquire(4, 5, undefined, () => now);
    expect(await again(NOON + 1_000)).toMatchObject({ granted: 1, until: NOON + MINUTE_MS });
    expect(await again(NOON - 500_000)).toMatchObject({ granted: 4, until: NOON - 500_000 + MINUTE_MS });
  });
});

describe("the way of a conversation to the count", () => {
  /** A count that answers when it is told to, and what it was asked for. */
  function asked(answers: ((granted: RateGrant) => void)[] = []) {
    const wanted: number[] = [];
    const begin = (count: number) => {
      wanted.push(count);
      return new Promise<RateGrant>((resolve) => answers.push(resolve));
    };
    const turnstile = new RateLimitClient(() => ({ begin }), 9, "conv");
    const waits = (command: string) => ensurePresent(turnstile.acquire(command), "a wait");
    return { wanted, answers, turnstile, waits };
  }

  test("T1: messages pass in their order, and those that wait are asked for together", async () => {
    const { wanted, answers, waits } = asked();
    const order: string[] = [];
    const passing = ["a", "b", "c", "d"].map((name) =>
      waits(name).then(
        () => order.push(name),
        (thrown: unknown) => order.push(`${name}: ${toFault(thrown).message}`),
      ),
    );
    expect(wanted).toEqual([1]);
    answers[0]?.({ granted: 1, ahead: 0, until: NOON + MINUTE_MS });
    await passing[0];
    expect(wanted).toEqual([1, 3]);
    answers[1]?.({ granted: 2, ahead: 0, until: NOON + 6_100 });
    await Promise.all(passing);
    expect(order).toEqual(["a", "b", "c", "d: Too many messages in a short time. Try again in 7 seconds."]);
  });

  test("T1: what was given ahead overtakes nobody who waits", async () => {
    const { answers, turnstile, waits } = asked();
    const first = waits("a");
    const second = waits("b");
    answers[0]?.({ granted: 1, ahead: 2, until: NOON + MINUTE_MS });
    await first;
    const third = waits("c");
    answers[1]?.({ granted: 1, ahead: 0, until: NOON + MINUTE_MS });
    await second;
    await vi.waitFor(() => expect(answers).toHaveLength(3));
    answers[2]?.({ granted: 1, ahead: 0, until: NOON + MINUTE_MS });
    await third;
    expect(turnstile.acquire("d")).toBeUndefined();
    expect(turnstile.releaseUnused(), "of the two").toBe(1);
  });

  test("T2: a message that comes again while it is asked for is one message, and afterwards another", async () => {
    const { wanted, answers, waits } = asked();
    const once = ["a", "a", "a"].map(waits);
    answers[0]?.({ granted: 1, ahead: 0, until: NOON + MINUTE_MS });
    await Promise.all(once);
    expect(wanted).toEqual([1]);
    const twice = Promise.allSettled(["b", "b"].map(waits));
    answers[1]?.({ granted: 0, ahead: 0, until: NOON + 7_000 });
    expect((await twice).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const last = waits("a");
    answers[2]?.({ granted: 0, ahead: 0, until: NOON + 7_000 });
    await expect(last).rejects.toThrow("7 seconds");
    expect(wanted).toEqual([1, 1, 1]);
  });

  test("nor does one that never answers", async () => {
    const { answers, waits } = asked();
    let isThrough = false;
    const passing = waits("a").then(() => (isThrough = true));
    await vi.advanceTimersByTimeAsync(2_999);
    expect(isThrough).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await passing;
    expect(answers).toHaveLength(1);
  });

  test("a count that cannot be had keeps nobody from talking", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await new RateLimitClient(() => ({ begin: () => Promise.reject(new Error("gone")) }), 1, "conv").acquire("a");
    const unbound = () => {
      throw new Error("no such binding");
    };
    await new RateLimitClient(unbound, 1, "conv").acquire("a");
    expect(new RateLimitClient(unbound, 0, "conv").acquire("a")).toBeUndefined();
  });
});

describe("conversations that have messages ahead", () => {
  /** A person's count and their conversations, one of which may fall asleep and forget. */
  class Person {
    readonly conversations = new Map<string, RateLimitClient>();
    asked = 0;
    readonly #most: number;
    readonly #pace = new RateLimiter(kept().storage, (name) => ({
      giveBack: async () => {
        await Promise.resolve();
        return ensurePresent(this.conversations.get(name), name).releaseUnused();
      },
    }));

    constructor(most: number, names: readonly string[]) {
      this.#most = most;
      for (const name of names) this.wake(name);
    }

    wake(name: string): void {
      this.conversations.set(name, new RateLimitClient(() => this.#api, this.#most, name));
    }

    /** Whether a message may begin. */
    async says(name: string, id: string): Promise<boolean> {
      try {
        await ensurePresent(this.conversations.get(name), name).acquire(id);
        return true;
      } catch {
        return false;
      }
    }

    readonly #api: RateLimiterApi = {
      begin: async (wanted: number, most: number, wish?: PrefetchRequest) => {
        this.asked += 1;
        const granted = await this.#pace.acquire(wanted, most, wish, Date.now);
        await Promise.resolve();
        return granted;
      },
    };
  }

  const NAMES = ["a", "b", "c", "d"];
  const talk = fc.array(fc.record({ name: fc.constantFrom(...NAMES), times: fc.integer({ min: 1, max: 12 }) }));

  test("exactly as many begin as may, whoever holds what", async () => {
    await fc.assert(
      fc.asyncProperty(talk, fc.integer({ min: 1, max: 40 }), async (said, most) => {
        const person = new Person(most, NAMES);
        const answers: boolean[] = [];
        for (const { name, times } of said)
          for (let i = 0; i < times; i += 1) answers.push(await person.says(name, `${answers.length}`));
        expect(answers.filter(Boolean)).toHaveLength(Math.min(most, answers.length));
        // The first that is refused is the first too many.
        expect(answers.indexOf(false)).toBe(answers.length > most ? most : -1);
      }),
    );
  });

  test("as many as talk at once: never too many, and the next minute is whole", async () => {
    await fc.assert(
      fc.asyncProperty(talk, fc.integer({ min: 1, max: 40 }), async (said, most) => {
        vi.setSystemTime(NOON);
        const person = new Person(most, NAMES);
        const speak = async (round: number) => {
          const all = said.flatMap(({ name, times }, n) =>
            Array.from({ length: times }, (_, i) => person.says(name, `${round}-${n}-${i}`)),
          );
          return (await Promise.all(all)).filter(Boolean).length;
        };
        const first = await speak(1);
        expect(first).toBeLessThanOrEqual(most);
        expect(first + (await speak(2))).toBeLessThanOrEqual(most);
        vi.setSystemTime(NOON + MINUTE_MS);
        let begun = 0;
        for (let i = 0; i < most + 1; i += 1) if (await person.says("a", `last-${i}`)) begun += 1;
        expect(begun).toBe(most);
      }),
    );
  });

  test("what a conversation had ahead when it fell asleep counts as used: never too many", async () => {
    const step = fc.record({ name: fc.constantFrom(...NAMES), sleeps: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 40 }), async (steps, most) => {
        const person = new Person(most, NAMES);
        let begun = 0;
        for (const [n, { name, sleeps }] of steps.entries()) {
          if (sleeps) person.wake(name);
          if (await person.says(name, `${n}`)) begun += 1;
        }
        expect(begun).toBeLessThanOrEqual(most);
      }),
    );
  });

  test("ask seldom, and one that says a single thing has nothing ahead", async () => {
    const person = new Person(120, NAMES);
    for (let i = 0; i < 60; i += 1) expect(await person.says("a", `${i}`)).toBe(true);
    expect(person.asked).toBeLessThan(10);
    await person.says("b", "once");
    expect(person.conversations.get("b")?.releaseUnused()).toBe(0);
  });

  test("one that does not answer keeps nobody waiting for long", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    for (const giveBack of [() => new Promise<number>(() => undefined), () => Promise.reject(new Error("gone"))]) {
      const pace = new RateLimiter(kept().storage, () => ({ giveBack }));
      await pace.acquire(1, 9, { holder: "a", ahead: 2 }, Date.now);
      const rest = pace.acquire(9, 9, undefined, Date.now);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await rest).toMatchObject({ granted: 6, ahead: 0 });
    }
  });
});
