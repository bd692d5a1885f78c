// What A2A 1.0 demands of a server, request by request, as bytes on the line.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allOf, events, openStage, post, rpc, said, textsOf, must, type Answer, type Stage } from "./a2a-stage.ts";

let stage: Stage;
let url: string;

beforeAll(async () => {
  stage = await openStage();
  url = `${stage.runtime.url}/a2a`;
});
afterAll(() => stage.close());

const TASK = /^conv-[0-9a-f]{32}\.th-[0-9a-f]{32}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOWHERE = `conv-${"0".repeat(32)}.th-${"0".repeat(32)}`;

const walker = () => `${url}/walker`;
const sent = async (text: string, at = url, rest: object = {}) =>
  (await rpc(at, "SendMessage", said(text, {}, rest))).result.task;
const started = (text: string) => sent(text, walker(), { configuration: { returnImmediately: true } });

async function streamed(at: string, method: string, params: object, headers = {}): Promise<Answer[]> {
  const response = await post(at, { jsonrpc: "2.0", id: 7, method, params }, headers);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return allOf(response);
}

describe("§3.1.1 SendMessage", () => {
  test("waits for the end and answers with the whole task", async () => {
    const { message } = said("What is 12 * 34?");
    const answer = await rpc(url, "SendMessage", { message });
    expect(answer).toMatchObject({ jsonrpc: "2.0", id: "r-1" });
    const { task } = answer.result;
    expect(task.id).toMatch(TASK);
    expect(task.id).toContain(`${task.contextId}.`);
    expect(task.status).toEqual({ state: "TASK_STATE_COMPLETED", timestamp: expect.stringMatching(TIME) as unknown });
    expect(textsOf(task)).toEqual(["12 × 34 = 408"]);
    expect(task.history).toMatchObject([{ messageId: message.messageId, role: "ROLE_USER", taskId: task.id }]);
  });

  test("returns at once when it is told to, and goes on", async () => {
    const task = await started("walk 5");
    expect(task.status.state).toMatch(/^TASK_STATE_(SUBMITTED|WORKING)$/);
    const all = await streamed(walker(), "SubscribeToTask", { id: task.id });
    expect(all.at(-1)?.result.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("[T2] the same message again is the same task, on every door", async () => {
    const params = said("What is 3 * 4?");
    const ids: string[] = [];
    for (const at of [url, `${url}/`, url]) ids.push((await rpc(at, "SendMessage", params)).result.task.id);
    expect(new Set(ids).size).toBe(1);
    const [first] = await streamed(url, "SendStreamingMessage", params);
    expect(first?.result.task).toMatchObject({ id: ids[0], status: { state: "TASK_STATE_COMPLETED" } });
  });

  test("a context is a conversation: of the client's naming, and the same for later tasks", async () => {
    const contextId = `ctx-${Date.now()}`;
    const first = (await rpc(url, "SendMessage", said("What is 1 + 1?", { contextId }))).result.task;
    const second = (await rpc(url, "SendMessage", said("What is 2 + 2?", { contextId }))).result.task;
    expect([first.contextId, second.contextId]).toEqual([contextId, contextId]);
    expect(first.id).not.toBe(second.id);
  });

  test("data is read as JSON beside the text", async () => {
    const parts = [{ text: "What is 5 * 6?" }, { data: { note: [1, null, "x"] } }];
    expect((await rpc(url, "SendMessage", said("", { parts }))).result.task.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("a thread that fails is a failed task with its reason", async () => {
    const task = await sent("Sign the guestbook with 'x'", `${url}/guestbook`);
    const refusal = { taskId: task.id, parts: [{ data: { decision: "approve", arguments: { text: 5 } } }] };
    const answer = await rpc(`${url}/guestbook`, "SendMessage", said("", refusal));
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining("arguments.text") as unknown });
  });
});

describe("§3.1.2 SendStreamingMessage", () => {
  test("begins with the task, appends to artifacts, and ends with the end", async () => {
    const all = await streamed(walker(), "SendStreamingMessage", said("walk 4"));
    expect(all.every((event) => event.jsonrpc === "2.0" && event.id === 7)).toBe(true);
    const [first, ...rest] = all.map((event) => event.result);
    const { id, contextId, status } = must(first?.task);
    expect([id, status.state]).toEqual([expect.stringMatching(TASK) as unknown, "TASK_STATE_SUBMITTED"]);
    const updates = rest.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    expect(updates[0]).not.toHaveProperty("append");
    expect(updates.slice(1).every(({ append }) => append === true)).toBe(true);
    expect(updates.every((update) => update.taskId === id && update.contextId === contextId)).toBe(true);
    const text = updates.map(({ artifact }) => artifact.parts.map((part) => part.text).join("")).join("");
    expect(text).toBe("step1 step2 step3 step4 ");
    expect(rest.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(rest.filter((event) => "task" in event || "message" in event)).toEqual([]);
    const whole = (await rpc(walker(), "GetTask", { id })).result;
    expect(textsOf(whole)).toEqual([text]);
  });

  test("tells of a plan and of its tasks in short", async () => {
    const all = await streamed(url, "SendStreamingMessage", said("首先查询现在时间然后计算678乘以8776的结果"));
    const words = all.flatMap(({ result }) => result.statusUpdate?.status.message?.parts ?? []);
    expect(words.map(({ text }) => text)).toEqual([
      "assistant: 查询现在时间\nassistant: 计算678乘以8776的结果",
      "assistant: 查询现在时间",
      "assistant: 计算678乘以8776的结果",
    ]);
  });

  test("an error before the first event is plain JSON", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: said("x", { taskId: NOWHERE }) };
    const response = await post(url, body);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32001 } });
  });

  test("with our extension, what A2A has no place for comes as metadata", async () => {
    const extension = "urn:orrery:a2a:events:1";
    const response = await post(
      `${url}/assistant`,
      { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: said("What is 12 * 34?") },
      { "a2a-extensions": extension },
    );
    expect(response.headers.get("a2a-extensions")).toBe(extension);
    const types: unknown[] = [];
    for await (const { result } of events(response)) types.push(result.statusUpdate?.metadata?.[extension]?.type);
    expect(types).toEqual(expect.arrayContaining(["tool_started", "tool_completed", "usage"]));
    const plainTypes = await streamed(`${url}/assistant`, "SendStreamingMessage", said("What is 12 * 34?"));
    expect(JSON.stringify(plainTypes)).not.toContain(extension);
  });
});

