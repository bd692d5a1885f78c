import { expect, onTestFinished, test, vi } from "vitest";
import {
  completeOnce,
  DONE,
  finishFrame,
  createTestModel,
  textFrame,
  serveScripts,
  createStreamScript,
} from "./scripted-endpoint.ts";

test.each([
  [1, 0, 0],
  [2, 250, 500],
  [3, 500, 1_000],
])("[I30] attempt %i after a malformed completion waits %i to %i ms", async (attempt, min, max) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const started = Date.now();
  let requestedAt = -1;
  const emptyFetch: typeof fetch = () => {
    requestedAt = Date.now() - started;
    return Promise.resolve(new Response("", { headers: { "content-type": "text/event-stream" } }));
  };
  const completion = completeOnce(createTestModel({ fetch: emptyFetch }), { attempt }).catch(
    (thrown: unknown) => thrown,
  );
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await completion).toMatchObject({ code: "model_interrupted", retryable: true });
  expect(requestedAt).toBeGreaterThanOrEqual(min);
  expect(requestedAt).toBeLessThanOrEqual(max);
});

test("[T5] an abort during the wait before a retry rejects at once without a request", async () => {
  const { url, requests } = await serveScripts(createStreamScript(textFrame("ok"), finishFrame(), DONE));
  const later = { attempt: 3, signal: AbortSignal.timeout(20) };
  await expect(completeOnce(createTestModel({ url }), later)).rejects.toMatchObject({ name: "TimeoutError" });
  expect(requests).toHaveLength(0);
});
