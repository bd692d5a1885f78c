import { describe, expect, test } from "vitest";
import { StopReason } from "../../../src/core/turn/stop-reason.ts";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { EMPTY_VIEW, foldFrames } from "../../../src/protocol/wire/view.ts";
import {
  call,
  getEvents,
  runTestTurn,
  scriptAgents,
  scriptModel,
  task,
  type Script,
  runPlan,
  LIMITS,
  scriptPlan,
} from "../../support/scripted-ports.ts";
import { createWorker, isVerification, mute, VERIFY } from "./verification-fixture.ts";

describe("verification of a plan", () => {
  test("asks every agent about its task, read-only, in a separate conversation, with the task and the request", async () => {
    const requests: AgentRequest[] = [];
    const agents = scriptAgents({
      a: createWorker('{"found":true}', "VERIFIED", requests),
      b: createWorker("7", "", requests),
    });
    const result = await runPlan([task("1", "a"), task("2", "b")], agents, VERIFY);
    const verificationRequests = requests.filter(isVerification);
    const createdTasks = getEvents(result, "plan_created")[0]?.payload.plan.tasks ?? [];
    expect(verificationRequests).toHaveLength(2);
    for (const [i, request] of verificationRequests.entries()) {
      expect(request.query).toContain(`“Task ${i + 1}”`);
      const facts = { task_query: `do ${i + 1}`, task_result: `result of do ${i + 1}`, request: "do both things" };
      expect(request.query).toContain(JSON.stringify(facts));
      expect(request.metadata.current_context).toEqual({
        ...facts,
        task_id: createdTasks[i]?.task_id,
        task_name: `Task ${i + 1}`,
        action: "verify_task_completion",
      });
      expect(createdTasks.map(({ task_id }) => task_id)).not.toContain(request.task_id);
      expect(requests.filter(({ conversation_id: id }) => id === request.conversation_id)).toHaveLength(1);
    }
    expect(getEvents(result, "verification_completed")).toMatchObject([
      { payload: { summary: "2 of 2 tasks verified.", results: [{ agent_id: "a" }, { agent_id: "b" }] } },
    ]);
    expect(result.end.status).toBe("completed");
  });

  test("fails an agent whose tool denies, even if the agent then reports question_refused", async () => {
    const sly: Script = async function* (request, signal) {
      yield* createWorker('{"found":false}')(request, signal);
      if (isVerification(request)) yield { type: "failed", reason: "Who?", code: "question_refused" };
    };
    const agents = scriptAgents({ a: sly });
    const result = await runPlan([task("1", "a")], agents, VERIFY);
    const [completedEvent] = getEvents(result, "verification_completed");
    expect(completedEvent?.payload.results).toMatchObject([{ agent_id: "a", status: "verification_failed" }]);
  });

  test("publishes the tool calls of the verification but not its text", async () => {
    const agents = scriptAgents({ a: createWorker('{"found":true}', "Secret words. VERIFIED") });
    const result = await runPlan([task("1", "a")], agents, VERIFY);
    expect(getEvents(result, "tool_call_completed").filter(({ payload }) => payload.tool_name === "look")).toHaveLength(
      1,
    );
    const taskEvents = result.memory.sent.filter(
      ({ event, data }) => data.agent_name === "a" && !event.startsWith("tool_call"),
    );
    expect(taskEvents.filter(({ event }) => event === "task_started")).toHaveLength(1);
    expect(taskEvents.filter(({ event }) => event === "task_completed")).toHaveLength(1);
    expect(taskEvents.filter(({ event }) => event.startsWith("reasoning"))).toHaveLength(0);
    expect(JSON.stringify(taskEvents)).not.toContain("Secret");
    expect(result.events.slice(-2)).toEqual(["verification_completed", "done"]);
  });

  test("[F136] fails the thread visibly for a failed verification and keeps the results", async () => {
    const agents = scriptAgents({ a: createWorker('{"found":false}'), b: mute });
    const model = scriptModel(scriptPlan(task("1", "a"), task("2", "b")));
    const result = await runTestTurn({ model, agents }, "go", VERIFY);
    expect(result.end.status).toBe("failed");
    expect(getEvents(result, "task_completed")).toHaveLength(2);
    expect(getEvents(result, "verification_completed")).toMatchObject([
      {
        payload: {
          results: [
            { agent_id: "a", status: "verification_failed", tools_used: ["look"] },
            { agent_id: "b", status: "executed_but_unverified", reason: "no_verification_tool" },
          ],
        },
      },
    ]);
    expect(getEvents(result, "system_failed")).toMatchObject([{ payload: { code: "verification_failed" } }]);
    const started = { thread_id: "th-1", task_id: "task-0", role: "user", payload: { content: "go" } } as const;
    const published = [{ event: "thread_started", data: started } as const, ...result.memory.sent];
    const frames = published.map((frame, i) => ({ ...frame, seq: i + 1 }) as Frame);
    expect(foldFrames(EMPTY_VIEW, frames).threads).toMatchObject([
      {
        status: "failed",
        verification: { summary: expect.stringContaining("Not done: a (Task 1)") as unknown },
      },
    ]);
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain(
      '"verification":{"verified":false,"reason":"look returned: {\\"found\\":false}"}',
    );
  });

  test("[F136] reports a failed verification even if the synthesis fails", async () => {
    const agents = scriptAgents({ a: createWorker('{"found":false}'), b: mute });
    const model = scriptModel({ ...scriptPlan(task("1", "a"), task("2", "b")), synthesis: [new Error("away")] });
    const result = await runTestTurn({ model, agents }, "go", VERIFY);
    const codes = getEvents(result, "system_failed").map(({ payload }) => payload.code);
    expect(codes).toEqual(["verification_failed", "internal"]);
    expect(result.end.status).toBe("failed");
  });

  test("[F131] does not count a tool call that was not executed", async () => {
    const refused: Script = async function* (request) {
      yield { type: "text", text: "VERIFIED" };
      if (!isVerification(request)) return;
      const called = { call_id: "c", tool: "send_email", arguments: "{}" };
      yield { type: "tool_started", ...called };
      yield { type: "tool_completed", ...called, result: '{"success":true}', ran: false };
    };
    const model = scriptModel(scriptPlan(task("1", "a")));
    const result = await runTestTurn({ model, agents: { a: refused } }, "go", VERIFY);
    expect(getEvents(result, "verification_completed")).toMatchObject([
      { payload: { results: [{ verified: "unable_to_verify", reason: "no_verification_tool", tools_used: [] }] } },
    ]);
  });

  test("does not fail for an agent error, and asks the user nothing", async () => {
    const broken: Script = async function* (request) {
      if (isVerification(request)) throw new Error("boom");
      yield { type: "text", text: "done" };
    };
    const curious: Script = async function* (request) {
      if (isVerification(request)) yield { type: "input_required", prompt: "Which one?" };
      else yield { type: "text", text: "done" };
    };
    const model = scriptModel(scriptPlan(task("1", "broken"), task("2", "curious")));
    const result = await runTestTurn({ model, agents: { broken, curious } }, "go", VERIFY);
    expect(getEvents(result, "verification_completed")).toMatchObject([
      { payload: { results: [{ verified: "exception" }, { verified: "unable_to_verify", response: "Which one?" }] } },
    ]);
    expect(result.end.status).toBe("completed");
    expect(result.memory.questions.size).toBe(0);
    expect(result.events).not.toContain("task_waiting");
  });

  test("verifies only completed tasks, and publishes nothing if there are none", async () => {
    const requests: AgentRequest[] = [];
    const bad: Script = async function* (request) {
      requests.push(request);
      yield { type: "failed", reason: "it broke" };
    };
    const tasks = [task("1", "bad"), task("2", "a", ["1"])];
    const model = scriptModel(scriptPlan(...tasks));
    const result = await runTestTurn({ model, agents: { bad, a: mute } }, "go", VERIFY);
    expect(requests.filter(isVerification)).toEqual([]);
    expect(result.events).not.toContain("verification_completed");
    expect(result.end.status).toBe("failed");
  });
});

