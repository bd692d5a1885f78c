// The requirements of A2A 1.0 for a server, tested with raw requests.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  collectEvents,
  readEvents,
  startA2ASetup,
  post,
  callRpc,
  createSendParams,
  listTexts,
  assertPresent,
  type Answer,
  type A2ASetup,
} from "./a2a-setup.ts";

let setup: A2ASetup;
let url: string;

beforeAll(async () => {
  setup = await startA2ASetup();
  url = `${setup.runtime.url}/a2a`;
});
afterAll(() => setup.close());

const TASK = /^conv-[0-9a-f]{32}\.th-[0-9a-f]{32}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNUSED_TASK_ID = `conv-${"0".repeat(32)}.th-${"0".repeat(32)}`;

const getWalkerUrl = () => `${url}/walker`;
const sendMessage = async (text: string, at = url, rest: object = {}) =>
  (await callRpc(at, "SendMessage", createSendParams(text, {}, rest))).result.task;
const startTask = (text: string) => sendMessage(text, getWalkerUrl(), { configuration: { returnImmediately: true } });

async function streamMethod(at: string, method: string, params: object, headers = {}): Promise<Answer[]> {
  const response = await post(at, { jsonrpc: "2.0", id: 7, method, params }, headers);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return collectEvents(response);
}

describe("§3.1.1 SendMessage", () => {
  test("waits for the end and returns the complete task", async () => {
    const { message } = createSendParams("What is 12 * 34?");
    const answer = await callRpc(url, "SendMessage", { message });
    expect(answer).toMatchObject({ jsonrpc: "2.0", id: "r-1" });
    const { task } = answer.result;
    expect(task.id).toMatch(TASK);
    expect(task.id).toContain(`${task.contextId}.`);
    expect(task.status).toEqual({ state: "TASK_STATE_COMPLETED", timestamp: expect.stringMatching(TIME) as unknown });
    expect(listTexts(task)).toEqual(["12 × 34 = 408"]);
    expect(task.history).toMatchObject([{ messageId: message.messageId, role: "ROLE_USER", taskId: task.id }]);
  });

  test("returns immediately with returnImmediately, and the task continues", async () => {
    const task = await startTask("walk 5");
    expect(task.status.state).toMatch(/^TASK_STATE_(SUBMITTED|WORKING)$/);
    const streamedEvents = await streamMethod(getWalkerUrl(), "SubscribeToTask", { id: task.id });
    expect(streamedEvents.at(-1)?.result.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("uses the context id of the client as the conversation of several tasks", async () => {
    const contextId = `ctx-${Date.now()}`;
    const first = (await callRpc(url, "SendMessage", createSendParams("What is 1 + 1?", { contextId }))).result.task;
    const second = (await callRpc(url, "SendMessage", createSendParams("What is 2 + 2?", { contextId }))).result.task;
    expect([first.contextId, second.contextId]).toEqual([contextId, contextId]);
    expect(first.id).not.toBe(second.id);
  });

  test("accepts data parts in addition to text", async () => {
    const parts = [{ text: "What is 5 * 6?" }, { data: { note: [1, null, "x"] } }];
    expect((await callRpc(url, "SendMessage", createSendParams("", { parts }))).result.task.status.state).toBe(
      "TASK_STATE_COMPLETED",
    );
  });

  test("rejects an approval with invalid arguments with the reason", async () => {
    const task = await sendMessage("Sign the guestbook with 'x'", `${url}/guestbook`);
    const refusal = { taskId: task.id, parts: [{ data: { decision: "approve", arguments: { text: 5 } } }] };
    const answer = await callRpc(`${url}/guestbook`, "SendMessage", createSendParams("", refusal));
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining("arguments.text") as unknown });
  });
});

describe("§3.1.2 SendStreamingMessage", () => {
  test("streams the task, then appends to its artifact, and ends with the final status", async () => {
    const streamedEvents = await streamMethod(getWalkerUrl(), "SendStreamingMessage", createSendParams("walk 4"));
    expect(streamedEvents.every((event) => event.jsonrpc === "2.0" && event.id === 7)).toBe(true);
    const [first, ...rest] = streamedEvents.map((event) => event.result);
    const { id, contextId, status } = assertPresent(first?.task);
    expect([id, status.state]).toEqual([expect.stringMatching(TASK) as unknown, "TASK_STATE_SUBMITTED"]);
    const updates = rest.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    expect(updates[0]).not.toHaveProperty("append");
    expect(updates.slice(1).every(({ append }) => append === true)).toBe(true);
    expect(updates.every((update) => update.taskId === id && update.contextId === contextId)).toBe(true);
    const text = updates.map(({ artifact }) => artifact.parts.map((part) => part.text).join("")).join("");
    expect(text).toBe("step1 step2 step3 step4 ");
    expect(rest.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(rest.filter((event) => "task" in event || "message" in event)).toEqual([]);
    const completeTask = (await callRpc(getWalkerUrl(), "GetTask", { id })).result;
    expect(listTexts(completeTask)).toEqual([text]);
  });

  test("streams the plan and its tasks as short status messages", async () => {
    const streamedEvents = await streamMethod(
      url,
      "SendStreamingMessage",
      createSendParams("首先查询现在时间然后计算678乘以8776的结果"),
    );
    const words = streamedEvents.flatMap(({ result }) => result.statusUpdate?.status.message?.parts ?? []);
    expect(words.map(({ text }) => text)).toEqual([
      "assistant: 查询现在时间\nassistant: 计算678乘以8776的结果",
      "assistant: 查询现在时间",
      "assistant: 计算678乘以8776的结果",
    ]);
  });

  test("returns an error before the first event as plain JSON", async () => {
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "SendStreamingMessage",
      params: createSendParams("x", { taskId: UNUSED_TASK_ID }),
    };
    const response = await post(url, body);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32001 } });
  });

  test("adds events without an A2A equivalent as metadata if the client uses the extension", async () => {
    const extension = "urn:orrery:a2a:events:1";
    const response = await post(
      `${url}/assistant`,
      { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: createSendParams("What is 12 * 34?") },
      { "a2a-extensions": extension },
    );
    expect(response.headers.get("a2a-extensions")).toBe(extension);
    const types: unknown[] = [];
    for await (const { result } of readEvents(response)) types.push(result.statusUpdate?.metadata?.[extension]?.type);
    expect(types).toEqual(expect.arrayContaining(["tool_started", "tool_completed", "usage"]));
    const plainTypes = await streamMethod(
      `${url}/assistant`,
      "SendStreamingMessage",
      createSendParams("What is 12 * 34?"),
    );
    expect(JSON.stringify(plainTypes)).not.toContain(extension);
  });
});

