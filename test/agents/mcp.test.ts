// Tools over MCP: both protocol versions, bounds, failures.

import { describe, expect, test, vi } from "vitest";
import { mcpTools } from "../../src/agents/kit/mcp.ts";
import type { ToolboxContext } from "../../src/agents/kit/toolbox.ts";
import type { AgentTool, ToolContext } from "../../src/agents/kit/tool.ts";
import { parseSettings } from "../../src/settings.ts";
import { like, requestFor } from "./fixtures/local.ts";
import { current, legacy, mcpDouble, type McpDouble } from "./fixtures/mcp.ts";

const settings = parseSettings({});

function within(double: McpDouble | undefined, given: Partial<ToolboxContext> = {}): ToolboxContext {
  return { env: { MCP_PEOPLE: double }, settings: () => settings, signal: new AbortController().signal, ...given };
}

async function toolsOf(double: McpDouble, only?: readonly string[]): Promise<Map<string, AgentTool>> {
  const { tools } = await mcpTools({ binding: "MCP_PEOPLE" }, { only }).open(within(double));
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function context(n = 1): ToolContext {
  return { request: requestFor("go"), env: {}, signal: new AbortController().signal, call_id: `task-ours/${n}` };
}

async function call(tools: Map<string, AgentTool>, name: string, args: unknown, at = context()): Promise<string> {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.call(args, at);
}

describe.each([
  ["2026-07-28", () => current, undefined],
  ["2025-11-25", legacy, "session-1"],
] as const)("with a server of %s", (version, answering, session) => {
  test("tools are found, with their schemas and hints", async () => {
    const double = mcpDouble(answering());
    const tools = await toolsOf(double);
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

  test("a call brings its structure, under a key of its own", async () => {
    const double = mcpDouble(answering());
    const tools = await toolsOf(double);
    expect(JSON.parse(await call(tools, "create_profile", { name: "张三" }, context(4)))).toEqual({
      success: true,
      name: "张三",
    });
    expect(await call(tools, "say_hello", {})).toBe("hello\n[image image/png]");
    expect(double.calls).toEqual([{ tool: "create_profile", args: { name: "张三" }, key: "msg-1/4" }]);
  });

  test("a call that fails twice is made three times under one key, and one that fails on ends the run", async () => {
    const double = mcpDouble(answering());
    const tools = await toolsOf(double);
    double.failing.set("create_profile", 2);
    await call(tools, "create_profile", { name: "a" });
    expect(double.calls.map(({ key }) => key)).toEqual(["msg-1/1", "msg-1/1", "msg-1/1"]);
    double.failing.set("create_profile", 4);
    await expect(call(tools, "create_profile", { name: "a" })).rejects.toMatchObject({
      name: "RunFailed",
      code: "tool_failed",
      message: "create_profile failed: create_profile is out of order",
    });
    expect(double.calls.length).toBe(6);
  });
});

describe("a tool", () => {
  test("is chosen by its own name, and one that is not there is named", async () => {
    expect([...(await toolsOf(mcpDouble(), ["say.hello", "query_profile"])).keys()]).toEqual([
      "query_profile",
      "say_hello",
    ]);
    await expect(toolsOf(mcpDouble(), ["say_hello", "query_profile"])).rejects.toThrow(
      "The MCP server has no tool say_hello. It has: create_profile, query_profile, delete_profile, say.hello.",
    );
  });

  test("H2: one that is marked as destructive waits for leave", async () => {
    const tools = await toolsOf(mcpDouble());
    expect(tools.get("create_profile")?.check({ name: "a" }).question).toBeNull();
    expect(tools.get("delete_profile")?.check({ name: "a" }).question?.approval).toMatchObject({
      tool: "delete_profile",
      arguments: { name: "a" },
    });
  });

  test("refuses arguments that are not as its schema says, and the server hears nothing of them", async () => {
    const double = mcpDouble();
    const tools = await toolsOf(double);
    const before = double.requests.length;
    await expect(call(tools, "create_profile", { name: "a", level: 13 })).rejects.toThrow(/Wrong arguments.*level/s);
    await expect(call(tools, "create_profile", [])).rejects.toThrow("Wrong arguments for create_profile");
    expect(double.requests.length).toBe(before);
  });

  test("gives nobody the secrets that its server is called with and repeats; other words of a header stay", async () => {
    const double = mcpDouble();
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => double.fetch(url, init));
    const headers = { authorization: "Bearer sk-canary-123", "x-department": "engineering" };
    const { tools } = await mcpTools({ url: "https://mcp.company.com/mcp", headers }).open(within(undefined));
    const named = new Map(tools.map((tool) => [tool.name, tool]));
    const said = await call(named, "create_profile", { name: "sk-canary-123 of engineering" });
    expect(JSON.parse(said)).toMatchObject({ name: "[key] of engineering" });
    expect(double.requests.at(-1)?.headers.get("authorization")).toBe("Bearer sk-canary-123");
    vi.unstubAllGlobals();
  });

  test("stops with the run", async () => {
    const stop = new AbortController();
    const double = mcpDouble(async (request, own) =>
      (await request.clone().text()).includes("tools/call") ? new Promise(() => undefined) : current(request, own),
    );
    const tools = await toolsOf(double);
    const waiting = call(tools, "say_hello", {}, { ...context(), signal: stop.signal });
    setTimeout(() => stop.abort(new Error("cancelled")), 20);
    await expect(waiting).rejects.toThrow("cancelled");
  });
});

const stream = (body: BodyInit) => new Response(body, { headers: { "content-type": "text/event-stream" } });
const endless = (piece: string) =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(piece));
    },
  });

