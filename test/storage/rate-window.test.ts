// The rate limit of a user's messages: the limiter, and the client in each conversation.

import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  RateWindow,
  type RateGrant,
  type GrantHolderApi,
  type RateLimiterApi,
  type PrefetchRequest,
} from "../../src/durable/rate-limit/rate-window.ts";
import { RateLimitClient } from "../../src/durable/rate-limit/rate-limit-client.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import { toFault } from "../../src/protocol/wire/fault.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => vi.useRealTimers());

function createStorage() {
  const values = new Map<string, unknown>();
  const storage = {
    get: async <T>(key: string) => values.get(key) as T | undefined,
    put: async (key: string, value: unknown) => void values.set(key, value),
  };
  return { storage, values };
}

const failOnCall = (): GrantHolderApi => {
  throw new Error("is not asked");
};

describe("RateWindow", () => {
  test("grants the limit per minute, and again in the next minute", async () => {
    const limiter = new RateWindow(createStorage().storage, failOnCall);
    const begin = (requested: number) => limiter.acquire(requested, 5, undefined, Date.now);
    expect(await begin(3)).toEqual({ granted: 3, ahead: 0, until: NOON + MINUTE_MS });
    vi.setSystemTime(NOON + 20_500);
    expect(await begin(3)).toEqual({ granted: 2, ahead: 0, until: NOON + MINUTE_MS });
    vi.setSystemTime(NOON + MINUTE_MS - 1);
    expect(await begin(1)).toEqual({ granted: 0, ahead: 0, until: NOON + MINUTE_MS });
    vi.setSystemTime(NOON + MINUTE_MS);
    expect(await begin(9)).toEqual({ granted: 5, ahead: 0, until: NOON + 2 * MINUTE_MS });
  });

  test("shares the limit among concurrent requests, also while the count is loaded", async () => {
    const limiter = new RateWindow(createStorage().storage, failOnCall);
    const answers = await Promise.all(Array.from({ length: 50 }, () => limiter.acquire(1, 20, undefined, Date.now)));
    expect(answers.filter(({ granted }) => granted === 1)).toHaveLength(20);
  });

  test("restores the count after an eviction and does not lock users out when the clock is set back", async () => {
    const { storage, values } = createStorage();
    await new RateWindow(storage, failOnCall).acquire(4, 5, undefined, Date.now);
    expect(values.size, "a write per message would be slow").toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    const again = (now: number) => new RateWindow(storage, failOnCall).acquire(4, 5, undefined, () => now);
    expect(await again(NOON + 1_000)).toMatchObject({ granted: 1, until: NOON + MINUTE_MS });
    expect(await again(NOON - 500_000)).toMatchObject({ granted: 4, until: NOON - 500_000 + MINUTE_MS });
  });
});

describe("RateLimitClient", () => {
  /** Creates a client of a limiter that the test answers, and records the requested counts. */
  function createClient(answers: ((granted: RateGrant) => void)[] = []) {
    const requested: number[] = [];
    const begin = (count: number) => {
      requested.push(count);
      return new Promise<RateGrant>((resolve) => answers.push(resolve));
    };
    const client = new RateLimitClient(() => ({ begin }), 9, "conv");
    const waitForGrant = (command: string) => ensurePresent(client.acquire(command), "a wait");
    return { requested, answers, client, waitForGrant };
  }

  test("[T1] lets messages pass in order and requests waiting ones together", async () => {
    const { requested, answers, waitForGrant } = createClient();
    const order: string[] = [];
    const pending = ["a", "b", "c", "d"].map((name) =>
      waitForGrant(name).then(
        () => order.push(name),
        (thrown: unknown) => order.push(`${name}: ${toFault(thrown).message}`),
      ),
    );
    expect(requested).toEqual([1]);
    answers[0]?.({ granted: 1, ahead: 0, until: NOON + MINUTE_MS });
    await pending[0];
    expect(requested).toEqual([1, 3]);
    answers[1]?.({ granted: 2, ahead: 0, until: NOON + 6_100 });
    await Promise.all(pending);
    expect(order).toEqual(["a", "b", "c", "d: Too many messages. Try again in 7 seconds."]);
  });

  test("[T1] does not let prefetched grants overtake waiting messages", async () => {
    const { answers, client, waitForGrant } = createClient();
    const first = waitForGrant("a");
    const second = waitForGrant("b");
    answers[0]?.({ granted: 1, ahead: 2, until: NOON + MINUTE_MS });
    await first;
    const third = waitForGrant("c");
    answers[1]?.({ granted: 1, ahead: 0, until: NOON + MINUTE_MS });
    await second;
    await vi.waitFor(() => expect(answers).toHaveLength(3));
    answers[2]?.({ granted: 1, ahead: 0, until: NOON + MINUTE_MS });
    await third;
    expect(client.acquire("d")).toBeUndefined();
    expect(client.releaseUnused(), "of the two").toBe(1);
  });

  test("[T2] counts a repeated command once while it is pending, and again afterwards", async () => {
    const { requested, answers, waitForGrant } = createClient();
    const once = ["a", "a", "a"].map(waitForGrant);
    answers[0]?.({ granted: 1, ahead: 0, until: NOON + MINUTE_MS });
    await Promise.all(once);
    expect(requested).toEqual([1]);
    const twice = Promise.allSettled(["b", "b"].map(waitForGrant));
    answers[1]?.({ granted: 0, ahead: 0, until: NOON + 7_000 });
    expect((await twice).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const last = waitForGrant("a");
    answers[2]?.({ granted: 0, ahead: 0, until: NOON + 7_000 });
    await expect(last).rejects.toThrow("7 seconds");
    expect(requested).toEqual([1, 1, 1]);
  });

  test("lets messages pass if the limiter does not answer for three seconds", async () => {
    const { answers, waitForGrant } = createClient();
    let isThrough = false;
    const pending = waitForGrant("a").then(() => (isThrough = true));
    await vi.advanceTimersByTimeAsync(2_999);
    expect(isThrough).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await pending;
    expect(answers).toHaveLength(1);
  });

  test("lets messages pass if the limiter is unavailable", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await new RateLimitClient(() => ({ begin: () => Promise.reject(new Error("gone")) }), 1, "conv").acquire("a");
    const unbound = () => {
      throw new Error("no such binding");
    };
    await new RateLimitClient(unbound, 1, "conv").acquire("a");
    expect(new RateLimitClient(unbound, 0, "conv").acquire("a")).toBeUndefined();
  });
});

