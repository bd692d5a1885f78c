// Requests to /mcp without a client library, from incorrect to hostile.

import { describe, expect, test, vi } from "vitest";
import { authenticateAs, WITH_SECRET } from "../tokens.ts";
import { BROKEN_DB, call, createEndlessBody, ORIGIN, type ApiRequest } from "../support.ts";

const KB = 1_024;
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

type McpAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

async function postMcp(body: unknown, options: ApiRequest = {}): Promise<McpAnswer> {
  const response = await call("POST", "/mcp", { ...options, body });
  expect(response.headers.get("content-type")).toBe("application/json");
  const { jsonrpc, ...rest } = (await response.json()) as Record<string, unknown>;
  expect(jsonrpc).toBe("2.0");
  return { status: response.status, headers: response.headers, ...rest };
}

const createRequest = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

/** Sends a request of version 2026-07-28 with its headers, unless they are overridden. */
function postStateless(
  method: string,
  params: { name?: string; uri?: string } = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const _meta = { [VERSION]: "2026-07-28", [CAPABILITIES]: {} };
  const baseHeaders = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
  const allHeaders = params.name === undefined ? baseHeaders : { ...baseHeaders, "mcp-name": params.name };
  return postMcp(createRequest(method, { ...params, _meta }), { headers: { ...allHeaders, ...headers } });
}

