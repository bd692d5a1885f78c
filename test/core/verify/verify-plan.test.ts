import { describe, expect, test } from "vitest";
import { StopReason } from "../../../src/core/stop-reason.ts";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { EMPTY_VIEW, foldFrames } from "../../../src/protocol/wire/view.ts";
import {
  call,
  counting,
  Crash,
  eventsOf,
  handoff,
  LIMITS,
  Memory,
  plan,
  play,
  scriptedAgents,
  scriptedModel,
  task,
  type Script,
} from "../../support/scripted.ts";

const isVerifying = (request: AgentRequest) => request.metadata.scope === "read_only";

/** Does its work; asked to verify it, looks with a tool that answers so. */
function worker(found: string, words = "VERIFIED", heard: AgentRequest[] = []): Script {
  return async function* (request) {
    heard.push(request);
    if (!isVerifying(request)) {
      yield { type: "text", text: `result of ${request.query}` };
      return;
    }
    yield { type: "reasoning", text: "let me look" };
    yield { type: "tool_started", call_id: "c", tool: "look", arguments: "{}" };
    yield { type: "tool_completed", call_id: "c", tool: "look", arguments: "{}", result: found };
    yield { type: "text", text: words };
  };
}

const mute: Script = async function* (request) {
  yield { type: "text", text: isVerifying(request) ? "VERIFIED" : "done" };
};

const planned = (...tasks: object[]) => ({
  triage: [handoff({ enriched_query: "q" })],
  planner: [plan(...tasks)],
  synthesis: [{ text: "All done." }],
});
const VERIFY = { turn: { request: { message: "do both things", verify: true } } };

