import { TaskState, type StreamResponse } from "@a2a-js/sdk";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { describe, expect, test, vi } from "vitest";
import { handleAgentRequest } from "../../src/agents/kit/agent-server.ts";
import { AgentTaskRuns } from "../../src/agents/kit/agent-task-runs.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import { agentOf, collect, local, scripted, within } from "./fixtures/local.ts";
import { base, fetchOf, post, request, rpc, stateOf, streamOf } from "./fixtures/wire.ts";

const never = () => {
  throw new Error("It must not come to that.");
};

describe("cancelling", () => {
  const patient = (ended: (reason: string) => void) =>
    agentOf(async function* (_request, { signal }) {
      yield { type: "text", text: "started" };
      try {
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
      } finally {
        ended(String(signal.reason));
      }
    });

  test("T5: leaving the stream stops the generator", async () => {
    const ended = Promise.withResolvers<string>();
    const response = await post(local(patient(ended.resolve)));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    await reader?.cancel();
    expect(await within(500, ended.promise)).toContain("reader has gone");
  });

  test("T5: CancelTask stops the generator, and the stream ends as cancelled", async () => {
    const ended = Promise.withResolvers<string>();
    const agent = local(patient(ended.resolve));
    const events: StreamResponse[] = [];
    const answers: unknown[] = [];
    for await (const event of streamOf(agent)) {
      events.push(event);
      const { payload } = event;
      if (payload?.$case === "artifactUpdate") {
        const params = { id: payload.value.taskId };
        answers.push(await rpc(agent, { jsonrpc: "2.0", id: 9, method: "CancelTask", params }));
      }
    }
    expect(answers).toMatchObject([{ result: { status: { state: "TASK_STATE_CANCELED" } } }]);
    expect(await within(500, ended.promise)).toContain("cancelled");
    expect(stateOf(events.at(-1))).toBe(TaskState.TASK_STATE_CANCELED);
    const id = events[0]?.payload?.$case === "task" ? events[0].payload.value.id : "";
    expect(await rpc(agent, { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } })).toMatchObject({
      result: { status: { state: "TASK_STATE_CANCELED" }, artifacts: [{ parts: [{ text: "started" }] }] },
    });
    expect(await rpc(agent, { jsonrpc: "2.0", id: 1, method: "CancelTask", params: { id } })).toMatchObject({
      error: { code: -32002 },
    });
  });

  test("an agent that ignores its signal does not hold the reader", async () => {
    const agent = local(
      agentOf(async function* () {
        yield { type: "text", text: "a" };
        await new Promise(() => undefined);
      }),
    );
    const ids: string[] = [];
    const ended = (async () => {
      for await (const { payload } of streamOf(agent)) {
        if (payload?.$case !== "artifactUpdate") continue;
        ids.push(payload.value.taskId);
        await rpc(agent, { jsonrpc: "2.0", id: 9, method: "CancelTask", params: { id: payload.value.taskId } });
      }
    })();
    await within(500, ended);
    expect(ids).toHaveLength(1);
  });

  test("T5: CancelTask tells an agent that waits for an answer, with what it had left", async () => {
    const told: AgentRequest[] = [];
    const asking = scripted({ type: "input_required", prompt: "Where to?", state: '{"seats":2}' });
    const agent = local({ ...asking, dismiss: async (dismissed) => void told.push(dismissed) });
    const [first] = await collect(streamOf(agent));
    const id = first?.payload?.$case === "task" ? first.payload.value.id : "";
    const cancelling = { jsonrpc: "2.0", id: 1, method: "CancelTask", params: { id } };
    expect(await rpc(agent, cancelling)).toMatchObject({ result: { status: { state: "TASK_STATE_CANCELED" } } });
    expect(await rpc(agent, cancelling)).toMatchObject({ error: { code: -32002 } });
    expect(told).toMatchObject([{ checkpoint: '{"seats":2}' }]);
  });

  test("T5: CancelTask brings along what the agent had left, to another isolate than the one that asked", async () => {
    const told: AgentRequest[] = [];
    const agent = local({ ...scripted(), dismiss: async (dismissed) => void told.push(dismissed) });
    const cancelling = (extra: object) =>
      rpc(agent, { jsonrpc: "2.0", id: 1, method: "CancelTask", params: { id: "task-1", ...extra } });
    for (const extra of [{}, { metadata: { [EVENTS_EXTENSION]: { task_id: "task-ours" } } }])
      expect(await cancelling(extra)).toMatchObject({ error: { code: -32001 } });
    const left = { metadata: { [EVENTS_EXTENSION]: { task_id: "task-ours", checkpoint: '{"seats":2}' } } };
    expect(await cancelling(left)).toMatchObject({ result: { status: { state: "TASK_STATE_CANCELED" } } });
    expect(await cancelling(left)).toMatchObject({ error: { code: -32002 } });
    expect(told).toMatchObject([{ task_id: "task-ours", checkpoint: '{"seats":2}' }]);
  });
});

