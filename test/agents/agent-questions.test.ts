import { describe, expect, test } from "vitest";
import { ask } from "../../src/agents/kit/ask.ts";
import { AgentTaskRun, AgentTaskRuns } from "../../src/agents/kit/server/agent-task-runs.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { booking } from "./fixtures/booking.ts";
import { createAgent, stringLike, createRequest } from "./fixtures/local-agent.ts";
import { getInputRequired, createReply, createAgentRuntime } from "./fixtures/agent-runtime.ts";
import { callJsonRpc } from "./fixtures/a2a-client.ts";

describe("a question of an agent", () => {
  test.each([
    ["streams", true],
    ["does not stream", false],
  ])("continues the same task with the answer, for an agent that %s", async (_name, streaming) => {
    const card = { ...booking.card, capabilities: { streaming, push_notifications: false } };
    const { run, requests } = createAgentRuntime({ ...booking, card });
    const first = await run("m-1");
    expect(first).toEqual([
      { type: "accepted", remote_task_id: stringLike(/^task-/) },
      { type: "text", text: "Two seats." },
      { type: "input_required", prompt: "Where to?", options: ["Oslo", "Rome"], state: '{"seats":2}' },
    ]);
    const reply = createReply(first, { message: "Oslo" });
    const second = await run("m-2", reply);
    expect(second).toEqual([
      { type: "accepted", remote_task_id: reply.remote_task_id },
      { type: "text", text: "2 to Oslo, as in “Book it” (en)" },
      { type: "completed" },
    ]);
    const calls = (await Promise.all(
      requests.filter(({ method }) => method === "POST").map((sent) => sent.json()),
    )) as { method: string; params: { message: Record<string, unknown> } }[];
    expect(calls.map(({ method }) => method)).toEqual(
      Array(2).fill(streaming ? "SendStreamingMessage" : "SendMessage"),
    );
    expect(calls[1]?.params.message).toMatchObject({
      messageId: "m-2",
      contextId: "conv-1",
      taskId: reply.remote_task_id,
      parts: [{ text: "Oslo" }],
      metadata: { language: "en", [EVENTS_EXTENSION]: { task_id: "task-ours", query: "Book it", reply } },
    });
  });

  test("[H4] survives the loss of the agent's isolate, also when the agent asks twice", async () => {
    const { run, evict } = createAgentRuntime();
    const first = await run("m-1");
    evict();
    const second = await run("m-2", createReply(first, { message: "hm" }));
    expect(second.slice(1)).toEqual([{ type: "input_required", prompt: "Where, please?", state: '{"seats":3}' }]);
    evict();
    const third = await run("m-3", createReply(second, { message: "Rome" }));
    expect(third.at(1)).toEqual({ type: "text", text: "3 to Rome, as in “Book it” (en)" });
  });

  test("[T4] accepts the same answer again after an interrupted attempt", async () => {
    const { run } = createAgentRuntime();
    const reply = createReply(await run("m-1"), { message: "hm" });
    const attempts = [await run("m-2", reply), await run("m-2", reply)];
    expect(attempts[1]).toEqual(attempts[0]);
  });

  test("ends with its task when the task is cancelled", async () => {
    const { run, cancel, isolate } = createAgentRuntime();
    const first = await run("m-1");
    const reply = createReply(first, { message: "Oslo" });
    const id = reply.remote_task_id ?? "";
    expect(await callJsonRpc(isolate(), { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } })).toMatchObject({
      result: { status: { state: "TASK_STATE_INPUT_REQUIRED", message: { parts: [{ text: "Where to?" }] } } },
    });
    await cancel(id);
    expect(await callJsonRpc(isolate(), { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } })).toMatchObject({
      result: { status: { state: "TASK_STATE_CANCELED" } },
    });
    expect(await run("m-2", reply)).toEqual([
      { type: "failed", reason: stringLike(/has ended/), code: "agent_failed" },
    ]);
  });

  test("fails the task with a reason when its state is too large", async () => {
    const oversized = createAgent(async function* () {
      yield ask("Well?", { state: "x".repeat(600_000) });
    });
    expect((await createAgentRuntime(oversized).run("m-1")).at(-1)).toEqual({
      type: "failed",
      reason: stringLike(/too large \(600,\d+ characters; the limit is 524,288\)/),
      code: "agent_too_large",
    });
    const fits = createAgent(async function* () {
      yield ask("Well?", { state: "x".repeat(500_000) });
    });
    expect(getInputRequired(await createAgentRuntime(fits).run("m-1")).state).toHaveLength(500_002);
  });
});

describe("AgentTaskRuns", () => {
  const createWaitingRun = (id: string, state = "") => {
    const run = new AgentTaskRun(id, createRequest("go"));
    run.record({ type: "input_required", prompt: "?", state });
    return run;
  };
  const createFinishedRun = (id: string) => {
    const run = new AgentTaskRun(id, createRequest("go"));
    run.record({ type: "completed" });
    return run;
  };

  test("drops finished runs first, then the oldest waiting ones, and never a working one", () => {
    const runs = new AgentTaskRuns();
    runs.add(new AgentTaskRun("working", createRequest("go")));
    runs.add(createWaitingRun("w-0"));
    for (let i = 0; i < 300; i += 1) runs.add(createFinishedRun(`f-${i}`));
    expect(["working", "w-0", "f-0", "f-299"].map((id) => runs.get(id) !== undefined)).toEqual([
      true,
      true,
      false,
      true,
    ]);
    for (let i = 1; i < 300; i += 1) runs.add(createWaitingRun(`w-${i}`));
    expect(["working", "w-0", "f-299", "w-299"].map((id) => runs.get(id) !== undefined)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test("stays below its size limit", () => {
    const runs = new AgentTaskRuns();
    for (let i = 0; i < 60; i += 1) runs.add(createWaitingRun(`w-${i}`, "x".repeat(500_000)));
    const size = Array.from({ length: 60 }, (_, i) => runs.get(`w-${i}`)?.size ?? 0).reduce((sum, n) => sum + n);
    expect(size).toBeLessThan(17_000_000);
    expect(runs.get("w-59")).toBeDefined();
  });
});
