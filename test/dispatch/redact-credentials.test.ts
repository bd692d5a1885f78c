// C1: credentials are removed from everything that an agent returns.

import { describe, expect, test } from "vitest";
import { fetchCard } from "../../src/dispatch/connect-peer.ts";
import { joinTextEvents } from "../agents/fixtures/local-agent.ts";
import {
  startAgent,
  runAgent,
  settings,
  formatSse,
  stopAfterEach,
  createTask,
  createTextUpdate,
  type CallHandler,
} from "./fixtures/remote-agent.ts";

stopAfterEach();

const KEY = 's3cret/"key"==';
const credentials = { type: "api_key", key: KEY, in: "query", name: "key" } as const;
const STREAMS = { capabilities: { streaming: true } };
const LEGACY = { ...STREAMS, url: "/rpc", protocolVersion: "0.3.0", supportedInterfaces: undefined };
const createRefusal =
  (message: string, slash = "/"): CallHandler =>
  ({ id }, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_603, message } }).replaceAll("/", slash));

describe("[C1] credentials in the output of an agent", () => {
  test.each([
    ["unchanged", KEY, {}],
    ["as PHP escapes JSON", KEY, {}, String.raw`\/`],
    ["in a URL", `GET /rpc?key=${encodeURIComponent(KEY)} failed`, {}],
    ["at the point where the text is truncated", `${"x".repeat(290)} ${KEY}`, {}],
    ["over A2A 0.3", KEY, LEGACY],
  ])("are removed from an error: %s", async (_name, message, card, slash?: string) => {
    const agent = await startAgent(createRefusal(message, slash), card);
    const events = await runAgent(agent.url, {}, credentials);
    expect(events.at(-1)).toMatchObject({ type: "failed", reason: expect.stringContaining("[key]") as string });
    expect(JSON.stringify(events)).not.toContain("s3c");
  });

  test("are removed from an answer that is split inside the key, without delaying other text", async () => {
    const agent = await startAgent(({ id }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(formatSse(id, { task: createTask("WORKING") }));
      const event = formatSse(id, createTextUpdate(`Your key is ${KEY}.`, false));
      const middle = event.indexOf("s3cret") + 4;
      response.write(event.slice(0, middle));
      setTimeout(() => response.end(event.slice(middle) + formatSse(id, { task: createTask("COMPLETED") })), 30);
    }, STREAMS);
    const events = await runAgent(agent.url, {}, credentials);
    expect(joinTextEvents(events)).toBe("Your key is [key].");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("are removed from its card", async () => {
    const agent = await startAgent(createRefusal(""), { description: `Call me with ${KEY}` });
    expect((await fetchCard(agent.url, settings, credentials)).card.description).toBe("Call me with [key]");
  });
});

test("a key that is a common word is not removed", async () => {
  const agent = await startAgent(createRefusal("out of order"));
  const events = await runAgent(agent.url, {}, { ...credentials, key: "order" });
  expect(events.at(-1)).toMatchObject({ type: "failed", reason: "The agent returned an error: out of order" });
});
