import { getEventListeners } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { computeBackoffMs, sleep, withRetry } from "../../src/lib/retry.ts";

test("computeBackoffMs doubles the delay up to its maximum and picks a value in the upper half", () => {
  const bounds = { minMs: 100, maxMs: 300 };
  expect([1, 2, 3, 4].map((attempt) => computeBackoffMs(attempt, bounds, () => 0))).toEqual([50, 100, 150, 150]);
  expect(computeBackoffMs(2, bounds, () => 0.5)).toBe(150);
});

test("sleep leaves no listener on its signal", async () => {
  const { signal } = new AbortController();
  for (let n = 0; n < 3; n += 1) await sleep(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("sleep rejects with the reason of a signal that aborts or has aborted", async () => {
  const controller = new AbortController();
  const pause = sleep(10_000, controller.signal);
  controller.abort("enough");
  await expect(pause).rejects.toBe("enough");
  await expect(sleep(10_000, controller.signal)).rejects.toBe("enough");
});

test("withRetry repeats until the work succeeds and rejects with the error that is not repeated", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const attempts: number[] = [];
  const work = (attempt: number): Promise<string> => {
    attempts.push(attempt);
    return attempt < 3 ? Promise.reject(new Error(`failure ${attempt}`)) : Promise.resolve("done");
  };
  const done = withRetry(work, (_, attempt) => attempt * 1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(attempts).toEqual([1, 2]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await done).toBe("done");
  await expect(withRetry(work, () => null)).rejects.toThrow("failure 1");
});