describe("the verification of a plan", () => {
  test("asks every agent about its task, read-only, in its own conversation, with its task and the request", async () => {
    const heard: AgentRequest[] = [];
    const agents = scriptedAgents({ a: worker('{"found":true}', "VERIFIED", heard), b: worker("7", "", heard) });
    const played = await play({ model: scriptedModel(planned(task("1", "a"), task("2", "b"))), agents }, "go", VERIFY);
    const asked = heard.filter(isVerifying);
    const made = eventsOf(played, "plan_created")[0]?.payload.plan.tasks ?? [];
    expect(asked).toHaveLength(2);
    for (const [i, request] of asked.entries()) {
      expect(request.query).toContain(`“Task ${i + 1}”`);
      const facts = { task_query: `do ${i + 1}`, task_result: `result of do ${i + 1}`, request: "do both things" };
      expect(request.query).toContain(JSON.stringify(facts));
      expect(request.metadata.current_context).toEqual({
        ...facts,
        task_id: made[i]?.task_id,
        task_name: `Task ${i + 1}`,
        action: "verify_task_completion",
      });
      expect(made.map(({ task_id }) => task_id)).not.toContain(request.task_id);
      expect(heard.filter(({ conversation_id: id }) => id === request.conversation_id)).toHaveLength(1);
    }
    expect(eventsOf(played, "verification_completed")).toMatchObject([
      { payload: { summary: "2 of 2 tasks verified.", results: [{ agent_id: "a" }, { agent_id: "b" }] } },
    ]);
    expect(played.end.status).toBe("completed");
  });

  test("an agent whose tool says no does not get away with a code that stands for a question", async () => {
    const sly: Script = async function* (request, signal) {
      yield* worker('{"found":false}')(request, signal);
      if (isVerifying(request)) yield { type: "failed", reason: "Who?", code: "question_refused" };
    };
    const agents = scriptedAgents({ a: sly });
    const played = await play({ model: scriptedModel(planned(task("1", "a"))), agents }, "go", VERIFY);
    const [told] = eventsOf(played, "verification_completed");
    expect(told?.payload.results).toMatchObject([{ agent_id: "a", status: "verification_failed" }]);
  });

  test("tells the tools that are used for it, and none of the words", async () => {
    const agents = scriptedAgents({ a: worker('{"found":true}', "Secret words. VERIFIED") });
    const played = await play({ model: scriptedModel(planned(task("1", "a"))), agents }, "go", VERIFY);
    expect(eventsOf(played, "tool_call_completed").filter(({ payload }) => payload.tool_name === "look")).toHaveLength(
      1,
    );
    const ofTasks = played.memory.sent.filter(
      ({ event, data }) => data.agent_name === "a" && !event.startsWith("tool_call"),
    );
    expect(ofTasks.filter(({ event }) => event === "task_started")).toHaveLength(1);
    expect(ofTasks.filter(({ event }) => event === "task_completed")).toHaveLength(1);
    expect(ofTasks.filter(({ event }) => event.startsWith("reasoning"))).toHaveLength(0);
    expect(JSON.stringify(ofTasks)).not.toContain("Secret");
    expect(played.events.slice(-2)).toEqual(["verification_completed", "done"]);
  });

  test("[F136] what is not there fails the thread visibly; the results stay", async () => {
    const agents = scriptedAgents({ a: worker('{"found":false}'), b: mute });
    const model = scriptedModel(planned(task("1", "a"), task("2", "b")));
    const played = await play({ model, agents }, "go", VERIFY);
    expect(played.end.status).toBe("failed");
    expect(eventsOf(played, "task_completed")).toHaveLength(2);
    expect(eventsOf(played, "verification_completed")).toMatchObject([
      {
        payload: {
          results: [
            { agent_id: "a", status: "verification_failed", tools_used: ["look"] },
            { agent_id: "b", status: "executed_but_unverified", reason: "no_verification_tool" },
          ],
        },
      },
    ]);
    expect(eventsOf(played, "system_failed")).toMatchObject([{ payload: { code: "verification_failed" } }]);
    const started = { thread_id: "th-1", task_id: "task-0", role: "user", payload: { content: "go" } } as const;
    const said = [{ event: "thread_started", data: started } as const, ...played.memory.sent];
    const frames = said.map((frame, i) => ({ ...frame, seq: i + 1 }) as Frame);
    expect(foldFrames(EMPTY_VIEW, frames).threads).toMatchObject([
      {
        status: "failed",
        verification: { summary: expect.stringContaining("Not as it should be: a (Task 1)") as unknown },
      },
    ]);
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain(
      '"verification":{"verified":false,"reason":"look answered: {\\"found\\":false}"}',
    );
  });

  test("[F136] what is not there is told also when the summing up fails", async () => {
    const agents = scriptedAgents({ a: worker('{"found":false}'), b: mute });
    const model = scriptedModel({ ...planned(task("1", "a"), task("2", "b")), synthesis: [new Error("away")] });
    const played = await play({ model, agents }, "go", VERIFY);
    const codes = eventsOf(played, "system_failed").map(({ payload }) => payload.code);
    expect(codes).toEqual(["verification_failed", "internal"]);
    expect(played.end.status).toBe("failed");
  });

  test("[F131] a call that did not run is no look", async () => {
    const refused: Script = async function* (request) {
      yield { type: "text", text: "VERIFIED" };
      if (!isVerifying(request)) return;
      const called = { call_id: "c", tool: "send_email", arguments: "{}" };
      yield { type: "tool_started", ...called };
      yield { type: "tool_completed", ...called, result: '{"success":true}', ran: false };
    };
    const model = scriptedModel(planned(task("1", "a")));
    const played = await play({ model, agents: scriptedAgents({ a: refused }) }, "go", VERIFY);
    expect(eventsOf(played, "verification_completed")).toMatchObject([
      { payload: { results: [{ verified: "unable_to_verify", reason: "no_verification_tool", tools_used: [] }] } },
    ]);
  });

  test("[F131] an agent that has nothing to look with fails nothing", async () => {
    const played = await play(
      { model: scriptedModel(planned(task("1", "a"))), agents: scriptedAgents({ a: mute }) },
      "go",
      VERIFY,
    );
    expect(played.end.status).toBe("completed");
    expect(played.events).not.toContain("system_failed");
  });

  test("what goes wrong while an agent is asked fails nothing, and a question is not put", async () => {
    const broken: Script = async function* (request) {
      if (isVerifying(request)) throw new Error("boom");
      yield { type: "text", text: "done" };
    };
    const curious: Script = async function* (request) {
      if (isVerifying(request)) yield { type: "input_required", prompt: "Which one?" };
      else yield { type: "text", text: "done" };
    };
    const model = scriptedModel(planned(task("1", "broken"), task("2", "curious")));
    const played = await play({ model, agents: scriptedAgents({ broken, curious }) }, "go", VERIFY);
    expect(eventsOf(played, "verification_completed")).toMatchObject([
      { payload: { results: [{ verified: "exception" }, { verified: "unable_to_verify", response: "Which one?" }] } },
    ]);
    expect(played.end.status).toBe("completed");
    expect(played.memory.questions.size).toBe(0);
    expect(played.events).not.toContain("task_waiting");
  });

  test("only what was completed is verified; nothing completed, nothing told", async () => {
    const heard: AgentRequest[] = [];
    const bad: Script = async function* (request) {
      heard.push(request);
      yield { type: "failed", reason: "it broke" };
    };
    const tasks = [task("1", "bad"), task("2", "a", ["1"])];
    const model = scriptedModel(planned(...tasks));
    const played = await play({ model, agents: scriptedAgents({ bad, a: mute }) }, "go", VERIFY);
    expect(heard.filter(isVerifying)).toEqual([]);
    expect(played.events).not.toContain("verification_completed");
    expect(played.end.status).toBe("failed");
  });

  test("[F40] agents are asked side by side, and not more of them than allowed", async () => {
    let now = 0;
    let most = 0;
    const slow: Script = async function* (request) {
      if (!isVerifying(request)) return;
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      yield { type: "text", text: "x" };
    };
    const tasks = ["1", "2", "3", "4", "5"].map((id) => task(id, "s"));
    await play({ model: scriptedModel(planned(...tasks)), agents: scriptedAgents({ s: slow }) }, "go", VERIFY);
    expect(most).toBe(3);
  });
});

