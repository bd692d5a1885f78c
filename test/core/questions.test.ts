import { describe, expect, test } from "vitest";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import type { AgentEvent, AgentRequest } from "../../src/protocol/agents/agent.ts";
import {
  call,
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

const createQuestionCall = (question: string, options?: string[]) =>
  call("ask_user", { question, ...(options ? { options } : {}) });

/** An agent that asks once and repeats the answer. */
async function* asker(request: AgentRequest): AsyncGenerator<AgentEvent> {
  yield { type: "accepted", remote_task_id: "remote-1" };
  if (request.reply === undefined) {
    yield { type: "text", text: "One moment. " };
    yield { type: "input_required", prompt: "Which city?", options: ["Paris", "Rome"], state: "kept" };
    return;
  }
  yield {
    type: "text",
    text: `${request.reply.answer.message}, ${request.reply.state} ${request.reply.remote_task_id}`,
  };
  yield { type: "completed" };
}

describe("question of the planner", () => {
  const script = () => ({
    triage: [handoff({})],
    planner: [createQuestionCall("How much?", ["10", "20"]), plan(task("1", "w"))],
  });

  test("[F26] pauses the thread without done and publishes prompt, options and expiry", async () => {
    const result = await runTestTurn({ model: script(), agents: { w: answerWith("x") } }, "pay");
    const [question] = getEvents(result, "plan_require_user_input");
    expect(question?.payload).toMatchObject({ content: "How much?", options: ["10", "20"], expires_at: 3_601_000 });
    expect(result.end).toEqual({ status: "paused", request_ids: [question?.payload.request_id] });
    expect(result.events).not.toContain("done");
  });

  test("[F27] continues planning with the answer as the tool result, without another triage", async () => {
    const model = scriptModel(script());
    const doubles = { model, agents: scriptAgents({ w: answerWith("done it") }) };
    const { memory } = await runTestTurn(doubles, "pay");
    memory.settleFirst("20");
    const result = await runTestTurn(doubles, "pay", { memory });
    expect(model.requests.map(({ role }) => role)).toEqual(["triage", "planner", "planner"]);
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({ role: "tool", content: "20" });
    expect(model.requests[2]?.messages.at(-2)).toMatchObject({ role: "assistant" });
    expect(result.end.status).toBe("completed");
    expect(getEvents(result, "message").filter((d) => d.role === "user")).toHaveLength(1);
    expect(result.events.filter((name) => name === "done")).toHaveLength(1);
  });

  test("[F28] supports several questions in a row and a question next to a look-up", async () => {
    const lookUp = { id: "c1", name: "get_agent_description", arguments: '{"agent_name":"w"}' };
    const question = { id: "c2", name: "ask_user", arguments: '{"question":"And then?"}' };
    const model = scriptModel({
      triage: [handoff({})],
      planner: [createQuestionCall("How much?"), { calls: [lookUp, question] }, plan(task("1", "w"))],
    });
    const doubles = { model, agents: scriptAgents({ w: answerWith("ok") }) };
    const { memory } = await runTestTurn(doubles, "pay");
    memory.settleFirst("20");
    await runTestTurn(doubles, "pay", { memory });
    memory.settleFirst("later");
    const result = await runTestTurn(doubles, "pay", { memory });
    expect(result.end.status).toBe("completed");
    const last = model.requests.at(-1)?.messages ?? [];
    expect(last.flatMap((m) => (m.role === "tool" ? [m.toolCallId] : []))).toEqual(["call_1", "c1", "c2"]);
    expect(last.at(-1)).toMatchObject({ content: "later" });
  });

  test("[X4] asks the guidance of an inadequate plan if it is a question", async () => {
    const inadequate = call("create_plan", { tasks: [], adequate: false, reason: "", guidance_message: "哪个城市？" });
    const model = scriptModel({ triage: [handoff({})], planner: [inadequate] });
    const result = await runTestTurn({ model, agents: { w: answerWith("x") } }, "天气");
    expect(getEvents(result, "plan_require_user_input")[0]?.payload.content).toBe("哪个城市？");
  });

  test("[H2] reports an expired question and ends the thread", async () => {
    const doubles = { model: scriptModel(script()), agents: scriptAgents({ w: answerWith("x") }) };
    const { memory } = await runTestTurn(doubles, "pay");
    memory.settleFirst({ state: "expired" });
    const result = await runTestTurn(doubles, "pay", { memory });
    expect(getEvents(result, "plan_failed")[0]?.payload).toMatchObject({ code: "question_expired" });
    expect(result.end.status).toBe("failed");
    expect(result.events.at(-1)).toBe("done");
  });

  test.each(["cancelled", "expired"] as const)(
    "[T5] ends a stopped thread whose question is %s with done only",
    async (state) => {
      const doubles = { model: scriptModel(script()), agents: scriptAgents({ w: answerWith("x") }) };
      const { memory } = await runTestTurn(doubles, "pay");
      memory.settleFirst({ state });
      const before = memory.sent.length;
      const signal = AbortSignal.abort(new StopReason("person", "You stopped this."));
      const result = await runTestTurn(doubles, "pay", { memory, turn: { signal } });
      expect(result.events.slice(before)).toEqual(["done"]);
      expect(result.end.status).toBe("completed");
    },
  );
});

describe("question of an agent", () => {
  test("keeps the task waiting, runs independent tasks, delays dependents and delivers the answer to the same task", async () => {
    const requests: AgentRequest[] = [];
    const doubles = {
      model: scriptModel({
        triage: [handoff({})],
        planner: [plan(task("1", "asker"), task("2", "w"), task("3", "w", ["1"]))],
        synthesis: [{ text: "all" }],
      }),
      agents: scriptAgents({
        async *asker(request) {
          requests.push(request);
          yield* asker(request);
        },
        w: answerWith("free"),
      }),
    };
    const { memory, end, events } = await runTestTurn(doubles, "go");
    expect(end.status).toBe("paused");
    expect(events.filter((name) => name === "task_completed")).toHaveLength(1);
    expect(getEvents({ memory }, "task_waiting")[0]?.payload).toMatchObject({
      content: "Which city?",
      options: ["Paris", "Rome"],
    });
    memory.settleFirst("Rome");
    const result = await runTestTurn(doubles, "go", { memory });
    expect(requests.map(({ task_id }) => task_id)).toEqual([requests[0]?.task_id, requests[0]?.task_id]);
    expect(requests[1]?.message_id).not.toBe(requests[0]?.message_id);
    expect(requests[1]?.reply).toEqual({ answer: { message: "Rome" }, remote_task_id: "remote-1", state: "kept" });
    expect(result.events.filter((name) => name === "task_completed")).toHaveLength(3);
    expect(JSON.stringify(doubles.model.requests.at(-1)?.messages)).toContain("Rome, kept remote-1");
  });

  test("continues a task as soon as its answer arrives while other tasks run", async () => {
    const gate = Promise.withResolvers<void>();
    const doubles = {
      model: scriptModel({
        triage: [handoff({})],
        planner: [plan(task("1", "asker"), task("2", "slow"))],
        synthesis: [{ text: "all" }],
      }),
      agents: scriptAgents({
        asker,
        async *slow() {
          yield { type: "accepted" };
          await gate.promise;
          yield { type: "completed" };
        },
      }),
    };
    const memory = new Memory();
    const running = runTestTurn(doubles, "go", { memory });
    await expect.poll(() => memory.listOpenQuestions().length).toBe(1);
    memory.settleFirst("Paris");
    await expect.poll(() => memory.sent.filter(({ event }) => event === "task_completed").length).toBe(1);
    gate.resolve();
    expect((await running).end.status).toBe("completed");
  });

  test("[T4] restarts an interrupted task segment from the answer and keeps the output before it", async () => {
    const model = () => scriptModel({ triage: [handoff({})], planner: [plan(task("1", "asker"))] });
    const { memory } = await runTestTurn({ model: model(), agents: { asker } }, "go");
    memory.settleFirst("Rome");
    const dying = scriptAgents({
      async *asker() {
        yield { type: "accepted" };
        yield { type: "text", text: "Half a " };
        await new Promise(() => {});
      },
    });
    void runTestTurn({ model: model(), agents: dying }, "go", { memory });
    await expect.poll(() => JSON.stringify(memory.sent)).toContain("Half a ");
    memory.restart();
    const step = memory.createStepRunner({ isCatchingUp: true });
    const result = await runTestTurn({ model: model(), agents: { asker } }, "go", { memory, step });
    expect(result.end.status).toBe("completed");
    const history = memory.readFrames(0);
    expect(JSON.stringify(history)).not.toContain("Half a ");
    expect(JSON.stringify(history)).toContain("One moment.");
    expect(history.filter(({ event }) => event === "task_waiting")).toHaveLength(1);
  });

  test("[H2] fails the task of an expired question, notifies the agent and completes the other tasks", async () => {
    const agents = scriptAgents({ asker, w: answerWith("fine") });
    const model = scriptModel({
      triage: [handoff({})],
      planner: [plan(task("1", "asker"), task("2", "w"))],
      synthesis: [{ text: "partly" }],
    });
    const { memory } = await runTestTurn({ model, agents }, "go");
    memory.settleFirst({ state: "expired" });
    const result = await runTestTurn({ model, agents }, "go", { memory });
    expect(getEvents(result, "task_failed")[0]?.payload.code).toBe("question_expired");
    expect(result.events.filter((name) => name === "task_completed")).toHaveLength(1);
    expect(agents.dismissed).toEqual(["asker/remote-1"]);
    expect(result.end.status).toBe("failed");
  });

  test("[T5] cancels only the waiting task and its dependents, and notifies the agent", async () => {
    const agents = scriptAgents({ asker, w: answerWith("fine") });
    const model = scriptModel({
      triage: [handoff({})],
      planner: [plan(task("1", "asker"), task("2", "w", ["1"]))],
      synthesis: [{ text: "nothing" }],
    });
    const { memory } = await runTestTurn({ model, agents }, "go");
    const [open] = memory.listOpenQuestions();
    memory.settleQuestion(open?.request_id ?? "", { state: "cancelled" });
    const stop = AbortSignal.abort(new Error("You stopped this task."));
    const taskSignal = (id: string) => (id === open?.task_id ? stop : new AbortController().signal);
    const result = await runTestTurn({ model, agents }, "go", { memory, turn: { taskSignal } });
    expect(getEvents(result, "task_cancelled")).toHaveLength(2);
    expect(agents.dismissed).toEqual(["asker/remote-1"]);
    expect(agents.cancelDetails).toEqual([{ task_id: open?.task_id, checkpoint: "kept" }]);
    // F15: nothing has failed.
    expect(result.end.status).toBe("completed");
  });

  test("[T5] reports a cancelled dependent of a waiting task at once and keeps the question open", async () => {
    const agents = scriptAgents({ asker, w: answerWith("fine") });
    const model = scriptModel({
      triage: [handoff({})],
      planner: [plan(task("1", "asker"), task("2", "w", ["1"]), task("3", "w", ["2"]))],
    });
    const { memory } = await runTestTurn({ model, agents }, "go");
    const [created] = getEvents({ memory }, "plan_created");
    const second = created?.payload.plan.tasks[1]?.task_id;
    const stop = AbortSignal.abort(new StopReason("person", "You stopped this task."));
    const taskSignal = (id: string) => (id === second ? stop : new AbortController().signal);
    const result = await runTestTurn({ model, agents }, "go", { memory, turn: { taskSignal } });
    const messages = getEvents(result, "task_cancelled").map(({ payload }) => payload.content);
    expect(messages).toEqual(["You stopped this task.", "This task depends on “Task 2”, which was stopped."]);
    expect(result.end).toEqual({ status: "paused", request_ids: [memory.listOpenQuestions()[0]?.request_id] });
  });
});
