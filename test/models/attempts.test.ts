import { expect, onTestFinished, test, vi } from "vitest";
import { ask, DONE, finish, modelAt, say, serve, stream } from "./scripted-endpoint.ts";

test.each([
  [1, 0, 0],
  [2, 250, 500],
  [3, 500, 1_000],
])("[I30] attempt %i at an answer that was broken waits %i to %i ms", async (attempt, least, most) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const started = Date.now();
  let asked = -1;
  const empty: typeof fetch = () => {
    asked = Date.now() - started;
    return Promise.resolve(new Response("", { headers: { "content-type": "text/event-stream" } }));
  };
  const whole = ask(modelAt({ fetch: empty }), { attempt }).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await whole).toMatchObject({ code: "model_interrupted", retryable: true });
  expect(asked).toBeGreaterThanOrEqual(least);
  expect(asked).toBeLessThanOrEqual(most);
});

test("[T5] an abort while a later attempt waits rejects at once, and nothing is asked", async () => {
  const { url, requests } = await serve(stream(say("ok"), finish(), DONE));
  const later = { attempt: 3, signal: AbortSignal.timeout(20) };
  await expect(ask(modelAt({ url }), later)).rejects.toMatchObject({ name: "TimeoutError" });
  expect(requests).toHaveLength(0);
});
