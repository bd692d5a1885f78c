// What comes to /mcp, from the clumsy to the hostile, and without a client's help.

import { describe, expect, test, vi } from "vitest";
import { as, badTokens, bearer, BY_SECRET } from "./tokens.ts";
import { call, endless, ORIGIN, type Ask } from "./support.ts";

const KB = 1_024;
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

async function post(body: unknown, options: Ask = {}): Promise<Answer> {
  const response = await call("POST", "/mcp", { ...options, body });
  expect(response.headers.get("content-type")).toBe("application/json");
  const { jsonrpc, ...rest } = (await response.json()) as Record<string, unknown>;
  expect(jsonrpc).toBe("2.0");
  return { status: response.status, headers: response.headers, ...rest };
}

const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

/** A request of 2026-07-28, with the headers that go with it unless they are overridden. */
function stateless(method: string, params: { name?: string } = {}, headers: Readonly<Record<string, string>> = {}) {
  const _meta = { [VERSION]: "2026-07-28", [CAPABILITIES]: {} };
  const own = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
  const named = params.name === undefined ? own : { ...own, "mcp-name": params.name };
  return post(request(method, { ...params, _meta }), { headers: { ...named, ...headers } });
}

describe("versions", () => {
  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2024-11-05"],
    ["2099-01-01", "2025-11-25"],
    [7, "2025-11-25"],
  ])("whoever asks for %s gets %s", async (asked, got) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: "x", version: "1" } };
    const { result, headers } = await post(request("initialize", params));
    expect(result).toMatchObject({ protocolVersion: got, capabilities: { tools: {} }, serverInfo: { name: "orrery" } });
    expect(headers.get("mcp-session-id")).toBeNull();
  });

  test("a later request may repeat what was agreed on, and nothing else", async () => {
    for (const version of ["2025-11-25", "2025-03-26"]) {
      const { result } = await post(request("ping"), { headers: { "mcp-protocol-version": version } });
      expect(result).toEqual({});
    }
    const { status, error } = await post(request("ping"), { headers: { "mcp-protocol-version": "1999-01-01" } });
    expect([status, error?.code]).toEqual([400, -32_022]);
    expect((await post(request("ping"), { headers: { "mcp-protocol-version": "2026-07-28" } })).status).toBe(400);
  });

  test.each([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["an answer", { jsonrpc: "2.0", id: 1, result: {} }],
    ["a batch", [request("ping")]],
  ])("so may %s", async (_, body) => {
    const as = async (version: string) =>
      (await call("POST", "/mcp", { body, headers: { "mcp-protocol-version": version } })).status;
    expect(await as("2025-03-26")).toBe(Array.isArray(body) ? 200 : 202);
    expect(await as("1999-01-01")).toBe(400);
  });

  test("2026-07-28 is discovered, not agreed on", async () => {
    const { result } = await stateless("server/discover");
    const supportedVersions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
    expect(result).toMatchObject({ resultType: "complete", supportedVersions, capabilities: { tools: {} } });
    // What is refused names the same: clients decide by it whether to shake hands instead.
    const unknown = await post(request("server/discover", { _meta: { [VERSION]: "2027-01-01", [CAPABILITIES]: {} } }));
    expect(unknown.error?.data).toEqual({ supported: supportedVersions, requested: "2027-01-01" });
    const { result: tools } = await stateless("tools/list");
    expect(tools).toMatchObject({ resultType: "complete", cacheScope: "public" });
    expect(await stateless("initialize")).toMatchObject({ status: 404, error: { code: -32_601 } });
  });

  test("2026-07-28: headers say what the body says", async () => {
    const mismatch = { status: 400, error: { code: -32_020 } };
    expect(await stateless("tools/list", {}, { "mcp-method": "tools/call" })).toMatchObject(mismatch);
    expect(await stateless("tools/list", {}, { "mcp-protocol-version": "2025-11-25" })).toMatchObject(mismatch);
    expect(await stateless("tools/call", { name: "list_agents" }, { "mcp-name": "ask" })).toMatchObject(mismatch);
    const encoded = { "mcp-name": `=?base64?${btoa("list_agents")}?=` };
    expect((await stateless("tools/call", { name: "list_agents" }, encoded)).status).toBe(200);
    const bare = request("tools/list", { _meta: { [VERSION]: "2026-07-28", [CAPABILITIES]: {} } });
    expect(await post(bare)).toMatchObject(mismatch);
    const other = request("tools/list", { _meta: { [VERSION]: "2027-01-01", [CAPABILITIES]: {} } });
    expect(await post(other, { headers: { "mcp-protocol-version": "2026-07-28" } })).toMatchObject(mismatch);
    const incapable = request("tools/list", { _meta: { [VERSION]: "2026-07-28" } });
    expect(await post(incapable)).toMatchObject({ status: 400, error: { code: -32_602 } });
    const later = request("tools/list", { _meta: { [VERSION]: "2027-01-01", [CAPABILITIES]: {} } });
    expect(await post(later)).toMatchObject({
      status: 400,
      error: { code: -32_022, data: { requested: "2027-01-01" } },
    });
  });

  test("2025-03-26 may send several messages together", async () => {
    const { method: _, ...nonsense } = request("x");
    const batch = [request("ping"), { jsonrpc: "2.0", method: "notifications/initialized" }, nonsense, request("fly")];
    const response = await call("POST", "/mcp", { body: batch });
    expect(await response.json()).toMatchObject([
      { result: {} },
      { error: { code: -32_600 } },
      { error: { code: -32_601 } },
    ]);
    for (const wrong of [[], Array.from({ length: 17 }, () => request("ping"))]) {
      expect(await post(wrong)).toMatchObject({ status: 400, error: { code: -32_600 } });
    }
    const only = await call("POST", "/mcp", { body: [{ jsonrpc: "2.0", method: "notifications/cancelled" }] });
    expect([only.status, await only.text()]).toEqual([202, ""]);
  });
});

