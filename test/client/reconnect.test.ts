// How a client detects a dead connection, reconnects, and closes.

import { expect, test, vi } from "vitest";
import type { ConnectOptions } from "../../src/client/connect.ts";
import { waitUntilCaughtUp, openClient, startPair, QUICK_TIMING, startTestServer } from "./client-pair.ts";
import { createAnswerThread } from "./scripted-server.ts";

test("a silent server counts as dead and is reconnected", async () => {
  const { server, client, states } = await startPair();
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  server.misbehavior.ignoresPings = true;
  await vi.waitFor(() => expect(client.state.status).toBe("waiting"), { interval: 1 });
  server.misbehavior.ignoresPings = false;
  await vi.waitFor(() => expect(states.filter((status) => status === "open").length).toBeGreaterThan(1));
  server.emit(...createAnswerThread("th-9", "later"));
  await waitUntilCaughtUp(client, server);
});

test("retry reconnects at once, before the backoff ends", async () => {
  const { server, client } = await startPair({
    timing: { ...QUICK_TIMING, backoff: { minMs: 60_000, maxMs: 60_000 } },
  });
  await client.send("before");
  await server.stop();
  await vi.waitFor(() => expect(client.state.status).toBe("waiting"));
  await server.start();
  client.retry();
  client.retry();
  expect((await client.send("after")).thread_id).toBe("th-2");
  await waitUntilCaughtUp(client, server);
  expect(server.sockets).toBe(1);
});

test("retry detects a dead connection long before the next ping", async () => {
  const { server, client, states } = await startPair({ timing: { ...QUICK_TIMING, pingEveryMs: 60_000 } });
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  client.retry();
  await new Promise((resolve) => setTimeout(resolve, QUICK_TIMING.silenceMs * 2));
  expect(states).toEqual(["connecting", "open"]);
  server.misbehavior.ignoresPings = true;
  client.retry();
  await vi.waitFor(() => expect(states).toEqual(["connecting", "open", "waiting"]), { interval: 1 });
  client.retry();
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
});

test("an idle connection that answers pings stays open", async () => {
  const { client, states } = await startPair();
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  await new Promise((resolve) => setTimeout(resolve, QUICK_TIMING.pingEveryMs * 5));
  expect(states).toEqual(["connecting", "open"]);
});

test("close rejects unanswered commands and does not reconnect", async () => {
  const { server, client } = await startPair();
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  server.misbehavior.lostAcks = 1;
  const sent = client.send("hello");
  client.close();
  await expect(sent).rejects.toMatchObject({ name: "AbortError" });
  await vi.waitFor(() => expect(server.sockets).toBe(0));
  expect(client.state).toEqual({ status: "closed" });
  await expect(client.resume("yes")).rejects.toMatchObject({ name: "AbortError" });
});

test("the backoff grows for a server that drops each connection right after the start", async () => {
  const server = await startTestServer();
  let frameCount = 0;
  server.misbehavior.cut = () => ++frameCount % 2 === 0;
  const waits: number[] = [];
  const onState: ConnectOptions["onState"] = (state) =>
    void (state.status === "waiting" && waits.push(state.retryAt - Date.now()));
  const client = openClient(server, { onState, timing: { ...QUICK_TIMING, backoff: { minMs: 50, maxMs: 1_000 } } });
  await vi.waitFor(() => expect(waits.at(-1)).toBeGreaterThan(150), { timeout: 4_000 });
  server.misbehavior.cut = () => false;
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  // A connection that lasts longer than its last backoff resets the backoff.
  await new Promise((resolve) => setTimeout(resolve, waits.at(-1)));
  await server.stop();
  await vi.waitFor(() => expect(client.state.status).not.toBe("open"), { interval: 1 });
  expect(waits.at(-1)).toBeLessThanOrEqual(50);
});

test("close in the listener of the waiting state prevents a reconnect", async () => {
  const server = await startTestServer();
  const client = openClient(server, { onState: ({ status }) => void (status === "waiting" && client.close()) });
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  await server.stop();
  await server.start();
  await vi.waitFor(() => expect(client.state.status).toBe("closed"), { interval: 1 });
  await new Promise((resolve) => setTimeout(resolve, QUICK_TIMING.backoff.maxMs * 3));
  expect(client.state).toEqual({ status: "closed" });
  expect(server.sockets).toBe(0);
});

test("close in the listener of the view closes the connection", async () => {
  const { client, states } = await startPair({ onView: () => client.close() });
  await vi.waitFor(() => expect(states).toContain("closed"));
  expect(client.state).toEqual({ status: "closed" });
  await expect(client.send("hello")).rejects.toMatchObject({ name: "AbortError" });
});

test("an HTTP request without a response is given up and retried", async () => {
  const server = await startTestServer({ requiresTicket: true });
  let requestCount = 0;
  const client = openClient(server, {
    token: "secret",
    fetch: (input, init) => {
      requestCount += 1;
      if (requestCount > 1) return fetch(input, init);
      return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("left"))));
    },
  });
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
});
