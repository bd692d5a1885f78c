// The alarm of a conversation's threads, with a fake clock.

import type { LifecycleJobs } from "agents/lifecycle";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Lease, LEASE_MS } from "../../src/durable/conversation/threads/lease.ts";

const NOON = Date.UTC(2026, 0, 1, 12);

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => vi.useRealTimers());

/** Creates a lease, its job queue with other jobs, and a list of the alarms that it sets directly. */
function openLease(...others: readonly { readonly id: string; readonly time: number }[]) {
  const queue = new Map(others.map((job) => [job.id, job.time]));
  const alarms: number[] = [];
  const jobs = {
    push: async ({ id, time }: { id: string; time: number }) => void queue.set(id, time),
    list: () => [...queue].map(([id, time]) => ({ id, time })),
  } as unknown as LifecycleJobs;
  const lease = new Lease(
    () => jobs,
    async (time) => void alarms.push(time),
  );
  return { lease, queue, alarms };
}

test("[I26] a lease sets the alarm of running threads again for one lease period", async () => {
  const { lease, queue, alarms } = openLease();
  await lease.acquire();
  expect(queue.get("turns")).toBe(NOON + LEASE_MS);
  vi.setSystemTime(NOON + LEASE_MS);
  expect(await lease.extend(Infinity)).toBe(true);
  expect(alarms).toEqual([NOON + 2 * LEASE_MS]);
  expect(queue.get("turns"), "the next round of jobs finds it").toBe(NOON + LEASE_MS);
  await lease.acquire();
  expect(queue.get("turns"), "it is still held").toBe(NOON + LEASE_MS);
});

test("[I26] [H2] a lease sets the alarm no later than other pending work", async () => {
  const { lease, alarms } = openLease({ id: "deliver", time: NOON + 700 });
  await lease.acquire();
  expect(await lease.extend(NOON + 900)).toBe(true);
  expect(await lease.extend(NOON + 300)).toBe(true);
  expect(alarms).toEqual([NOON + 700, NOON + 300]);
});

test.each([
  ["a job", { id: "deliver", time: NOON }, Infinity],
  ["the expiry of a question", { id: "deliver", time: NOON + 900 }, NOON],
])("[I26] a lease leaves the alarm to the job queue when %s is due", async (_, job, next) => {
  const { lease, alarms } = openLease(job);
  await lease.acquire();
  expect(await lease.extend(next)).toBe(false);
  expect(alarms).toEqual([]);
});

test("a lease is expiring only shortly before its end", async () => {
  const { lease } = openLease();
  expect(lease.isExpiring).toBe(false);
  await lease.acquire();
  expect(lease.isExpiring).toBe(false);
  vi.setSystemTime(NOON + LEASE_MS - 1);
  expect(lease.isExpiring).toBe(true);
  vi.setSystemTime(NOON + LEASE_MS);
  expect(lease.isExpiring).toBe(false);
});

test("[I26] a lease is not held if it could not be stored", async () => {
  const pushed: number[] = [];
  let isDown = true;
  const jobs = {
    push: async ({ time }: { time: number }) => {
      if (isDown) throw new Error("down");
      pushed.push(time);
    },
    list: () => [],
  } as unknown as LifecycleJobs;
  const lease = new Lease(
    () => jobs,
    () => Promise.reject(new Error("down")),
  );
  await expect(lease.acquire()).rejects.toThrow("down");
  isDown = false;
  await lease.acquire();
  expect(pushed).toHaveLength(1);
  await expect(lease.extend(Infinity)).rejects.toThrow("down");
  await lease.acquire();
  expect(pushed).toHaveLength(2);
});
