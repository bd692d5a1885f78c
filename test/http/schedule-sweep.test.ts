// The sweep over a real D1, with conversations that return scripted answers.

import { createScheduledController } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { putSchedules, removeSchedule } from "../../src/directory/schedule-directory.ts";
import type { RpcResult } from "../../src/durable/conversation-api.ts";
import type { Env } from "../../src/env.ts";
import { sweep, type SweepLimits } from "../../src/http/schedule-sweep.ts";
import worker from "../../src/worker.ts";
import {
  clearSchedules,
  DB,
  createSchedules,
  putAllSchedules,
  readScheduleRow,
  createSchedule,
} from "../directory/schedule-rows.ts";

const SWEEP_LIMITS: SweepLimits = {
  maxTicks: 100,
  pageSize: 10,
  concurrency: 3,
  claimPeriodMs: 10_000,
  handOverTimeoutMs: 200,
  leaseMs: 30_000,
};

type TickAnswer = RpcResult<{ next_run_at: number | null }>;
type ReceivedTick = { readonly name: string; readonly scheduleId: string; readonly dueAt: number };

const answerLater = (): TickAnswer => ({ ok: true, value: { next_run_at: Date.now() + 60_000 } });
const NOT_FOUND_ANSWER: TickAnswer = { ok: false, failure: { code: "not_found", message: "Conversation not found." } };

/** Creates a namespace of conversations that records the ticks they receive. */
function createNamespace(answer: (tick: ReceivedTick) => TickAnswer | Promise<TickAnswer> = answerLater) {
  const ticks: ReceivedTick[] = [];
  const getByName = (name: string) => ({
    tick: async (scheduleId: string, dueAt: number) => {
      const tick = { name, scheduleId, dueAt };
      ticks.push(tick);
      return answer(tick);
    },
  });
  return { ticks, env: { DB, CONVERSATION: { getByName } } as unknown as Env };
}

const listRuns = (ticks: readonly ReceivedTick[]) =>
  new Set(ticks.map(({ scheduleId, dueAt }) => `${scheduleId} ${dueAt}`));

beforeEach(clearSchedules);
afterEach(() => void vi.restoreAllMocks());

describe("a sweep", () => {
  test("delivers each due tick to its conversation and stores the returned due time", async () => {
    await putSchedules(DB, [
      createSchedule("a b", "one"),
      createSchedule("ada", "two", { next_run_at: Date.now() + 60_000 }),
    ]);
    const { ticks, env } = createNamespace(() => ({ ok: true, value: { next_run_at: 1e15 } }));
    expect(await sweep(env, SWEEP_LIMITS)).toBe(1);
    expect(ticks).toEqual([{ name: "a%20b/conv-one", scheduleId: "one", dueAt: 1_000 }]);
    expect(await readScheduleRow("a b", "one")).toEqual({ next_run_at: 1e15, claimed_until: 0 });
  });

  test("[S3] deletes a schedule that its conversation does not know", async () => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    expect(await sweep(createNamespace(() => NOT_FOUND_ANSWER).env, SWEEP_LIMITS)).toBe(1);
    expect(await readScheduleRow("ada", "a")).toBeNull();
  });

  test("[S1] delivers each tick once when several sweeps run at once", async () => {
    await putAllSchedules(createSchedules("ada", 95));
    const { ticks, env } = createNamespace();
    const delivered = await Promise.all(Array.from({ length: 4 }, () => sweep(env, SWEEP_LIMITS)));
    expect(delivered.reduce((sum, count) => sum + count)).toBe(95);
    expect(ticks).toHaveLength(95);
    expect(listRuns(ticks).size).toBe(95);
  });

  test("runs on the cron trigger", async () => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    const { ticks, env } = createNamespace();
    await worker.scheduled(createScheduledController(), env);
    expect(ticks).toHaveLength(1);
  });
});

describe("a sweep with more due ticks than its limit", () => {
  test("is continued by the next ones without duplicates", async () => {
    await putAllSchedules(createSchedules("crowd", 1_000));
    const { ticks, env } = createNamespace();
    const bounds = { ...SWEEP_LIMITS, maxTicks: 300, pageSize: 50 };
    const delivered: number[] = [];
    for (let i = 0; i < 5; i++) delivered.push(await sweep(env, bounds));
    expect(delivered).toEqual([300, 300, 300, 100, 0]);
    expect(listRuns(ticks).size).toBe(1_000);
    expect(ticks).toHaveLength(1_000);
  });

  test("ends in time and leaves the rest unclaimed", async () => {
    await putAllSchedules(createSchedules("ada", 60));
    let now = 1e12;
    vi.spyOn(Date, "now").mockImplementation(() => now);
    const { ticks, env } = createNamespace(() => {
      now += 1_000;
      return answerLater();
    });
    expect(await sweep(env, { ...SWEEP_LIMITS, concurrency: 1 })).toBe(20);
    expect(ticks).toHaveLength(20);
    // The rest was not claimed: another sweep may claim it at once.
    expect(await sweep(env, { ...SWEEP_LIMITS, claimPeriodMs: 1e9 })).toBe(40);
  });
});

