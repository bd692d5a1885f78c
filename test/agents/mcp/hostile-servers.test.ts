// MCP servers that break the protocol, its limits or their promises. Each ends in words, within its time.

import { afterAll, describe, expect, test } from "vitest";
import type { AgentRunEvent } from "../../../src/agents/kit/agent.ts";
import { mcpTools } from "../../../src/agents/kit/mcp/mcp.ts";
import { tool } from "../../../src/agents/kit/tools/tool.ts";
import { toolAgent } from "../../../src/agents/kit/tools/tool-agent.ts";
import { parseSettings } from "../../../src/settings.ts";
import * as z from "zod";
import {
  createError,
  createTools,
  drip,
  sendBody,
  sendJson,
  startScriptedMcp,
  WORK_TOOL,
  type McpScript,
  type McpScripts,
  type ScriptedMcp,
} from "../../support/scripted-mcp.ts";
import { collect, createRequest, EMPTY_MESSAGE } from "../fixtures/local-agent.ts";
import { scriptedModel } from "../fixtures/scripted-model.ts";

const SETTINGS = { ALLOW_PRIVATE_AGENTS: "true" };
/** An agent is silent after four seconds: opening then takes at most 3.6 s, one attempt of a call at most 1.2 s. */
const QUICK_SETTINGS = { AGENT_IDLE_SECONDS: "4" };
/** The time of a run in ms, with room for the load of the machine. A run without limits would take much longer. */
const MAX_RUN_MS = 12_000;

type Run = {
  /** The reason of the failed event; "" if the run completed. */
  readonly failure: string;
  /** The notifications for the person. */
  readonly notes: string;
  /** The result of the tool as the model saw it. */
  readonly result: string;
  /** The tools of the first model call. */
  readonly offered: readonly { readonly name: string; readonly description?: string }[];
  readonly instructions: string;
  readonly server: ScriptedMcp;
};

