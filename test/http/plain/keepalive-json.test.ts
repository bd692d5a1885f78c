// Slow JSON responses: spaces keep the connection open and reveal a disconnect.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { respondWithKeepalive } from "../../../src/http/keepalive-json.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createResponse() {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const onDisconnect = vi.fn<() => void>();
  const encodeError = (thrown: unknown) => ({ error: String(thrown) });
  const response = respondWithKeepalive(promise, { headers: { "x-kept": "yes" }, onDisconnect, encodeError });
  return { response, resolve, reject, onDisconnect };
}

test("respondWithKeepalive sends a fast result as an ordinary response", async () => {
  const { response, resolve, onDisconnect } = createResponse();
  resolve({ a: 1 });
  const answered = await response;
  expect(answered.headers.get("x-kept")).toBe("yes");
  expect(await answered.text()).toBe('{"a":1}');
  expect(onDisconnect).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test("respondWithKeepalive rejects with a fast failure, so that its caller sets the status", async () => {
  const { response, reject } = createResponse();
  reject(new Error("Nobody is there"));
  await expect(response).rejects.toThrow("Nobody is there");
  expect(vi.getTimerCount()).toBe(0);
});

test("respondWithKeepalive sends a slow result as the same JSON after spaces", async () => {
  const { response, resolve } = createResponse();
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

test("respondWithKeepalive encodes a slow failure", async () => {
  const { response, reject } = createResponse();
  await vi.advanceTimersByTimeAsync(2_000);
  const answered = await response;
  reject(new Error("gone"));
  expect(await answered.json()).toEqual({ error: "Error: gone" });
});

test("[F13] respondWithKeepalive reports a disconnect and stops writing", async () => {
  const { response, resolve, onDisconnect } = createResponse();
  await vi.advanceTimersByTimeAsync(2_000);
  await (await response).body?.cancel();
  expect(onDisconnect).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
  resolve({ a: 1 });
  await vi.advanceTimersByTimeAsync(2_000);
});
