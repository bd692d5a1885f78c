import { describe, expect, test } from "vitest";
import { StopReason } from "../../src/core/stop-reason.ts";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import type { Usage } from "../../src/protocol/wire/events.ts";
import {
  call,
  Crash,
  eventsOf,
  handoff,
  Memory,
  plan,
  play,
  saying,
  scriptedAgents,
  scriptedModel,
  task,
} from "../support/scripted.ts";

test.each([
  ["had kept something", true, ["start", "end"]],
  ["had not: its beginning is taken back", false, ["start"]],
])("[F47] a task that is given up after a crash leaves its conversation, if it %s", async (_, keeps, phases) => {
  const agents = scriptedAgents({
    async *worker() {
      yield { type: "text", text: "Some. " };
      if (keeps) yield { type: "checkpoint", state: "half" };
      await new Promise(() => {});
    },
  });
  const script = { triage: [handoff({})], planner: [plan(task("1", "worker"))] };
  const memory = new Memory();
  void play({ model: scriptedModel(script), agents }, "go", { memory });
  await expect.poll(() => JSON.stringify(memory.sent)).toContain("Some. ");
  memory.restart();
  const step = memory.step({ isCatchingUp: true });
  const stop = AbortSignal.abort(new StopReason("host", "It kept being interrupted."));
  const played = await play({ model: scriptedModel(script), agents }, "go", { memory, step, turn: { signal: stop } });
  const told = eventsOf(played, "component_generator").map(
    ({ payload }) => (JSON.parse(payload.content) as { phase: string }).phase,
  );
  expect(told).toEqual(phases);
});

describe("[T4] what has finished within an interrupted step is not done again", () => {
  const lookUp = call("get_agent_description", { agent_name: "w" });

  test("the planner's look-ups", async () => {
    const memory = new Memory();
    const model = scriptedModel({ triage: [handoff({})], planner: [lookUp, new Crash("died"), plan(task("1", "w"))] });
    const world = { model, agents: scriptedAgents({ w: saying("x") }) };
    await play(world, "go", { memory, turn: { signal: new AbortController().signal } });
    // The turn told of the failure; a dead host would not have. What it had stored is what counts here.
    memory.steps.delete("plan");
    memory.restart();
    const played = await play(world, "go", { memory, step: memory.step({ isCatchingUp: true }) });
    expect(played.end.status).toBe("completed");
    expect(model.requests.map(({ role }) => role)).toEqual(["triage", "planner", "planner", "planner"]);
    expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool" });
  });

  test.each([
    ["since its last checkpoint", ["kept, "], "kept, whole", 0],
    ["since it began", [], "whole", 1],
  ])("an agent takes back what it said %s: the rest is what the next one is given", async (_, kept, result, again) => {
    const requests: AgentRequest[] = [];
    const agents = scriptedAgents({
      async *worker(request) {
        requests.push(request);
        yield { type: "accepted" };
        for (const text of kept)
          yield* [
            { type: "text" as const, text },
            { type: "checkpoint" as const, state: text },
          ];
        for (const text of ["ha", "hal"]) {
          yield { type: "component", component_type: "card", content: "{}" };
          yield* [
            { type: "text" as const, text },
            { type: "retracted" as const, reason: "It broke off." },
          ];
        }
        yield* [{ type: "text", text: "whole" }, { type: "completed" }];
      },
    });
    const model = scriptedModel({
      triage: [handoff({})],
      planner: [plan(task("1", "worker"), task("2", "worker", ["1"]))],
      synthesis: [{ text: "ok" }],
    });
    const played = await play({ model, agents }, "go");
    expect(played.end.status).toBe("completed");
    expect(requests[1]?.metadata.dependencies?.[0]?.result).toBe(result);
    const first = requests[0]?.task_id;
    const told = eventsOf(played, "task_retrying").filter((data) => data.task_id === first);
    expect(told.map(({ payload }) => payload)).toEqual([
      { content: "It broke off.", attempt: 2 },
      { content: "It broke off.", attempt: 3 },
    ]);
    // Taken back with everything else, the connection stands there again.
    for (const event of ["tool_call_started", "tool_call_completed", "task_started"] as const) {
      const told = eventsOf(played, event).filter((data) => data.task_id === first);
      expect(told, event).toHaveLength(1 + 2 * again);
    }
  });

  test("an agent goes on from its last checkpoint; what it had said up to it stays, what came after is taken back", async () => {
    const requests: AgentRequest[] = [];
    const agents = (isDying: boolean) =>
      scriptedAgents({
        async *worker(request) {
          requests.push(request);
          yield { type: "accepted", remote_task_id: "r-1" };
          if (request.checkpoint === undefined) {
            yield { type: "text", text: "First half. " };
            yield { type: "usage", usage: { model_calls: 1, input_tokens: 10, output_tokens: 1 } };
            yield { type: "checkpoint", state: "half" };
          }
          yield { type: "text", text: "Second half." };
          if (isDying) await new Promise(() => {});
          yield { type: "completed" };
        },
      });
    const model = () =>
      scriptedModel({
        triage: [handoff({})],
        planner: [plan(task("1", "worker"), task("2", "worker", ["1"]))],
        synthesis: [{ text: "ok" }],
      });
    const memory = new Memory();
    void play({ model: model(), agents: agents(true) }, "go", { memory });
    await expect.poll(() => JSON.stringify(memory.sent)).toContain("Second half.");
    memory.restart();
    const step = memory.step({ isCatchingUp: true });
    const played = await play({ model: model(), agents: agents(false) }, "go", { memory, step });
    expect(played.end.status).toBe("completed");
    expect(requests[1]).toMatchObject({
      task_id: requests[0]?.task_id,
      message_id: requests[0]?.message_id,
      checkpoint: "half",
    });
    expect(requests[2]?.metadata.dependencies?.[0]?.result).toBe("First half. Second half.");
    const text = memory
      .framesAfter(0)
      .flatMap((frame) =>
        frame.event === "message_chunk" && frame.data.task_id === requests[0]?.task_id
          ? [frame.data.payload.content]
          : [],
      );
    expect(text.join("")).toBe("First half. Second half.");
    const done = memory.sent.at(-1);
    expect(done?.data.metadata?.["usage"]).toMatchObject({ model_calls: 2 + 1 + 2 });
    const { calls = [] } = (done?.data.metadata?.["usage"] ?? {}) as Partial<Usage>;
    expect(calls.map(({ role }) => role)).toEqual(["triage", "planner", "agent:worker", "agent:worker", "synthesis"]);
    expect(eventsOf({ memory }, "task_completed")[0]?.metadata).toEqual({
      usage: { model_calls: 1, input_tokens: 10, output_tokens: 1 },
    });
  });
});