describe("MCP versions", () => {
  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2024-11-05"],
    ["2099-01-01", "2025-11-25"],
    [7, "2025-11-25"],
  ])("a request for %s is answered with %s", async (requested, expected) => {
    const params = { protocolVersion: requested, capabilities: {}, clientInfo: { name: "x", version: "1" } };
    const { result, headers } = await postMcp(createRequest("initialize", params));
    expect(result).toMatchObject({
      protocolVersion: expected,
      capabilities: { tools: {} },
      serverInfo: { name: "orrery" },
    });
    expect(headers.get("mcp-session-id")).toMatch(/^[\da-f-]{36}$/);
  });

  test("a later request may repeat the negotiated version only", async () => {
    for (const version of ["2025-11-25", "2025-03-26"]) {
      const { result } = await postMcp(createRequest("ping"), { headers: { "mcp-protocol-version": version } });
      expect(result).toEqual({});
    }
    const { status, error } = await postMcp(createRequest("ping"), {
      headers: { "mcp-protocol-version": "1999-01-01" },
    });
    expect([status, error?.code]).toEqual([400, -32_022]);
    expect((await postMcp(createRequest("ping"), { headers: { "mcp-protocol-version": "2026-07-28" } })).status).toBe(
      400,
    );
  });

  test.each([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["an answer", { jsonrpc: "2.0", id: 1, result: {} }],
    ["a batch", [createRequest("ping")]],
  ])("%s may also repeat the negotiated version only", async (_, body) => {
    const postWithVersion = async (version: string) =>
      (await call("POST", "/mcp", { body, headers: { "mcp-protocol-version": version } })).status;
    expect(await postWithVersion("2025-03-26")).toBe(Array.isArray(body) ? 200 : 202);
    expect(await postWithVersion("1999-01-01")).toBe(400);
  });

  test("2026-07-28 is discovered without negotiation", async () => {
    const { result } = await postStateless("server/discover");
    const supportedVersions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
    expect(result).toMatchObject({ resultType: "complete", supportedVersions, capabilities: { tools: {} } });
    // Errors list the same versions: clients use them to decide whether to initialize instead.
    const unknown = await postMcp(
      createRequest("server/discover", { _meta: { [VERSION]: "2027-01-01", [CAPABILITIES]: {} } }),
    );
    expect(unknown.error?.data).toEqual({ supported: supportedVersions, requested: "2027-01-01" });
    const { result: tools } = await postStateless("tools/list");
    expect(tools).toMatchObject({ resultType: "complete", cacheScope: "public" });
    expect(await postStateless("initialize")).toMatchObject({ status: 404, error: { code: -32_601 } });
  });

  test("[F89] a resource or prompt whose name is no text, or nested deeply, is unknown", async () => {
    const nested: unknown = JSON.parse("[".repeat(5_000) + "]".repeat(5_000));
    for (const name of [undefined, 7, {}, nested]) {
      expect((await postMcp(createRequest("resources/read", { uri: name }))).error?.code).toBe(-32_002);
      expect((await postMcp(createRequest("prompts/get", { name }))).error?.code).toBe(-32_602);
    }
  });

  test("2026-07-28 requires headers that match the body", async () => {
    const mismatch = { status: 400, error: { code: -32_020 } };
    expect(await postStateless("tools/list", {}, { "mcp-method": "tools/call" })).toMatchObject(mismatch);
    expect(await postStateless("tools/list", {}, { "mcp-protocol-version": "2025-11-25" })).toMatchObject(mismatch);
    expect(await postStateless("tools/call", { name: "list_agents" }, { "mcp-name": "ask" })).toMatchObject(mismatch);
    expect(await postStateless("prompts/get", { name: "a" }, { "mcp-name": "b" })).toMatchObject(mismatch);
    const resource = { uri: "orrery://pages/a" };
    expect(await postStateless("resources/read", resource, { "mcp-name": "orrery://pages/b" })).toMatchObject(mismatch);
    expect(await postStateless("resources/read", resource, { "mcp-name": resource.uri })).toMatchObject({
      status: 200,
      error: { code: -32_602, data: resource },
    });
    expect(await postStateless("resources/list", {})).toMatchObject({ result: { ttlMs: 0, cacheScope: "private" } });
    const encoded = { "mcp-name": `=?base64?${btoa("list_agents")}?=` };
    expect((await postStateless("tools/call", { name: "list_agents" }, encoded)).status).toBe(200);
    const withoutHeaders = createRequest("tools/list", { _meta: { [VERSION]: "2026-07-28", [CAPABILITIES]: {} } });
    expect(await postMcp(withoutHeaders)).toMatchObject(mismatch);
    const other = createRequest("tools/list", { _meta: { [VERSION]: "2027-01-01", [CAPABILITIES]: {} } });
    expect(await postMcp(other, { headers: { "mcp-protocol-version": "2026-07-28" } })).toMatchObject(mismatch);
    const withoutCapabilities = createRequest("tools/list", { _meta: { [VERSION]: "2026-07-28" } });
    expect(await postMcp(withoutCapabilities)).toMatchObject({ status: 400, error: { code: -32_602 } });
    const laterVersion = createRequest("tools/list", { _meta: { [VERSION]: "2027-01-01", [CAPABILITIES]: {} } });
    expect(await postMcp(laterVersion)).toMatchObject({
      status: 400,
      error: { code: -32_022, data: { requested: "2027-01-01" } },
    });
  });

  test("2025-03-26 accepts batches", async () => {
    const { method: _, ...nonsense } = createRequest("x");
    const batch = [
      createRequest("ping"),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      nonsense,
      createRequest("fly"),
    ];
    const response = await call("POST", "/mcp", { body: batch });
    expect(await response.json()).toMatchObject([
      { result: {} },
      { error: { code: -32_600 } },
      { error: { code: -32_601 } },
    ]);
    for (const wrong of [[], Array.from({ length: 17 }, () => createRequest("ping"))]) {
      expect(await postMcp(wrong)).toMatchObject({ status: 400, error: { code: -32_600 } });
    }
    const only = await call("POST", "/mcp", { body: [{ jsonrpc: "2.0", method: "notifications/cancelled" }] });
    expect([only.status, await only.text()]).toEqual([202, ""]);
  });
});