describe("§3.4.3 input-required", () => {
  test("a question is the status, and the next message to the task answers it", async () => {
    const task = await sent("ask me", walker());
    expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const [words, data] = must(task.status.message).parts;
    expect(words).toEqual({ text: "Which colour?" });
    expect(data?.data).toMatchObject({
      request_id: expect.stringMatching(/^req-/) as unknown,
      expires_at: expect.any(Number) as unknown,
    });
    const answered = (await rpc(walker(), "SendMessage", said("blue", { taskId: task.id }))).result.task;
    expect(answered).toMatchObject({ id: task.id, contextId: task.contextId });
    expect(answered.status.state).toBe("TASK_STATE_COMPLETED");
    expect(textsOf(answered)).toEqual(["One moment. ", "You said blue."]);
    expect(must(answered.history).map(({ role, parts }) => [role, parts[0]?.text])).toEqual([
      ["ROLE_USER", "ask me"],
      ["ROLE_AGENT", "Which colour?"],
      ["ROLE_USER", "blue"],
    ]);
  });

  test("a stream ends with the question, and one of the answer goes on", async () => {
    const asked = await streamed(walker(), "SendStreamingMessage", said("ask me"));
    const { taskId, status } = must(asked.at(-1)?.result.statusUpdate);
    expect(status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const reply = said("red", { taskId });
    const rest = await streamed(walker(), "SendStreamingMessage", reply);
    expect(rest[0]?.result.task).toMatchObject({ id: taskId, status: { state: "TASK_STATE_WORKING" } });
    expect(rest.at(-1)?.result.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    // The same answer again is not a second one.
    const again = await rpc(walker(), "SendMessage", reply);
    expect(again.result.task.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("an approval is data, and so is its answer with other arguments", async () => {
    const at = `${url}/guestbook`;
    const task = await sent("Sign the guestbook with 'Draft'", at);
    const data = must(task.status.message?.parts[1]?.data);
    expect(data).toMatchObject({
      options: ["approve", "refuse"],
      approval: { tool: "sign_guestbook", arguments: { text: "Draft" } },
    });
    const parts = [{ data: { request_id: data["request_id"], decision: "approve", arguments: { text: "Final" } } }];
    const done = (await rpc(at, "SendMessage", said("", { taskId: task.id, parts }))).result.task;
    expect(textsOf(done).join("")).toContain("The guestbook now says: Final");
  });
});

describe("§3.1.3 GetTask and §3.2.4 history", () => {
  test("gives the most recent messages that are wanted, and none for 0", async () => {
    const { id } = await sent("ask me", walker());
    const of = async (historyLength?: number) => (await rpc(walker(), "GetTask", { id, historyLength })).result;
    expect((await of()).history).toHaveLength(2);
    expect((await of(1)).history).toMatchObject([{ role: "ROLE_AGENT" }]);
    expect(await of(0)).not.toHaveProperty("history");
    for (const historyLength of [-1, 1.5, "many"])
      expect((await rpc(walker(), "GetTask", { id, historyLength })).error.code).toBe(-32602);
  });

  test("a task of another agent is none of this one's", async () => {
    const { id } = await sent("walk 1", walker());
    expect((await rpc(`${url}/assistant`, "GetTask", { id })).error.code).toBe(-32001);
    expect((await rpc(url, "GetTask", { id })).result.id).toBe(id);
  });
});

describe("§3.1.5 CancelTask", () => {
  test("stops the work", async () => {
    const { id } = await started("walk 200");
    const cancelled = (await rpc(walker(), "CancelTask", { id })).result;
    expect(cancelled).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
    expect((await rpc(walker(), "CancelTask", { id })).error.code).toBe(-32002);
    expect((await rpc(walker(), "SendMessage", said("on", { taskId: id }))).error.code).toBe(-32004);
    expect((await rpc(walker(), "SubscribeToTask", { id })).error.code).toBe(-32004);
  });

  test("takes back a question as well", async () => {
    const { id } = await sent("ask me", walker());
    expect((await rpc(walker(), "CancelTask", { id })).result.status.state).toBe("TASK_STATE_CANCELED");
  });

  test("what has ended is not cancelable", async () => {
    const { id } = await sent("What is 1 + 1?");
    const { error } = await rpc(url, "CancelTask", { id });
    expect(error).toMatchObject({ code: -32002, data: [{ reason: "TASK_NOT_CANCELABLE" }] });
  });
});
