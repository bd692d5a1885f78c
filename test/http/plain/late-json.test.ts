// Answers that take long: blanks keep their line open, and show who has left it.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { respondWithKeepalive } from "../../../src/http/keepalive-json.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function work() {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const onDisconnect = vi.fn<() => void>();
  const encodeError = (thrown: unknown) => ({ error: String(thrown) });
  const response = respondWithKeepalive(promise, { headers: { "x-kept": "yes" }, onDisconnect, encodeError });
  return { response, resolve, reject, leave: onDisconnect };
}

test("what comes soon is an ordinary answer", async () => {
  const { response, resolve, leave } = work();
  resolve({ a: 1 });
  const answered = await response;
  expect(answered.headers.get("x-kept")).toBe("yes");
  expect(await answered.text()).toBe('{"a":1}');
  expect(leave).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test("what fails soon is for its caller to answer, with the status that it has", async () => {
  const { response, reject } = work();
  reject(new Error("Nobody is there"));
  await expect(response).rejects.toThrow("Nobody is there");
  expect(vi.getTimerCount()).toBe(0);
});

test("what comes late is the same JSON, after blanks", async () => {
  const { response, resolve } = work();
  await vi.advanceTimersByTimeAsync(7_000);
  const answered = await response;
  resolve({ a: 1 });
  expect([answered.status, answered.headers.get("x-kept")]).toEqual([200, "yes"]);
  expect(answered.headers.get("content-type")).toBe("application/json");
  const text = await answered.text();
  expect(text).toBe('   {"a":1}');
  expect(JSON.parse(text)).toEqual({ a: 1 });
  expect(vi.getTimerCount()).toBe(0);
});

test("what fails late is explained", async () => {
  const { response, reject } = work();
  await vi.advanceTimersByTimeAsync(2_000);
  const answered = await response;
  reject(new Error("gone"));
  expect(await answered.json()).toEqual({ error: "Error: gone" });
});

test("[F13] a reader who leaves is noticed, and nothing is written any more", async () => {
  const { response, resolve, leave } = work();
  await vi.advanceTimersByTimeAsync(2_000);
  await (await response).body?.cancel();
  expect(leave).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
  resolve({ a: 1 });
  await vi.advanceTimersByTimeAsync(2_000);
});
