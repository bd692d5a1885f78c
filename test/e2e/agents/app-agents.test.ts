// App agents, which are only configuration: their tools come from an MCP server, their answers from a scripted model.

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { createLegacyMcp } from "../../agents/fixtures/mcp-double.ts";
import { startMcpServer, type McpServer } from "../../support/mcp-server.ts";
import { createTools, startScriptedMcp, WORK_TOOL } from "../../support/scripted-mcp.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

let model: ModelServer;
let server: McpServer;
let legacyServer: McpServer;
let runtime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  model = await startModelServer();
  server = await startMcpServer();
  legacyServer = await startMcpServer(createLegacyMcp());
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" } });
  user = createApiUser(runtime.url);
  for (const [name, { url }] of Object.entries({ people: server, archive: legacyServer })) {
    const app = { name, description: "Keeps the profiles of people", instructions: "Be brief.", mcp: { url } };
    expect((await user.request("POST", "/api/v1/agents", app)).status).toBe(201);
  }
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([server.close(), legacyServer.close(), model.close()]);
});
beforeEach(() => {
  server.calls.length = 0;
});

/** Scripts an agent that makes one tool call and then answers `text`. */
const scriptToolCall = (tool: string, text: string, agent = "people") =>
  model.addScript({ [`agent:${agent}`]: [{ calls: [{ name: tool, arguments: { name: "Ann" } }] }, { text }] });

const listToolResults = (frames: readonly Frame[]) =>
  filterEvents(frames, "tool_call_completed")
    .filter(({ payload }) => /_profile$|^report_/.test(payload.tool_name))
    .map(({ payload }) => [payload.tool_name, payload.tool_result]);
const listFailureReasons = (frames: readonly Frame[]) =>
  filterEvents(frames, "task_failed").map(({ payload }) => payload.content);

describe.each(["people", "archive"])("[F134] app agent %s", (agent) => {
  test("answers with the results of its tools", async () => {
    const mark = scriptToolCall("query_profile", "Ann is there.", agent);
    const { frames } = await user.sendAndWait(`Look up Ann ${mark}`, { agent });
    expect(joinText(frames)).toBe("Ann is there.");
    expect(listToolResults(frames)).toEqual([
      ["query_profile", JSON.stringify([{ content: '{"found":true,"name":"Ann"}' }])],
    ]);
    expect(findViolations(frames)).toEqual([]);
    const [first] = model.getCalls(mark);
    expect(first?.request.messages[0]?.content).toMatch(/^Be brief\./);
    expect(first?.request.tools?.map((tool) => tool.function.name)).toContain("report_failure");
  });
});

test("[H2] a destructive tool waits for the approval of the user", async () => {
  const mark = scriptToolCall("delete_profile", "Ann is gone.");
  const { conversation_id: id } = await user.send(`Delete Ann ${mark}`, { agent: "people" });
  await vi.waitFor(async () => expect(filterEvents(await user.history(id), "task_waiting")).toHaveLength(1), 10_000);
  expect(server.calls).toEqual([]);
  await user.request("POST", `/api/v1/conversations/${id}/resume`, { message: "approve" });
  await vi.waitFor(async () => expect((await user.history(id)).at(-1)?.event).toBe("done"), 10_000);
  expect(joinText(await user.history(id))).toBe("Ann is gone.");
  expect(server.calls.map(({ tool }) => tool)).toEqual(["delete_profile"]);
});

test("[P1] a call with a value from another tool waits for approval and names the event, also after a crash", async () => {
  const call = (name: string) => ({ calls: [{ name, arguments: { name: "Eve Evil" } }] });
  const mark = model.addScript({ "agent:people": [call("query_profile"), call("create_profile"), { text: "Done." }] });
  const { conversation_id: id } = await user.send(`Look up Ann ${mark}`, { agent: "people" });
  await vi.waitFor(async () => expect(filterEvents(await user.history(id), "task_waiting")).toHaveLength(1), 10_000);
  await runtime.kill();
  await runtime.restart();
  const log = await user.history(id);
  const read = log.find(
    ({ event, data }) => event === "tool_call_completed" && data.payload.tool_name === "query_profile",
  );
  expect(filterEvents(log, "task_waiting")[0]?.payload.approval).toMatchObject({
    tool: "create_profile",
    origins: [{ path: "/name", start: 0, end: 8, source: "query_profile", seq: read?.seq }],
  });
  expect(server.calls.map(({ tool }) => tool)).toEqual(["query_profile"]);
  await user.request("POST", `/api/v1/conversations/${id}/resume`, { message: "approve" });
  await vi.waitFor(async () => expect((await user.history(id)).at(-1)?.event).toBe("done"), 10_000);
  expect(joinText(await user.history(id))).toBe("Done.");
  expect(server.calls.map(({ tool }) => tool)).toEqual(["query_profile", "create_profile"]);
});

