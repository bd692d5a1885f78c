// Agents that are registered as a configuration, and agents asked for one thing.

import { afterEach, describe, expect, test, vi } from "vitest";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import type { ExecuteResponse } from "../../src/protocol/agents/app-config.ts";
import { current, mcpDouble } from "../agents/fixtures/mcp.ts";
import { ask, refused } from "./support.ts";
import { as } from "./tokens.ts";

const URL_OF_SERVER = "https://mcp.example.com/mcp";
const app = (name: string, more: object = {}) => ({
  name,
  description: "Keeps the profiles of people",
  mcp: { url: URL_OF_SERVER, headers: { authorization: "Bearer s3cret" } },
  ...more,
});

/** The internet has one MCP server. */
function serving() {
  const double = mcpDouble(async (request, own) => current(request, own));
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => double.fetch(input as string, init as RequestInit));
  return double;
}

const list = async (user: object) => (await ask<{ agents: Agent[] }>("GET", "/api/v1/agents", user)).agents;

afterEach(() => {
  vi.restoreAllMocks();
});

describe("[F134] an app", () => {
  test("is registered, listed, switched off and forgotten; its headers go to its server and nowhere else", async () => {
    const user = await as("app-ada");
    const double = serving();
    const skills = [{ id: "p", name: "Profiles", description: "Profiles of people" }];
    const made = await ask<Agent>("POST", "/api/v1/agents", {
      ...user,
      body: app("people", { skills, tools: ["query_profile"] }),
    });
    expect(made).toMatchObject({ name: "people", source: "app", enabled: true, skills: [{ id: "p" }] });
    expect(double.requests[0]?.headers.get("authorization")).toBe("Bearer s3cret");
    expect(JSON.stringify(await list(user))).not.toContain("s3cret");
    expect((await list(user)).map(({ name, source }) => `${source} ${name}`)).toContain("app people");
    expect(await ask("PATCH", "/api/v1/agents/people", { ...user, body: { enabled: false } })).toMatchObject({
      enabled: false,
    });
    expect((await list(await as("app-eve"))).map(({ name }) => name)).not.toContain("people");
    expect(await ask("DELETE", "/api/v1/agents/people", user)).toMatchObject({ deleted: true });
    expect((await list(user)).map(({ name }) => name)).not.toContain("people");
  });

  test("is refused with the reason, and then it is not there", async () => {
    const user = await as("app-bob");
    serving();
    const post = (body: object) => refused("POST", "/api/v1/agents", { ...user, body });
    expect(await post(app("people", { tools: ["fire_person"] }))).toMatchObject({
      code: "unprocessable",
      field: "tools",
      detail:
        "The MCP server has no tool fire_person. It has: create_profile, query_profile, delete_profile, say.hello.",
    });
    expect(await post(app("Assistant"))).toMatchObject({ code: "conflict", field: "name" });
    expect(await post(app("people", { mcp: { binding: "MCP_NONE" } }))).toMatchObject({
      code: "agent_unreachable",
      field: "mcp",
      detail: "This deployment has no binding MCP_NONE.",
    });
    expect(await post(app("people", { mcp: { url: "https://10.0.0.1/mcp" } }))).toMatchObject({
      code: "invalid_request",
      field: "mcp.url",
      detail:
        "The MCP server must not be called: The address must be public: it points into a private or reserved network.",
    });
    expect(await post(app("two words"))).toMatchObject({ code: "invalid_request", field: "name" });
    expect(await post(app("people", { mcp: { binding: "DB" } }))).toMatchObject({ field: "mcp.binding" });
    expect(await post(app("people", { mcp: { url: URL_OF_SERVER, headers: { "bad name": "x" } } }))).toMatchObject({
      field: "mcp.headers",
    });
    expect(await post({ url: 5 })).toMatchObject({ code: "invalid_request", field: "url" });
    vi.restoreAllMocks();
    expect(await post(app("people"))).toMatchObject({ code: "agent_unreachable", field: "mcp" });
    expect((await list(user)).map(({ name }) => name)).not.toContain("people");
  });
});

