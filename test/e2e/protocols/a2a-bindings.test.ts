// The mandatory requirements of A2A 1.0 for a server, by section, over both bindings (§5.1: the same operations, results and
// errors), and the requirements of HTTP+JSON alone (§5.4, §11). `a2a-conformance` and `a2a-errors` test more parameters of
// JSON-RPC.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVENTS_EXTENSION } from "../../../src/protocol/agents/a2a-extension.ts";
import { BINDINGS, sendHttp } from "./a2a-bindings.ts";
import { assertPresent, createSendParams, listTexts, startA2ASetup, type A2ASetup, type Result } from "./a2a-setup.ts";

const UNUSED_TASK_ID = `conv-${"0".repeat(32)}.th-${"0".repeat(32)}`;
const IMMEDIATELY = { configuration: { returnImmediately: true } };

let setup: A2ASetup;
let runtime: string;
let walker: string;

beforeAll(async () => {
  setup = await startA2ASetup();
  runtime = `${setup.runtime.url}/a2a`;
  walker = `${runtime}/walker`;
});
afterAll(() => setup.close());

const listStates = (events: readonly Result[]) =>
  events.flatMap(({ task, statusUpdate }) => task?.status.state ?? statusUpdate?.status.state ?? []);

describe.each(BINDINGS)("%s", (_name, { call, stream }) => {
  const send = async (text: string, more: object = {}, rest: object = {}) =>
    assertPresent((await call(walker, "SendMessage", createSendParams(text, more, rest))).result).task;
  const getReason = async (method: string, params: object, at = walker) =>
    (await call(at, method, params)).error?.reason;

  test("§3.1.1 SendMessage returns the ended task with its artifacts, for the runtime and for an agent", async () => {
    const task = await send("walk 2");
    expect([task.status.state, listTexts(task)]).toEqual(["TASK_STATE_COMPLETED", ["step1 step2 "]]);
    const answered = await call(runtime, "SendMessage", createSendParams("What is 12 * 34?"));
    expect(listTexts(assertPresent(answered.result).task)).toEqual(["12 × 34 = 408"]);
  });

  test("§3.1.1, §3.2.2 SendMessage returns at once on request, and a repeated message is the same task", async () => {
    const params = createSendParams("walk 5", {}, IMMEDIATELY);
    const task = assertPresent((await call(walker, "SendMessage", params)).result).task;
    expect(task.status.state).toMatch(/SUBMITTED|WORKING/);
    const again = assertPresent((await call(walker, "SendMessage", { message: params.message })).result).task;
    expect([again.id, again.status.state]).toEqual([task.id, "TASK_STATE_COMPLETED"]);
  });

  test("§3.2.4 historyLength limits the history", async () => {
    const { id, history } = await send("walk 1");
    expect(assertPresent(history).length).toBeGreaterThan(0);
    expect(assertPresent((await call(walker, "GetTask", { id, historyLength: 0 })).result)).not.toHaveProperty(
      "history",
    );
    expect(assertPresent((await call(walker, "GetTask", { id, historyLength: 1 })).result).history).toHaveLength(1);
    expect(await getReason("GetTask", { id, historyLength: -1 })).toBe("INVALID_PARAMS");
  });

  test("§3.1.3 GetTask returns the task, and the same task over the other binding", async () => {
    const task = await send("walk 1");
    for (const [, other] of BINDINGS)
      expect((await other.call(walker, "GetTask", { id: task.id })).result).toEqual(task);
  });

  test("§3.1.4 ListTasks filters, pages, and returns artifacts on request only", async () => {
    const contextId = `list-${crypto.randomUUID()}`;
    const ids = [(await send("walk 1", { contextId })).id, (await send("walk 1", { contextId })).id].toReversed();
    const list = async (more: object) =>
      assertPresent((await call(walker, "ListTasks", { contextId, ...more })).result);
    const first = await list({ pageSize: 1 });
    const second = await list({ pageSize: 1, pageToken: first.nextPageToken });
    expect([first, second].flatMap(({ tasks }) => tasks.map(({ id }) => id))).toEqual(ids);
    expect([first.tasks.some((task) => "artifacts" in task), second.nextPageToken]).toEqual([false, ""]);
    expect((await list({ includeArtifacts: true })).tasks.map(listTexts)).toEqual([["step1 "], ["step1 "]]);
    expect((await list({ status: "TASK_STATE_WORKING" })).tasks).toEqual([]);
    for (const wrong of [{ pageSize: 0 }, { pageSize: "x" }, { status: "RUNNING" }, { includeArtifacts: "yes" }])
      expect(await getReason("ListTasks", { contextId, ...wrong })).toBe("INVALID_PARAMS");
  });

  test("[T5] §3.1.5 CancelTask cancels a task once", async () => {
    const { id } = await send("walk 50", {}, IMMEDIATELY);
    expect(assertPresent((await call(walker, "CancelTask", { id })).result).status.state).toBe("TASK_STATE_CANCELED");
    expect(await getReason("CancelTask", { id })).toBe("TASK_NOT_CANCELABLE");
  });

  test("§3.1.2, §3.5.2 SendStreamingMessage sends the task, its updates in order, and ends with the task", async () => {
    const { events } = await stream(walker, "SendStreamingMessage", createSendParams("walk 3"));
    expect(events[0]).toHaveProperty("task");
    const texts = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts.map(({ text }) => text) ?? []);
    expect(texts.join("")).toBe("step1 step2 step3 ");
    expect(listStates(events).at(-1)).toBe("TASK_STATE_COMPLETED");
  });

  test("[L2] §3.1.6 SubscribeToTask sends the task and all later events to every reader, and refuses an ended task", async () => {
    const { id } = await send("walk 8", {}, IMMEDIATELY);
    const streams = await Promise.all([1, 2].map(() => stream(walker, "SubscribeToTask", { id })));
    for (const { events } of streams) {
      expect(assertPresent(events[0]).task.id).toBe(id);
      expect(listStates(events).at(-1)).toBe("TASK_STATE_COMPLETED");
    }
    expect((await stream(walker, "SubscribeToTask", { id })).error?.reason).toBe("UNSUPPORTED_OPERATION");
  });

  test("§3.4, §11.7 a question ends the stream, and a message with the id of the task answers it", async () => {
    const { events } = await stream(walker, "SendStreamingMessage", createSendParams("ask me"));
    expect(listStates(events).at(-1)).toBe("TASK_STATE_INPUT_REQUIRED");
    const { id, contextId } = assertPresent(events[0]).task;
    const wrong = createSendParams("blue", { taskId: id, contextId: "another" });
    expect(await getReason("SendMessage", wrong)).toBe("INVALID_PARAMS");
    const task = await send("green", { taskId: id, contextId });
    expect([task.id, listTexts(task).join("")]).toEqual([id, expect.stringContaining("You said green.")]);
    expect(await getReason("SendMessage", createSendParams("more", { taskId: id }))).toBe("UNSUPPORTED_OPERATION");
  });

  test("§3.1.7 to §3.1.10 push notification configurations are created, read, listed and deleted", async () => {
    const { id: taskId } = await send("ask me");
    const config = { taskId, id: "mine", url: "https://hooks.example.dev/x" };
    const created = await call(walker, "CreateTaskPushNotificationConfig", { ...config, token: "t" });
    expect(created.result).toMatchObject(config);
    expect((await call(walker, "GetTaskPushNotificationConfig", { taskId, id: "mine" })).result).toMatchObject(config);
    const list = async () => (await call(walker, "ListTaskPushNotificationConfigs", { taskId })).result?.configs;
    expect(await list()).toMatchObject([config]);
    expect((await call(walker, "DeleteTaskPushNotificationConfig", { taskId, id: "mine" })).error).toBeUndefined();
    expect([await list(), await getReason("GetTaskPushNotificationConfig", { taskId, id: "mine" })]).toEqual([
      [],
      "TASK_NOT_FOUND",
    ]);
  });

  test.each([
    ["GetTask", { id: UNUSED_TASK_ID }, "TASK_NOT_FOUND"],
    ["CancelTask", { id: "nothing" }, "TASK_NOT_FOUND"],
    ["SendMessage", createSendParams("x", { taskId: UNUSED_TASK_ID }), "TASK_NOT_FOUND"],
    ["ListTaskPushNotificationConfigs", { taskId: UNUSED_TASK_ID }, "TASK_NOT_FOUND"],
    ["SendMessage", {}, "INVALID_PARAMS"],
    ["SendMessage", createSendParams("x", { parts: [] }), "INVALID_PARAMS"],
    ["SendMessage", createSendParams("x", { messageId: "" }), "INVALID_PARAMS"],
    ["SendMessage", createSendParams("x", { parts: [{ raw: "AAAA" }] }), "CONTENT_TYPE_NOT_SUPPORTED"],
    ["GetExtendedAgentCard", {}, "UNSUPPORTED_OPERATION"],
  ])("§3.3.2 %s %j fails with %s", async (method, params, reason) => {
    const { error } = await call(runtime, method, params);
    expect([error?.reason, error?.message]).toEqual([reason, expect.stringMatching(/\S/)]);
  });

  test("§3.6 other versions are refused, and §4.6 the extension is confirmed in the response", async () => {
    const refused = await call(runtime, "ListTasks", {}, { "a2a-version": "9.0" });
    expect(refused.error?.reason).toBe("VERSION_NOT_SUPPORTED");
    const { headers, result } = await call(runtime, "ListTasks", {}, { "a2a-extensions": EVENTS_EXTENSION });
    expect([headers["a2a-extensions"], result?.tasks]).toEqual([EVENTS_EXTENSION, expect.any(Array)]);
  });

  test("§3.1.6 a subscription that waits for an answer continues with it", async () => {
    const { id } = await send("ask me");
    const reader = stream(walker, "SubscribeToTask", { id });
    await sleep(300);
    await send("red", { taskId: id });
    const states = listStates((await reader).events);
    expect([states[0], states.at(-1)]).toEqual(["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_COMPLETED"]);
  });
});