describe("stopped verification", () => {
  test("[T5] ends with done, without synthesis and verification event, when the user cancels", async () => {
    const stop = new AbortController();
    const e: Script = async function* (request) {
      yield { type: "text", text: "done" };
      if (isVerification(request)) stop.abort(new StopReason("person", "You stopped this."));
    };
    const model = scriptModel(scriptPlan(task("1", "e"), task("2", "e")));
    const turn = { ...VERIFY.turn, signal: stop.signal };
    const result = await runTestTurn({ model, agents: { e } }, "go", { turn });
    expect(result.events).not.toContain("verification_completed");
    expect(model.requests.map(({ role }) => role)).toEqual(["triage", "planner"]);
    expect(result.events.at(-1)).toBe("done");
  });

  test("[T6] reports an exception when the budget is exhausted", async () => {
    const a: Script = async function* (request) {
      yield { type: "usage", usage: { model_calls: 1, input_tokens: 1, output_tokens: 1 } };
      while (isVerification(request)) yield { type: "text", text: "thinking" };
    };
    const turn = { ...VERIFY.turn, limits: { ...LIMITS, maxModelCalls: 3 } };
    const result = await runPlan([task("1", "a")], { a }, { turn });
    const reason = expect.stringContaining("model calls") as unknown;
    expect(getEvents(result, "verification_completed")).toMatchObject([
      { payload: { results: [{ verified: "exception", reason }] } },
    ]);
  });
});

describe("decision to verify a plan", () => {
  const verifying = (verify?: boolean | null) => ({
    ...scriptPlan(),
    planner: [call("create_plan", { tasks: [task("1", "a")], ...(verify === undefined ? {} : { verify }) })],
  });

  test.each([
    ["verifies if the planner requests it", true, undefined, true],
    ["does not verify if the planner declines", false, undefined, false],
    ["does not verify if the planner says nothing", undefined, undefined, false],
    ["does not verify if the planner sends null", null, undefined, false],
    ["verifies if the user requests it", undefined, true, true],
    ["does not verify if the user declines", true, false, false],
  ])("%s", async (_name, plannerChoice, userChoice, expected) => {
    const request = { message: "go", ...(userChoice === undefined ? {} : { verify: userChoice }) };
    const agents = scriptAgents({ a: mute });
    const result = await runTestTurn({ model: verifying(plannerChoice), agents }, "go", {
      turn: { request },
    });
    expect(result.events.includes("verification_completed")).toBe(expected);
    expect(getEvents(result, "plan_created")[0]?.payload.plan.verify).toBe(expected ? true : undefined);
  });

  test("verifies a thread with a named agent", async () => {
    const request = { message: "go", agent: "a", verify: true };
    const result = await runTestTurn({ model: {}, agents: { a: mute } }, "go", {
      turn: { request },
    });
    expect(getEvents(result, "verification_completed")).toHaveLength(1);
  });
});