test("[P1] the policy of an app decides about such calls", async () => {
  const call = (name: string) => ({ calls: [{ name, arguments: { name: "Eve Evil" } }] });
  for (const [policy, expected] of [
    ["trusted", ["query_profile", "create_profile"]],
    ["never", ["query_profile"]],
  ] as const) {
    server.calls.length = 0;
    const app = { name: policy, description: "Keeps profiles", mcp: { url: server.url }, untrusted_input: policy };
    expect((await user.request("POST", "/api/v1/agents", app)).status).toBe(201);
    const script = [call("query_profile"), call("create_profile"), { text: "Done." }];
    const mark = model.addScript({ [`agent:${policy}`]: script });
    const { frames } = await user.sendAndWait(`Look up Ann ${mark}`, { agent: policy });
    expect(joinText(frames)).toBe("Done.");
    expect(server.calls.map(({ tool }) => tool)).toEqual(expected);
  }
});

test("a tool that fails twice is called three times with one idempotency key", async () => {
  server.failing.set("create_profile", 2);
  const { frames } = await user.sendAndWait(`Create Ann ${scriptToolCall("create_profile", "Ann is there now.")}`, {
    agent: "people",
  });
  expect(joinText(frames)).toBe("Ann is there now.");
  expect(server.calls.length).toBe(3);
  expect(new Set(server.calls.map(({ key }) => key)).size).toBe(1);
});

test("a tool that keeps failing fails the task with its error, whatever the model says then", async () => {
  server.failing.set("create_profile", 4);
  const { frames } = await user.sendAndWait(`Create Ann ${scriptToolCall("create_profile", "Ann is there now.")}`, {
    agent: "people",
  });
  expect(listFailureReasons(frames)).toEqual(["create_profile failed: create_profile is out of order"]);
  expect(server.calls.length).toBe(3);
  server.failing.clear();
});

test("report_failure fails the task and is not published as a tool call", async () => {
  const mark = model.addScript({
    "agent:people": [{ calls: [{ name: "report_failure", arguments: { reason: "I keep no salaries." } }] }],
  });
  const { frames } = await user.sendAndWait(`What does Ann earn? ${mark}`, { agent: "people" });
  expect(listFailureReasons(frames)).toEqual(["I keep no salaries."]);
  expect(listToolResults(frames)).toEqual([]);
});

test("[A1] the tools of an MCP server that cannot be used are named in the conversation", async () => {
  const hostileServer = await startScriptedMcp({
    "tools/list": () => ({
      tools: [WORK_TOOL, { name: "", inputSchema: { type: "object" } }, { name: "bare" }, ...createTools(300)],
    }),
  });
  const app = { name: "hostile", description: "Has odd tools", mcp: { url: hostileServer.url } };
  expect((await user.request("POST", "/api/v1/agents", app)).status).toBe(201);
  const mark = model.addScript({
    "agent:hostile": [{ calls: [{ name: "work", arguments: {} }] }, { text: "Worked." }],
  });
  const { frames } = await user.sendAndWait(`Please work ${mark}`, { agent: "hostile" });
  await hostileServer.close();
  expect(filterEvents(frames, "message").map(({ payload }) => payload.content)).toEqual([
    "2 tools of the MCP server can’t be used because their definitions aren’t valid: “”, “bare”.",
  ]);
  expect(joinText(frames)).toBe("Worked.");
  const request = model.getCalls(mark)[0]?.request;
  expect(request?.tools).toHaveLength(128);
  expect(request?.messages[0]?.content).toContain("You are offered 128 of 302 tools");
  expect(findViolations(frames)).toEqual([]);
});

test("[A1] an unreachable MCP server fails the task with the reason", async () => {
  const stoppedServer = await startMcpServer();
  const app = { name: "gone", description: "Was there once", mcp: { url: stoppedServer.url } };
  expect((await user.request("POST", "/api/v1/agents", app)).status).toBe(201);
  await stoppedServer.close();
  const { frames } = await user.sendAndWait("Anything", { agent: "gone" });
  expect(listFailureReasons(frames)).toEqual(["The MCP server of this agent can’t be used. It can’t be reached."]);
});
