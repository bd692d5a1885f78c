// An agent of the kit that works with the tools of an MCP server.

import { describe, expect, test } from "vitest";
import type { AgentModel, AgentRunEvent } from "../../src/agents/kit/agent.ts";
import { mcpTools } from "../../src/agents/kit/mcp.ts";
import { toolAgent } from "../../src/agents/kit/tool-agent.ts";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { collect, message, requestFor } from "./fixtures/local.ts";
import { legacy, mcpDouble, type McpDouble } from "./fixtures/mcp.ts";
import { scriptedModel } from "./fixtures/model.ts";

const agent = toolAgent({
  card: { name: "people" },
  instructions: "Keep the profiles.",
  tools: [mcpTools({ binding: "MCP_PEOPLE" }, { only: ["create_profile", "query_profile", "delete_profile"] })],
});

function run(double: McpDouble, model: AgentModel, request: AgentRequest = requestFor("go")): Promise<AgentRunEvent[]> {
  const signal = new AbortController().signal;
  const settings = parseSettings({});
  return collect(agent.run(request, { model, settings, env: { MCP_PEOPLE: double }, signal, message }));
}

const calling = (name: string) => ({ calls: [[name, '{"name":"Ann"}']] as [string, string][] });
const resultsOf = (said: readonly AgentRunEvent[]) =>
  said.flatMap((one) => (one.type === "tool_completed" ? [[one.tool, one.result]] : []));

describe("an agent with the tools of a server", () => {
  test("offers them to its model and answers with what they found; the session is ended", async () => {
    const double = mcpDouble(legacy());
    const model = scriptedModel([calling("create_profile"), { text: "Done." }]);
    const said = await run(double, model);
    expect(said.at(-1)).toEqual({ type: "completed" });
    expect(resultsOf(said)).toEqual([["create_profile", '{"success":true,"name":"Ann"}']]);
    expect(model.heard[0]?.tools?.map(({ name }) => name)).toEqual([
      "create_profile",
      "query_profile",
      "delete_profile",
    ]);
    expect(double.requests.at(-1)?.method).toBe("DELETE");
  });

  test("a tool that fails for good fails the run with its words, after three tries", async () => {
    const double = mcpDouble();
    double.failing.set("create_profile", 4);
    const said = await run(double, scriptedModel([calling("create_profile"), { text: "Never said." }]));
    expect(resultsOf(said)).toEqual([
      ["create_profile", "Error: create_profile failed: create_profile is out of order"],
    ]);
    expect(said.at(-1)).toEqual({
      type: "failed",
      reason: "create_profile failed: create_profile is out of order",
      code: "tool_failed",
    });
    expect(double.calls.length).toBe(3);
  });

  test("in a read-only request only what looks is offered", async () => {
    const double = mcpDouble();
    const model = scriptedModel([calling("query_profile"), { text: "There is." }]);
    await run(double, model, requestFor("go", { scope: "read_only" }));
    expect(model.heard[0]?.tools?.map(({ name }) => name)).toEqual(["query_profile"]);
  });

  test("H2: a destructive tool waits for leave, and then runs once", async () => {
    const double = mcpDouble();
    const asked = (await run(double, scriptedModel([calling("delete_profile")]))).at(-1);
    if (asked?.type !== "input_required") throw new Error("It did not ask.");
    expect(asked.approval).toMatchObject({ tool: "delete_profile", arguments: { name: "Ann" } });
    expect(double.calls).toEqual([]);
    const reply = {
      answer: { message: "approve", decision: "approve" as const },
      ...(asked.state === undefined ? {} : { state: asked.state }),
    };
    const said = await run(double, scriptedModel([{ text: "Gone." }]), { ...requestFor("go"), reply });
    expect(resultsOf(said)).toEqual([["delete_profile", '{"deleted":"Ann"}']]);
    expect(double.calls.map(({ tool }) => tool)).toEqual(["delete_profile"]);
  });

  test("T4: a call that a crash cut off is made again under the same key", async () => {
    const double = mcpDouble();
    const said = await run(double, scriptedModel([calling("create_profile"), { text: "Done." }]));
    const before = said.slice(
      0,
      said.findIndex(({ type }) => type === "tool_started"),
    );
    const kept = before.findLast((one) => one.type === "checkpoint");
    if (kept?.type !== "checkpoint") throw new Error("It kept nothing.");
    await run(double, scriptedModel([{ text: "Done." }]), { ...requestFor("go"), checkpoint: kept.state });
    expect(double.calls.map(({ key }) => key)).toEqual(["msg-1/1", "msg-1/1"]);
  });

  test("A1: a server that is gone fails the run before a model is asked", async () => {
    const model = scriptedModel([]);
    const said = await run(
      mcpDouble(() => Promise.reject(new Error("gone"))),
      model,
    );
    expect(said).toEqual([
      {
        type: "failed",
        reason: "The MCP server of this agent cannot be used: it cannot be reached.",
        code: "tool_failed",
      },
    ]);
    expect(model.heard).toEqual([]);
  });
});
