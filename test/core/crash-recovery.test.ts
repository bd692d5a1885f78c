import { expect, test } from "vitest";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import { EMPTY_VIEW, foldFrames } from "../../src/protocol/wire/view.ts";
import { call, Crash, Memory, runTestTurn, answerWith, scriptAgents, scriptModel } from "../support/scripted-ports.ts";

const createScript = () => ({
  triage: [call("handoff_to_planner", { strategy: "needs_planning", enriched_query: "q", reason: "" })],
  planner: [
    call("create_plan", {
      tasks: [
        { id: "1", title: "One", query: "one", agent_name: "a", depends_on: [] },
        { id: "2", title: "Two", query: "two", agent_name: "a", depends_on: ["1"] },
      ],
    }),
  ],
  synthesis: [{ text: "One and two." }],
});

const listTexts = (memory: Memory) => {
  const view = foldFrames(EMPTY_VIEW, memory.readFrames(0));
  return [...view.items.values()].map((item) => [item.event, item.payload["content"] ?? item.payload["tool_name"]]);
};

test("[T4] a turn repeats no finished step and restores the same history after a crash after any step", async () => {
  const uninterrupted = await runTestTurn(
    { model: scriptModel(createScript()), agents: scriptAgents({ a: answerWith("done") }) },
    "go",
  );
  const names = [...uninterrupted.memory.steps.keys()].map((name, i) => (name.startsWith("task:") ? i : name));
  expect(names).toEqual(["triage", "plan", 2, 3, "synthesis"]);

  for (const crashAfter of uninterrupted.memory.steps.keys()) {
    const memory = new Memory();
    const model = scriptModel(createScript());
    const agents = scriptAgents({ a: answerWith("done") });
    const thrown = await runTestTurn({ model, agents }, "go", {
      memory,
      step: memory.createStepRunner({ crashAfter }),
    }).catch((e: unknown) => e);
    expect(thrown).toSatisfy((value) => value instanceof Crash || typeof value === "object");
    memory.sent.length = 0;
    memory.rows.splice(
      0,
      memory.rows.length,
      ...memory.rows.filter((row) => !row.entries.some((e) => e.event === "system_failed" || e.event === "done")),
    );
    memory.restart();
    await runTestTurn({ model, agents }, "go", { memory, step: memory.createStepRunner({ isCatchingUp: true }) });
    expect(model.requests.map((request) => request.role)).toEqual(["triage", "planner", "synthesis"]);
    expect(listTexts(memory), `after ${crashAfter}`).toEqual(listTexts(uninterrupted.memory));
  }
});

test("[L3] a turn that is given up retracts the output of its interrupted step, for every step", async () => {
  const uninterrupted = await runTestTurn(
    { model: scriptModel(createScript()), agents: scriptAgents({ a: answerWith("done") }) },
    "go",
  );
  const names = [...uninterrupted.memory.steps.keys()];
  for (const [i, interrupted] of names.entries()) {
    const memory = new Memory();
    for (const name of names.slice(0, i)) memory.steps.set(name, uninterrupted.memory.steps.get(name) ?? "null");
    const stopped = AbortSignal.abort(new StopReason("host", "It kept being interrupted."));
    const doubles = { model: scriptModel({}), agents: scriptAgents({ a: answerWith("never") }) };
    const step = memory.createStepRunner({ isCatchingUp: true });
    const result = await runTestTurn(doubles, "go", { memory, step, turn: { signal: stopped } });
    expect(result.events, interrupted).toContain("task_retrying");
    expect(result.events.at(-1)).toBe("done");
  }
});