describe("a sweep with failures", () => {
  const mockConsoleError = () => vi.spyOn(console, "error").mockImplementation(() => undefined);

  test.each<[string, (dueAt: number) => TickAnswer | Promise<TickAnswer>]>([
    ["throws", () => Promise.reject(new Error("The object is overloaded"))],
    ["fails", () => ({ ok: false, failure: { code: "internal", message: "Something went wrong." } })],
    ["does not respond", () => new Promise(() => undefined)],
    ["returns a due time that is not later", (dueAt) => ({ ok: true, value: { next_run_at: dueAt } })],
  ])("delays only the conversation that %s, logs it, and retries after the lease", async (_, fail) => {
    const error = mockConsoleError();
    await putAllSchedules([...createSchedules("ada", 30), createSchedule("bob", "bad")]);
    let isBad = true;
    const { ticks, env } = createNamespace((tick) =>
      isBad && tick.scheduleId === "bad" ? fail(tick.dueAt) : answerLater(),
    );
    expect(await sweep(env, SWEEP_LIMITS)).toBe(30);
    expect(error).toHaveBeenCalledOnce();
    expect(await sweep(env, SWEEP_LIMITS)).toBe(0);
    isBad = false;
    const after = Date.now() + SWEEP_LIMITS.leaseMs;
    vi.spyOn(Date, "now").mockImplementation(() => after);
    expect(await sweep(env, SWEEP_LIMITS)).toBe(1);
    expect(ticks.filter(({ scheduleId }) => scheduleId === "bad")).toHaveLength(2);
  });

  test("retries ticks that a full conversation rejected, without an error", async () => {
    const error = mockConsoleError();
    await putAllSchedules(createSchedules("ada", 30));
    const full: TickAnswer = {
      ok: false,
      failure: { code: "too_many_requests", message: "Too many runs are waiting." },
    };
    const { env } = createNamespace(({ scheduleId }) => (scheduleId.endsWith("7") ? full : answerLater()));
    expect(await sweep(env, SWEEP_LIMITS)).toBe(27);
    expect(error).not.toHaveBeenCalled();
    const after = Date.now() + SWEEP_LIMITS.leaseMs;
    vi.spyOn(Date, "now").mockImplementation(() => after);
    expect(await sweep(createNamespace().env, SWEEP_LIMITS)).toBe(3);
  });

  test.each([1, 2, 3, 4, 5])("[S1] loses no tick when the directory fails from query %i on", async (query) => {
    await putAllSchedules(createSchedules("ada", 50));
    const { ticks, env } = createNamespace();
    await expect(async () =>
      sweep(breakDirectoryAfter(env, query, failQuery), { ...SWEEP_LIMITS, concurrency: 1 }),
    ).rejects.toThrow("down");
    const after = Date.now() + SWEEP_LIMITS.leaseMs;
    vi.spyOn(Date, "now").mockImplementation(() => after);
    await sweep(env, SWEEP_LIMITS);
    expect(listRuns(ticks).size).toBe(50);
    // At most the page that could not be confirmed is delivered twice.
    expect(ticks.length).toBeLessThanOrEqual(60);
    expect(await sweep(env, SWEEP_LIMITS)).toBe(0);
  });

  test("[S3] does not restore a schedule that was deleted between claim and answer", async () => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    const { env } = createNamespace(async () => {
      await removeSchedule(DB, "ada", "a");
      return answerLater();
    });
    await sweep(env, SWEEP_LIMITS);
    expect(await readScheduleRow("ada", "a")).toBeNull();
  });
});

const failQuery = () => Promise.reject(new Error("D1 is down"));

/** Returns the bindings with a directory whose queries fail from number `query` on. */
function breakDirectoryAfter(env: Env, query: number, fail: () => Promise<never>): Env {
  let queries = 0;
  const runQuery = <T>(operation: () => Promise<T>) => (++queries < query ? operation() : fail());
  const DB = {
    prepare: (text: string) => ({
      bind: (...values: unknown[]) => {
        const bound = env.DB.prepare(text).bind(...values);
        return Object.assign(Object.create(bound) as object, { bound, all: () => runQuery(() => bound.all()) });
      },
    }),
    batch: (statements: readonly { bound: D1PreparedStatement }[]) =>
      runQuery(() => env.DB.batch(statements.map(({ bound }) => bound))),
  };
  return { ...env, DB: DB as unknown as D1Database };
}
