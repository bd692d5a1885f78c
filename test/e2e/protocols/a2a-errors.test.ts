// The requirements of A2A 1.0 for lists, errors, versions and cards, request by request.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startA2ASetup, post, callRpc, createSendParams, listTexts, type Answer, type A2ASetup } from "./a2a-setup.ts";

let setup: A2ASetup;
let url: string;

beforeAll(async () => {
  setup = await startA2ASetup();
  url = `${setup.runtime.url}/a2a`;
});
afterAll(() => setup.close());

const UNUSED_TASK_ID = `conv-${"0".repeat(32)}.th-${"0".repeat(32)}`;

const getWalkerUrl = () => `${url}/walker`;
const sendMessage = async (text: string, at = url, rest: object = {}) =>
  (await callRpc(at, "SendMessage", createSendParams(text, {}, rest))).result.task;
const startTask = (text: string) => sendMessage(text, getWalkerUrl(), { configuration: { returnImmediately: true } });

describe("§3.1.4 ListTasks", () => {
  test("returns the latest tasks first, in pages, and artifacts only on request", async () => {
    const contexts = [`list-a-${Date.now()}`, `list-b-${Date.now()}`];
    const ids: unknown[] = [];
    for (const n of [0, 1, 0, 1, 0]) {
      const params = createSendParams(`What is ${n} + 2?`, { contextId: contexts[n] });
      ids.unshift((await callRpc(url, "SendMessage", params)).result.task.id);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const listedIds: unknown[] = [];
    for (let pageToken = "", n = 0; n < 5; n++) {
      const page = (await callRpc(url, "ListTasks", { pageSize: 2, pageToken })).result;
      expect(page).toMatchObject({
        pageSize: page.tasks.length,
        totalSize: expect.any(Number) as unknown,
        nextPageToken: expect.any(String) as unknown,
      });
      expect(page.tasks.every((task) => !("artifacts" in task))).toBe(true);
      listedIds.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect(listedIds.slice(0, 5)).toEqual(ids);
    expect(new Set(listedIds).size).toBe(listedIds.length);
    const inContext = (await callRpc(url, "ListTasks", { contextId: contexts[0], includeArtifacts: true })).result;
    expect(inContext).toMatchObject({ nextPageToken: "", totalSize: 3, pageSize: 3 });
    expect(inContext.tasks.map((task) => listTexts(task).length)).toEqual([1, 1, 1]);
    expect(inContext.tasks.map(({ id }) => id)).toEqual(ids.filter((id) => String(id).startsWith(contexts[0] ?? "-")));
  });

  test("filters by state and by time", async () => {
    const { id, contextId, status } = await sendMessage("ask me", getWalkerUrl());
    const list = async (more: object) => (await callRpc(url, "ListTasks", { contextId, ...more })).result.tasks;
    expect((await list({ status: "TASK_STATE_INPUT_REQUIRED" })).map((task) => task.id)).toEqual([id]);
    expect(await list({ status: "TASK_STATE_COMPLETED" })).toEqual([]);
    expect(await list({ statusTimestampAfter: status.timestamp })).toHaveLength(1);
    expect(await list({ statusTimestampAfter: "2100-01-01T00:00:00Z" })).toEqual([]);
    expect((await callRpc(`${url}/assistant`, "ListTasks", { contextId })).result.tasks).toEqual([]);
    expect((await callRpc(url, "ListTasks", { contextId: "never-was" })).result).toMatchObject({
      tasks: [],
      totalSize: 0,
    });
  });

  test.each([
    { pageSize: 0 },
    { pageSize: 101 },
    { pageSize: -1 },
    { pageSize: "x" },
    { pageToken: "nonsense" },
    { status: "TASK_STATE_RUNNING" },
    { historyLength: -5 },
    { statusTimestampAfter: "yesterday" },
    { statusTimestampAfter: "-1" },
  ])("rejects %j", async (params) => {
    expect((await callRpc(url, "ListTasks", params)).error).toMatchObject({ code: -32602 });
  });

  test("needs no parameters", async () => {
    expect((await callRpc(url, "ListTasks")).result.tasks.length).toBeGreaterThan(0);
  });
});

describe("§9.5 errors", () => {
  test.each([
    [`{"jsonrpc": "2.0", "method": "SendMessage", "params": {`, -32700, null],
    ["", -32700, null],
    [[], -32600, null],
    [[{ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } }], -32600, null],
    [{ jsonrpc: "1.0", id: 1, method: "GetTask", params: { id: "x" } }, -32600, 1],
    [{ id: 1, method: "GetTask", params: { id: "x" } }, -32600, 1],
    [{ jsonrpc: "2.0", id: 1, params: {} }, -32600, 1],
    [{ jsonrpc: "2.0", id: { bad: 1 }, method: "GetTask" }, -32600, null],
    [{ jsonrpc: "2.0", id: 2, method: 5 }, -32600, 2],
    [{ jsonrpc: "2.0", id: 3, method: "Nothing", params: {} }, -32601, 3],
    [{ jsonrpc: "2.0", id: "s", method: "GetTask", params: ["x"] }, -32602, "s"],
    [{ jsonrpc: "2.0", id: 4, method: "GetTask", params: {} }, -32602, 4],
    [{ jsonrpc: "2.0", id: 4, method: "GetTask" }, -32602, 4],
    [{ jsonrpc: "2.0", id: 5, method: "GetTask", params: { id: UNUSED_TASK_ID } }, -32001, 5],
    [{ jsonrpc: "2.0", id: 5, method: "GetTask", params: { id: "nothing" } }, -32001, 5],
    [{ jsonrpc: "2.0", id: 5, method: "CancelTask", params: { id: UNUSED_TASK_ID } }, -32001, 5],
    [{ jsonrpc: "2.0", id: 5, method: "SubscribeToTask", params: { id: UNUSED_TASK_ID } }, -32001, 5],
    [{ jsonrpc: "2.0", id: 6, method: "SendMessage", params: {} }, -32602, 6],
    [{ jsonrpc: "2.0", id: 6, method: "SendMessage", params: { message: { parts: "invalid" } } }, -32602, 6],
    [{ jsonrpc: "2.0", id: 6, method: "SendMessage", params: createSendParams("x", { parts: [] }) }, -32602, 6],
    [{ jsonrpc: "2.0", id: 6, method: "SendMessage", params: createSendParams("x", { parts: [null] }) }, -32602, 6],
    [{ jsonrpc: "2.0", id: 6, method: "SendMessage", params: createSendParams("x", { parts: [{}] }) }, -32602, 6],
    [{ jsonrpc: "2.0", id: 6, method: "SendMessage", params: createSendParams("x", { messageId: "" }) }, -32602, 6],
    [
      { jsonrpc: "2.0", id: 6, method: "SendMessage", params: createSendParams("x", { role: "ROLE_AGENT" }) },
      -32602,
      6,
    ],
    [{ jsonrpc: "2.0", id: 6, method: "SendMessage", params: createSendParams("x", { role: "user" }) }, -32602, 6],
    [{ jsonrpc: "2.0", id: 6, method: "SendMessage", params: createSendParams("  ") }, -32602, 6],
    [
      { jsonrpc: "2.0", id: 6, method: "SendMessage", params: createSendParams("x", { contextId: "a b/../c" }) },
      -32602,
      6,
    ],
    [
      { jsonrpc: "2.0", id: 7, method: "SendMessage", params: createSendParams("x", { taskId: UNUSED_TASK_ID }) },
      -32001,
      7,
    ],
    [
      { jsonrpc: "2.0", id: 8, method: "SendMessage", params: createSendParams("x", { parts: [{ raw: "AAAA" }] }) },
      -32005,
      8,
    ],
    [
      {
        jsonrpc: "2.0",
        id: 8,
        method: "SendMessage",
        params: createSendParams("x", { parts: [{ url: "https://x.dev/a.png" }] }),
      },
      -32005,
      8,
    ],
    [
      {
        jsonrpc: "2.0",
        id: 8,
        method: "SendMessage",
        params: createSendParams("x", { parts: [{ text: "x", mediaType: "image/png" }] }),
      },
      -32005,
      8,
    ],
  ])("the request %j gets the code %i", async (body, code, id) => {
    const response = await post(url, body);
    expect(response.status).toBe(200);
    const { jsonrpc, id: answered, error } = (await response.json()) as Answer;
    expect([jsonrpc, answered, error.code]).toEqual(["2.0", id, code]);
    expect(error.message).toMatch(/\S/);
  });

  test("A2A errors contain a machine-readable reason", async () => {
    const { error } = await callRpc(url, "GetTask", { id: UNUSED_TASK_ID });
    expect(error.data).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "TASK_NOT_FOUND",
        domain: "a2a-protocol.org",
        metadata: { taskId: UNUSED_TASK_ID },
      },
    ]);
  });

  test("a message with another context than its task is rejected", async () => {
    const { id } = await sendMessage("ask me", getWalkerUrl());
    const answer = await callRpc(
      getWalkerUrl(),
      "SendMessage",
      createSendParams("blue", { taskId: id, contextId: "another" }),
    );
    expect(answer.error.code).toBe(-32602);
  });

  test("a message to a running task without a question is rejected", async () => {
    const { id } = await startTask("walk 20");
    expect((await callRpc(getWalkerUrl(), "SendMessage", createSendParams("x", { taskId: id }))).error.code).toBe(
      -32004,
    );
    await callRpc(getWalkerUrl(), "CancelTask", { id });
  });

  test("another content type gets 415, an unknown agent 404 and a GET request 405", async () => {
    const wrong = await post(url, "{}", { "content-type": "text/plain" });
    expect([wrong.status, ((await wrong.json()) as Answer).error.code]).toEqual([415, -32005]);
    const missing = await post(`${url}/nobody`, {
      jsonrpc: "2.0",
      id: 1,
      method: "GetTask",
      params: { id: UNUSED_TASK_ID },
    });
    expect([missing.status, ((await missing.json()) as Answer).error.code]).toEqual([404, -32601]);
    expect((await fetch(url)).status).toBe(405);
  });
});