describe("[F89] a request body to /mcp", () => {
  test.each(["{", "[".repeat(100_000)])("is rejected when it is not JSON: %.20s", async (body) => {
    expect(await postMcp(body)).toMatchObject({ status: 400, id: null, error: { code: -32_700 } });
  });

  test.each([
    "{}",
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}',
  ])("is rejected when it is not a message: %s", async (body) => {
    expect(await postMcp(body)).toMatchObject({ status: 400, error: { code: -32_600 } });
  });

  test.each(['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}'])(
    "is rejected with invalid params: %s",
    async (body) => {
      expect(await postMcp(body)).toMatchObject({ status: 400, id: 1, error: { code: -32_602 } });
    },
  );

  test.each([{ name: "fly" }, {}, { name: "__proto__" }, { name: "x".repeat(100_000) }])(
    "is rejected when it calls an unknown tool: %.60j",
    async (params) => {
      const { error } = await postMcp(createRequest("tools/call", params));
      expect(error?.code).toBe(-32_602);
      expect(error?.message.length).toBeLessThan(200);
    },
  );

  test.each([
    ["ask", {}],
    ["ask", { message: "x", surprise: 1 }],
    ["ask", { message: "x", conversation_id: "../x" }],
    ["ask", { message: "x", agent: "nobody" }],
    ["ask", []],
    ["run_agent", { message: "x" }],
    ["schedules", { action: "explode" }],
    ["list_agents", { surprise: 1 }],
  ])("returns a tool error for invalid arguments: %s %.40j", async (name, args) => {
    const { result } = await postMcp(createRequest("tools/call", { name, arguments: args }));
    const { content, isError } = result as { content: { type: string; text: string }[]; isError: boolean };
    expect([isError, content.length, content[0]?.type]).toEqual([true, 1, "text"]);
    expect(content[0]?.text).toMatch(/\w/);
  });

  test("returns a tool error for a disabled agent", async () => {
    const ivo = await authenticateAs("ivo");
    expect((await call("PATCH", "/api/v1/agents/assistant", { ...ivo, body: { enabled: false } })).status).toBe(200);
    for (const name of ["ask", "run_agent"]) {
      const params = { name, arguments: { message: "hello", agent: "assistant" } };
      const { result } = await postMcp(createRequest("tools/call", params), ivo);
      expect(result).toMatchObject({ isError: true, content: [{ text: "The agent assistant is disabled." }] });
    }
  });

  test("is rejected with another type, beyond the limit or without end, and cancelled", async () => {
    expect((await postMcp("{}", { headers: { "content-type": "text/plain" } })).status).toBe(415);
    const large = createRequest("tools/call", { name: "ask", arguments: { message: "x".repeat(1_024 * KB) } });
    expect((await postMcp(large)).status).toBe(413);
    const [ownBody, foreignBody] = [createEndlessBody(), createEndlessBody()];
    expect((await postMcp(ownBody.body)).status).toBe(413);
    expect((await postMcp(foreignBody.body, { env: WITH_SECRET })).status).toBe(401);
    await vi.waitFor(() => expect([ownBody.isCancelled(), foreignBody.isCancelled()]).toEqual([true, true]));
  });

  test("is accepted without an answer for notifications and responses", async () => {
    for (const body of [{ method: "notifications/initialized" }, { method: "x" }, { id: 7, result: {} }]) {
      const response = await call("POST", "/mcp", { body: { jsonrpc: "2.0", ...body } });
      expect([response.status, await response.text()]).toEqual([202, ""]);
    }
  });
});

test("[T5] a call in a session runs while the directory is down, but its cancellation is refused", async () => {
  const options = { env: BROKEN_DB, headers: { "mcp-session-id": "s" } };
  const params = { name: "ask", arguments: { message: "What is 12 * 34?" } };
  const { result } = await postMcp(createRequest("tools/call", params), options);
  expect(result).toMatchObject({ structuredContent: { status: "completed" } });
  const notification = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  expect(await postMcp(notification, options)).toMatchObject({ status: 503, error: { data: { code: "unavailable" } } });
});

describe("access to /mcp", () => {
  test.each([
    ["https://evil.example", 403],
    ["null", 403],
    ["https://chat.example", 200],
    [ORIGIN, 200],
  ])("from a page of %s returns %i", async (origin, status) => {
    const env = { ALLOWED_ORIGINS: "https://chat.example" };
    expect((await postMcp(createRequest("ping"), { env, headers: { origin } })).status).toBe(status);
  });

  test("with another method returns 405", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await call(method, "/mcp", { headers: { accept: "text/event-stream" } });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
      await response.body?.cancel();
    }
  });
});
