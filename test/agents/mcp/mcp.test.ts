// Tools over MCP: both protocol versions, limits, and failures.

import { describe, expect, test, vi } from "vitest";
import { mcpTools } from "../../../src/agents/kit/mcp/mcp.ts";
import type { ToolboxContext } from "../../../src/agents/kit/tools/toolbox.ts";
import type { AgentTool, ToolContext } from "../../../src/agents/kit/tools/tool.ts";
import { parseSettings } from "../../../src/settings.ts";
import { stringLike, createRequest } from "../fixtures/local-agent.ts";
import { serveCurrentMcp, createLegacyMcp, createMcpDouble, type McpDouble } from "../fixtures/mcp-double.ts";

const settings = parseSettings({});

function createContext(double: McpDouble | undefined, overrides: Partial<ToolboxContext> = {}): ToolboxContext {
  return { env: { MCP_PEOPLE: double }, settings: () => settings, signal: new AbortController().signal, ...overrides };
}

async function openTools(double: McpDouble, only?: readonly string[]): Promise<Map<string, AgentTool>> {
  const { tools } = await mcpTools({ binding: "MCP_PEOPLE" }, { only }).open(createContext(double));
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function createToolContext(n = 1): ToolContext {
  return { request: createRequest("go"), env: {}, signal: new AbortController().signal, call_id: `task-ours/${n}` };
}

async function callTool(
  tools: Map<string, AgentTool>,
  name: string,
  args: unknown,
  context = createToolContext(),
): Promise<string> {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.call(args, context);
}

describe.each([
  ["2026-07-28", () => serveCurrentMcp, undefined],
  ["2025-11-25", createLegacyMcp, "session-1"],
] as const)("the tools of an MCP server of version %s", (version, createHandler, session) => {
  test("are listed with their schemas and hints", async () => {
    const double = createMcpDouble(createHandler());
    const tools = await openTools(double);
    expect([...tools.values()].map(({ name, description, read_only }) => [name, description, read_only])).toEqual([
      ["create_profile", "Creates a profile.", false],
      ["query_profile", "Looks up a profile.", true],
      ["delete_profile", "Deletes a profile.", false],
      ["say_hello", "Says hello.", false],
    ]);
    expect(tools.get("create_profile")?.parameters).toMatchObject({
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    });
    const last = double.requests.at(-1);
    expect(last?.headers.get("mcp-protocol-version")).toBe(version);
    expect(last?.headers.get("mcp-session-id") ?? undefined).toBe(session);
    expect(double.requests.filter(({ method }) => method === "GET")).toEqual([]);
  });

  test("return structured content, and each call has its own key", async () => {
    const double = createMcpDouble(createHandler());
    const tools = await openTools(double);
    expect(JSON.parse(await callTool(tools, "create_profile", { name: "张三" }, createToolContext(4)))).toEqual({
      success: true,
      name: "张三",
    });
    expect(await callTool(tools, "say_hello", {})).toBe("hello\n[image image/png]");
    expect(double.calls).toEqual([{ tool: "create_profile", args: { name: "张三" }, key: "msg-1/4" }]);
  });

  test("are called up to three times under one key, and then fail the run", async () => {
    const double = createMcpDouble(createHandler());
    const tools = await openTools(double);
    double.failing.set("create_profile", 2);
    await callTool(tools, "create_profile", { name: "a" });
    expect(double.calls.map(({ key }) => key)).toEqual(["msg-1/1", "msg-1/1", "msg-1/1"]);
    double.failing.set("create_profile", 4);
    await expect(callTool(tools, "create_profile", { name: "a" })).rejects.toMatchObject({
      name: "Failure",
      code: "tool_failed",
      message: "create_profile failed: create_profile is out of order",
    });
    expect(double.calls.length).toBe(6);
  });
});

describe("an MCP tool", () => {
  test("is selected by its original name, and an unknown name is reported", async () => {
    expect([...(await openTools(createMcpDouble(), ["say.hello", "query_profile"])).keys()]).toEqual([
      "query_profile",
      "say_hello",
    ]);
    await expect(openTools(createMcpDouble(), ["say_hello", "query_profile"])).rejects.toThrow(
      "The MCP server has no tool say_hello. Available tools: create_profile, query_profile, delete_profile, say.hello.",
    );
  });

  test("[H2] needs approval when it is annotated as destructive", async () => {
    const tools = await openTools(createMcpDouble());
    expect(tools.get("create_profile")?.check({ name: "a" }).question).toBeNull();
    expect(tools.get("delete_profile")?.check({ name: "a" }).question?.approval).toMatchObject({
      tool: "delete_profile",
      arguments: { name: "a" },
    });
  });

  test("rejects arguments that do not match its schema without calling the server", async () => {
    const double = createMcpDouble();
    const tools = await openTools(double);
    const before = double.requests.length;
    await expect(callTool(tools, "create_profile", { name: "a", level: 13 })).rejects.toThrow(
      /Wrong arguments.*level/s,
    );
    await expect(callTool(tools, "create_profile", [])).rejects.toThrow("Wrong arguments for create_profile");
    expect(double.requests.length).toBe(before);
  });

  test("hides the secrets of its headers from the results, and keeps other header values", async () => {
    const double = createMcpDouble();
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => double.fetch(url, init));
    const headers = { authorization: "Bearer sk-canary-123", "x-department": "engineering" };
    const { tools } = await mcpTools({ url: "https://mcp.company.com/mcp", headers }).open(createContext(undefined));
    const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
    const result = await callTool(toolsByName, "create_profile", { name: "sk-canary-123 of engineering" });
    expect(JSON.parse(result)).toMatchObject({ name: "[key] of engineering" });
    expect(double.requests.at(-1)?.headers.get("authorization")).toBe("Bearer sk-canary-123");
    vi.unstubAllGlobals();
  });

  test("stops with the run", async () => {
    const stop = new AbortController();
    const double = createMcpDouble(async (request, mcp) =>
      (await request.clone().text()).includes("tools/call")
        ? new Promise(() => undefined)
        : serveCurrentMcp(request, mcp),
    );
    const tools = await openTools(double);
    const waiting = callTool(tools, "say_hello", {}, { ...createToolContext(), signal: stop.signal });
    setTimeout(() => stop.abort(new Error("cancelled")), 20);
    await expect(waiting).rejects.toThrow("cancelled");
  });
});

