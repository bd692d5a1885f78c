// C1: an agent that repeats what it was called with is heard without it.

import { describe, expect, test } from "vitest";
import { fetchCard } from "../../src/dispatch/connect-peer.ts";
import { textOf } from "../agents/fixtures/local.ts";
import { odd, run, settings, sse, stopAfterEach, taskIn, words, type Odd } from "./fixtures/foreign.ts";

stopAfterEach();

const KEY = 's3cret/"key"==';
const credentials = { type: "api_key", key: KEY, in: "query", name: "key" } as const;
const STREAMS = { capabilities: { streaming: true } };
const OLD = { ...STREAMS, url: "/rpc", protocolVersion: "0.3.0", supportedInterfaces: undefined };
const refusing =
  (message: string, slash = "/"): Odd =>
  ({ id }, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_603, message } }).replaceAll("/", slash));

describe("C1: an agent that repeats its key", () => {
  test.each([
    ["as it is", KEY, {}],
    ["in JSON as PHP writes it", KEY, {}, String.raw`\/`],
    ["in an address", `GET /rpc?key=${encodeURIComponent(KEY)} failed`, {}],
    ["at the end of what is kept of its words", `${"x".repeat(290)} ${KEY}`, {}],
    ["over A2A 0.3", KEY, OLD],
  ])("in an error, %s", async (_name, message, card, slash?: string) => {
    const agent = await odd(refusing(message, slash), card);
    const events = await run(agent.url, {}, credentials);
    expect(events.at(-1)).toMatchObject({ type: "failed", reason: expect.stringContaining("[key]") as string });
    expect(JSON.stringify(events)).not.toContain("s3c");
  });

  test("in its answer, wherever the line cuts it, holds up nothing else", async () => {
    const agent = await odd(({ id }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(id, { task: taskIn("WORKING") }));
      const told = sse(id, words(`Your key is ${KEY}.`, false));
      const middle = told.indexOf("s3cret") + 4;
      response.write(told.slice(0, middle));
      setTimeout(() => response.end(told.slice(middle) + sse(id, { task: taskIn("COMPLETED") })), 30);
    }, STREAMS);
    const events = await run(agent.url, {}, credentials);
    expect(textOf(events)).toBe("Your key is [key].");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("in its card", async () => {
    const agent = await odd(refusing(""), { description: `Call me with ${KEY}` });
    expect((await fetchCard(agent.url, settings, credentials)).card.description).toBe("Call me with [key]");
  });
});

test("a key that is a common word leaves the words of its agent alone", async () => {
  const agent = await odd(refusing("out of order"));
  const events = await run(agent.url, {}, { ...credentials, key: "order" });
  expect(events.at(-1)).toMatchObject({ type: "failed", reason: "The agent refused: out of order" });
});
