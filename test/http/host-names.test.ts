// Host names: without authentication, a page of any site could rebind its name to this machine.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Env } from "../../src/env.ts";
import { handleRequest } from "../../src/http/http-app.ts";
import { authenticateAs, WITH_SECRET } from "./tokens.ts";

const ENV = env as unknown as Env;
const HELLO_MESSAGE = { role: "user", content: "hello" };
const createRpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

type InterfaceRequest = {
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

/** All interfaces that act for a user. */
const INTERFACES: Readonly<Record<string, InterfaceRequest>> = {
  "reading over HTTP": { path: "/api/v1/conversations" },
  "sending over HTTP": { path: "/api/v1/messages", body: { message: "hello" } },
  "a ticket": { path: "/api/v1/tickets", body: { conversation_id: "c1" } },
  "a socket": { path: "/api/v1/conversations/c1/ws", headers: { upgrade: "websocket" } },
  OpenAI: { path: "/v1/chat/completions", body: { model: "orrery", messages: [HELLO_MESSAGE] } },
  "the models of OpenAI": { path: "/v1/models" },
  "AG-UI": {
    path: "/agui",
    body: {
      threadId: "t1",
      runId: "r1",
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
      messages: [HELLO_MESSAGE],
    },
  },
  MCP: { path: "/mcp", body: createRpc("ping") },
  A2A: { path: "/a2a", body: createRpc("ListTasks"), headers: { "a2a-version": "1.0" } },
  "A2A over HTTP+JSON": { path: "/a2a/tasks" },
};

/** Returns true if the interface refuses the request because of its host name. */
async function isRefused(
  origin: string,
  { path, body, headers = {} }: InterfaceRequest,
  settings: object = {},
): Promise<boolean> {
  const request = new Request(origin + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await handleRequest(request, { ...ENV, ...settings }, createExecutionContext());
  if (response.webSocket !== null) return false;
  const text = await response.text();
  // A2A reports it as an error of its own.
  return (path.startsWith("/a2a") || response.status === 403) && text.includes("Sign-in is off");
}

test.each([
  ["http://localhost:8787", null],
  ["https://orrery.localhost", "max-age=31536000"],
])("requires https from now on only over https: %s", async (origin, expected) => {
  const response = await handleRequest(new Request(`${origin}/health`), ENV, createExecutionContext());
  await response.body?.cancel();
  expect(response.headers.get("strict-transport-security")).toBe(expected);
});

describe.each(Object.entries(INTERFACES))("[U1] %s", (_, request) => {
  test.each(["http://evil.example:8787", "http://127.0.0.1.evil.example"])(
    "is refused for a name that was rebound to this address: %s",
    async (origin) => {
      expect(await isRefused(origin, request)).toBe(true);
      // The Origin header that the browser adds for such a page.
      expect(await isRefused(origin, { ...request, headers: { ...request.headers, origin } })).toBe(true);
    },
  );

  test.each(["http://localhost:8787", "https://orrery.localhost", "http://127.0.0.1:8787", "http://[::1]:8787"])(
    "is allowed for a name of this machine: %s",
    async (origin) => {
      expect(await isRefused(origin, request)).toBe(false);
    },
  );

  test("is allowed for any name with tokens or an allowed origin behind a proxy", async () => {
    const { headers } = await authenticateAs("ada");
    const asAda = { ...request, headers: { ...request.headers, ...headers, origin: "https://chat.example" } };
    expect(await isRefused("https://chat.example", asAda, WITH_SECRET)).toBe(false);
    // The proxy may have terminated TLS.
    expect(await isRefused("http://chat.example", request, { ALLOWED_ORIGINS: "https://chat.example" })).toBe(false);
  });
});
