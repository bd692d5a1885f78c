import { TaskState, type StreamResponse } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { isLegacyAgentCard, LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { describe, expect, test, vi } from "vitest";
import type { Said } from "../../src/agents/kit/agent.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/a2a.ts";
import { agentOf, collect, local, scripted, within, type Local } from "./fixtures/local.ts";

const base = "https://agent.test/";

function fetchOf(agent: Local): typeof fetch {
  return (input, init) => agent.fetch(String(input), init);
}

function userMessage(text: string) {
  const part = { content: { $case: "text" as const, value: text }, metadata: undefined, filename: "", mediaType: "" };
  return {
    messageId: "m-1",
    contextId: "c-1",
    taskId: "",
    role: 1,
    parts: [part],
    metadata: { language: "zh-CN", timezone: 7 },
    extensions: [],
    referenceTaskIds: [],
  };
}

const request = (text: string) => ({
  tenant: "",
  message: userMessage(text),
  configuration: undefined,
  metadata: undefined,
});

async function rpc(
  agent: Local,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await agent.fetch(base, {
    method: "POST",
    body: text,
    headers: { "content-type": "application/json", ...headers },
  });
  return (await response.json()) as Record<string, unknown>;
}

describe("card", () => {
  test("is served for both versions, with an ETag", async () => {
    const agent = local(scripted());
    const first = await agent.fetch(`${base}sub/.well-known/agent-card.json`);
    const card = (await first.json()) as Record<string, unknown>;
    expect(card).toMatchObject({ name: "echo", url: "https://agent.test/sub/", protocolVersion: "0.3.0" });
    expect(isLegacyAgentCard(card)).toBe(false);
    const etag = first.headers.get("etag") ?? "";
    const second = await agent.fetch(`${base}sub/.well-known/agent-card.json`, { headers: { "if-none-match": etag } });
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect((await agent.fetch(`${base}other`)).status).toBe(404);
    expect((await agent.fetch(base, { method: "PUT" })).status).toBe(405);
  });

  test("an SDK client finds its way by the card alone", async () => {
    const agent = local(scripted({ type: "text", text: "hello" }));
    const fetchImpl = fetchOf(agent);
    const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
    const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })], cardResolver });
    const client = await factory.createFromUrl(base);
    const result = await client.sendMessage(request("hi"));
    expect(result).toMatchObject({ contextId: "c-1", status: { state: TaskState.TASK_STATE_COMPLETED } });
    expect("artifacts" in result && result.artifacts[0]?.parts[0]?.content).toEqual({ $case: "text", value: "hello" });
  });
});

