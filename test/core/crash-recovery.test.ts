import { expect, test } from "vitest";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import { EMPTY_VIEW, foldFrames } from "../../src/protocol/wire/view.ts";
import {
  Crash,
  createIdFactory,
  getEvents,
  Memory,
  runPlan,
  runTestTurn,
  scriptAgents,
  scriptModel,
  scriptPlan,
  task,
  type Script,
} from "../support/scripted-ports.ts";

const TASKS = [task("1", "a"), task("2", "a", ["1"])];

/** Returns an agent that says a word, or calls a tool if it verifies its work. */
const createAgents = (requests: AgentRequest[] = []): Record<"a", Script> => ({
  async *a(request) {
    requests.push(request);
    if (request.metadata.scope === "read_only")
      yield { type: "tool_completed", call_id: "c", tool: "look", result: '{"found":true}' };
    yield { type: "text", text: "done" };
  },
});

const listContents = (memory: Memory) =>
  [...foldFrames(EMPTY_VIEW, memory.readFrames(0)).items.values()].map(({ event, payload }) => [
    event,
    payload["tool_name"] ?? payload["summary"] ?? payload["component_type"] ?? payload["content"],
  ]);

/** Removes what a turn reports about its own crash: a host that dies reports nothing. */
function forgetCrash(memory: Memory): void {
  const isEnd = (event: string) => event === "system_failed" || event === "done";
  const kept = memory.rows.filter((row) => !row.entries.some(({ event }) => isEnd(event)));
  memory.rows.splice(0, memory.rows.length, ...kept);
  memory.sent.length = 0;
  memory.restart();
}

test.each([
  [false, "triage plan task task synthesis"],
  [true, "triage plan task task verification task task verified synthesis"],
])(
  "[T4] a turn repeats no finished step and restores the same history after a crash after any step, verification: %s",
  async (verify, stepNames) => {
    const turn = { request: { message: "go", verify } };
    const uninterrupted = await runPlan(TASKS, createAgents(), { turn });
    const steps = [...uninterrupted.memory.steps.keys()];
    expect(steps.map((name) => name.replace(/:.*/, "")).join(" ")).toBe(stepNames);
    for (const crashAfter of steps) {
      const memory = new Memory();
      const requests: AgentRequest[] = [];
      const doubles = { model: scriptModel(scriptPlan(...TASKS)), agents: createAgents(requests) };
      const crashing = memory.createStepRunner({ crashAfter });
      const thrown = await runTestTurn(doubles, "go", { turn, memory, step: crashing }).catch((e: unknown) => e);
      expect(thrown).toSatisfy((value) => value instanceof Crash || typeof value === "object");
      forgetCrash(memory);
      const step = memory.createStepRunner({ isCatchingUp: true });
      await runTestTurn(doubles, "go", { turn, memory, step, mint: createIdFactory("n") });
      expect(doubles.model.requests.map(({ role }) => role)).toEqual(["triage", "planner", "synthesis"]);
      const ids = Map.groupBy(requests, ({ query }) => query);
      expect(ids.size, `after ${crashAfter}`).toBe(verify ? 4 : 2);
      for (const same of ids.values()) expect(new Set(same.map(({ message_id }) => message_id)).size).toBe(1);
      expect(listContents(memory), `after ${crashAfter}`).toEqual(listContents(uninterrupted.memory));
    }
  },
);

/** A task with a criterion, and an agent that works right only in its first repair. `calls` counts checks and attempts. */
function createCheckedTurn() {
  const calls: string[] = [];
  let value = 0;
  const agent: Script = async function* ({ message_id, metadata }) {
    calls.push(message_id);
    if (metadata.check === undefined) {
      value = metadata.current_context?.["failed_check"] === undefined ? 4 : 5;
      yield { type: "text", text: "done" };
      return;
    }
    yield { type: "tool_completed", call_id: "c", tool: "get", result: JSON.stringify({ value }) };
  };
  const checks = { tools: [{ name: "get", description: "", parameters: {} }] };
  const criterion = { tool: "get", arguments: { id: "17" }, holds: "result.value == 5" };
  const tasks = [{ ...task("1", "a"), query: "Set 17 to 5", criterion }];
  return { calls, tasks, agents: scriptAgents({ a: agent }, { a: { checks } }) };
}

test("[T4] a crash after any step loses no check of a criterion, and makes none twice", async () => {
  const whole = createCheckedTurn();
  const uninterrupted = await runPlan(whole.tasks, whole.agents);
  expect(whole.calls.map((id) => id.replace(/task-\w+/, "task"))).toEqual([
    "task-check-0",
    "task",
    "task-check-1",
    "task#2",
    "task-check-2",
  ]);
  const verdict = getEvents(uninterrupted, "verification_completed")[0]?.payload.results[0];
  expect(verdict).toMatchObject({ verified: true, evidence: { attempts: 2, before: false, after: true } });
  for (const crashAfter of uninterrupted.memory.steps.keys()) {
    const memory = new Memory();
    const { calls, tasks, agents } = createCheckedTurn();
    const doubles = { model: scriptModel(scriptPlan(...tasks)), agents };
    const step = memory.createStepRunner({ crashAfter });
    await runTestTurn(doubles, "go", { memory, step }).catch(() => {});
    forgetCrash(memory);
    const resumed = memory.createStepRunner({ isCatchingUp: true });
    await runTestTurn(doubles, "go", { memory, step: resumed, mint: createIdFactory("n") });
    expect(calls, `after ${crashAfter}`).toHaveLength(whole.calls.length);
    expect(listContents(memory), `after ${crashAfter}`).toEqual(listContents(uninterrupted.memory));
  }
});

test("[L3] a turn that is only ended retracts the output of its interrupted step, for every step", async () => {
  const uninterrupted = await runPlan(TASKS, createAgents());
  const names = [...uninterrupted.memory.steps.keys()];
  for (const [i, interrupted] of names.entries()) {
    const memory = new Memory();
    for (const name of names.slice(0, i)) memory.steps.set(name, uninterrupted.memory.steps.get(name) ?? "null");
    const signal = AbortSignal.abort(new StopReason("expiry", "Nobody answered."));
    const step = memory.createStepRunner({ isCatchingUp: true });
    const doubles = { model: {}, agents: createAgents() };
    const result = await runTestTurn(doubles, "go", { memory, step, turn: { signal } });
    expect(result.events, interrupted).toContain("task_retrying");
    expect(result.events.at(-1)).toBe("done");
  }
});
