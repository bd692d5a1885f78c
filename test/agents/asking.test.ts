import * as z from "zod";
import { describe, expect, test, vi } from "vitest";
import { ask } from "../../src/agents/kit/ask.ts";
import { AgentTaskRun, AgentTaskRuns } from "../../src/agents/kit/agent-task-runs.ts";
import { tool } from "../../src/agents/kit/tool.ts";
import { toolAgent } from "../../src/agents/kit/tool-agent.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { booking } from "./fixtures/booking.ts";
import { agentOf, like, local, requestFor } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";
import { questionIn, replyTo, runtimeOf } from "./fixtures/runtime.ts";
import { rpc, tell, wordsOf } from "./fixtures/wire.ts";

describe("an agent asks", () => {
  test.each([
    ["streams", true],
    ["does not stream", false],
  ])("and goes on from the answer in the same task: one that %s", async (_name, streaming) => {
    const card = { ...booking.card, capabilities: { streaming, push_notifications: false } };
    const { run, requests } = runtimeOf({ ...booking, card });
    const first = await run("m-1");
    expect(first).toEqual([
      { type: "accepted", remote_task_id: like(/^task-/) },
      { type: "text", text: "Two seats." },
      { type: "input_required", prompt: "Where to?", options: ["Oslo", "Rome"], state: '{"seats":2}' },
    ]);
    const reply = replyTo(first, { message: "Oslo" });
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

  test("H4: the agent's isolate may be gone: all it needs comes with the answer, twice if it asks twice", async () => {
    const { run, evict } = runtimeOf();
    const first = await run("m-1");
    evict();
    const second = await run("m-2", replyTo(first, { message: "hm" }));
    expect(second.slice(1)).toEqual([{ type: "input_required", prompt: "Where, please?", state: '{"seats":3}' }]);
    evict();
    const third = await run("m-3", replyTo(second, { message: "Rome" }));
    expect(third.at(1)).toEqual({ type: "text", text: "3 to Rome, as in “Book it” (en)" });
  });

  test("T4: an answer whose attempt was interrupted may be sent again", async () => {
    const { run } = runtimeOf();
    const reply = replyTo(await run("m-1"), { message: "hm" });
    const attempts = [await run("m-2", reply), await run("m-2", reply)];
    expect(attempts[1]).toEqual(attempts[0]);
  });

  test("and is told when no answer will come; then the task is over", async () => {
    const { run, cancel, isolate } = runtimeOf();
    const first = await run("m-1");
    const reply = replyTo(first, { message: "Oslo" });
    const id = reply.remote_task_id ?? "";
    expect(await rpc(isolate(), { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } })).toMatchObject({
      result: { status: { state: "TASK_STATE_INPUT_REQUIRED", message: { parts: [{ text: "Where to?" }] } } },
    });
    await cancel(id);
    expect(await rpc(isolate(), { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } })).toMatchObject({
      result: { status: { state: "TASK_STATE_CANCELED" } },
    });
    expect(await run("m-2", reply)).toEqual([{ type: "failed", reason: like(/has ended/), code: "agent_failed" }]);
  });

  test.each([
    ["none", undefined],
    ["garbled", "{"],
    ["of another shape", '{"seats":"two"}'],
  ])("state that is %s fails the task with a reason", async (_name, state) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { run } = runtimeOf();
    const { state: _, ...reply } = replyTo(await run("m-1"), { message: "Oslo" });
    const events = await run("m-2", { ...reply, ...(state === undefined ? {} : { state }) });
    expect(events.at(-1)).toEqual({ type: "failed", reason: like(/cannot go on/), code: "agent_failed" });
    logged.mockRestore();
  });

  test("state that is too large fails the task with a reason", async () => {
    const greedy = agentOf(async function* () {
      yield ask("Well?", { state: "x".repeat(600_000) });
    });
    expect((await runtimeOf(greedy).run("m-1")).at(-1)).toEqual({
      type: "failed",
      reason: like(/too large \(600\d+ characters, at most 524288\)/),
      code: "agent_too_large",
    });
    const fits = agentOf(async function* () {
      yield ask("Well?", { state: "x".repeat(500_000) });
    });
    expect(questionIn(await runtimeOf(fits).run("m-1")).state).toHaveLength(500_002);
  });
});

