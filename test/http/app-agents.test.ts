// Agents registered as a configuration, and single requests to agents.

import { afterEach, describe, expect, test, vi } from "vitest";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import type { ExecuteResponse } from "../../src/protocol/agents/app-config.ts";
import { serveCurrentMcp, createMcpDouble } from "../agents/fixtures/mcp-double.ts";
import { callRoute, callForProblem } from "./support.ts";
import { authenticateAs } from "./tokens.ts";

const URL_OF_SERVER = "https://mcp.example.com/mcp";
const createApp = (name: string, overrides: object = {}) => ({
  name,
  description: "Keeps the profiles of people",
  mcp: { url: URL_OF_SERVER, headers: { authorization: "Bearer s3cret" } },
  ...overrides,
});

/** Mocks fetch so that all requests reach one MCP server, except those of the resolver, which fail. */
function mockMcpServer() {
  const double = createMcpDouble(async (request, mcp) => serveCurrentMcp(request, mcp));
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
    String(input).startsWith(URL_OF_SERVER)
      ? double.fetch(input as string, init as RequestInit)
      : Promise.resolve(new Response(null, { status: 502 })),
  );
  return double;
}

const listAgents = async (user: object) => (await callRoute<{ agents: Agent[] }>("GET", "/api/v1/agents", user)).agents;

afterEach(() => {
  vi.restoreAllMocks();
});

describe("[F134] an app", () => {
  test("is registered, listed, disabled and deleted, and sends its headers only to its server", async () => {
    const user = await authenticateAs("app-ada");
    const double = mockMcpServer();
    const skills = [{ id: "p", name: "Profiles", description: "Profiles of people" }];
    const created = await callRoute<Agent>("POST", "/api/v1/agents", {
      ...user,
      body: createApp("people", { skills, tools: ["query_profile"] }),
    });
    expect(created).toMatchObject({ name: "people", source: "app", enabled: true, skills: [{ id: "p" }] });
    expect(double.requests[0]?.headers.get("authorization")).toBe("Bearer s3cret");
    expect(JSON.stringify(await listAgents(user))).not.toContain("s3cret");
    expect((await listAgents(user)).map(({ name, source }) => `${source} ${name}`)).toContain("app people");
    expect(await callRoute("PATCH", "/api/v1/agents/people", { ...user, body: { enabled: false } })).toMatchObject({
      enabled: false,
    });
    expect((await listAgents(await authenticateAs("app-eve"))).map(({ name }) => name)).not.toContain("people");
    expect(await callRoute("DELETE", "/api/v1/agents/people", user)).toMatchObject({ deleted: true });
    expect((await listAgents(user)).map(({ name }) => name)).not.toContain("people");
  });

  test("is rejected with a reason and not stored", async () => {
    const user = await authenticateAs("app-bob");
    mockMcpServer();
    const postForProblem = (body: object) => callForProblem("POST", "/api/v1/agents", { ...user, body });
    expect(await postForProblem(createApp("people", { tools: ["fire_person"] }))).toMatchObject({
      code: "unprocessable",
      field: "tools",
      detail:
        "The MCP server has no tool fire_person. Available tools: create_profile, query_profile, delete_profile, say.hello.",
    });
    expect(await postForProblem(createApp("Assistant"))).toMatchObject({ code: "conflict", field: "name" });
    expect(await postForProblem(createApp("people", { mcp: { binding: "MCP_NONE" } }))).toMatchObject({
      code: "agent_unreachable",
      field: "mcp",
      detail: "This deployment has no binding MCP_NONE.",
    });
    expect(await postForProblem(createApp("people", { mcp: { url: "https://10.0.0.1/mcp" } }))).toMatchObject({
      code: "invalid_request",
      field: "mcp.url",
      detail:
        "Calling this MCP server isn’t allowed. The URL must be public, but it points to a private or reserved network.",
    });
    expect(await postForProblem(createApp("two words"))).toMatchObject({ code: "invalid_request", field: "name" });
    expect(await postForProblem(createApp("people", { mcp: { binding: "DB" } }))).toMatchObject({
      field: "mcp.binding",
    });
    expect(
      await postForProblem(createApp("people", { mcp: { url: URL_OF_SERVER, headers: { "bad name": "x" } } })),
    ).toMatchObject({
      field: "mcp.headers",
    });
    expect(await postForProblem({ url: 5 })).toMatchObject({ code: "invalid_request", field: "url" });
    vi.restoreAllMocks();
    expect(await postForProblem(createApp("people"))).toMatchObject({ code: "agent_unreachable", field: "mcp" });
    expect((await listAgents(user)).map(({ name }) => name)).not.toContain("people");
  });
});

