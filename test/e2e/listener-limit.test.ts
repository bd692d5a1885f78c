// A conversation with the maximum number of listeners accepts messages exactly once.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiUser } from "../support/api-user.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;

beforeAll(async () => {
  runtime = await startRuntime({ vars: { MAX_LISTENERS: "1" } });
});
afterAll(() => runtime.stop());

const STREAM = { "content-type": "application/json", accept: "text/event-stream" };

test("[L3] a streaming request beyond the listener limit is accepted with 202 and the id of its thread", async () => {
  const user = createApiUser(runtime.url);
  const created = await user.request("POST", "/api/v1/conversations", {});
  const { conversation_id: id } = (await created.json()) as { conversation_id: string };
  const path = `${runtime.url}/api/v1/conversations/${id}`;
  const listener = new AbortController();
  const stream = await fetch(`${path}/events`, { headers: STREAM, signal: listener.signal });
  expect(stream.status).toBe(200);
  const body = JSON.stringify({ message: "what is 12 * 34?" });
  const accepted = await fetch(`${path}/messages`, { method: "POST", headers: STREAM, body });
  expect([accepted.status, accepted.headers.get("content-type")]).toEqual([202, "application/json"]);
  const { thread_id } = (await accepted.json()) as { thread_id: string };
  listener.abort();
  const { events } = await user.get<{ events: { event: string; data: { thread_id?: string } }[] }>(
    `/api/v1/conversations/${id}/events`,
  );
  const startedThreads = events.filter(({ event }) => event === "thread_started");
  expect(startedThreads.map(({ data }) => data.thread_id)).toEqual([thread_id]);
});