describe("an approval", () => {
  const sent: unknown[] = [];
  const send = tool({
    name: "send",
    description: "Sends.",
    parameters: z.object({ text: z.string() }),
    needs_approval: true,
    run(args) {
      sent.push(args);
      return "sent";
    },
  });
  const sender = toolAgent({ card: { name: "sender" }, instructions: "", tools: [send] });
  const twice = () =>
    scriptedModel([
      {
        calls: [
          ["send", '{"text":"a"}'],
          ["send", '{"text":"b"}'],
        ],
      },
      { text: "Both done." },
    ]);

  test("H4: holds over the loss of the isolate, for two calls of one completion", async () => {
    sent.length = 0;
    const { run, evict } = runtimeOf(sender, twice());
    const first = await run("m-1");
    evict();
    const second = await run("m-2", replyTo(first, { message: "approve", decision: "approve" }));
    expect(questionIn(second).approval).toMatchObject({ tool: "send", arguments: { text: "b" } });
    evict();
    const third = await run("m-3", replyTo(second, { message: "", decision: "approve", arguments: { text: "c" } }));
    expect(sent).toEqual([{ text: "a" }, { text: "c" }]);
    expect(third.slice(-3)).toMatchObject([
      { type: "text", text: "Both done." },
      { type: "usage" },
      { type: "completed" },
    ]);
  });

  test("a foreign client answers in plain words, and is asked again when they are unclear", async () => {
    sent.length = 0;
    const agent = local(sender, twice());
    const first = await tell(agent, "go");
    expect(first).toMatchObject({ status: { state: "TASK_STATE_INPUT_REQUIRED" } });
    expect(wordsOf(first)).toContain('"text": "a"');
    const unclear = await tell(agent, "what does it say?", first.id);
    expect(unclear).toMatchObject({ id: first.id, status: { state: "TASK_STATE_INPUT_REQUIRED" } });
    expect(wordsOf(unclear)).toContain("neither approve nor refuse");
    expect(wordsOf(await tell(agent, "yes", first.id))).toContain('"text": "b"');
    const last = await tell(agent, "no", first.id);
    expect(last).toMatchObject({ id: first.id, status: { state: "TASK_STATE_COMPLETED" } });
    expect(sent).toEqual([{ text: "a" }]);
  });
});

describe("what is remembered", () => {
  const waiting = (id: string, state = "") => {
    const run = new AgentTaskRun(id, requestFor("go"));
    run.record({ type: "input_required", prompt: "?", state });
    return run;
  };
  const finished = (id: string) => {
    const run = new AgentTaskRun(id, requestFor("go"));
    run.record({ type: "completed" });
    return run;
  };

  test("tasks that are over are forgotten first, then the oldest that wait; working ones never", () => {
    const runs = new AgentTaskRuns();
    runs.add(new AgentTaskRun("working", requestFor("go")));
    runs.add(waiting("w-0"));
    for (let i = 0; i < 300; i += 1) runs.add(finished(`f-${i}`));
    expect(["working", "w-0", "f-0", "f-299"].map((id) => runs.get(id) !== undefined)).toEqual([
      true,
      true,
      false,
      true,
    ]);
    for (let i = 1; i < 300; i += 1) runs.add(waiting(`w-${i}`));
    expect(["working", "w-0", "f-299", "w-299"].map((id) => runs.get(id) !== undefined)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test("not more than memory can hold", () => {
    const runs = new AgentTaskRuns();
    for (let i = 0; i < 60; i += 1) runs.add(waiting(`w-${i}`, "x".repeat(500_000)));
    const size = Array.from({ length: 60 }, (_, i) => runs.get(`w-${i}`)?.size ?? 0).reduce((sum, n) => sum + n);
    expect(size).toBeLessThan(17_000_000);
    expect(runs.get("w-59")).toBeDefined();
  });
});
