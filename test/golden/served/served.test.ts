// A running system serves and stores the same as the golden files. It is started once with the embedded model.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiUser, type ThreadResult, type ApiUser } from "../../support/api-user.ts";
import { createTemplateConfig } from "../../support/workflow-configs.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { queryAll, tidySql } from "../databases.ts";
import { startRecordingModel, type RecordingModel } from "../recording-model.ts";
import { readData, describeShapes } from "../shapes.ts";
import { expectGolden, printJson } from "../golden-files.ts";

const STREAM = { accept: "text/event-stream" };
const OBJECTS = ["orrery-Conversation", "orrery-Library"];
/** Tables of the platform and of the job library, not of this project. */
const FOREIGN = /^(_cf_|cf_agents_|sqlite_)/;

let model: RecordingModel;
let runtime: Runtime;
let person: ApiUser;

beforeAll(async () => {
  model = await startRecordingModel();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" } });
  person = createApiUser(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

/** Reads a text of the server and replaces its URL. */
async function readText(path: string): Promise<string> {
  const response = await person.request("GET", path);
  expect(response.status, path).toBe(200);
  return (await response.text()).replaceAll(runtime.url, "https://orrery.example");
}

async function callRpc(path: string, method: string, params: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await person.request("POST", path, { jsonrpc: "2.0", id: 1, method, params }, headers);
  return response.text();
}

async function resume({ conversationId }: ThreadResult, message: string): Promise<void> {
  const path = `/api/v1/conversations/${conversationId}/resume`;
  await (await person.request("POST", path, { message }, STREAM)).text();
}

test("/openapi.json is unchanged", async () => {
  expectGolden("files/openapi.json", printJson(JSON.parse(await readText("/openapi.json"))));
});

test("the agent cards of the server and its agents are unchanged", async () => {
  const { agents } = await person.get<{ agents: { name: string }[] }>("/api/v1/agents");
  const paths = ["", ...agents.map(({ name }) => `/a2a/${name}`).toSorted()];
  const cards: Record<string, unknown> = { listed: agents };
  for (const path of paths) {
    const card = `${path}/.well-known/agent-card.json`;
    cards[card] = JSON.parse(await readText(card));
  }
  expectGolden("files/cards.json", printJson(cards));
});

test("MCP describes itself in the same way and lists the same tools and resource templates", async () => {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const initialized: unknown = JSON.parse(await callRpc("/mcp", "initialize", params));
  const listed: unknown = JSON.parse(await callRpc("/mcp", "tools/list", {}));
  const templates: unknown = JSON.parse(await callRpc("/mcp", "resources/templates/list", {}));
  const answers = { initialize: initialized, "tools/list": listed, "resources/templates/list": templates };
  expectGolden("files/mcp.json", printJson(answers));
});

test("AG-UI runs send events of the same shapes", async () => {
  const events: { type: string }[] = [];
  for (const content of ["What time is it, and what is 678 * 8776?", "Every 5 minutes tell me what 6 * 7 is."]) {
    const threadId = `golden-${events.length}`;
    const messages = [{ id: "m1", role: "user", content }];
    const input = {
      threadId,
      runId: `r-${threadId}`,
      messages,
      protocolVersion: "1.0",
      state: {},
      tools: [],
      context: [],
    };
    const response = await person.request("POST", "/agui", input, STREAM);
    events.push(...(readData(await response.text()) as { type: string }[]));
  }
  expectGolden("files/agui.json", printJson(describeShapes(events, ({ type }) => type)));
});

test("A2A streams send updates of the same shapes, including the extension", async () => {
  const { capabilities } = JSON.parse(await readText("/.well-known/agent-card.json")) as {
    capabilities: { extensions: { uri: string }[] };
  };
  const extensions = capabilities.extensions.map(({ uri }) => uri);
  const message = {
    messageId: "m1",
    role: "ROLE_USER",
    parts: [{ text: "What is 678 * 8776? Verify it." }],
    extensions,
  };
  const headers = { "a2a-version": "1.0", "a2a-extensions": extensions.join(), ...STREAM };
  const results = readData(await callRpc("/a2a", "SendStreamingMessage", { message }, headers)) as {
    result: { task?: { id: string } };
  }[];
  const taskId = results[0]?.result.task?.id;
  const pushed = await callRpc(
    "/a2a",
    "CreateTaskPushNotificationConfig",
    { taskId, url: "http://127.0.0.1:9/" },
    {
      "a2a-version": "1.0",
    },
  );
  const shapes = describeShapes(results, ({ result }) => Object.keys(result).join());
  expectGolden(
    "files/a2a.json",
    printJson({ extensions, ...shapes, ...describeShapes([JSON.parse(pushed)], () => "push") }),
  );
});

// The order matters from here on: this test creates the data of the next two.
test("each model role is offered the same tools", async () => {
  await person.request("POST", "/api/v1/datasets/sample");
  await person.sendAndWait("What time is it, and what is 678 * 8776?", { verify: true });
  await resume(await person.sendAndWait("Every 5 minutes tell me what 6 * 7 is."), "yes");
  await person.sendAndWait("What is 678 × 8776?", { agent: "toolsmith" });
  await person.sendAndWait("What is 12 × 34?", { agent: "toolsmith" });
  await person.sendAndWait("Hello", { agent: "analyst" });
  await resume(await person.sendAndWait("分析一下班级成绩"), "Form 1A");
  const page = await person.sendAndWait("Compare 1A and 1B on the last assignment");
  await person.sendAndWait("make it a line chart", { conversation: page.conversationId });
  await person.sendAndWait("why is 1A better?", { conversation: page.conversationId });
  await person.request("POST", "/api/v1/plan-templates", { ...createTemplateConfig(), status: "released" });
  await person.sendAndWait("Welcome somebody with 3 seats", { agent: "welcome" });
  const body = { context: { seats: 3 } };
  const started = await person.request("POST", "/api/v1/plan-templates/welcome/instances", body, STREAM);
  await started.text();
  expectGolden("files/model-tools.json", printJson(model.listTools()));
});

test("the journal uses the same step names", async () => {
  await runtime.kill();
  const rows = queryAll<{ name: string }>(runtime.state, "orrery-Conversation", "SELECT name FROM journal");
  const names = rows.map(({ name }) => name.replaceAll(/[0-9a-f]{32}/g, "…").replaceAll(/\b(apply:)\d+/g, "$1…"));
  expectGolden("files/journal-steps.json", printJson([...new Set(names)].toSorted()));
});

test("the Durable Objects create the same tables", () => {
  const stored = OBJECTS.map((kind) => {
    const rows = queryAll<{ name: string; sql: string | null }>(
      runtime.state,
      kind,
      "SELECT name, sql FROM sqlite_master",
    );
    const own = rows.filter(({ name, sql }) => sql !== null && !FOREIGN.test(name));
    const statements = new Set(own.map(({ sql }) => `${tidySql(sql ?? "")};`));
    return `-- ${kind}\n${[...statements].toSorted().join("\n")}\n`;
  });
  expectGolden("files/objects.sql", stored.join("\n"));
});

test("the alarm of a conversation uses the same jobs", () => {
  const jobs = queryAll<{ fn: string }>(runtime.state, "orrery-Conversation", "SELECT fn FROM cf_agents_jobs");
  const names = new Set(jobs.map(({ fn }) => fn));
  // This job exists only temporarily.
  names.delete("index");
  expect([...names].toSorted()).toEqual(["deliver", "turns"]);
});