const createStream = (body: BodyInit) => new Response(body, { headers: { "content-type": "text/event-stream" } });
const createEndlessStream = (piece: string) =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(piece));
    },
  });

describe("[A1] a failing MCP server", () => {
  const quickSettings = parseSettings({ AGENT_IDLE_SECONDS: "1", AGENT_MAX_BYTES: "65536" });
  const openServer = (double: McpDouble | undefined, signal = new AbortController().signal) =>
    mcpTools({ binding: "MCP_PEOPLE" }).open(createContext(double, { settings: () => quickSettings, signal }));

  test.each<[string, () => Promise<Response>, RegExp]>([
    ["is unreachable", () => Promise.reject(new Error("gone")), /can’t be reached/],
    ["returns 503", async () => new Response("oops", { status: 503 }), /unavailable \(HTTP 503\)/],
    ["requires credentials", async () => new Response("no", { status: 401 }), /requires credentials/],
    ["redirects", async () => Response.redirect("http://127.0.0.1/", 307), /redirect \(HTTP 307\)/],
    ["returns HTML", async () => new Response("<html>"), /isn’t JSON/],
    [
      "sends a response without a result",
      async () => Response.json({ jsonrpc: "2.0", id: "server-discover-probe-1" }),
      /isn’t valid MCP/,
    ],
    ["answers another request", async () => Response.json({ jsonrpc: "2.0", id: 77, result: {} }), /isn’t valid MCP/],
    [
      "streams without end",
      async () => createStream(createEndlessStream(`data: {"jsonrpc":"2.0","method":"x"}\n\n`)),
      /more than 65,536 bytes/,
    ],
    ["sends a line without end", async () => createStream(createEndlessStream("data: x")), /more than 65,536 bytes/],
    ["ends its stream early", async () => createStream("data: {}\n\n"), /stopped before it responded/],
  ])("fails the run with the reason when it %s", async (_what, answer, pattern) => {
    await expect(openServer(createMcpDouble(answer))).rejects.toMatchObject({
      code: "tool_failed",
      message: stringLike(pattern),
    });
  });

  test("ends with the run when it does not respond", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("cancelled")), 50);
    await expect(
      openServer(
        createMcpDouble(() => new Promise(() => undefined)),
        stop.signal,
      ),
    ).rejects.toThrow("cancelled");
  });

  test("is read up to a limit when it has pages without end", async () => {
    let page = 0;
    const tool = (n: number) => ({ name: `tool_${n}`, inputSchema: { type: "object" } });
    const double = createMcpDouble(async (request, mcp) => {
      const body = (await request.clone().json()) as { id: number; method: string };
      if (body.method !== "tools/list") return serveCurrentMcp(request, mcp);
      page += 1;
      const big = { ...tool(0), name: `big_${page}`, inputSchema: { type: "object", description: "x".repeat(70_000) } };
      const tools = [...Array.from({ length: 30 }, (_, n) => tool(page * 100 + n)), ...(page === 1 ? [big] : [])];
      const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", tools, nextCursor: `p${page}` };
      return Response.json({ jsonrpc: "2.0", id: body.id, result });
    });
    const { tools, notes } = await mcpTools({ binding: "MCP_PEOPLE" }).open(createContext(double));
    expect(page).toBe(20);
    expect(tools.length).toBe(600);
    expect(notes.map(({ key }) => key)).toEqual(["mcpServer.toolsTooLarge", "mcpServer.toolListCut"]);
  });

  test("fails the call when it has lost the tool or streams without end", async () => {
    const double = createMcpDouble(async (request, mcp) => {
      const text = await request.clone().text();
      if (!text.includes("tools/call")) return serveCurrentMcp(request, mcp);
      const { id, params } = JSON.parse(text) as { id: number; params: { name: string } };
      if (params.name === "say.hello")
        return Response.json({ jsonrpc: "2.0", id, error: { code: -32602, message: "Unknown tool: say.hello" } });
      return createStream(createEndlessStream(`data: {"jsonrpc":"2.0","method":"x"}\n\n`));
    });
    const { tools } = await openServer(double);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    await expect(callTool(byName, "say_hello", {})).rejects.toThrow(/^say\.hello failed: .*Unknown tool/);
    await expect(callTool(byName, "query_profile", { name: "a" })).rejects.toThrow(
      "query_profile failed: It sent more than",
    );
  });

  test("is called three times within the silence timeout of an agent", async () => {
    let callCount = 0;
    const double = createMcpDouble(async (request, mcp) => {
      if (!(await request.clone().text()).includes("tools/call")) return serveCurrentMcp(request, mcp);
      callCount += 1;
      return new Promise(() => undefined);
    });
    const { tools } = await openServer(double);
    const startedAt = Date.now();
    await expect(callTool(new Map(tools.map((tool) => [tool.name, tool])), "say_hello", {})).rejects.toThrow(
      "didn’t respond in time",
    );
    expect(callCount).toBe(3);
    expect(Date.now() - startedAt).toBeLessThan(2_500);
  });
});

describe("the address of an MCP server", () => {
  const openServer = (server: Parameters<typeof mcpTools>[0], overrides: Partial<ToolboxContext> = {}) =>
    mcpTools(server).open(createContext(undefined, overrides));

  test("is reported when the deployment has no such binding", async () => {
    await expect(openServer({ binding: "MCP_NONE" })).rejects.toThrow("This deployment has no binding MCP_NONE.");
  });

  test("is not called when its name resolves to a private address", async () => {
    const server = mcpTools({ url: "https://mcp.company.com/mcp" }, { resolve: async () => ["192.168.0.9"] });
    await expect(server.open(createContext(undefined))).rejects.toThrow("Calling this MCP server isn’t allowed");
  });

  test.each([
    "http://mcp.example.org/mcp",
    "https://127.0.0.1/mcp",
    "https://metadata.internal/mcp",
    "https://a:b@x.dev/",
  ])("%s is not called", async (url) => {
    await expect(openServer({ url })).rejects.toThrow("Calling this MCP server isn’t allowed");
  });
});