describe("whether a plan is verified", () => {
  const verifying = (verify?: boolean | null) => ({
    ...planned(),
    planner: [call("create_plan", { tasks: [task("1", "a")], ...(verify === undefined ? {} : { verify }) })],
  });

  test.each([
    ["the planner says so", true, undefined, true],
    ["the planner does not", false, undefined, false],
    ["the planner says nothing", undefined, undefined, false],
    ["the planner says null", null, undefined, false],
    ["the person says so", undefined, true, true],
    ["the person says no", true, false, false],
  ])("%s", async (_name, ofPlanner, ofPerson, expected) => {
    const request = { message: "go", ...(ofPerson === undefined ? {} : { verify: ofPerson }) };
    const agents = scriptedAgents({ a: mute });
    const played = await play({ model: scriptedModel(verifying(ofPlanner)), agents }, "go", { turn: { request } });
    expect(played.events.includes("verification_completed")).toBe(expected);
    expect(eventsOf(played, "plan_created")[0]?.payload.plan.verify).toBe(expected ? true : undefined);
  });

  test("also with an agent that is named", async () => {
    const request = { message: "go", agent: "a", verify: true };
    const played = await play({ model: scriptedModel({}), agents: scriptedAgents({ a: mute }) }, "go", {
      turn: { request },
    });
    expect(eventsOf(played, "verification_completed")).toHaveLength(1);
  });
});

describe("a verification that is stopped", () => {
  test("[T5] by the person: no summary, no verification, done", async () => {
    const stop = new AbortController();
    const endless: Script = async function* (request, signal) {
      yield { type: "text", text: "done" };
      if (!isVerifying(request)) return;
      stop.abort(new StopReason("person", "You cancelled this."));
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(signal.aborted).toBe(true);
    };
    const model = scriptedModel(planned(task("1", "e"), task("2", "e")));
    const played = await play({ model, agents: scriptedAgents({ e: endless }) }, "go", {
      turn: { ...VERIFY.turn, signal: stop.signal },
    });
    expect(played.events).not.toContain("verification_completed");
    expect(model.requests.map(({ role }) => role)).toEqual(["triage", "planner"]);
    expect(played.events.at(-1)).toBe("done");
  });

  test("[T6] by the budget: it could not be asked", async () => {
    const spending: Script = async function* (request) {
      yield { type: "usage", usage: { model_calls: 1, input_tokens: 1, output_tokens: 1 } };
      if (!isVerifying(request)) return;
      for (;;) yield { type: "text", text: "thinking" };
    };
    const limits = { ...LIMITS, maxModelCalls: 3 };
    const model = scriptedModel(planned(task("1", "a")));
    const played = await play({ model, agents: scriptedAgents({ a: spending }) }, "go", {
      turn: { ...VERIFY.turn, limits },
    });
    expect(eventsOf(played, "verification_completed")).toMatchObject([
      { payload: { results: [{ verified: "exception", reason: expect.stringContaining("model calls") as unknown }] } },
    ]);
  });
});

test("[T4] a crash after any step asks nobody twice under another name, and ends in the same history", async () => {
  const script = () => planned(task("1", "a"), task("2", "b"));
  const world = (heard: AgentRequest[]) => ({
    model: scriptedModel(script()),
    agents: scriptedAgents({ a: worker('{"found":true}', "VERIFIED", heard), b: worker("7", "", heard) }),
  });
  const calm = await play(world([]), "go", VERIFY);
  const steps = [...calm.memory.steps.keys()];
  expect(steps.map((name) => name.replace(/:.*/, ""))).toEqual(
    "triage plan task task verification task task verified synthesis".split(" "),
  );
  const shape = (memory: Memory) =>
    [...foldFrames(EMPTY_VIEW, memory.framesAfter(0)).items.values()].map(({ event, payload }) => [
      event,
      payload["tool_name"] ?? payload["summary"] ?? payload["component_type"] ?? payload["content"],
    ]);
  for (const crashAfter of steps) {
    const memory = new Memory();
    const heard: AgentRequest[] = [];
    const there = world(heard);
    const died = await play(there, "go", { ...VERIFY, memory, step: memory.step({ crashAfter }) }).catch(
      (thrown: unknown) => thrown,
    );
    expect(died).toSatisfy((value) => value instanceof Crash || typeof value === "object");
    memory.sent.length = 0;
    const isEnd = (event: string) => event === "system_failed" || event === "done";
    const kept = memory.rows.filter((row) => !row.entries.some(({ event }) => isEnd(event)));
    memory.rows.splice(0, memory.rows.length, ...kept);
    memory.restart();
    await play(there, "go", { ...VERIFY, memory, step: memory.step({ isCatchingUp: true }), mint: counting("n") });
    const ids = Map.groupBy(heard, ({ query }) => query);
    expect(ids.size, `after ${crashAfter}`).toBe(4);
    for (const same of ids.values()) expect(new Set(same.map(({ message_id }) => message_id)).size).toBe(1);
    expect(shape(memory), `after ${crashAfter}`).toEqual(shape(calm.memory));
  }
});