describe("A1: a server that", () => {
  const quick = parseSettings({ AGENT_IDLE_SECONDS: "1", AGENT_MAX_BYTES: "65536" });
  const open = (double: McpDouble | undefined, signal = new AbortController().signal) =>
    mcpTools({ binding: "MCP_PEOPLE" }).open(within(double, { settings: () => quick, signal }));

  test.each<[string, () => Promise<Response>, RegExp]>([
    ["is not there", () => Promise.reject(new Error("gone")), /cannot be reached/],
    ["is out of order", async () => new Response("oops", { status: 503 }), /out of order \(HTTP 503\)/],
    ["asks for credentials", async () => new Response("no", { status: 401 }), /asks for credentials/],
    ["leads elsewhere", async () => Response.redirect("http://127.0.0.1/", 307), /redirect \(307\)/],
    ["answers with a page", async () => new Response("<html>"), /not JSON/],
    [
      "answers with nonsense",
      async () => Response.json({ jsonrpc: "2.0", id: "server-discover-probe-1" }),
      /not one of MCP/,
    ],
    ["answers somebody else", async () => Response.json({ jsonrpc: "2.0", id: 77, result: {} }), /not one of MCP/],
    ["babbles", async () => stream(endless(`data: {"jsonrpc":"2.0","method":"x"}\n\n`)), /more than 65536 bytes/],
    ["never ends its line", async () => stream(endless("data: x")), /more than 65536 bytes/],
    ["stops in the middle", async () => stream("data: {}\n\n"), /stopped before it had answered/],
  ])("%s fails the run with the reason", async (_what, answer, why) => {
    await expect(open(mcpDouble(answer))).rejects.toMatchObject({
      code: "tool_failed",
      message: like(why),
    });
  });

  test("says nothing is left with the run", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("cancelled")), 50);
    await expect(
      open(
        mcpDouble(() => new Promise(() => undefined)),
        stop.signal,
      ),
    ).rejects.toThrow("cancelled");
  });

  test("has pages without end is heard up to a limit", async () => {
    let page = 0;
    const tool = (n: number) => ({ name: `tool_${n}`, inputSchema: { type: "object" } });
    const double = mcpDouble(async (request, own) => {
      const body = (await request.clone().json()) as { id: number; method: string };
      if (body.method !== "tools/list") return current(request, own);
      page += 1;
      const big = { ...tool(0), name: `big_${page}`, inputSchema: { type: "object", description: "x".repeat(70_000) } };
      const tools = [...Array.from({ length: 30 }, (_, n) => tool(page * 100 + n)), ...(page === 1 ? [big] : [])];
      const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", tools, nextCursor: `p${page}` };
      return Response.json({ jsonrpc: "2.0", id: body.id, result });
    });
    const { tools } = await mcpTools({ binding: "MCP_PEOPLE" }).open(within(double));
    expect(page).toBe(7);
    expect(tools.length).toBe(199);
  });

  test("forgets a tool or answers without end fails the call", async () => {
    const double = mcpDouble(async (request, own) => {
      const text = await request.clone().text();
      if (!text.includes("tools/call")) return current(request, own);
      const { id, params } = JSON.parse(text) as { id: number; params: { name: string } };
      if (params.name === "say.hello")
        return Response.json({ jsonrpc: "2.0", id, error: { code: -32602, message: "Unknown tool: say.hello" } });
      return stream(endless(`data: {"jsonrpc":"2.0","method":"x"}\n\n`));
    });
    const { tools } = await open(double);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    await expect(call(byName, "say_hello", {})).rejects.toThrow(/^say\.hello failed: .*Unknown tool/);
    await expect(call(byName, "query_profile", { name: "a" })).rejects.toThrow(
      "query_profile failed: it sent more than",
    );
  });

  test("is silent is asked three times within the silence that an agent may keep", async () => {
    let asked = 0;
    const double = mcpDouble(async (request, own) => {
      if (!(await request.clone().text()).includes("tools/call")) return current(request, own);
      asked += 1;
      return new Promise(() => undefined);
    });
    const { tools } = await open(double);
    const before = Date.now();
    await expect(call(new Map(tools.map((tool) => [tool.name, tool])), "say_hello", {})).rejects.toThrow("timed out");
    expect(asked).toBe(3);
    expect(Date.now() - before).toBeLessThan(2_500);
  });
});

describe("a place", () => {
  const open = (server: Parameters<typeof mcpTools>[0], given: Partial<ToolboxContext> = {}) =>
    mcpTools(server).open(within(undefined, given));

  test("that the deployment does not have is named", async () => {
    await expect(open({ binding: "MCP_NONE" })).rejects.toThrow("This deployment has no binding MCP_NONE.");
  });

  test.each([
    "http://mcp.example.org/mcp",
    "https://127.0.0.1/mcp",
    "https://metadata.internal/mcp",
    "https://a:b@x.dev/",
  ])("%s is not called", async (url) => {
    await expect(open({ url })).rejects.toThrow("The MCP server must not be called");
  });
});
