import { describe, expect, test } from "vitest";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import type { Usage } from "../../src/protocol/wire/events.ts";
import {
  call,
  Crash,
  getEvents,
  handoff,
  Memory,
  plan,
  runTestTurn,
  answerWith,
  scriptAgents,
  scriptModel,
  task,
} from "../support/scripted-ports.ts";

test.each([
  ["had a checkpoint", true, ["start", "end"]],
  ["was started before the crash: without a checkpoint its start is retracted", false, ["start"]],
])(
  "[F47] marks the end of an agent's conversation when its task is given up after a crash, if it %s",
  async (_, hasCheckpoint, phases) => {
    const agents = scriptAgents({
      async *worker() {
        yield { type: "text", text: "Some. " };
        if (hasCheckpoint) yield { type: "checkpoint", state: "half" };
        await new Promise(() => {});
      },
    });
    const script = { triage: [handoff({})], planner: [plan(task("1", "worker"))] };
    const memory = new Memory();
    void runTestTurn({ model: script, agents }, "go", { memory });
    await expect.poll(() => JSON.stringify(memory.sent)).toContain("Some. ");
    memory.restart();
    const step = memory.createStepRunner({ isCatchingUp: true });
    const stop = AbortSignal.abort(new StopReason("expiry", "Nobody answered."));
    const turnResult = await runTestTurn({ model: script, agents }, "go", {
      memory,
      step,
      turn: { signal: stop },
    });
    const published = getEvents(turnResult, "component_generator").map(
      ({ payload }) => (JSON.parse(payload.content) as { phase: string }).phase,
    );
    expect(published).toEqual(phases);
  },
);

describe("[T4] interrupted step", () => {
  const lookUpCall = call("get_agent_description", { agent_name: "w" });

  test("does not repeat the finished look-ups of the planner", async () => {
    const memory = new Memory();
    const model = scriptModel({
      triage: [handoff({})],
      planner: [lookUpCall, new Crash("died"), plan(task("1", "w"))],
    });
    const doubles = { model, agents: scriptAgents({ w: answerWith("x") }) };
    await runTestTurn(doubles, "go", { memory, turn: { signal: new AbortController().signal } });
    // The turn reported the failure, which a crashed host would not have done. Only the stored state matters here.
    memory.steps.delete("plan");
    memory.restart();
    const turnResult = await runTestTurn(doubles, "go", {
      memory,
      step: memory.createStepRunner({ isCatchingUp: true }),
    });
    expect(turnResult.end.status).toBe("completed");
    expect(model.requests.map(({ role }) => role)).toEqual(["triage", "planner", "planner", "planner"]);
    expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool" });
  });

  test.each([
    ["since its last checkpoint", ["kept, "], "kept, whole", 0],
    ["since its start", [], "whole", 1],
  ])(
    "retracts the output of an agent %s and passes the rest to the dependent task",
    async (_, checkpoints, result, repeats) => {
      const requests: AgentRequest[] = [];
      const agents = scriptAgents({
        async *worker(request) {
          requests.push(request);
          yield { type: "accepted" };
          for (const text of checkpoints)
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
      const model = scriptModel({
        triage: [handoff({})],
        planner: [plan(task("1", "worker"), task("2", "worker", ["1"]))],
        synthesis: [{ text: "ok" }],
      });
      const turnResult = await runTestTurn({ model, agents }, "go");
      expect(turnResult.end.status).toBe("completed");
      expect(requests[1]?.metadata.dependencies?.[0]?.result).toBe(result);
      const first = requests[0]?.task_id;
      const published = getEvents(turnResult, "task_retrying").filter((data) => data.task_id === first);
      expect(published.map(({ payload }) => payload)).toEqual([
        { content: "It broke off.", attempt: 2 },
        { content: "It broke off.", attempt: 3 },
      ]);
      // The connection was retracted with everything else, so it is reported again.
      for (const event of ["tool_call_started", "tool_call_completed", "task_started"] as const) {
        const published = getEvents(turnResult, event).filter((data) => data.task_id === first);
        expect(published, event).toHaveLength(1 + 2 * repeats);
      }
    },
  );

  test("resumes an agent from its last checkpoint, keeps its earlier output and retracts the rest", async () => {
    const requests: AgentRequest[] = [];
    const agents = (isDying: boolean) =>
      scriptAgents({
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
      scriptModel({
        triage: [handoff({})],
        planner: [plan(task("1", "worker"), task("2", "worker", ["1"]))],
        synthesis: [{ text: "ok" }],
      });
    const memory = new Memory();
    void runTestTurn({ model: model(), agents: agents(true) }, "go", { memory });
    await expect.poll(() => JSON.stringify(memory.sent)).toContain("Second half.");
    memory.restart();
    const step = memory.createStepRunner({ isCatchingUp: true });
    const turnResult = await runTestTurn({ model: model(), agents: agents(false) }, "go", { memory, step });
    expect(turnResult.end.status).toBe("completed");
    expect(requests[1]).toMatchObject({
      task_id: requests[0]?.task_id,
      message_id: requests[0]?.message_id,
      checkpoint: "half",
    });
    expect(requests[2]?.metadata.dependencies?.[0]?.result).toBe("First half. Second half.");
    const text = memory
      .readFrames(0)
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
    expect(getEvents({ memory }, "task_completed")[0]?.metadata).toEqual({
      usage: { model_calls: 1, input_tokens: 10, output_tokens: 1 },
    });
  });
});
