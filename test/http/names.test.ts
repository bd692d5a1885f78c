// By which names it is called: where nobody is asked for a token, a page of any site could give its name to this machine.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Env } from "../../src/env.ts";
import { handleRequest } from "../../src/http/http-app.ts";
import { as, BY_SECRET } from "./tokens.ts";

const ENV = env as unknown as Env;
const HELLO = { role: "user", content: "hello" };
const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

type Ask = { readonly path: string; readonly body?: object; readonly headers?: Readonly<Record<string, string>> };

/** Every door that does something for somebody. */
const DOORS: Readonly<Record<string, Ask>> = {
  "HTTP, reading": { path: "/api/v1/conversations" },
  "HTTP, talking": { path: "/api/v1/messages", body: { message: "hello" } },
  "a ticket": { path: "/api/v1/tickets", body: { conversation_id: "c1" } },
  "a socket": { path: "/api/v1/conversations/c1/ws", headers: { upgrade: "websocket" } },
  OpenAI: { path: "/v1/chat/completions", body: { model: "orrery", messages: [HELLO] } },
  "OpenAI, reading": { path: "/v1/models" },
  "AG-UI": {
    path: "/agui",
    body: { threadId: "t1", runId: "r1", state: {}, tools: [], context: [], forwardedProps: {}, messages: [HELLO] },
  },
  MCP: { path: "/mcp", body: rpc("ping") },
  A2A: { path: "/a2a", body: rpc("ListTasks"), headers: { "a2a-version": "1.0" } },
};

/** Whether a door does nothing, because of the name by which it is called. */
async function isShut(origin: string, { path, body, headers = {} }: Ask, settings: object = {}): Promise<boolean> {
  const request = new Request(origin + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await handleRequest(request, { ...ENV, ...settings }, createExecutionContext());
  if (response.webSocket !== null) return false;
  const text = await response.text();
  // A2A says it in JSON-RPC alone.
  return (path === "/a2a" || response.status === 403) && text.includes("Nobody is asked for a token here");
}

describe.each(Object.entries(DOORS))("[U1] %s", (_, door) => {
  test.each([
    "http://evil.example:8787",
    "http://localhost.evil.example:8787",
    "http://127.0.0.1.evil.example",
    "http://xlocalhost:8787",
    "http://evil.example.:8787",
  ])("does nothing for the page of a name that was bent to this address: %s", async (origin) => {
    expect(await isShut(origin, door)).toBe(true);
    // What the browser adds for a page that takes itself for ours.
    expect(await isShut(origin, { ...door, headers: { ...door.headers, origin } })).toBe(true);
  });

  test.each(["http://localhost:8787", "https://orrery.localhost", "http://127.0.0.1:8787", "http://[::1]:8787"])(
    "is open by a name of this machine: %s",
    async (origin) => {
      expect(await isShut(origin, door)).toBe(false);
    },
  );

  test("is open by any name behind a proxy, with tokens or where its origin is allowed", async () => {
    const { headers } = await as("ada");
    const asAda = { ...door, headers: { ...door.headers, ...headers, origin: "https://chat.example" } };
    expect(await isShut("https://chat.example", asAda, BY_SECRET)).toBe(false);
    // The proxy may have taken the encryption off.
    expect(await isShut("http://chat.example", door, { ALLOWED_ORIGINS: "https://chat.example" })).toBe(false);
  });
});
