// How a client finds out that its line is dead, gets another one, and lets go of it.

import { expect, test, vi } from "vitest";
import type { ConnectOptions } from "../../src/client/connect.ts";
import { caughtUp, opened, pair, QUICK, started } from "./paired.ts";
import { answer } from "./scripted-server.ts";

test("a silent server counts as dead and is connected to anew", async () => {
  const { server, client, states } = await pair();
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  server.misdeeds.isDeaf = true;
  await vi.waitFor(() => expect(client.state.status).toBe("waiting"), { interval: 1 });
  server.misdeeds.isDeaf = false;
  await vi.waitFor(() => expect(states.filter((status) => status === "open").length).toBeGreaterThan(1));
  server.emit(...answer("th-9", "later"));
  await caughtUp(client, server);
});

test("who knows that the network is back need not wait for the next try", async () => {
  const { server, client } = await pair({ timing: { ...QUICK, backoff: { minMs: 60_000, maxMs: 60_000 } } });
  await client.send("before");
  await server.stop();
  await vi.waitFor(() => expect(client.state.status).toBe("waiting"));
  await server.start();
  client.retry();
  client.retry();
  expect((await client.send("after")).thread_id).toBe("th-2");
  await caughtUp(client, server);
  expect(server.sockets).toBe(1);
});

test("a line that died in silence is found out by whoever asks, long before the next ping", async () => {
  const { server, client, states } = await pair({ timing: { ...QUICK, pingEveryMs: 60_000 } });
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  client.retry();
  await new Promise((resolve) => setTimeout(resolve, QUICK.silenceMs * 2));
  expect(states).toEqual(["connecting", "open"]);
  server.misdeeds.isDeaf = true;
  client.retry();
  await vi.waitFor(() => expect(states).toEqual(["connecting", "open", "waiting"]), { interval: 1 });
  client.retry();
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
});

test("an idle line that answers pings stays", async () => {
  const { client, states } = await pair();
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  await new Promise((resolve) => setTimeout(resolve, QUICK.pingEveryMs * 5));
  expect(states).toEqual(["connecting", "open"]);
});

test("closing rejects what is unanswered and does not come back", async () => {
  const { server, client } = await pair();
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  server.misdeeds.lostAcks = 1;
  const sent = client.send("hello");
  client.close();
  await expect(sent).rejects.toMatchObject({ name: "AbortError" });
  await vi.waitFor(() => expect(server.sockets).toBe(0));
  expect(client.state).toEqual({ status: "closed" });
  await expect(client.resume("yes")).rejects.toMatchObject({ name: "AbortError" });
});

test("a server that says that it is ready and drops the line at once is left in peace longer each time", async () => {
  const server = await started();
  let told = 0;
  server.misdeeds.cut = () => ++told % 2 === 0;
  const waits: number[] = [];
  const onState: ConnectOptions["onState"] = (state) =>
    void (state.status === "waiting" && waits.push(state.retryAt - Date.now()));
  const client = opened(server, { onState, timing: { ...QUICK, backoff: { minMs: 50, maxMs: 1_000 } } });
  await vi.waitFor(() => expect(waits.at(-1)).toBeGreaterThan(150), { timeout: 4_000 });
  server.misdeeds.cut = () => false;
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  // One that has held for longer than was waited for it is taken up at once again.
  await new Promise((resolve) => setTimeout(resolve, waits.at(-1)));
  await server.stop();
  await vi.waitFor(() => expect(client.state.status).not.toBe("open"), { interval: 1 });
  expect(waits.at(-1)).toBeLessThanOrEqual(50);
});

test("who closes it on hearing that it waits is not connected again", async () => {
  const server = await started();
  const client = opened(server, { onState: ({ status }) => void (status === "waiting" && client.close()) });
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
  await server.stop();
  await server.start();
  await vi.waitFor(() => expect(client.state.status).toBe("closed"), { interval: 1 });
  await new Promise((resolve) => setTimeout(resolve, QUICK.backoff.maxMs * 3));
  expect(client.state).toEqual({ status: "closed" });
  expect(server.sockets).toBe(0);
});

test("who closes it on hearing of the conversation leaves it closed", async () => {
  const { client, states } = await pair({ onView: () => client.close() });
  await vi.waitFor(() => expect(states).toContain("closed"));
  expect(client.state).toEqual({ status: "closed" });
  await expect(client.send("hello")).rejects.toMatchObject({ name: "AbortError" });
});

test("a question over HTTP that is never answered is given up, and asked again", async () => {
  const server = await started({ requiresTicket: true });
  let asked = 0;
  const client = opened(server, {
    token: "secret",
    fetch: (input, init) => {
      asked += 1;
      if (asked > 1) return fetch(input, init);
      return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("left"))));
    },
  });
  await vi.waitFor(() => expect(client.state.status).toBe("open"));
});