describe("§3.6 versions", () => {
  const ask = (version: string, method = "ListTasks") => callRpc(url, method, {}, { "a2a-version": version });

  test.each(["1.0", "1.0.3", "1"])("%s is supported", async (version) => {
    expect(await ask(version)).toHaveProperty("result");
  });

  test.each(["0.5", "2.0", "1.1", "latest"])("%s is not supported", async (version) => {
    expect((await ask(version)).error).toMatchObject({
      code: -32009,
      data: [
        { reason: "VERSION_NOT_SUPPORTED", metadata: { requestedVersion: version, supportedVersions: "1.0, 0.3" } },
      ],
    });
  });

  test("each version accepts only its own methods", async () => {
    expect((await ask("0.3", "ListTasks")).error.code).toBe(-32601);
    expect((await ask("1.0", "tasks/get")).error.code).toBe(-32601);
  });

  test("the version can be a query parameter", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks" });
    const headers = { "content-type": "application/json" };
    const wrong = await fetch(`${url}?A2A-Version=9.0`, { method: "POST", headers, body });
    expect(((await wrong.json()) as Answer).error.code).toBe(-32009);
    const right = await fetch(`${url}?A2A-Version=1.0`, { method: "POST", headers, body });
    expect(await right.json()).toHaveProperty("result");
  });
});

