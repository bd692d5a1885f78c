import { TaskState, type StreamResponse } from "@a2a-js/sdk";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { describe, expect, test, vi } from "vitest";
import type { AgentDefinition } from "../../src/agents/kit/agent.ts";
import { handleAgentRequest } from "../../src/agents/kit/server/agent-server.ts";
import { AgentTaskRuns } from "../../src/agents/kit/server/agent-task-runs.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import { createAgent, collect, createLocalAgent, createScriptedAgent, rejectAfter } from "./fixtures/local-agent.ts";
import {
  AGENT_URL,
  createFetch,
  postStreamRequest,
  createSendRequest,
  callJsonRpc,
  getTaskState,
  streamEvents,
} from "./fixtures/a2a-client.ts";

const throwUnexpected = () => {
  throw new Error("It must not come to that.");
};

describe("cancellation", () => {
  const createWaitingAgent = (ended: (reason: string) => void) =>
    createAgent(async function* (_request, { signal }) {
      yield { type: "text", text: "started" };
      try {
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
      } finally {
        ended(String(signal.reason));
      }
    });

  test("[T5] stops the generator when the reader leaves the stream", async () => {
    const ended = Promise.withResolvers<string>();
    const response = await postStreamRequest(createLocalAgent(createWaitingAgent(ended.resolve)));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    await reader?.cancel();
    expect(await rejectAfter(500, ended.promise)).toContain("reader has gone");
  });

  test("[T5] stops the generator on CancelTask and ends the stream as cancelled", async () => {
    const ended = Promise.withResolvers<string>();
    const agent = createLocalAgent(createWaitingAgent(ended.resolve));
    const events: StreamResponse[] = [];
    const answers: unknown[] = [];
    for await (const event of streamEvents(agent)) {
      events.push(event);
      const { payload } = event;
      if (payload?.$case === "artifactUpdate") {
        const params = { id: payload.value.taskId };
        answers.push(await callJsonRpc(agent, { jsonrpc: "2.0", id: 9, method: "CancelTask", params }));
      }
    }
    expect(answers).toMatchObject([{ result: { status: { state: "TASK_STATE_CANCELED" } } }]);
    expect(await rejectAfter(500, ended.promise)).toContain("cancelled");
    expect(getTaskState(events.at(-1))).toBe(TaskState.TASK_STATE_CANCELED);
    const id = events[0]?.payload?.$case === "task" ? events[0].payload.value.id : "";
    expect(await callJsonRpc(agent, { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } })).toMatchObject({
      result: { status: { state: "TASK_STATE_CANCELED" }, artifacts: [{ parts: [{ text: "started" }] }] },
    });
    expect(await callJsonRpc(agent, { jsonrpc: "2.0", id: 1, method: "CancelTask", params: { id } })).toMatchObject({
      error: { code: -32002 },
    });
  });

  test("ends the stream although the agent ignores its signal", async () => {
    const agent = createLocalAgent(
      createAgent(async function* () {
        yield { type: "text", text: "a" };
        await new Promise(() => undefined);
      }),
    );
    const ids: string[] = [];
    const ended = (async () => {
      for await (const { payload } of streamEvents(agent)) {
        if (payload?.$case !== "artifactUpdate") continue;
        ids.push(payload.value.taskId);
        await callJsonRpc(agent, { jsonrpc: "2.0", id: 9, method: "CancelTask", params: { id: payload.value.taskId } });
      }
    })();
    await rejectAfter(500, ended);
    expect(ids).toHaveLength(1);
  });

  test("[T5] dismisses a waiting agent on CancelTask, with its state", async () => {
    const dismissals: AgentRequest[] = [];
    const askingAgent = createScriptedAgent({ type: "input_required", prompt: "Where to?", state: '{"seats":2}' });
    const agent = createLocalAgent({ ...askingAgent, dismiss: async (dismissed) => void dismissals.push(dismissed) });
    const [first] = await collect(streamEvents(agent));
    const id = first?.payload?.$case === "task" ? first.payload.value.id : "";
    const cancelBody = { jsonrpc: "2.0", id: 1, method: "CancelTask", params: { id } };
    expect(await callJsonRpc(agent, cancelBody)).toMatchObject({
      result: { status: { state: "TASK_STATE_CANCELED" } },
    });
    expect(await callJsonRpc(agent, cancelBody)).toMatchObject({ error: { code: -32002 } });
    expect(dismissals).toMatchObject([{ checkpoint: '{"seats":2}' }]);
  });

  test("[T5] dismisses an agent on CancelTask in another isolate, with the state from the request", async () => {
    const dismissals: AgentRequest[] = [];
    const agent = createLocalAgent({
      ...createScriptedAgent(),
      dismiss: async (dismissed) => void dismissals.push(dismissed),
    });
    const cancelTask = (extra: object) =>
      callJsonRpc(agent, { jsonrpc: "2.0", id: 1, method: "CancelTask", params: { id: "task-1", ...extra } });
    for (const extra of [{}, { metadata: { [EVENTS_EXTENSION]: { task_id: "task-ours" } } }])
      expect(await cancelTask(extra)).toMatchObject({ error: { code: -32001 } });
    const withState = { metadata: { [EVENTS_EXTENSION]: { task_id: "task-ours", checkpoint: '{"seats":2}' } } };
    expect(await cancelTask(withState)).toMatchObject({ result: { status: { state: "TASK_STATE_CANCELED" } } });
    expect(await cancelTask(withState)).toMatchObject({ error: { code: -32002 } });
    expect(dismissals).toMatchObject([{ task_id: "task-ours", checkpoint: '{"seats":2}' }]);
  });
});