describe("[F135] one request to an agent", () => {
  test("is answered with what it said and used", async () => {
    const done = await ask<ExecuteResponse>("POST", "/api/v1/agents/assistant/execute", {
      ...(await as("app-cat")),
      body: { action: "What is 17 * 23?" },
    });
    expect(done).toMatchObject({ success: true, tools_used: ["calculate"] });
    expect(done.response).toContain("391");
    expect(JSON.stringify(done.result)).toContain("391");
    expect(done.error).toBeUndefined();
    expect(done.execution_time).toBeGreaterThanOrEqual(0);
  });

  test("is answered in the language of who asks, where the request has no words of its own", async () => {
    const answerIn = async (language: string) =>
      (
        await ask<ExecuteResponse>("POST", "/api/v1/agents/assistant/execute", {
          ...(await as("app-cat")),
          body: { action: "1/0", language },
        })
      ).response;
    expect(await answerIn("zh-CN")).toMatch(/\p{Script=Han}/u);
    expect(await answerIn("en")).not.toMatch(/\p{Script=Han}/u);
  });

  test("reaches an app, whose tools take their arguments from the parameters", async () => {
    const user = await as("app-dan");
    const double = serving();
    await ask("POST", "/api/v1/agents", { ...user, body: app("people") });
    const body = { action: "Look up the profile of the person", parameters: { name: "张三" } };
    const done = await ask<ExecuteResponse>("POST", "/api/v1/agents/people/execute", { ...user, body });
    expect(done).toMatchObject({ success: true, tools_used: ["query_profile"], result: { found: true, name: "张三" } });
    expect(double.calls).toMatchObject([{ tool: "query_profile", args: { name: "张三" } }]);
  });

  test("that may only look changes nothing", async () => {
    const user = await as("app-fay");
    const double = serving();
    await ask("POST", "/api/v1/agents", { ...user, body: app("people", { tools: ["create_profile"] }) });
    const body = { action: "Create the profile of the person", parameters: { name: "Ann" }, scope: "read_only" };
    const done = await ask<ExecuteResponse>("POST", "/api/v1/agents/people/execute", { ...user, body });
    expect(done).toMatchObject({ success: true, tools_used: [] });
    expect(done.response).toContain("no means");
    expect(double.calls).toEqual([]);
  });

  test("without success says why: asked back, out of reach, switched off, not there", async () => {
    const user = await as("app-eli");
    serving();
    await ask("POST", "/api/v1/agents", { ...user, body: app("people", { tools: ["delete_profile"] }) });
    const execute = (name: string, action: string) =>
      ask<ExecuteResponse>("POST", `/api/v1/agents/${name}/execute`, {
        ...user,
        body: { action, parameters: { name: "Ann" } },
      });
    expect(await execute("people", "Delete the profile")).toMatchObject({
      success: false,
      result: null,
      tools_used: [],
      error: expect.stringMatching(/^The agent asks, .*delete_profile needs your approval/s) as unknown,
    });
    vi.restoreAllMocks();
    expect(await execute("people", "Delete the profile")).toMatchObject({
      success: false,
      error: expect.stringContaining("The MCP server of this agent cannot be used") as unknown,
    });
    await ask("PATCH", "/api/v1/agents/people", { ...user, body: { enabled: false } });
    expect(await execute("people", "x")).toMatchObject({ success: false, error: "The agent people is switched off." });
    expect(await refused("POST", "/api/v1/agents/nobody/execute", { ...user, body: { action: "x" } })).toMatchObject({
      code: "not_found",
    });
    expect(await refused("POST", "/api/v1/agents/people/execute", { ...user, body: { action: "" } })).toMatchObject({
      field: "action",
    });
  });
});
