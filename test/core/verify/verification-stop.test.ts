import { describe, expect, test } from "vitest";
import { StopReason } from "../../../src/core/turn/stop-reason.ts";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import { EMPTY_VIEW, foldFrames } from "../../../src/protocol/wire/view.ts";
import {
  createIdFactory,
  Crash,
  getEvents,
  LIMITS,
  Memory,
  runTestTurn,
  scriptAgents,
  scriptModel,
  task,
  type Script,
} from "../../support/scripted-ports.ts";
import { createWorker, isVerification, scriptPlan, VERIFY } from "./verification-fixture.ts";

describe("stopped verification", () => {
  test("[T5] ends with done, without synthesis and verification event, when the user cancels", async () => {
    const stop = new AbortController();
    const endless: Script = async function* (request, signal) {
      yield { type: "text", text: "done" };
      if (!isVerification(request)) return;
      stop.abort(new StopReason("person", "You stopped this."));
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(signal.aborted).toBe(true);
    };
    const model = scriptModel(scriptPlan(task("1", "e"), task("2", "e")));
    const result = await runTestTurn({ model, agents: scriptAgents({ e: endless }) }, "go", {
      turn: { ...VERIFY.turn, signal: stop.signal },
    });
    expect(result.events).not.toContain("verification_completed");
    expect(model.requests.map(({ role }) => role)).toEqual(["triage", "planner"]);
    expect(result.events.at(-1)).toBe("done");
  });

  test("[T6] reports an exception when the budget is exhausted", async () => {
    const spending: Script = async function* (request) {
      yield { type: "usage", usage: { model_calls: 1, input_tokens: 1, output_tokens: 1 } };
      if (!isVerification(request)) return;
      for (;;) yield { type: "text", text: "thinking" };
    };
    const limits = { ...LIMITS, maxModelCalls: 3 };
    const model = scriptModel(scriptPlan(task("1", "a")));
    const result = await runTestTurn({ model, agents: scriptAgents({ a: spending }) }, "go", {
      turn: { ...VERIFY.turn, limits },
    });
    expect(getEvents(result, "verification_completed")).toMatchObject([
      { payload: { results: [{ verified: "exception", reason: expect.stringContaining("model calls") as unknown }] } },
    ]);
  });
});

test("[T4] repeats no request under another id and restores the same history after a crash after any step", async () => {
  const script = () => scriptPlan(task("1", "a"), task("2", "b"));
  const createDoubles = (requests: AgentRequest[]) => ({
    model: scriptModel(script()),
    agents: scriptAgents({
      a: createWorker('{"found":true}', "VERIFIED", requests),
      b: createWorker("7", "", requests),
    }),
  });
  const uninterrupted = await runTestTurn(createDoubles([]), "go", VERIFY);
  const steps = [...uninterrupted.memory.steps.keys()];
  expect(steps.map((name) => name.replace(/:.*/, ""))).toEqual(
    "triage plan task task verification task task verified synthesis".split(" "),
  );
  const summarizeItems = (memory: Memory) =>
    [...foldFrames(EMPTY_VIEW, memory.readFrames(0)).items.values()].map(({ event, payload }) => [
      event,
      payload["tool_name"] ?? payload["summary"] ?? payload["component_type"] ?? payload["content"],
    ]);
  for (const crashAfter of steps) {
    const memory = new Memory();
    const requests: AgentRequest[] = [];
    const doubles = createDoubles(requests);
    const thrown = await runTestTurn(doubles, "go", {
      ...VERIFY,
      memory,
      step: memory.createStepRunner({ crashAfter }),
    }).catch((thrown: unknown) => thrown);
    expect(thrown).toSatisfy((value) => value instanceof Crash || typeof value === "object");
    memory.sent.length = 0;
    const isEnd = (event: string) => event === "system_failed" || event === "done";
    const remainingRows = memory.rows.filter((row) => !row.entries.some(({ event }) => isEnd(event)));
    memory.rows.splice(0, memory.rows.length, ...remainingRows);
    memory.restart();
    await runTestTurn(doubles, "go", {
      ...VERIFY,
      memory,
      step: memory.createStepRunner({ isCatchingUp: true }),
      mint: createIdFactory("n"),
    });
    const ids = Map.groupBy(requests, ({ query }) => query);
    expect(ids.size, `after ${crashAfter}`).toBe(4);
    for (const same of ids.values()) expect(new Set(same.map(({ message_id }) => message_id)).size).toBe(1);
    expect(summarizeItems(memory), `after ${crashAfter}`).toEqual(summarizeItems(uninterrupted.memory));
  }
});