describe("JSON-RPC errors", () => {
  const agent = createLocalAgent(createScriptedAgent({ type: "text", text: "x" }));
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
  test.each([
    ["not JSON", "{", {}, -32700],
    ["a batch", [], {}, -32600],
    ["an invalid id", { jsonrpc: "2.0", id: {}, method: "SendStreamingMessage", params: { message } }, {}, -32600],
    ["no method", { jsonrpc: "2.0", id: 1 }, {}, -32600],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "Fly", params: {} }, {}, -32601],
    ["no message", { jsonrpc: "2.0", id: 1, method: "SendMessage", params: {} }, {}, -32602],
    [
      "no parts",
      { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: { ...message, parts: [] } } },
      {},
      -32602,
    ],
    ...[{ parts: [null] }, { parts: [{ raw: 0 }] }, { messageId: {} }, { metadata: 7 }].map(
      (wrong): [string, unknown, Record<string, string>, number] => [
        `a message with ${JSON.stringify(wrong)}`,
        { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: { message: { ...message, ...wrong } } },
        {},
        -32602,
      ],
    ),
    [
      "a 0.3 message with an invalid part",
      {
        jsonrpc: "2.0",
        id: 1,
        method: "message/send",
        params: { message: { ...message, role: "user", parts: [null] } },
      },
      {},
      -32602,
    ],
    ["a bad stream request", { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: {} }, {}, -32602],
    ["a stream request without parameters", { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage" }, {}, -32602],
    ["an unknown task", { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "task-0" } }, {}, -32001],
    [
      "a message to an unknown task",
      { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: { ...message, taskId: "t" } } },
      {},
      -32001,
    ],
    [
      "push notifications",
      { jsonrpc: "2.0", id: 1, method: "GetTaskPushNotificationConfig", params: { id: "t" } },
      {},
      -32003,
    ],
    [
      "another version",
      { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } },
      { "a2a-version": "2.0" },
      -32009,
    ],
    [
      "an unknown 0.3 task",
      { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "task-0" } },
      { "a2a-version": "0.3" },
      -32001,
    ],
  ])("report %s with its code", async (_name, body, headers, code) => {
    expect(await callJsonRpc(agent, body, headers)).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });

  test.each([
    ["GetTask", undefined, -32602],
    ["CancelTask", [], -32602],
    ["ListTasks", {}, -32004],
    ["SubscribeToTask", { id: "task-0" }, -32004],
    ["GetExtendedAgentCard", undefined, -32004],
    ["CreateTaskPushNotificationConfig", { taskId: "task-0", url: "https://push.dev" }, -32003],
    ["ListTaskPushNotificationConfigs", { taskId: "task-0" }, -32003],
    ["DeleteTaskPushNotificationConfig", { taskId: "task-0", id: "p" }, -32003],
    ["toString", {}, -32601],
  ])("answer %s with %j with the code %d", async (method, params, code) => {
    const body = { jsonrpc: "2.0", id: "a", method, params };
    expect(await callJsonRpc(agent, body)).toMatchObject({ jsonrpc: "2.0", id: "a", error: { code } });
  });
});