describe("§3.4.3 input-required", () => {
  test("is the status of a task with a question that the next message answers", async () => {
    const task = await sendMessage("ask me", getWalkerUrl());
    expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const [words, data] = assertPresent(task.status.message).parts;
    expect(words).toEqual({ text: "Which colour?" });
    expect(data?.data).toMatchObject({
      request_id: expect.stringMatching(/^req-/) as unknown,
      expires_at: expect.any(Number) as unknown,
    });
    const answered = (await callRpc(getWalkerUrl(), "SendMessage", createSendParams("blue", { taskId: task.id })))
      .result.task;
    expect(answered).toMatchObject({ id: task.id, contextId: task.contextId });
    expect(answered.status.state).toBe("TASK_STATE_COMPLETED");
    expect(listTexts(answered)).toEqual(["One moment. ", "You said blue."]);
    expect(assertPresent(answered.history).map(({ role, parts }) => [role, parts[0]?.text])).toEqual([
      ["ROLE_USER", "ask me"],
      ["ROLE_AGENT", "Which colour?"],
      ["ROLE_USER", "blue"],
    ]);
  });

  test("ends the stream, and the stream of the answer continues the task", async () => {
    const questionStream = await streamMethod(getWalkerUrl(), "SendStreamingMessage", createSendParams("ask me"));
    const { taskId, status } = assertPresent(questionStream.at(-1)?.result.statusUpdate);
    expect(status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const reply = createSendParams("red", { taskId });
    const rest = await streamMethod(getWalkerUrl(), "SendStreamingMessage", reply);
    expect(rest[0]?.result.task).toMatchObject({ id: taskId, status: { state: "TASK_STATE_WORKING" } });
    expect(rest.at(-1)?.result.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    // A repeated answer has no effect.
    const again = await callRpc(getWalkerUrl(), "SendMessage", reply);
    expect(again.result.task.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("contains an approval as data, and data answers it with changed arguments", async () => {
    const at = `${url}/guestbook`;
    const task = await sendMessage("Sign the guestbook with 'Draft'", at);
    const data = assertPresent(task.status.message?.parts[1]?.data);
    expect(data).toMatchObject({
      options: ["approve", "refuse"],
      approval: { tool: "sign_guestbook", arguments: { text: "Draft" } },
    });
    const parts = [{ data: { request_id: data["request_id"], decision: "approve", arguments: { text: "Final" } } }];
    const done = (await callRpc(at, "SendMessage", createSendParams("", { taskId: task.id, parts }))).result.task;
    expect(listTexts(done).join("")).toContain("The guestbook now says: Final");
  });
});

describe("§3.1.3 GetTask and §3.2.4 history", () => {
  test("returns at most historyLength recent messages and none for 0", async () => {
    const { id } = await sendMessage("ask me", getWalkerUrl());
    const getTask = async (historyLength?: number) =>
      (await callRpc(getWalkerUrl(), "GetTask", { id, historyLength })).result;
    expect((await getTask()).history).toHaveLength(2);
    expect((await getTask(1)).history).toMatchObject([{ role: "ROLE_AGENT" }]);
    expect(await getTask(0)).not.toHaveProperty("history");
    for (const historyLength of [-1, 1.5, "many"])
      expect((await callRpc(getWalkerUrl(), "GetTask", { id, historyLength })).error.code).toBe(-32602);
  });

  test("does not find a task of another agent", async () => {
    const { id } = await sendMessage("walk 1", getWalkerUrl());
    expect((await callRpc(`${url}/assistant`, "GetTask", { id })).error.code).toBe(-32001);
    expect((await callRpc(url, "GetTask", { id })).result.id).toBe(id);
  });
});

describe("§3.1.5 CancelTask", () => {
  test("cancels a running task, which then rejects messages and subscriptions", async () => {
    const { id } = await startTask("walk 200");
    const cancelled = (await callRpc(getWalkerUrl(), "CancelTask", { id })).result;
    expect(cancelled).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
    expect((await callRpc(getWalkerUrl(), "CancelTask", { id })).error.code).toBe(-32002);
    expect((await callRpc(getWalkerUrl(), "SendMessage", createSendParams("on", { taskId: id }))).error.code).toBe(
      -32004,
    );
    expect((await callRpc(getWalkerUrl(), "SubscribeToTask", { id })).error.code).toBe(-32004);
  });

  test("rejects a completed task", async () => {
    const { id } = await sendMessage("What is 1 + 1?");
    const { error } = await callRpc(url, "CancelTask", { id });
    expect(error).toMatchObject({ code: -32002, data: [{ reason: "TASK_NOT_CANCELABLE" }] });
  });
});
