import { TaskState, type StreamResponse } from "@a2a-js/sdk";
import { DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { describe, expect, test } from "vitest";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { booking } from "./fixtures/booking.ts";
import { agentOf, collect, local } from "./fixtures/local.ts";
import { base, fetchOf, request, rpc, stateOf, tell, type Task } from "./fixtures/wire.ts";

const statesOf = (events: readonly StreamResponse[]) =>
  events.map((event) => (event.payload?.$case === "task" ? event.payload.value.status?.state : stateOf(event)));

describe("a foreign client", () => {
  test.each(["1.0", "0.3"])("of A2A %s answers with a message to the task", async (version) => {
    const agent = local(booking);
    const fetchImpl = fetchOf(agent);
    const card = await new DefaultAgentCardResolver({ fetchImpl }).resolve(base);
    const client =
      version === "1.0"
        ? await new JsonRpcTransportFactory({ fetchImpl }).create(base, card)
        : new LegacyJsonRpcTransport({ endpoint: base, fetchImpl });
    const first = await collect(client.sendMessageStream(request("Fly")));
    expect(statesOf(first).at(-1)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const id = first[0]?.payload?.$case === "task" ? first[0].payload.value.id : "";
    expect(await client.getTask({ tenant: "", id })).toMatchObject({
      status: { state: TaskState.TASK_STATE_INPUT_REQUIRED },
    });
    const answer = request("Rome");
    const second = await collect(
      client.sendMessageStream({ ...answer, message: { ...answer.message, taskId: id, messageId: "m-2" } }),
    );
    expect(statesOf(second)).toEqual([TaskState.TASK_STATE_WORKING, undefined, TaskState.TASK_STATE_COMPLETED]);
    expect(JSON.stringify(second.at(-2))).toContain("2 to Rome, as in “Fly” (zh-CN)");
    expect(await client.getTask({ tenant: "", id })).toMatchObject({
      id,
      contextId: "c-1",
      status: { state: TaskState.TASK_STATE_COMPLETED },
      artifacts: [{ artifactId: "answer" }, { artifactId: "answer-2" }],
    });
  });

  test("cannot answer what is over, at work or unknown", async () => {
    const agent = local(booking);
    const { id } = await tell(agent, "Fly");
    expect(await tell(agent, "Oslo", id)).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" } });
    await expect(tell(agent, "Rome", id)).rejects.toThrow(/-32004.*has ended/);
    await expect(tell(agent, "Rome", "task-0")).rejects.toThrow(/-32001/);
    const other = await tell(agent, "Fly");
    await rpc(agent, { jsonrpc: "2.0", id: 1, method: "CancelTask", params: { id: other.id } });
    await expect(tell(agent, "Rome", other.id)).rejects.toThrow(/-32004.*has ended/);
    const release = Promise.withResolvers<void>();
    const slow = local(
      agentOf(async function* () {
        await release.promise;
        yield { type: "completed" };
      }),
    );
    const params = {
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] },
      configuration: { returnImmediately: true },
    };
    const begun = await rpc(slow, { jsonrpc: "2.0", id: 1, method: "SendMessage", params });
    const working = (begun["result"] as { task: Task }).task.id;
    await expect(tell(slow, "Rome", working)).rejects.toThrow(/-32004.*at work/);
    release.resolve();
    await Promise.all(slow.background);
  });

  test.each([
    ["no object", 7],
    ["an answer without words", { reply: { answer: {} } }],
    ["a decision that is none", { reply: { answer: { message: "", decision: "maybe" } } }],
    ["state that is no text", { reply: { answer: { message: "" }, state: { seats: 2 } } }],
    ["state without end", { reply: { answer: { message: "" }, state: "x".repeat(600_000) } }],
  ])("that sends %s under our name is refused", async (_name, ours) => {
    const extra = { metadata: { [EVENTS_EXTENSION]: ours } };
    await expect(tell(local(booking), "Rome", "task-1", extra)).rejects.toThrow(/-32602/);
    await expect(tell(local(booking), "Rome", "t".repeat(300))).rejects.toThrow(/-32602/);
  });
});
