import { describe, expect, test } from "vitest";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import type { QuestionState } from "../../src/core/ports.ts";
import type { TurnInput } from "../../src/core/turn/turn-context.ts";
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
  type Script,
  scriptPlan,
  runPlan,
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

/** Runs a turn until it pauses. `resume` settles its first question and runs it again. */
async function startTurn(script: Parameters<typeof scriptModel>[0], scripts: Record<string, Script>, message = "go") {
  const doubles = { model: scriptModel(script), agents: scriptAgents(scripts) };
  const paused = await runTestTurn(doubles, message);
  const { memory } = paused;
  const resume = (state: QuestionState | string | null, turn: Partial<TurnInput> = {}) => {
    if (state !== null) memory.settleFirst(state);
    return runTestTurn(doubles, message, { memory, turn });
  };
  return { ...paused, ...doubles, resume };
}

const createStop = () => AbortSignal.abort(new StopReason("person", "You stopped this task."));
const count = (events: readonly string[], name: string) => events.filter((event) => event === name).length;

describe("question of the planner", () => {
  const askThenPlan = {
    triage: [handoff({})],
    planner: [createQuestionCall("How much?", ["10", "20"]), plan(task("1", "w"))],
  };
  const w = answerWith("done it");

  test("[F26] pauses the thread without done and publishes prompt, options and expiry", async () => {
    const result = await startTurn(askThenPlan, { w });
    const [question] = getEvents(result, "plan_require_user_input");
    expect(question?.payload).toMatchObject({ content: "How much?", options: ["10", "20"], expires_at: 3_601_000 });
    expect(result.end).toEqual({ status: "paused", request_ids: [question?.payload.request_id] });
    expect(result.events).not.toContain("done");
  });

  test("[F27] continues planning with the answer as the tool result, without another triage", async () => {
    const { model, resume } = await startTurn(askThenPlan, { w });
    const result = await resume("20");
    expect(model.requests.map(({ role }) => role)).toEqual(["triage", "planner", "planner"]);
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({ role: "tool", content: "20" });
    expect(model.requests[2]?.messages.at(-2)).toMatchObject({ role: "assistant" });
    expect(result.end.status).toBe("completed");
    expect(getEvents(result, "message").filter((d) => d.role === "user")).toHaveLength(1);
    expect(count(result.events, "done")).toBe(1);
  });

  test("[F28] supports several questions in a row and a question next to a look-up", async () => {
    const lookUp = { id: "c1", name: "get_agent_description", arguments: '{"agent_name":"w"}' };
    const question = { id: "c2", name: "ask_user", arguments: '{"question":"And then?"}' };
    const planner = [createQuestionCall("How much?"), { calls: [lookUp, question] }, plan(task("1", "w"))];
    const { model, resume } = await startTurn({ triage: [handoff({})], planner }, { w });
    await resume("20");
    expect((await resume("later")).end.status).toBe("completed");
    const last = model.requests.at(-1)?.messages ?? [];
    expect(last.flatMap((m) => (m.role === "tool" ? [m.toolCallId] : []))).toEqual(["call_1", "c1", "c2"]);
    expect(last.at(-1)).toMatchObject({ content: "later" });
  });

  test("[X4] asks the guidance of an inadequate plan if it is a question", async () => {
    const inadequate = call("create_plan", { tasks: [], adequate: false, reason: "", guidance_message: "哪个城市？" });
    const result = await startTurn({ triage: [handoff({})], planner: [inadequate] }, { w }, "天气");
    expect(getEvents(result, "plan_require_user_input")[0]?.payload.content).toBe("哪个城市？");
  });

  test("[H2] reports an expired question and ends the thread", async () => {
    const { resume } = await startTurn(askThenPlan, { w });
    const result = await resume({ state: "expired" });
    expect(getEvents(result, "plan_failed")[0]?.payload).toMatchObject({ code: "question_expired" });
    expect(result.end.status).toBe("failed");
    expect(result.events.at(-1)).toBe("done");
  });

  test.each(["cancelled", "expired"] as const)(
    "[T5] ends a stopped thread whose question is %s with done only",
    async (state) => {
      const { events, resume } = await startTurn(askThenPlan, { w });
      const result = await resume({ state }, { signal: createStop() });
      expect(result.events.slice(events.length)).toEqual(["done"]);
      expect(result.end.status).toBe("completed");
    },
  );
});