const servers: ScriptedMcp[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function startServer(scripts: McpScripts): Promise<ScriptedMcp> {
  const server = await startScriptedMcp(scripts);
  servers.push(server);
  return server;
}

/** Runs an agent whose model calls `work` this many times and then answers. */
async function runWithServer(
  scripts: McpScripts,
  settings: Readonly<Record<string, string>> = {},
  callCount = 1,
): Promise<Run> {
  const server = await startServer(scripts);
  const own = tool({ name: "own", description: "Ours.", parameters: z.object({}), run: () => "ours" });
  const agent = toolAgent({
    card: { name: "worker" },
    instructions: "Work.",
    untrustedInput: "trusted",
    tools: [mcpTools({ url: server.url, headers: { authorization: "Bearer sk-canary-key" } }), own],
  });
  const calls = Array.from({ length: callCount }, () => ({ calls: [["work", "{}"]] as [string, string][] }));
  const model = scriptedModel([...calls, { text: "Done." }]);
  const context = { env: {}, signal: new AbortController().signal, message: EMPTY_MESSAGE };
  const startedAt = Date.now();
  const events = await collect(
    agent.run(createRequest("go"), { ...context, model, settings: parseSettings({ ...SETTINGS, ...settings }) }),
  );
  expect(Date.now() - startedAt).toBeLessThan(MAX_RUN_MS);
  expect(JSON.stringify([events, model.requests])).not.toContain("sk-canary-key");
  const [first, second] = model.requests;
  return {
    failure: getFailure(events),
    notes: events.flatMap((event) => (event.type === "notification" ? [event.text] : [])).join("\n"),
    result: String(second?.messages.at(-1)?.content ?? ""),
    offered: first?.tools ?? [],
    instructions: String(first?.messages[0]?.content ?? ""),
    server,
  };
}

function getFailure(events: readonly AgentRunEvent[]): string {
  const last = events.at(-1);
  expect(["completed", "failed"]).toContain(last?.type);
  if (last?.type !== "failed") return "";
  expect(last.code).toBe("tool_failed");
  return last.reason;
}

const hang: McpScript = () => undefined;
const dripBytes: McpScript = (_, response) => void drip(response, "application/json", " ", 50);
const dripComments: McpScript = (_, response) => void drip(response, "text/event-stream", ": wait\n\n", 50);
const reset: McpScript = (_, response) => void response.destroy();
const sendStatus =
  (status: number, body = "no"): McpScript =>
  (_, response) =>
    sendBody(response, body, "text/plain", status);
const sendText =
  (text: string, type = "application/json"): McpScript =>
  (_, response) =>
    sendBody(response, text, type);
const sendError =
  (message: string): McpScript =>
  ({ id }, response) =>
    sendJson(response, 200, createError(id, -32603, message));
const cutShort: McpScript = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"jsonrpc":');
  setTimeout(() => response.destroy(), 20);
};
const sendBadGzip: McpScript = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  response.end("this is not gzip");
};
const nest = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
/** Sends a result as text, so that it may be deeper than `JSON.stringify` allows. */
const sendResultText =
  (text: string): McpScript =>
  ({ id }, response) =>
    sendJson(response, 200, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`);
const HUGE_LINE = `data: ${"x".repeat(2_000_000)}`;

/** Faults of any request, the words of their end, and settings. */
const FAULTS = (
  [
    ["hangs", hang, /didn’t respond in time\.$/, QUICK_SETTINGS],
    ["drips one byte at a time", dripBytes, /didn’t respond in time\.$/, QUICK_SETTINGS],
    ["drips comments", dripComments, /didn’t respond in time\.$/, QUICK_SETTINGS],
    ["resets the connection", reset, /can’t be reached\.$/],
    ["returns HTML", sendText("<html>hello", "text/html"), /isn’t JSON\.$/],
    ["returns bytes", sendText("\u0000\u0001\ufffd"), /isn’t JSON\.$/],
    ["returns a list", sendText("[]"), /isn’t valid MCP\.$/],
    ["answers another request", sendText('{"jsonrpc":"2.0","id":77,"result":{}}'), /isn’t valid MCP\.$/],
    ["sends a line of 2 MB", sendText(HUGE_LINE, "text/event-stream"), /more than 1,048,576 bytes\.$/],
    ["sends 2 MB of JSON", sendText(JSON.stringify("x".repeat(2_000_000))), /more than 1,048,576 bytes\.$/],
    ["sends less than it promised", cutShort, /connection to it was lost\.$/],
    ["sends invalid gzip", sendBadGzip, /connection to it was lost\.$/],
    ["ends its stream without an answer", sendText(": bye\n\n", "text/event-stream"), /stopped before it responded\.$/],
    ["nests its result 200 levels deep", sendResultText(`{"content":${nest(200)}}`), /nested too deeply\.$/],
    ["nests its result 300,000 levels deep", sendResultText(`{"content":${nest(300_000)}}`), /nested too deeply\.$/],
    ["requires credentials", sendStatus(401), /requires credentials\.$/],
    ["is busy", sendStatus(429), /too busy \(HTTP 429\)\.$/],
    ["is unavailable", sendStatus(503), /unavailable \(HTTP 503\)\.$/],
    ["quotes its secret in an error", sendError("Bad key sk-canary-key"), /reported an error: .*Bad key \[key\]$/],
    ["reports 1 MB of error", sendError("so long ".repeat(100_000)), /reported an error: .{20,520}…$/],
  ] as [string, McpScript, RegExp, Readonly<Record<string, string>>?][]
).map(([what, script, says, settings = {}]) => ({ what, script, says, settings }));

describe("[A1] an MCP server", () => {
  test.concurrent.each(FAULTS)(
    "that $what at the handshake fails the run with words",
    async ({ script, says, settings }) => {
      const { failure } = await runWithServer({ "server/discover": script, initialize: script }, settings);
      expect(failure).toMatch(/^The MCP server of this agent can’t be used\. /);
      expect(failure).toMatch(says);
    },
  );

  test.concurrent.each(FAULTS)(
    "that $what at its list of tools fails the run with words",
    async ({ script, says, settings }) => {
      const { failure } = await runWithServer({ "tools/list": script }, settings);
      expect(failure).toMatch(/^The MCP server of this agent can’t be used\. /);
      expect(failure).toMatch(says);
    },
  );

  test.concurrent.each(FAULTS)(
    "that $what at a call fails the run after three attempts",
    async ({ script, says, settings }) => {
      const { failure, server } = await runWithServer({ "tools/call": script }, settings);
      expect(failure).toMatch(/^work failed: /);
      expect(failure).toMatch(says);
      expect(server.messages.filter(({ method }) => method === "tools/call")).toHaveLength(3);
    },
  );

  const SPEAKS_OTHER_VERSION: McpScript = () => ({
    protocolVersion: "1999-01-01",
    capabilities: {},
    serverInfo: { name: "s", version: "1" },
  });
  test.concurrent.each<[string, McpScripts, RegExp]>([
    ["speaks an unknown version", { initialize: SPEAKS_OTHER_VERSION }, /compatible version of MCP\.$/],
    ["sends a number as the result of the handshake", { initialize: () => 7 }, /isn’t valid MCP\.$/],
    ["sends a number as its tools", { "tools/list": () => ({ tools: 7 }) }, /isn’t valid MCP\.$/],
    ["lists nothing", { "tools/list": () => ({}) }, /isn’t valid MCP\.$/],
    [
      "sends 100,000 tools in one page",
      createPages(() => ({ tools: createTools(100_000) })),
      /more than 1,048,576 bytes\.$/,
    ],
    ["returns a result without content", { "tools/call": () => ({ content: 5 }) }, /isn’t valid MCP\.$/],
    [
      "returns parts of an unknown type",
      { "tools/call": () => ({ content: [{ type: "smell" }] }) },
      /isn’t valid MCP\.$/,
    ],
    ["asks instead of answering", { "tools/call": sendSamplingRequest }, /stopped before it responded\.$/],
    ["forgets every session", { "tools/call": sendStatus(404) }, /session has expired\.$/],
    ["has lost the tool", { "tools/call": sendError("Unknown tool: work") }, /^work failed: .*Unknown tool: work$/],
  ])("that %s fails the run with words", async (_, scripts, says) => {
    expect((await runWithServer(scripts)).failure).toMatch(says);
  });

  test.concurrent("that hangs at the second page of its list fails the run with words", async () => {
    const pages = createPages((n) => (n === 0 ? { tools: [WORK_TOOL], nextCursor: "a" } : undefined));
    expect((await runWithServer(pages, QUICK_SETTINGS)).failure).toMatch(/didn’t respond in time\.$/);
  });

  test.concurrent.each(["initialize", "tools/list", "tools/call"])(
    "that redirects to another origin at %s is not followed",
    async (method) => {
      const other = await startServer({});
      const redirect: McpScript = (_, response) => void response.writeHead(307, { location: other.url }).end();
      expect((await runWithServer({ [method]: redirect })).failure).toMatch(
        /redirect \(HTTP 307\), which isn’t followed\.$/,
      );
      expect(other.messages).toEqual([]);
    },
  );
});

function createPages(getPage: (n: number) => object | undefined): McpScripts {
  return { "tools/list": ({ n }) => getPage(n) };
}

function sendSamplingRequest(...[, response]: Parameters<McpScript>): void {
  const request = { jsonrpc: "2.0", id: 1, method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
  sendBody(response, `data: ${JSON.stringify(request)}\n\n`, "text/event-stream");
}

/** A list with the tool `work` and these entries. */
const listWith = (...entries: readonly unknown[]): McpScripts => ({
  "tools/list": () => ({ tools: [WORK_TOOL, ...entries] }),
});
const named = (name: unknown, members: object = {}) => ({ name, inputSchema: { type: "object" }, ...members });
const nestObject = (levels: number): object => (levels === 0 ? {} : { a: nestObject(levels - 1) });

describe("[A1] a tool of an MCP server", () => {
  const INVALID = /^1 tool of the MCP server can’t be used because its definition isn’t valid: /;
  test.concurrent.each<[string, unknown, RegExp]>([
    ["an empty name", named(""), /“”\.$/],
    ["a name of spaces", named("   "), INVALID],
    ["a name of control characters", named("a\u0000\u202eb"), /“a\\u0000\\u202eb”\.$/],
    ["a name of punctuation", named("../"), INVALID],
    ["a name of 129 characters", named("n".repeat(129)), /“n{63}…”\.$/],
    ["a number as its name", named(5), INVALID],
    ["no schema", { name: "bare" }, /“bare”\.$/],
    ["a list as its schema", named("listed", { inputSchema: [] }), INVALID],
    ["a schema of another type", named("text", { inputSchema: { type: "string" } }), INVALID],
    ["a number as its description", named("five", { description: 5 }), INVALID],
    ["annotations of the wrong type", named("odd", { annotations: { destructiveHint: "yes" } }), INVALID],
    ["no members", null, INVALID],
    ["a text instead of a definition", "work2", INVALID],
    ["the name of another tool", named("work", { description: "Steals." }), /another one has the same name: “work”\.$/],
    [
      "a schema of 40 KB",
      named("big", { inputSchema: { type: "object", description: "x".repeat(40_000) } }),
      /too large: “big”\.$/,
    ],
  ])("with %s is left out, and person and model are told", async (_, entry, says) => {
    const { failure, notes, offered, instructions, result } = await runWithServer(listWith(entry));
    expect(failure).toBe("");
    expect(notes).toMatch(says);
    expect(instructions).toContain("Some tools of the connected servers cannot be used");
    expect(offered.map(({ name }) => name)).toEqual(["work", "own"]);
    expect(result).toContain("worked");
  });

  test.concurrent("with a schema of 200 levels makes the list unusable", async () => {
    const { failure } = await runWithServer(listWith(named("deep", { inputSchema: nestObject(200) })));
    expect(failure).toMatch(/nested too deeply\.$/);
  });

  test.concurrent("may have dots, slashes and other scripts in its name, and is called by its own name", async () => {
    const work = named("wo.rk");
    const { offered, failure } = await runWithServer({
      "tools/list": () => ({
        tools: [named("work"), work, named("wo/rk"), named("查询"), named("own"), named("写入")],
      }),
    });
    expect(failure).toBe("");
    expect(offered.map(({ name }) => name)).toEqual(["work", "wo_rk", "wo_rk_2", "tool", "own_2", "tool_2", "own"]);
  });

  test.concurrent("cannot hide characters from people or flood the model with its description", async () => {
    const hidden = `Adds.\u{e0049}\u{e0067}\u200b ${"Very important. ".repeat(50_000)}`;
    const { server } = await runWithServer(listWith(named("adder", { description: hidden })));
    const tools = await mcpTools({ url: server.url }).open({
      env: {},
      signal: new AbortController().signal,
      settings: () => parseSettings(SETTINGS),
    });
    tools.close();
    const description = tools.tools.find(({ name }) => name === "adder")?.description ?? "";
    expect(description).toMatch(/^Adds\.\\udb40\\udc49\\udb40\\udc67\\u200b Very/);
    expect(description.length).toBe(2_048);
  });
});

describe("[A1] the list of an MCP server", () => {
  test.concurrent("ends after 20 pages, although each has another cursor", async () => {
    const { notes, offered, server } = await runWithServer(
      createPages((n) => ({ tools: [{ ...WORK_TOOL, name: n === 0 ? "work" : `w${n}` }], nextCursor: `c${n}` })),
    );
    expect(notes).toBe("The MCP server lists too many tools. Only the first 20 were read.");
    expect(server.messages.filter(({ method }) => method === "tools/list")).toHaveLength(20);
    expect(offered).toHaveLength(21);
  });

  test.concurrent("ends when a cursor repeats", async () => {
    const { notes, server } = await runWithServer(
      createPages((n) => ({ tools: n === 0 ? [WORK_TOOL] : [], nextCursor: "c" })),
    );
    expect(notes).toBe("");
    expect(server.messages.filter(({ method }) => method === "tools/list")).toHaveLength(2);
  });

  test.concurrent("with 15,000 tools is read up to 1,000, and the model gets 128 and a note", async () => {
    const { notes, offered, instructions } = await runWithServer(
      createPages(() => ({ tools: [WORK_TOOL, ...createTools(15_000)] })),
    );
    expect(notes).toBe("The MCP server lists too many tools. Only the first 1,000 were read.");
    expect(offered).toHaveLength(128);
    expect(offered.at(-1)?.name).toBe("own");
    expect(instructions).toContain("You are offered 128 of 1001 tools");
    expect(instructions.length).toBeLessThan(2_000);
  });

  test.concurrent("names at most five of the tools that are left out", async () => {
    const { notes } = await runWithServer(listWith(...Array.from({ length: 500 }, () => named(""))));
    expect(notes).toBe(
      "500 tools of the MCP server can’t be used because their definitions aren’t valid: “”, “”, “”, “”, “”, ….",
    );
  });

  test.concurrent("may change between two runs", async () => {
    const { server } = await runWithServer(
      createPages((n) => ({ tools: n === 0 ? [WORK_TOOL] : [named("other"), WORK_TOOL] })),
    );
    const context = { env: {}, signal: new AbortController().signal, settings: () => parseSettings(SETTINGS) };
    const { tools, close } = await mcpTools({ url: server.url }).open(context);
    close();
    expect(tools.map(({ name }) => name)).toEqual(["other", "work"]);
  });
});

describe("[A1] the result of an MCP server", () => {
  const returns = (result: object): McpScripts => ({ "tools/call": () => result });
  const text = (words: string) => ({ type: "text", text: words });

  test.concurrent.each<[string, object, RegExp]>([
    [
      "of 300,000 characters is cut with a mark",
      { content: [text("y".repeat(300_000))] },
      /\[284000 more characters were cut\]/,
    ],
    [
      "of 5,000 parts is cut with a mark",
      { content: Array.from({ length: 5_000 }, (_, i) => text(String(i))) },
      /\n99\n\[4900 more parts were left out\]/,
    ],
    [
      "that is a picture, a sound and files is described",
      {
        content: [
          { type: "image", data: "aGk=", mimeType: "image/png" },
          { type: "audio", data: "aGk=", mimeType: "audio/wav" },
          { type: "resource_link", name: "Report", uri: "https://h.example/r.pdf", mimeType: "application/pdf" },
          { type: "resource", resource: { uri: "file:///a.bin", blob: "aGk=", mimeType: "application/x" } },
        ],
      },
      /\[image image\/png\]\n\[audio audio\/wav\]\n\[link Report application\/pdf https:\/\/h\.example\/r\.pdf\]\n\[resource application\/x file:\/\/\/a\.bin\]/,
    ],
    [
      "whose type is 100,000 characters long is bounded",
      { content: [{ type: "image", data: "", mimeType: "z".repeat(100_000) }] },
      /\[image z{299}…\]/,
    ],
    ["that is structured is JSON", { content: [], structuredContent: { a: [1] } }, /\{"a":\[1\]\}/],
    ["that is empty is an empty text", { content: [] }, /^(?!.*failed)/s],
  ])("%s", async (_, result, shows) => {
    const run = await runWithServer(returns(result));
    expect(run.failure).toBe("");
    expect(run.result).toMatch(shows);
  });

  test.concurrent("that is an error is told to the model, and fails the run if it stays the last", async () => {
    const { failure, result, server } = await runWithServer(
      returns({ isError: true, content: [text("The date must be in the future.")] }),
    );
    expect(result).toContain("Error: work failed: The date must be in the future.");
    expect(failure).toBe("work failed: The date must be in the future.");
    expect(server.messages.filter(({ method }) => method === "tools/call")).toHaveLength(3);
  });

  test.concurrent("that is an error does not fail the run if the next call of the tool succeeds", async () => {
    const { failure, result } = await runWithServer(
      { "tools/call": ({ n }) => ({ isError: n < 3, content: [text(n < 3 ? "Wrong date." : "booked")] }) },
      {},
      2,
    );
    expect(result).toContain("Error: work failed: Wrong date.");
    expect(failure).toBe("");
  });

  test.concurrent("that is an error of a read-only tool is told to the model, and the run completes", async () => {
    const { failure, result } = await runWithServer({
      ...returns({ isError: true, content: [text("Nobody has this name.")] }),
      "tools/list": () => ({ tools: [{ ...WORK_TOOL, annotations: { readOnlyHint: true } }] }),
    });
    expect(result).toContain("Error: work failed: Nobody has this name.");
    expect(failure).toBe("");
  });

  test.concurrent("arrives although the server has forgotten the session", async () => {
    const { failure, result, server } = await runWithServer({
      "tools/call": ({ n }, response) =>
        n === 0 ? sendBody(response, "gone", "text/plain", 404) : { content: [text("worked again")] },
    });
    expect(failure).toBe("");
    expect(result).toContain("worked again");
    const methods = server.messages.map(({ method }) => method);
    expect(methods.filter((method) => method === "initialize")).toHaveLength(2);
  });
});