describe("[F135] a single request to an agent", () => {
  test("returns the answer and the tools that were used", async () => {
    const response = await callRoute<ExecuteResponse>("POST", "/api/v1/agents/assistant/execute", {
      ...(await authenticateAs("app-cat")),
      body: { action: "What is 17 * 23?" },
    });
    expect(response).toMatchObject({ success: true, tools_used: ["calculate"] });
    expect(response.response).toContain("391");
    expect(JSON.stringify(response.result)).toContain("391");
    expect(response.error).toBeUndefined();
    expect(response.execution_time).toBeGreaterThanOrEqual(0);
  });

  test("is answered in the requested language when its text has no language", async () => {
    const getAnswer = async (language: string) =>
      (
        await callRoute<ExecuteResponse>("POST", "/api/v1/agents/assistant/execute", {
          ...(await authenticateAs("app-cat")),
          body: { action: "1/0", language },
        })
      ).response;
    expect(await getAnswer("zh-CN")).toMatch(/\p{Script=Han}/u);
    expect(await getAnswer("en")).not.toMatch(/\p{Script=Han}/u);
  });

  test("reaches an app and fills its tools from the parameters", async () => {
    const user = await authenticateAs("app-dan");
    const double = mockMcpServer();
    await callRoute("POST", "/api/v1/agents", { ...user, body: createApp("people") });
    const body = { action: "Look up the profile of the person", parameters: { name: "张三" } };
    const response = await callRoute<ExecuteResponse>("POST", "/api/v1/agents/people/execute", { ...user, body });
    expect(response).toMatchObject({
      success: true,
      tools_used: ["query_profile"],
      result: { found: true, name: "张三" },
    });
    expect(double.calls).toMatchObject([{ tool: "query_profile", args: { name: "张三" } }]);
  });

  test("returns a reason on failure: question, unreachable server, disabled agent, unknown agent", async () => {
    const user = await authenticateAs("app-eli");
    mockMcpServer();
    await callRoute("POST", "/api/v1/agents", { ...user, body: createApp("people", { tools: ["delete_profile"] }) });
    const execute = (name: string, action: string) =>
      callRoute<ExecuteResponse>("POST", `/api/v1/agents/${name}/execute`, {
        ...user,
        body: { action, parameters: { name: "Ann" } },
      });
    expect(await execute("people", "Delete the profile")).toMatchObject({
      success: false,
      result: null,
      tools_used: [],
      error: expect.stringMatching(/^The agent asked a question.*delete_profile needs your approval/s) as unknown,
    });
    vi.restoreAllMocks();
    expect(await execute("people", "Delete the profile")).toMatchObject({
      success: false,
      error: expect.stringContaining("The MCP server of this agent can’t be used") as unknown,
    });
    await callRoute("PATCH", "/api/v1/agents/people", { ...user, body: { enabled: false } });
    expect(await execute("people", "x")).toMatchObject({ success: false, error: "The agent people is disabled." });
    expect(
      await callForProblem("POST", "/api/v1/agents/nobody/execute", { ...user, body: { action: "x" } }),
    ).toMatchObject({
      code: "not_found",
    });
    expect(
      await callForProblem("POST", "/api/v1/agents/people/execute", { ...user, body: { action: "" } }),
    ).toMatchObject({
      field: "action",
    });
  });
});
