// An agent that is only a configuration: its tools come from an MCP server at a URL, its words from a scripted model.

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { legacy } from "../agents/fixtures/mcp.ts";
import { startMcpServer, type McpAtUrl } from "../support/mcp-at-url.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let server: McpAtUrl;
let old: McpAtUrl;
let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  model = await startModelServer();
  server = await startMcpServer();
  old = await startMcpServer(legacy());
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" } });
  person = personAt(runtime.url);
  for (const [name, { url }] of Object.entries({ people: server, archive: old })) {
    const app = { name, description: "Keeps the profiles of people", instructions: "Be brief.", mcp: { url } };
    expect((await person.request("POST", "/api/v1/agents", app)).status).toBe(201);
  }
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([server.close(), old.close(), model.close()]);
});
beforeEach(() => {
  server.calls.length = 0;
});

/** A message on which the agent makes one call and then says what it is told to. */
const calling = (tool: string, text: string, agent = "people") =>
  model.act({ [`agent:${agent}`]: [{ calls: [{ name: tool, arguments: { name: "Ann" } }] }, { text }] });

const toolsOf = (frames: readonly Frame[]) =>
  eventsOf(frames, "tool_call_completed")
    .filter(({ payload }) => /_profile$|^report_/.test(payload.tool_name))
    .map(({ payload }) => [payload.tool_name, payload.tool_result]);
const reasonsOf = (frames: readonly Frame[]) => eventsOf(frames, "task_failed").map(({ payload }) => payload.content);

describe.each(["people", "archive"])("[F134] the app %s", (agent) => {
  test("answers in a conversation with what its tools found", async () => {
    const mark = calling("query_profile", "Ann is there.", agent);
    const { frames } = await person.say(`Look up Ann ${mark}`, { agent });
    expect(textOf(frames)).toBe("Ann is there.");
    expect(toolsOf(frames)).toEqual([["query_profile", JSON.stringify([{ content: '{"found":true,"name":"Ann"}' }])]]);
    expect(breachesIn(frames)).toEqual([]);
    const [first] = model.callsOf(mark);
    expect(first?.request.messages[0]?.content).toMatch(/^Be brief\./);
    expect(first?.request.tools?.map((tool) => tool.function.name)).toContain("report_failure");
  });
});

test("H2: a tool that is marked as destructive waits for the person's leave", async () => {
  const mark = calling("delete_profile", "Ann is gone.");
  const { conversation_id: id } = await person.tell(`Delete Ann ${mark}`, { agent: "people" });
  await vi.waitFor(async () => expect(eventsOf(await person.history(id), "task_waiting")).toHaveLength(1), 10_000);
  expect(server.calls).toEqual([]);
  await person.request("POST", `/api/v1/conversations/${id}/resume`, { message: "approve" });
  await vi.waitFor(async () => expect((await person.history(id)).at(-1)?.event).toBe("done"), 10_000);
  expect(textOf(await person.history(id))).toBe("Ann is gone.");
  expect(server.calls.map(({ tool }) => tool)).toEqual(["delete_profile"]);
});

test("a tool that fails twice is called three times, with one key", async () => {
  server.failing.set("create_profile", 2);
  const { frames } = await person.say(`Create Ann ${calling("create_profile", "Ann is there now.")}`, {
    agent: "people",
  });
  expect(textOf(frames)).toBe("Ann is there now.");
  expect(server.calls.length).toBe(3);
  expect(new Set(server.calls.map(({ key }) => key)).size).toBe(1);
});

test("a tool that goes on failing fails the task with its words", async () => {
  server.failing.set("create_profile", 4);
  const { frames } = await person.say(`Create Ann ${calling("create_profile", "Never said.")}`, { agent: "people" });
  expect(reasonsOf(frames)).toEqual(["create_profile failed: create_profile is out of order"]);
  expect(server.calls.length).toBe(3);
  server.failing.clear();
});

test("what it cannot do it says, and the task has failed; that is no tool that it used", async () => {
  const mark = model.act({
    "agent:people": [{ calls: [{ name: "report_failure", arguments: { reason: "I keep no salaries." } }] }],
  });
  const { frames } = await person.say(`What does Ann earn? ${mark}`, { agent: "people" });
  expect(reasonsOf(frames)).toEqual(["I keep no salaries."]);
  expect(toolsOf(frames)).toEqual([]);
});

test("A1: with a server that is gone the task fails with the reason", async () => {
  const gone = await startMcpServer();
  const app = { name: "gone", description: "Was there once", mcp: { url: gone.url } };
  expect((await person.request("POST", "/api/v1/agents", app)).status).toBe(201);
  await gone.close();
  const { frames } = await person.say("Anything", { agent: "gone" });
  expect(reasonsOf(frames)).toEqual(["The MCP server of this agent cannot be used: it cannot be reached."]);
});
