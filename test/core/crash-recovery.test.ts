import { expect, test } from "vitest";
import { StopReason } from "../../src/core/stop-reason.ts";
import { EMPTY_VIEW, foldFrame } from "../../src/protocol/wire/view.ts";
import { call, Crash, Memory, play, saying, scriptedAgents, scriptedModel } from "../support/scripted.ts";

const script = () => ({
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

const texts = (memory: Memory) => {
  const view = memory.framesAfter(0).reduce(foldFrame, EMPTY_VIEW);
  return [...view.items.values()].map((item) => [item.event, item.payload["content"] ?? item.payload["tool_name"]]);
};

test("[T4] a crash after any step repeats no finished step and ends in the same history", async () => {
  const calm = await play({ model: scriptedModel(script()), agents: scriptedAgents({ a: saying("done") }) }, "go");
  const names = [...calm.memory.steps.keys()].map((name, i) => (name.startsWith("task:") ? i : name));
  expect(names).toEqual(["triage", "plan", 2, 3, "synthesis"]);

  for (const crashAfter of calm.memory.steps.keys()) {
    const memory = new Memory();
    const model = scriptedModel(script());
    const agents = scriptedAgents({ a: saying("done") });
    const died = await play({ model, agents }, "go", { memory, step: memory.step({ crashAfter }) }).catch(
      (e: unknown) => e,
    );
    expect(died).toSatisfy((value) => value instanceof Crash || typeof value === "object");
    memory.sent.length = 0;
    memory.rows.splice(
      0,
      memory.rows.length,
      ...memory.rows.filter((row) => !row.entries.some((e) => e.event === "system_failed" || e.event === "done")),
    );
    memory.restart();
    await play({ model, agents }, "go", { memory, step: memory.step({ isCatchingUp: true }) });
    expect(model.requests.map((request) => request.role)).toEqual(["triage", "planner", "synthesis"]);
    expect(texts(memory), `after ${crashAfter}`).toEqual(texts(calm.memory));
  }
});

test("[L3] a turn that is given up takes back what its interrupted step had said, whichever it was", async () => {
  const calm = await play({ model: scriptedModel(script()), agents: scriptedAgents({ a: saying("done") }) }, "go");
  const names = [...calm.memory.steps.keys()];
  for (const [i, interrupted] of names.entries()) {
    const memory = new Memory();
    for (const name of names.slice(0, i)) memory.steps.set(name, calm.memory.steps.get(name) ?? "null");
    const stopped = AbortSignal.abort(new StopReason("host", "It kept being interrupted."));
    const world = { model: scriptedModel({}), agents: scriptedAgents({ a: saying("never") }) };
    const step = memory.step({ isCatchingUp: true });
    const played = await play(world, "go", { memory, step, turn: { signal: stopped } });
    expect(played.events, interrupted).toContain("task_retrying");
    expect(played.events.at(-1)).toBe("done");
  }
});
