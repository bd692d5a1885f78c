// The sweep over a real D1, with conversations that answer as they are told to.

import { createScheduledController } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { putSchedules, removeSchedules } from "../../src/directory/schedule-directory.ts";
import type { RpcResult } from "../../src/durable/conversation-api.ts";
import type { Env } from "../../src/env.ts";
import { sweep, type SweepLimits } from "../../src/http/schedule-sweep.ts";
import worker from "../../src/worker.ts";
import { clear, DB, many, putAll, rowOf, schedule } from "../directory/rows.ts";

const BOUNDS: SweepLimits = {
  maxTicks: 100,
  pageSize: 10,
  concurrency: 3,
  claimPeriodMs: 10_000,
  handOverTimeoutMs: 200,
  leaseMs: 30_000,
};

type Answer = RpcResult<{ next_run_at: number | null }>;
type Tick = { readonly name: string; readonly scheduleId: string; readonly dueAt: number };

const later = (): Answer => ({ ok: true, value: { next_run_at: Date.now() + 60_000 } });
const gone: Answer = { ok: false, failure: { code: "not_found", message: "There is no such conversation." } };

/** A namespace of conversations, and the ticks that they were handed. */
function conversations(answer: (tick: Tick) => Answer | Promise<Answer> = later) {
  const ticks: Tick[] = [];
  const getByName = (name: string) => ({
    tick: async (scheduleId: string, dueAt: number) => {
      const tick = { name, scheduleId, dueAt };
      ticks.push(tick);
      return answer(tick);
    },
  });
  return { ticks, env: { DB, CONVERSATION: { getByName } } as unknown as Env };
}

const runsOf = (ticks: readonly Tick[]) => new Set(ticks.map(({ scheduleId, dueAt }) => `${scheduleId} ${dueAt}`));

beforeEach(clear);
afterEach(() => void vi.restoreAllMocks());

describe("a sweep", () => {
  test("hands what is due to its conversation, and moves on to what that answers", async () => {
    await putSchedules(DB, [schedule("a b", "one"), schedule("ada", "two", { next_run_at: Date.now() + 60_000 })]);
    const { ticks, env } = conversations(() => ({ ok: true, value: { next_run_at: 1e15 } }));
    expect(await sweep(env, BOUNDS)).toBe(1);
    expect(ticks).toEqual([{ name: "a%20b/conv-one", scheduleId: "one", dueAt: 1_000 }]);
    expect(await rowOf("a b", "one")).toEqual({ next_run_at: 1e15, claimed_until: 0 });
  });

  test("[S3] forgets what its conversation does not know", async () => {
    await putSchedules(DB, [schedule("ada", "a")]);
    expect(await sweep(conversations(() => gone).env, BOUNDS)).toBe(1);
    expect(await rowOf("ada", "a")).toBeNull();
  });

  test("[S1] that is fired several times at once hands over each tick once", async () => {
    await putAll(many("ada", 95));
    const { ticks, env } = conversations();
    const carried = await Promise.all(Array.from({ length: 4 }, () => sweep(env, BOUNDS)));
    expect(carried.reduce((sum, count) => sum + count)).toBe(95);
    expect(ticks).toHaveLength(95);
    expect(runsOf(ticks).size).toBe(95);
  });

  test("is what the cron trigger calls", async () => {
    await putSchedules(DB, [schedule("ada", "a")]);
    const { ticks, env } = conversations();
    await worker.scheduled(createScheduledController(), env);
    expect(ticks).toHaveLength(1);
  });
});

describe("with more than one sweep can carry", () => {
  test("the next ones go on, and nothing is handed over twice", async () => {
    await putAll(many("crowd", 10_000));
    const { ticks, env } = conversations();
    const bounds = { ...BOUNDS, mostTicks: 3_000, pageSize: 50 };
    const carried: number[] = [];
    for (let i = 0; i < 5; i++) carried.push(await sweep(env, bounds));
    expect(carried).toEqual([3_000, 3_000, 3_000, 1_000, 0]);
    expect(runsOf(ticks).size).toBe(10_000);
    expect(ticks).toHaveLength(10_000);
  });

  test("nobody waits for somebody who has thousands", async () => {
    const others = Array.from({ length: 10 }, (_, i) => schedule(`other-${i}`, `other-${i}`, { next_run_at: 5_000 }));
    await putAll([...many("crowd", 9_990), ...others]);
    const { ticks, env } = conversations();
    await sweep(env, { ...BOUNDS, concurrency: 1, pageSize: 11, maxTicks: 11 });
    expect(ticks.filter(({ name }) => name.startsWith("other"))).toHaveLength(10);
  });

  test("a sweep ends in time and leaves the rest alone", async () => {
    await putAll(many("ada", 60));
    let now = 1e12;
    vi.spyOn(Date, "now").mockImplementation(() => now);
    const { ticks, env } = conversations(() => {
      now += 1_000;
      return later();
    });
    expect(await sweep(env, { ...BOUNDS, concurrency: 1 })).toBe(20);
    expect(ticks).toHaveLength(20);
    // The rest was not claimed: another sweep may have it at once.
    expect(await sweep(env, { ...BOUNDS, claimPeriodMs: 1e9 })).toBe(40);
  });

  test("only so many are on their way at once", async () => {
    await putAll(many("ada", 90));
    let [open, most] = [0, 0];
    const { env } = conversations(async () => {
      most = Math.max(most, ++open);
      await new Promise((done) => setTimeout(done, 5));
      open -= 1;
      return later();
    });
    await sweep(env, BOUNDS);
    expect(most).toBeLessThanOrEqual(BOUNDS.concurrency * BOUNDS.pageSize);
    expect(most).toBeGreaterThan(BOUNDS.pageSize);
  });
});