describe("question of an agent", () => {
  const w = answerWith("fine");

  test("keeps the task waiting, runs independent tasks, delays dependents and delivers the answer to the same task", async () => {
    const requests: AgentRequest[] = [];
    const recording: Script = (request) => {
      requests.push(request);
      return asker(request);
    };
    const script = scriptPlan(task("1", "asker"), task("2", "w"), task("3", "w", ["1"]));
    const started = await startTurn(script, { asker: recording, w });
    expect(started.end.status).toBe("paused");
    expect(count(started.events, "task_completed")).toBe(1);
    const prompt = { content: "Which city?", options: ["Paris", "Rome"] };
    expect(getEvents(started, "task_waiting")[0]?.payload).toMatchObject(prompt);
    const result = await started.resume("Rome");
    expect(requests.map(({ task_id }) => task_id)).toEqual([requests[0]?.task_id, requests[0]?.task_id]);
    expect(requests[1]?.message_id).not.toBe(requests[0]?.message_id);
    expect(requests[1]?.reply).toEqual({ answer: { message: "Rome" }, remote_task_id: "remote-1", state: "kept" });
    expect(count(result.events, "task_completed")).toBe(3);
    expect(JSON.stringify(started.model.requests.at(-1)?.messages)).toContain("Rome, kept remote-1");
  });

  test("continues a task as soon as its answer arrives while other tasks run", async () => {
    const gate = Promise.withResolvers<void>();
    const slow: Script = async function* () {
      yield { type: "accepted" };
      await gate.promise;
      yield { type: "completed" };
    };
    const memory = new Memory();
    const running = runPlan([task("1", "asker"), task("2", "slow")], { asker, slow }, { memory });
    await expect.poll(() => memory.listOpenQuestions().length).toBe(1);
    memory.settleFirst("Paris");
    await expect.poll(() => memory.sent.filter(({ event }) => event === "task_completed").length).toBe(1);
    gate.resolve();
    expect((await running).end.status).toBe("completed");
  });

  test("[T4] restarts an interrupted task segment from the answer and keeps the output before it", async () => {
    const tasks = [task("1", "asker")];
    const { memory } = await runPlan(tasks, { asker });
    memory.settleFirst("Rome");
    const dying: Script = async function* () {
      yield { type: "accepted" };
      yield { type: "text", text: "Half a " };
      await new Promise(() => {});
    };
    void runPlan(tasks, { asker: dying }, { memory });
    await expect.poll(() => JSON.stringify(memory.sent)).toContain("Half a ");
    memory.restart();
    const step = memory.createStepRunner({ isCatchingUp: true });
    const result = await runPlan(tasks, { asker }, { memory, step });
    expect(result.end.status).toBe("completed");
    const history = memory.readFrames(0);
    expect(JSON.stringify(history)).not.toContain("Half a ");
    expect(JSON.stringify(history)).toContain("One moment.");
    expect(history.filter(({ event }) => event === "task_waiting")).toHaveLength(1);
  });

  test("[H2] fails the task of an expired question, notifies the agent and completes the other tasks", async () => {
    const { agents, resume } = await startTurn(scriptPlan(task("1", "asker"), task("2", "w")), { asker, w });
    const result = await resume({ state: "expired" });
    expect(getEvents(result, "task_failed")[0]?.payload.code).toBe("question_expired");
    expect(count(result.events, "task_completed")).toBe(1);
    expect(agents.dismissed).toEqual(["asker/remote-1"]);
    expect(result.end.status).toBe("failed");
  });

  test("[T5] cancels only the waiting task and its dependents, and notifies the agent", async () => {
    const script = scriptPlan(task("1", "asker"), task("2", "w", ["1"]));
    const { memory, agents, resume } = await startTurn(script, { asker, w });
    const [open] = memory.listOpenQuestions();
    const stop = createStop();
    const taskSignal = (id: string) => (id === open?.task_id ? stop : new AbortController().signal);
    const result = await resume({ state: "cancelled" }, { taskSignal });
    expect(getEvents(result, "task_cancelled")).toHaveLength(2);
    expect(agents.dismissed).toEqual(["asker/remote-1"]);
    expect(agents.cancelDetails).toEqual([{ task_id: open?.task_id, checkpoint: "kept" }]);
    // F15: nothing has failed.
    expect(result.end.status).toBe("completed");
  });

  test("[T5] reports a cancelled dependent of a waiting task at once and keeps the question open", async () => {
    const script = scriptPlan(task("1", "asker"), task("2", "w", ["1"]), task("3", "w", ["2"]));
    const { memory, resume } = await startTurn(script, { asker, w });
    const second = getEvents({ memory }, "plan_created")[0]?.payload.plan.tasks[1]?.task_id;
    const stop = createStop();
    const taskSignal = (id: string) => (id === second ? stop : new AbortController().signal);
    const result = await resume(null, { taskSignal });
    const messages = getEvents(result, "task_cancelled").map(({ payload }) => payload.content);
    expect(messages).toEqual(["You stopped this task.", "This task depends on “Task 2”, which was stopped."]);
    expect(result.end).toEqual({ status: "paused", request_ids: [memory.listOpenQuestions()[0]?.request_id] });
  });
});