describe("conversations with prefetched grants", () => {
  /** A user's limiter and conversations; a conversation may be evicted and lose its grants. */
  class RateLimitedUser {
    readonly conversations = new Map<string, RateLimitClient>();
    requestCount = 0;
    readonly #limit: number;
    readonly #limiter = new RateWindow(createStorage().storage, (name) => ({
      giveBack: async () => {
        await Promise.resolve();
        return ensurePresent(this.conversations.get(name), name).releaseUnused();
      },
    }));

    constructor(most: number, names: readonly string[]) {
      this.#limit = most;
      for (const name of names) this.reopen(name);
    }

    reopen(name: string): void {
      this.conversations.set(name, new RateLimitClient(() => this.#api, this.#limit, name));
    }

    /** Returns true if a message is allowed. */
    async send(name: string, id: string): Promise<boolean> {
      try {
        await ensurePresent(this.conversations.get(name), name).acquire(id);
        return true;
      } catch {
        return false;
      }
    }

    readonly #api: RateLimiterApi = {
      begin: async (requested: number, most: number, prefetch?: PrefetchRequest) => {
        this.requestCount += 1;
        const granted = await this.#limiter.acquire(requested, most, prefetch, Date.now);
        await Promise.resolve();
        return granted;
      },
    };
  }

  const NAMES = ["a", "b", "c", "d"];
  const anyMessages = fc.array(fc.record({ name: fc.constantFrom(...NAMES), times: fc.integer({ min: 1, max: 12 }) }));

  test("allow exactly the limit, whichever conversation holds grants", async () => {
    await fc.assert(
      fc.asyncProperty(anyMessages, fc.integer({ min: 1, max: 40 }), async (messages, most) => {
        const user = new RateLimitedUser(most, NAMES);
        const answers: boolean[] = [];
        for (const { name, times } of messages)
          for (let i = 0; i < times; i += 1) answers.push(await user.send(name, `${answers.length}`));
        expect(answers.filter(Boolean)).toHaveLength(Math.min(most, answers.length));
        // The first rejected message is the first one above the limit.
        expect(answers.indexOf(false)).toBe(answers.length > most ? most : -1);
      }),
    );
  });

  test("never allow more than the limit concurrently, and allow all of it in the next minute", async () => {
    await fc.assert(
      fc.asyncProperty(anyMessages, fc.integer({ min: 1, max: 40 }), async (messages, most) => {
        vi.setSystemTime(NOON);
        const user = new RateLimitedUser(most, NAMES);
        const sendAll = async (round: number) => {
          const all = messages.flatMap(({ name, times }, n) =>
            Array.from({ length: times }, (_, i) => user.send(name, `${round}-${n}-${i}`)),
          );
          return (await Promise.all(all)).filter(Boolean).length;
        };
        const first = await sendAll(1);
        expect(first).toBeLessThanOrEqual(most);
        expect(first + (await sendAll(2))).toBeLessThanOrEqual(most);
        vi.setSystemTime(NOON + MINUTE_MS);
        let allowed = 0;
        for (let i = 0; i < most + 1; i += 1) if (await user.send("a", `last-${i}`)) allowed += 1;
        expect(allowed).toBe(most);
      }),
    );
  });

  test("count the grants of an evicted conversation as used", async () => {
    const step = fc.record({ name: fc.constantFrom(...NAMES), sleeps: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 40 }), async (steps, most) => {
        const user = new RateLimitedUser(most, NAMES);
        let allowed = 0;
        for (const [n, { name, sleeps }] of steps.entries()) {
          if (sleeps) user.reopen(name);
          if (await user.send(name, `${n}`)) allowed += 1;
        }
        expect(allowed).toBeLessThanOrEqual(most);
      }),
    );
  });

  test("request rarely, and prefetch nothing for a single message", async () => {
    const user = new RateLimitedUser(120, NAMES);
    for (let i = 0; i < 60; i += 1) expect(await user.send("a", `${i}`)).toBe(true);
    expect(user.requestCount).toBeLessThan(10);
    await user.send("b", "once");
    expect(user.conversations.get("b")?.releaseUnused()).toBe(0);
  });

  test("wait at most a second for a conversation that does not return its grants", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    for (const giveBack of [() => new Promise<number>(() => undefined), () => Promise.reject(new Error("gone"))]) {
      const limiter = new RateWindow(createStorage().storage, () => ({ giveBack }));
      await limiter.acquire(1, 9, { holder: "a", ahead: 2 }, Date.now);
      const rest = limiter.acquire(9, 9, undefined, Date.now);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await rest).toMatchObject({ granted: 6, ahead: 0 });
    }
  });
});