describe("when something fails", () => {
  const warned = () => vi.spyOn(console, "error").mockImplementation(() => undefined);

  test.each<[string, (dueAt: number) => Answer | Promise<Answer>]>([
    ["throws", () => Promise.reject(new Error("The object is overloaded"))],
    ["is out of order", () => ({ ok: false, failure: { code: "internal", message: "Something went wrong." } })],
    ["never answers", () => new Promise(() => undefined)],
    ["says that it is early", (dueAt) => ({ ok: true, value: { next_run_at: dueAt } })],
  ])("a conversation that %s holds up nobody, is told, and is asked again when the lease is over", async (_, fail) => {
    const error = warned();
    await putAll([...many("ada", 30), schedule("bob", "bad")]);
    let isBad = true;
    const { ticks, env } = conversations((tick) => (isBad && tick.scheduleId === "bad" ? fail(tick.dueAt) : later()));
    expect(await sweep(env, BOUNDS)).toBe(30);
    expect(error).toHaveBeenCalledOnce();
    expect(await sweep(env, BOUNDS)).toBe(0);
    isBad = false;
    const after = Date.now() + BOUNDS.leaseMs;
    vi.spyOn(Date, "now").mockImplementation(() => after);
    expect(await sweep(env, BOUNDS)).toBe(1);
    expect(ticks.filter(({ scheduleId }) => scheduleId === "bad")).toHaveLength(2);
  });

  test("a conversation that has no room is no failure: what it was not given stays due", async () => {
    const error = warned();
    await putAll(many("ada", 30));
    const full: Answer = { ok: false, failure: { code: "too_many_requests", message: "Too many runs are waiting." } };
    const { env } = conversations(({ scheduleId }) => (scheduleId.endsWith("7") ? full : later()));
    expect(await sweep(env, BOUNDS)).toBe(27);
    expect(error).not.toHaveBeenCalled();
    const after = Date.now() + BOUNDS.leaseMs;
    vi.spyOn(Date, "now").mockImplementation(() => after);
    expect(await sweep(conversations().env, BOUNDS)).toBe(3);
  });

  test("[S1] a sweep that dies half way is finished by another, with the same ticks", async () => {
    await putAll(many("ada", 50));
    // The first one never comes back from its third page.
    const dead = conversations();
    const died = brokenAfter(dead.env, 3, () => new Promise<never>(() => undefined));
    void sweep(died, { ...BOUNDS, concurrency: 1 });
    await vi.waitFor(() => expect(dead.ticks).toHaveLength(10));
    const next = conversations();
    expect(await sweep(next.env, BOUNDS)).toBe(40);
    const after = Date.now() + BOUNDS.leaseMs;
    vi.spyOn(Date, "now").mockImplementation(() => after);
    expect(await sweep(next.env, BOUNDS)).toBe(10);
    expect(runsOf([...dead.ticks, ...next.ticks]).size).toBe(50);
  });

  test.each([1, 2, 3, 4, 5])("[S1] a directory that is down from query %i on loses no tick", async (query) => {
    await putAll(many("ada", 50));
    const { ticks, env } = conversations();
    await expect(async () => sweep(brokenAfter(env, query, down), { ...BOUNDS, concurrency: 1 })).rejects.toThrow(
      "down",
    );
    const after = Date.now() + BOUNDS.leaseMs;
    vi.spyOn(Date, "now").mockImplementation(() => after);
    await sweep(env, BOUNDS);
    expect(runsOf(ticks).size).toBe(50);
    // Handed over twice is at most the page that could not be settled.
    expect(ticks.length).toBeLessThanOrEqual(60);
    expect(await sweep(env, BOUNDS)).toBe(0);
  });

  test("[S1] a sweep that dies just before the clock is set back holds up its ticks for no longer than another", async () => {
    await putAll(many("ada", 5));
    const [real, ahead] = [Date.now(), Date.now() + 600_000];
    vi.spyOn(Date, "now").mockImplementation(() => ahead);
    const dead = conversations();
    void sweep(
      brokenAfter(dead.env, 3, () => new Promise<never>(() => undefined)),
      BOUNDS,
    );
    await vi.waitFor(() => expect(dead.ticks).toHaveLength(5));
    vi.spyOn(Date, "now").mockImplementation(() => real);
    const next = conversations();
    expect(await sweep(next.env, BOUNDS)).toBe(5);
    expect(runsOf([...dead.ticks, ...next.ticks]).size).toBe(5);
  });

  test("[S3] a schedule that was deleted between claim and answer stays deleted", async () => {
    await putSchedules(DB, [schedule("ada", "a")]);
    const { env } = conversations(async () => {
      await removeSchedules(DB, "ada", { schedule_id: "a" });
      return later();
    });
    await sweep(env, BOUNDS);
    expect(await rowOf("ada", "a")).toBeNull();
  });
});

const down = () => Promise.reject(new Error("D1 is down"));

/** The same bindings, with a directory whose queries from the `query`th on come to nothing. */
function brokenAfter(env: Env, query: number, fail: () => Promise<never>): Env {
  let asked = 0;
  const next = <T>(ask: () => Promise<T>) => (++asked < query ? ask() : fail());
  const DB = {
    prepare: (text: string) => ({
      bind: (...values: unknown[]) => {
        const bound = env.DB.prepare(text).bind(...values);
        return Object.assign(Object.create(bound) as object, { bound, all: () => next(() => bound.all()) });
      },
    }),
    batch: (statements: readonly { bound: D1PreparedStatement }[]) =>
      next(() => env.DB.batch(statements.map(({ bound }) => bound))),
  };
  return { ...env, DB: DB as unknown as D1Database };
}