test("a request body without a length is read only up to the limit", async () => {
  const piece = new TextEncoder().encode(" ".repeat(1024 * 1024));
  let sent = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent > 32) controller.close();
      else controller.enqueue(piece);
    },
    cancel() {
      isCancelled = true;
    },
  });
  const init = { method: "POST", body, duplex: "half" } as const;
  const request = new Request(AGENT_URL, init);
  const agent: AgentDefinition = { card: { name: "echo" }, async *run() {} };
  const answered = await handleAgentRequest(agent, request, {
    runs: new AgentTaskRuns(),
    context: throwUnexpected,
    waitUntil: throwUnexpected,
  });
  expect(await answered.json()).toMatchObject({ error: { code: -32600, message: "The request is too large." } });
  expect(sent).toBeLessThan(12);
  expect(isCancelled).toBe(true);
});

test("a 0.3 client can stream, send, get and cancel", async () => {
  const agent = createLocalAgent(
    createScriptedAgent({ type: "reasoning", text: "hm" }, { type: "text", text: "hello" }),
  );
  const client = new LegacyJsonRpcTransport({ endpoint: AGENT_URL, fetchImpl: createFetch(agent) });
  const seen = await collect(client.sendMessageStream(createSendRequest("hi")));
  expect(seen.map((event) => event.payload?.$case)).toEqual(["task", "statusUpdate", "artifactUpdate", "statusUpdate"]);
  const result = await client.sendMessage(createSendRequest("hi"));
  expect(result).toMatchObject({ status: { state: TaskState.TASK_STATE_COMPLETED } });
  const id = "id" in result ? result.id : "";
  expect(await client.getTask({ tenant: "", id })).toMatchObject({ id });
  await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow(/ended/);
});

test("[T5] a 0.3 client that leaves its stream stops the generator and ends the task", async () => {
  const ended = Promise.withResolvers<string>();
  const agent = createLocalAgent(
    createAgent(async function* (_request, { signal }) {
      yield { type: "text", text: "started" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      ended.resolve(String(signal.reason));
    }),
  );
  const client = new LegacyJsonRpcTransport({ endpoint: AGENT_URL, fetchImpl: createFetch(agent) });
  let id = "";
  for await (const { payload } of client.sendMessageStream(createSendRequest("hi"))) {
    if (payload?.$case !== "task") continue;
    id = payload.value.id;
    // By now the next event is available, unread.
    await new Promise((resolve) => setTimeout(resolve, 20));
    break;
  }
  expect(await rejectAfter(500, ended.promise)).toContain("reader has gone");
  await vi.waitFor(async () =>
    expect(await client.getTask({ tenant: "", id })).toMatchObject({
      status: { state: TaskState.TASK_STATE_CANCELED },
    }),
  );
});

test("a request with returnImmediately is answered at once and runs in the background", async () => {
  const release = Promise.withResolvers<void>();
  const agent = createLocalAgent(
    createAgent(async function* () {
      await release.promise;
      yield { type: "text", text: "late" };
    }),
  );
  const params = {
    message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] },
    configuration: { returnImmediately: true },
  };
  const first = await callJsonRpc(agent, { jsonrpc: "2.0", id: 1, method: "SendMessage", params });
  expect(first).toMatchObject({ result: { task: { status: { state: "TASK_STATE_WORKING" } } } });
  release.resolve();
  await Promise.all(agent.background);
  const { id } = (first["result"] as { task: { id: string } }).task;
  expect(await callJsonRpc(agent, { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } })).toMatchObject({
    result: { status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: [{ text: "late" }] }] },
  });
});