describe("HTTP+JSON alone", () => {
  type ErrorBody = { readonly error: { readonly code: number; readonly status: string; readonly details: object[] } };
  const readError = async (response: Response) => {
    const { error } = (await response.json()) as ErrorBody;
    return [response.status, error.code, error.status];
  };
  const fetchPath = (path: string, init: RequestInit = {}) => fetch(runtime + path, init);

  test.each([
    ["GetTask", { id: UNUSED_TASK_ID }, 404, "NOT_FOUND"],
    ["SendMessage", {}, 400, "INVALID_ARGUMENT"],
    ["SendMessage", createSendParams("x", { parts: [{ raw: "AAAA" }] }), 400, "INVALID_ARGUMENT"],
    ["GetExtendedAgentCard", {}, 400, "FAILED_PRECONDITION"],
  ])("§5.4, §11.6 %s %j has the status %i and the name %s", async (method, params, status, name) => {
    expect(await readError(await sendHttp(runtime, method, params))).toEqual([status, status, name]);
  });

  test("§11.6 an A2A error has an ErrorInfo, and an unknown agent, a wrong body and a large one have their statuses", async () => {
    const { error } = (await (await sendHttp(runtime, "GetTask", { id: UNUSED_TASK_ID })).json()) as ErrorBody;
    expect(error.details).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "TASK_NOT_FOUND",
        domain: "a2a-protocol.org",
        metadata: { taskId: UNUSED_TASK_ID },
      },
    ]);
    const postBody = (body: string, type = "application/json") =>
      fetchPath("/message:send", { method: "POST", headers: { "content-type": type }, body });
    expect(await readError(await sendHttp(`${runtime}/nobody`, "ListTasks"))).toEqual([404, 404, "NOT_FOUND"]);
    expect(await readError(await postBody("{"))).toEqual([400, 400, "INVALID_ARGUMENT"]);
    expect(await readError(await postBody("[]"))).toEqual([400, 400, "INVALID_ARGUMENT"]);
    expect(await readError(await postBody("{}", "text/plain"))).toEqual([400, 400, "INVALID_ARGUMENT"]);
    const large = JSON.stringify(createSendParams("x".repeat(3_000_000)));
    expect(await readError(await postBody(large))).toEqual([413, 413, "INVALID_ARGUMENT"]);
  });

  test("§11.1 the media type is that of A2A for clients that accept it by name", async () => {
    const getType = async (headers: Readonly<Record<string, string>>) =>
      (await sendHttp(runtime, "ListTasks", {}, headers)).headers.get("content-type");
    expect(await getType({})).toBe("application/json");
    expect(await getType({ accept: "application/a2a+json, application/json" })).toBe("application/a2a+json");
  });

  test("§11.3 paths may be encoded, end with a slash and omit the version, and have other HTTP methods refused", async () => {
    const headers = { "content-type": "application/json" };
    for (const path of ["/walker/message%3Asend", "/walker/message:send/"]) {
      const body = JSON.stringify(createSendParams("walk 1"));
      expect((await fetchPath(path, { method: "POST", headers, body })).status).toBe(200);
    }
    const put = await fetchPath("/walker/tasks", { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET"]);
    expect((await fetchPath("/message:send")).status).toBe(405);
    expect((await fetchPath("/walker/nothing/at/all")).status).toBe(404);
    expect((await fetchPath("/tasks?A2A-Version=0.3")).status).toBe(400);
  });
});
