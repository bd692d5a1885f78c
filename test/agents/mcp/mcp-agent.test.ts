// An agent of the kit that uses the tools of an MCP server.

import { describe, expect, test } from "vitest";
import type { AgentModel, AgentRunEvent } from "../../../src/agents/kit/agent.ts";
import { mcpTools } from "../../../src/agents/kit/mcp/mcp.ts";
import { toolAgent } from "../../../src/agents/kit/tools/tool-agent.ts";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../../src/settings.ts";
import { collect, EMPTY_MESSAGE, createRequest } from "../fixtures/local-agent.ts";
import { createLegacyMcp, createMcpDouble, type McpDouble } from "../fixtures/mcp-double.ts";
import { scriptedModel } from "../fixtures/scripted-model.ts";

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
});
