// An agent of the kit that uses the tools of an MCP server.

import { describe, expect, test } from "vitest";
import type { AgentModel, AgentRunEvent } from "../../src/agents/kit/agent.ts";
import { mcpTools } from "../../src/agents/kit/mcp/mcp.ts";
import { toolAgent } from "../../src/agents/kit/tools/tool-agent.ts";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { collect, EMPTY_MESSAGE, createRequest } from "./fixtures/local-agent.ts";
import { createLegacyMcp, createMcpDouble, type McpDouble } from "./fixtures/mcp-double.ts";
import { scriptedModel } from "./fixtures/scripted-model.ts";

const agent = toolAgent({
  card: { name: "people" },
  instructions: "Keep the profiles.",
  tools: [mcpTools({ binding: "MCP_PEOPLE" }, { only: ["create_profile", "query_profile", "delete_profile"] })],
});

function runPeopleAgent(
  double: McpDouble,
  model: AgentModel,
  request: AgentRequest = createRequest("go"),
): Promise<AgentRunEvent[]> {
  const signal = new AbortController().signal;
  const settings = parseSettings({});
  return collect(agent.run(request, { model, settings, env: { MCP_PEOPLE: double }, signal, message: EMPTY_MESSAGE }));
}

const createCallReply = (name: string) => ({ calls: [[name, '{"name":"Ann"}']] as [string, string][] });
const listToolResults = (events: readonly AgentRunEvent[]) =>
  events.flatMap((event) => (event.type === "tool_completed" ? [[event.tool, event.result]] : []));

describe("an agent with the tools of an MCP server", () => {
  test("offers them to its model, answers with their results and ends the session", async () => {
    const double = createMcpDouble(createLegacyMcp());
    const model = scriptedModel([createCallReply("create_profile"), { text: "Done." }]);
    const events = await runPeopleAgent(double, model);
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(listToolResults(events)).toEqual([["create_profile", '{"success":true,"name":"Ann"}']]);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual([
      "create_profile",
      "query_profile",
      "delete_profile",
    ]);
    expect(double.requests.at(-1)?.method).toBe("DELETE");
  });

  test("fails the run with the error of the tool after three attempts", async () => {
    const double = createMcpDouble();
    double.failing.set("create_profile", 4);
    const events = await runPeopleAgent(
      double,
      scriptedModel([createCallReply("create_profile"), { text: "Never said." }]),
    );
    expect(listToolResults(events)).toEqual([
      ["create_profile", "Error: create_profile failed: create_profile is out of order"],
    ]);
    expect(events.at(-1)).toEqual({
      type: "failed",
      reason: "create_profile failed: create_profile is out of order",
      code: "tool_failed",
    });
    expect(double.calls.length).toBe(3);
  });

  test("offers only read-only tools in a read-only request", async () => {
    const double = createMcpDouble();
    const model = scriptedModel([createCallReply("query_profile"), { text: "There is." }]);
    await runPeopleAgent(double, model, createRequest("go", { scope: "read_only" }));
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["query_profile"]);
  });

  test("[H2] waits for an approval before it runs a destructive tool once", async () => {
    const double = createMcpDouble();
    const question = (await runPeopleAgent(double, scriptedModel([createCallReply("delete_profile")]))).at(-1);
    if (question?.type !== "input_required") throw new Error("It did not ask.");
    expect(question.approval).toMatchObject({ tool: "delete_profile", arguments: { name: "Ann" } });
    expect(double.calls).toEqual([]);
    const reply = {
      answer: { message: "approve", decision: "approve" as const },
      ...(question.state === undefined ? {} : { state: question.state }),
    };
    const events = await runPeopleAgent(double, scriptedModel([{ text: "Gone." }]), { ...createRequest("go"), reply });
    expect(listToolResults(events)).toEqual([["delete_profile", '{"deleted":"Ann"}']]);
    expect(double.calls.map(({ tool }) => tool)).toEqual(["delete_profile"]);
  });

  test("[T4] repeats a call after a crash under the same key", async () => {
    const double = createMcpDouble();
    const events = await runPeopleAgent(double, scriptedModel([createCallReply("create_profile"), { text: "Done." }]));
    const before = events.slice(
      0,
      events.findIndex(({ type }) => type === "tool_started"),
    );
    const lastCheckpoint = before.findLast((event) => event.type === "checkpoint");
    if (lastCheckpoint?.type !== "checkpoint") throw new Error("It kept nothing.");
    await runPeopleAgent(double, scriptedModel([{ text: "Done." }]), {
      ...createRequest("go"),
      checkpoint: lastCheckpoint.state,
    });
    expect(double.calls.map(({ key }) => key)).toEqual(["msg-1/1", "msg-1/1"]);
  });

  test("[A1] fails the run before any model call when the server is unreachable", async () => {
    const model = scriptedModel([]);
    const events = await runPeopleAgent(
      createMcpDouble(() => Promise.reject(new Error("gone"))),
      model,
    );
    expect(events).toEqual([
      {
        type: "failed",
        reason: "The MCP server of this agent can’t be used. It can’t be reached.",
        code: "tool_failed",
      },
    ]);
    expect(model.requests).toEqual([]);
  });
});