describe("errors", () => {
  const agent = local(scripted({ type: "text", text: "x" }));
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
  test.each([
    ["not JSON", "{", {}, -32700],
    ["a batch", [], {}, -32600],
    ["an id that is none", { jsonrpc: "2.0", id: {}, method: "SendStreamingMessage", params: { message } }, {}, -32600],
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
      "a message of 0.3 with a part that is none",
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
  ])("%s is answered with its code", async (_name, body, headers, code) => {
    expect(await rpc(agent, body, headers)).toMatchObject({ jsonrpc: "2.0", error: { code } });
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
  ])("%s with %j is answered with %d", async (method, params, code) => {
    const body = { jsonrpc: "2.0", id: "a", method, params };
    expect(await rpc(agent, body)).toMatchObject({ jsonrpc: "2.0", id: "a", error: { code } });
  });
});

test("a request that does not say how long it is, is read no further than it may be", async () => {
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
  const request = new Request(base, init);
  const answered = await handleAgentRequest(scripted(), request, {
    runs: new AgentTaskRuns(),
    context: never,
    waitUntil: never,
  });
  expect(await answered.json()).toMatchObject({ error: { code: -32600, message: "The request is too large." } });
  expect(sent).toBeLessThan(12);
  expect(isCancelled).toBe(true);
});

test("a 0.3 client is served: stream, single answer, task, cancel", async () => {
  const agent = local(scripted({ type: "reasoning", text: "hm" }, { type: "text", text: "hello" }));
  const client = new LegacyJsonRpcTransport({ endpoint: base, fetchImpl: fetchOf(agent) });
  const seen = await collect(client.sendMessageStream(request("hi")));
  expect(seen.map((event) => event.payload?.$case)).toEqual(["task", "statusUpdate", "artifactUpdate", "statusUpdate"]);
  const result = await client.sendMessage(request("hi"));
  expect(result).toMatchObject({ status: { state: TaskState.TASK_STATE_COMPLETED } });
  const id = "id" in result ? result.id : "";
  expect(await client.getTask({ tenant: "", id })).toMatchObject({ id });
  await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow(/ended/);
});

test("T5: a 0.3 client that leaves its stream stops the generator and ends the task", async () => {
  const ended = Promise.withResolvers<string>();
  const agent = local(
    agentOf(async function* (_request, { signal }) {
      yield { type: "text", text: "started" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      ended.resolve(String(signal.reason));
    }),
  );
  const client = new LegacyJsonRpcTransport({ endpoint: base, fetchImpl: fetchOf(agent) });
  let id = "";
  for await (const { payload } of client.sendMessageStream(request("hi"))) {
    if (payload?.$case !== "task") continue;
    id = payload.value.id;
    // By now the next event lies there, unread.
    await new Promise((resolve) => setTimeout(resolve, 20));
    break;
  }
  expect(await within(500, ended.promise)).toContain("reader has gone");
  await vi.waitFor(async () =>
    expect(await client.getTask({ tenant: "", id })).toMatchObject({
      status: { state: TaskState.TASK_STATE_CANCELED },
    }),
  );
});

test("a request that does not wait is answered at once and worked on in the background", async () => {
  const release = Promise.withResolvers<void>();
  const agent = local(
    agentOf(async function* () {
      await release.promise;
      yield { type: "text", text: "late" };
    }),
  );
  const params = {
    message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] },
    configuration: { returnImmediately: true },
  };
  const first = await rpc(agent, { jsonrpc: "2.0", id: 1, method: "SendMessage", params });
  expect(first).toMatchObject({ result: { task: { status: { state: "TASK_STATE_WORKING" } } } });
  release.resolve();
  await Promise.all(agent.background);
  const { id } = (first["result"] as { task: { id: string } }).task;
  expect(await rpc(agent, { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } })).toMatchObject({
    result: { status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: [{ text: "late" }] }] },
  });
});