describe("§8 cards", () => {
  const CARD = ".well-known/agent-card.json";

  test.each([
    [`/${CARD}`, "/a2a", "Orrery"],
    [`/a2a/${CARD}`, "/a2a", "Orrery"],
    [`/a2a/assistant/${CARD}`, "/a2a/assistant", "assistant"],
    [`/a2a/walker/${CARD}`, "/a2a/walker", "walker"],
  ])("%s is served with its endpoint %s for %s and supports conditional requests", async (path, endpoint, name) => {
    const response = await fetch(setup.runtime.url + path);
    const { headers } = response;
    expect(response.status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(headers.get("last-modified")).toMatch(/GMT$/);
    const card = (await response.json()) as Record<string, unknown>;
    const at = setup.runtime.url + endpoint;
    expect(card).toMatchObject({
      name,
      version: expect.stringMatching(/\S/) as unknown,
      description: expect.any(String) as unknown,
      capabilities: { streaming: true, pushNotifications: true },
      defaultInputModes: ["text/plain", "application/json"],
      defaultOutputModes: ["text/plain", "application/json"],
      skills: expect.any(Array) as unknown,
    });
    expect(card["supportedInterfaces"]).toEqual([
      { url: at, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: at, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url: at, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ]);
    const etag = headers.get("etag") ?? "";
    const since = headers.get("last-modified") ?? "";
    for (const known of [
      { "if-none-match": etag },
      { "if-none-match": `"x", W/${etag}` },
      { "if-modified-since": since },
    ]) {
      const again = await fetch(setup.runtime.url + path, { headers: known as Record<string, string> });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    expect((await fetch(setup.runtime.url + path, { headers: { "if-none-match": `"x"` } })).status).toBe(200);
    expect((await fetch(`${setup.runtime.url}${path}/`)).status).toBe(200);
    expect((await fetch(setup.runtime.url + path, { method: "HEAD" })).headers.get("etag")).toBe(etag);
  });

  test("endpoints accept URLs with and without a trailing slash", async () => {
    for (const at of [url, `${url}/`, getWalkerUrl(), `${getWalkerUrl()}/`]) {
      expect((await callRpc(at, "SendMessage", createSendParams("walk 1"))).result.task.status.state).toMatch(
        /COMPLETED/,
      );
    }
  });

  test("a disabled agent has no card or endpoint, and a server without authentication has no extended card", async () => {
    expect((await callRpc(url, "GetExtendedAgentCard")).error).toMatchObject({ code: -32004 });
    const disabled = await fetch(`${setup.runtime.url}/api/v1/agents/walker`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: `{"enabled":false}`,
    });
    expect(disabled.status).toBe(200);
    expect((await fetch(`${url}/walker/${CARD}`)).status).toBe(404);
    expect((await post(getWalkerUrl(), { jsonrpc: "2.0", id: 1, method: "ListTasks" })).status).toBe(404);
  });
});