describe("stream", () => {
  test("is valid A2A: a task, its artifact, status updates that carry our events, one final status", async () => {
    const events: Said[] = [
      { type: "reasoning", text: "hm" },
      { type: "tool_started", call_id: "c", tool: "t" },
      { type: "text", text: "one " },
      { type: "notification", text: "half way" },
      { type: "text", text: "two" },
    ];
    const seen = await streamed(local(scripted(...events)));
    expect(seen.map((event) => event.payload?.$case)).toEqual([
      "task",
      "statusUpdate",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
    const ours = seen.flatMap(({ payload }) =>
      payload?.$case === "statusUpdate" ? [payload.value.metadata?.[EVENTS_EXTENSION]] : [],
    );
    expect(ours).toEqual([events[0], events[1], events[3], undefined]);
    const appends = seen.flatMap(({ payload }) => (payload?.$case === "artifactUpdate" ? [payload.value.append] : []));
    expect(appends).toEqual([false, true]);
    expect(stateOf(seen.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test("joins text that the agent says faster than it is read", async () => {
    const agent = local(
      agentOf(async function* () {
        for (let i = 0; i < 1000; i += 1) yield { type: "text", text: `${i} ` };
      }),
    );
    const seen = await streamed(agent);
    const texts = seen.flatMap(({ payload }) => {
      const content = payload?.$case === "artifactUpdate" ? payload.value.artifact?.parts[0]?.content : undefined;
      return content?.$case === "text" ? [content.value] : [];
    });
    expect(texts.join("")).toBe(Array.from({ length: 1000 }, (_, i) => `${i} `).join(""));
    expect(texts.length).toBeLessThan(500);
  });

  test("an agent that talks without end is held back until it is read", async () => {
    let said = 0;
    const agent = local(
      agentOf(async function* () {
        for (;;) {
          said += 1;
          yield { type: "text", text: "x".repeat(1024) };
        }
      }),
    );
    const response = await post(agent);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(said).toBeLessThan(400);
    await response.body?.cancel();
  });

  test("what comes after the last word is not told", async () => {
    const agent = local(scripted({ type: "failed", reason: "no", code: "x" }, { type: "text", text: "late" }));
    const seen = await streamed(agent);
    expect(seen.map((event) => event.payload?.$case)).toEqual(["task", "statusUpdate"]);
    expect(stateOf(seen.at(-1))).toBe(TaskState.TASK_STATE_FAILED);
  });

  test("throwing is a neutral failure; the cause stays in the log", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const agent = local(
      agentOf(async function* () {
        yield { type: "text", text: "a" };
        throw new Error("secret");
      }),
    );
    const seen = JSON.stringify(await streamed(agent));
    expect(seen).toContain("The agent stopped unexpectedly.");
    expect(seen).not.toContain("secret");
    expect(JSON.stringify(logged.mock.calls[0]?.map(String))).toContain("secret");
    logged.mockRestore();
  });

  test("a question ends the stream as input-required", async () => {
    const seen = await streamed(local(scripted({ type: "input_required", prompt: "Which city?", options: ["Oslo"] })));
    expect(stateOf(seen.at(-1))).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  });
});

describe("request", () => {
  test("F45 F88: the agent sees query, context and the whole message; what a stranger garbles is left out", async () => {
    let heard: unknown;
    const agent = local(
      agentOf(async function* (asked, context) {
        heard = { asked, parts: context.message.parts.length };
      }),
    );
    await streamed(agent);
    expect(heard).toEqual({
      asked: {
        message_id: "m-1",
        task_id: expect.stringMatching(/^task-/),
        conversation_id: "c-1",
        query: "go",
        metadata: { language: "zh-CN" },
      },
      parts: 1,
    });
  });
});

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
    for await (const event of streamOf(agent)) {
      events.push(event);
      const { payload } = event;
      if (payload?.$case === "artifactUpdate") {
        const cancelled = await rpc(agent, {
          jsonrpc: "2.0",
          id: 9,
          method: "CancelTask",
          params: { id: payload.value.taskId },
        });
        expect(cancelled).toMatchObject({ result: { status: { state: "TASK_STATE_CANCELED" } } });
      }
    }
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
});

describe("errors", () => {
  const agent = local(scripted({ type: "text", text: "x" }));
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
  test.each([
    ["not JSON", "{", {}, -32700],
    ["a batch", [], {}, -32600],
    ["no method", { jsonrpc: "2.0", id: 1 }, {}, -32600],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "Fly", params: {} }, {}, -32601],
    ["no message", { jsonrpc: "2.0", id: 1, method: "SendMessage", params: {} }, {}, -32602],
    [
      "no parts",
      { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: { ...message, parts: [] } } },
      {},
      -32602,
    ],
    ["a bad stream request", { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: {} }, {}, -32602],
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
  await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow();
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

function post(agent: Local): Promise<Response> {
  const params = { message: { messageId: "m-1", contextId: "c-1", role: "ROLE_USER", parts: [{ text: "go" }] } };
  return agent.fetch(base, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params }),
  });
}

async function* streamOf(agent: Local): AsyncGenerator<StreamResponse> {
  const card = await new DefaultAgentCardResolver({ fetchImpl: fetchOf(agent) }).resolve(base);
  const transport = await new JsonRpcTransportFactory({ fetchImpl: fetchOf(agent) }).create(base, card);
  yield* transport.sendMessageStream(request("go"));
}

function streamed(agent: Local): Promise<StreamResponse[]> {
  return collect(streamOf(agent));
}

function stateOf(event: StreamResponse | undefined): TaskState | undefined {
  return event?.payload?.$case === "statusUpdate" ? event.payload.value.status?.state : undefined;
}
