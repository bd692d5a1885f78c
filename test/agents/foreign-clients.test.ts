import { TaskState, type StreamResponse } from "@a2a-js/sdk";
import { DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { describe, expect, test } from "vitest";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { booking } from "./fixtures/booking.ts";
import { createAgent, collect, createLocalAgent } from "./fixtures/local-agent.ts";
import {
  AGENT_URL,
  createFetch,
  createSendRequest,
  callJsonRpc,
  getTaskState,
  sendText,
  type A2aTask,
} from "./fixtures/a2a-client.ts";

const listTaskStates = (events: readonly StreamResponse[]) =>
  events.map((event) => (event.payload?.$case === "task" ? event.payload.value.status?.state : getTaskState(event)));

describe("a foreign A2A client", () => {
  test.each(["1.0", "0.3"])("of version %s answers a question with a message to the task", async (version) => {
    const agent = createLocalAgent(booking);
    const fetchImpl = createFetch(agent);
    const card = await new DefaultAgentCardResolver({ fetchImpl }).resolve(AGENT_URL);
    const client =
      version === "1.0"
        ? await new JsonRpcTransportFactory({ fetchImpl }).create(AGENT_URL, card)
        : new LegacyJsonRpcTransport({ endpoint: AGENT_URL, fetchImpl });
    const first = await collect(client.sendMessageStream(createSendRequest("Fly")));
    expect(listTaskStates(first).at(-1)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const id = first[0]?.payload?.$case === "task" ? first[0].payload.value.id : "";
    expect(await client.getTask({ tenant: "", id })).toMatchObject({
      status: { state: TaskState.TASK_STATE_INPUT_REQUIRED },
    });
    const answer = createSendRequest("Rome");
    const second = await collect(
      client.sendMessageStream({ ...answer, message: { ...answer.message, taskId: id, messageId: "m-2" } }),
    );
    expect(listTaskStates(second)).toEqual([TaskState.TASK_STATE_WORKING, undefined, TaskState.TASK_STATE_COMPLETED]);
    expect(JSON.stringify(second.at(-2))).toContain("2 to Rome, as in “Fly” (zh-CN)");
    expect(await client.getTask({ tenant: "", id })).toMatchObject({
      id,
      contextId: "c-1",
      status: { state: TaskState.TASK_STATE_COMPLETED },
      artifacts: [{ artifactId: "answer" }, { artifactId: "answer-2" }],
    });
  });

  test("cannot send a message to a finished, working or unknown task", async () => {
    const agent = createLocalAgent(booking);
    const { id } = await sendText(agent, "Fly");
    expect(await sendText(agent, "Oslo", id)).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" } });
    await expect(sendText(agent, "Rome", id)).rejects.toThrow(/-32004.*has ended/);
    await expect(sendText(agent, "Rome", "task-0")).rejects.toThrow(/-32001/);
    const other = await sendText(agent, "Fly");
    await callJsonRpc(agent, { jsonrpc: "2.0", id: 1, method: "CancelTask", params: { id: other.id } });
    await expect(sendText(agent, "Rome", other.id)).rejects.toThrow(/-32004.*has ended/);
    const release = Promise.withResolvers<void>();
    const slow = createLocalAgent(
      createAgent(async function* () {
        await release.promise;
        yield { type: "completed" };
      }),
    );
    const params = {
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] },
      configuration: { returnImmediately: true },
    };
    const started = await callJsonRpc(slow, { jsonrpc: "2.0", id: 1, method: "SendMessage", params });
    const working = (started["result"] as { task: A2aTask }).task.id;
    await expect(sendText(slow, "Rome", working)).rejects.toThrow(/-32004.*at work/);
    release.resolve();
    await Promise.all(slow.background);
  });

  test.each([
    ["a number", 7],
    ["an answer without a message", { reply: { answer: {} } }],
    ["an unknown decision", { reply: { answer: { message: "", decision: "maybe" } } }],
    ["state that is not a string", { reply: { answer: { message: "" }, state: { seats: 2 } } }],
    ["oversized state", { reply: { answer: { message: "" }, state: "x".repeat(600_000) } }],
  ])("is rejected when it sends %s under the extension", async (_name, extensionData) => {
    const extra = { metadata: { [EVENTS_EXTENSION]: extensionData } };
    await expect(sendText(createLocalAgent(booking), "Rome", "task-1", extra)).rejects.toThrow(/-32602/);
    await expect(sendText(createLocalAgent(booking), "Rome", "t".repeat(300))).rejects.toThrow(/-32602/);
  });
});
