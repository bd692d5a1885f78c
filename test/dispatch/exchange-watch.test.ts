import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { ExchangeWatch } from "../../src/dispatch/exchange-watch.ts";

const LIMITS = { timeoutMs: 10_000, idleMs: 10_000, maxBytes: 1, maxEvents: 1 };

test("ExchangeWatch.pause() leaves no listeners behind", async () => {
  const outer = new AbortController();
  const watch = new ExchangeWatch(LIMITS, outer.signal);
  for (let n = 0; n < 3; n += 1) await watch.pause(1);
  expect(getEventListeners(watch.signal, "abort")).toEqual([]);
  watch.close();
  expect(getEventListeners(outer.signal, "abort")).toEqual([]);
});

test("ExchangeWatch.pause() rejects with the reason when the exchange is aborted", async () => {
  const outer = new AbortController();
  const watch = new ExchangeWatch(LIMITS, outer.signal);
  const paused = watch.pause(10_000);
  outer.abort();
  await expect(paused).rejects.toMatchObject({ code: "agent_cancelled" });
  await expect(watch.pause(10_000)).rejects.toMatchObject({ code: "agent_cancelled" });
});
