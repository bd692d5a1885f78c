// A conversation that has all the listeners that it takes: what is said to it is accepted once, and not lost.

import { afterAll, beforeAll, expect, test } from "vitest";
import { personAt } from "../support/person.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;

beforeAll(async () => {
  runtime = await startRuntime({ vars: { MAX_LISTENERS: "1" } });
});
afterAll(() => runtime.stop());

const STREAM = { "content-type": "application/json", accept: "text/event-stream" };

test("[L3] whoever wants the thread as a stream, and cannot have it, is told where it is", async () => {
  const person = personAt(runtime.url);
  const made = await person.request("POST", "/api/v1/conversations", {});
  const { conversation_id: id } = (await made.json()) as { conversation_id: string };
  const path = `${runtime.url}/api/v1/conversations/${id}`;
  const listener = new AbortController();
  const listening = await fetch(`${path}/events`, { headers: STREAM, signal: listener.signal });
  expect(listening.status).toBe(200);
  const body = JSON.stringify({ message: "what is 12 * 34?" });
  const said = await fetch(`${path}/messages`, { method: "POST", headers: STREAM, body });
  expect([said.status, said.headers.get("content-type")]).toEqual([202, "application/json"]);
  const { thread_id } = (await said.json()) as { thread_id: string };
  listener.abort();
  const { events } = await person.get<{ events: { event: string; data: { thread_id?: string } }[] }>(
    `/api/v1/conversations/${id}/events`,
  );
  const begun = events.filter(({ event }) => event === "thread_started");
  expect(begun.map(({ data }) => data.thread_id)).toEqual([thread_id]);
});