describe("[F89] bodies", () => {
  test.each(["", "{", "undefined", "{'jsonrpc':'2.0'}", '{"a":1}{"b":2}', "\u0000", "[".repeat(100_000)])(
    "that are not JSON: %.20s",
    async (body) => {
      expect(await post(body)).toMatchObject({ status: 400, id: null, error: { code: -32_700 } });
    },
  );

  test.each([
    "null",
    "7",
    '"hello"',
    "{}",
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"jsonrpc":"2.0","id":1}',
    '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}',
  ])("that are no message: %s", async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, error: { code: -32_600 } });
  });

  test.each([
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":7}',
  ])("with other params: %s", async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, id: 1, error: { code: -32_602 } });
  });

  test.each([
    { name: "fly" },
    { name: 7 },
    {},
    { name: "__proto__" },
    { name: "constructor" },
    { name: "x".repeat(100_000) },
  ])("that call what is no tool: %.60j", async (params) => {
    const { error } = await post(request("tools/call", params));
    expect(error?.code).toBe(-32_602);
    expect(error?.message.length).toBeLessThan(200);
  });

  test.each([
    ["ask", {}],
    ["ask", { message: 7 }],
    ["ask", { message: " " }],
    ["ask", { message: "x", surprise: 1 }],
    ["ask", { message: "x", conversation_id: "../x" }],
    ["ask", { message: "x", agent: "nobody" }],
    ["ask", { message: "x".repeat(64 * KB + 1) }],
    ["ask", []],
    ["ask", "hello"],
    ["run_agent", { message: "x" }],
    ["schedules", { action: "explode" }],
    ["list_agents", { surprise: 1 }],
  ])("with arguments that do not fit are told so in words: %s %.40j", async (name, args) => {
    const { result } = await post(request("tools/call", { name, arguments: args }));
    const { content, isError } = result as { content: { type: string; text: string }[]; isError: boolean };
    expect([isError, content.length, content[0]?.type]).toEqual([true, 1, "text"]);
    expect(content[0]?.text).toMatch(/\w/);
  });

  test("that name an agent that is switched off are told so", async () => {
    const ivo = await as("ivo");
    expect((await call("PATCH", "/api/v1/agents/assistant", { ...ivo, body: { enabled: false } })).status).toBe(200);
    for (const name of ["ask", "run_agent"]) {
      const params = { name, arguments: { message: "hello", agent: "assistant" } };
      const { result } = await post(request("tools/call", params), ivo);
      expect(result).toMatchObject({ isError: true, content: [{ text: "The agent assistant is switched off." }] });
    }
  });

  test("of other types, too large, and without end are refused, and left", async () => {
    expect((await post("{}", { headers: { "content-type": "text/plain" } })).status).toBe(415);
    const large = request("tools/call", { name: "ask", arguments: { message: "x".repeat(1_024 * KB) } });
    expect((await post(large)).status).toBe(413);
    const [mine, strangers] = [endless(), endless()];
    expect((await post(mine.body)).status).toBe(413);
    expect((await post(strangers.body, { env: BY_SECRET })).status).toBe(401);
    await vi.waitFor(() => expect([mine.isLeft(), strangers.isLeft()]).toEqual([true, true]));
  });

  test("notifications and answers are taken, and not answered", async () => {
    for (const body of [{ method: "notifications/initialized" }, { method: "x" }, { id: 7, result: {} }]) {
      const response = await call("POST", "/mcp", { body: { jsonrpc: "2.0", ...body } });
      expect([response.status, await response.text()]).toEqual([202, ""]);
    }
  });
});

describe("who may", () => {
  test("[U1] a bad token is refused, and nobody learns why", async () => {
    const seen = new Set<string | undefined>();
    for (const token of Object.values(await badTokens())) {
      const { status, headers, error } = await post(request("ping"), { env: BY_SECRET, ...bearer(token) });
      expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      seen.add(error?.message);
    }
    expect(seen.size).toBe(1);
    expect((await post(request("ping"), await as("ada"))).result).toEqual({});
  });

  test.each([
    ["https://evil.example", 403],
    ["null", 403],
    ["https://chat.example", 200],
    ["http://localhost:3000", 403],
  ])("a page of %s: %i", async (origin, status) => {
    const env = { ALLOWED_ORIGINS: "https://chat.example" };
    expect((await post(request("ping"), { env, headers: { origin } })).status).toBe(status);
  });

  test("a page of our own may; names that were bent to this address have tests of their own", async () => {
    const headers = { origin: ORIGIN };
    expect((await post(request("ping"), { headers })).status).toBe(200);
    const ada = await as("ada");
    expect((await post(request("ping"), { ...ada, headers: { ...ada.headers, ...headers } })).status).toBe(200);
  });

  test("other methods have nothing here", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await call(method, "/mcp", { headers: { accept: "text/event-stream" } });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
      await response.body?.cancel();
    }
  });
});
