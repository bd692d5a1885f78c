import { describe, expect, test } from "vitest";
import type { ThreadQuestion } from "../../src/core/ports.ts";
import { parseAnswer } from "../../src/core/questions.ts";
import { StopReason } from "../../src/core/stop-reason.ts";
import type { AgentEvent, AgentRequest } from "../../src/protocol/agents/agent.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { parseDecision } from "../../src/protocol/wire/question.ts";
import {
  call,
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

const ask = (question: string, options?: string[]) => call("ask_user", { question, ...(options ? { options } : {}) });
const answered = (message: string) => ({ state: "answered", answer: { message } }) as const;

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

describe("the planner's question", () => {
  const script = () => ({ triage: [handoff({})], planner: [ask("How much?", ["10", "20"]), plan(task("1", "w"))] });

  test("pauses the thread without a done, with prompt, options and expiry (F26)", async () => {
    const played = await play({ model: scriptedModel(script()), agents: scriptedAgents({ w: saying("x") }) }, "pay");
    const [asked] = eventsOf(played, "plan_require_user_input");
    expect(asked?.payload).toMatchObject({ content: "How much?", options: ["10", "20"], expires_at: 3_601_000 });
    expect(played.end).toEqual({ status: "paused", request_ids: [asked?.payload.request_id] });
    expect(played.events).not.toContain("done");
  });

  test("the answer is the tool's result: planning goes on without a new triage (F27)", async () => {
    const model = scriptedModel(script());
    const world = { model, agents: scriptedAgents({ w: saying("done it") }) };
    const { memory } = await play(world, "pay");
    memory.settle(memory.open()[0]?.request_id ?? "", answered("20"));
    const played = await play(world, "pay", { memory });
    expect(model.requests.map(({ role }) => role)).toEqual(["triage", "planner", "planner"]);
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({ role: "tool", content: "20" });
    expect(model.requests[2]?.messages.at(-2)).toMatchObject({ role: "assistant" });
    expect(played.end.status).toBe("completed");
    expect(eventsOf(played, "message").filter((d) => d.role === "user")).toHaveLength(1);
    expect(played.events.filter((name) => name === "done")).toHaveLength(1);
  });

  test("several questions in a row (F28), and a question among look-ups", async () => {
    const lookUp = { id: "c1", name: "get_agent_description", arguments: '{"agent_name":"w"}' };
    const question = { id: "c2", name: "ask_user", arguments: '{"question":"And then?"}' };
    const model = scriptedModel({
      triage: [handoff({})],
      planner: [ask("How much?"), { calls: [lookUp, question] }, plan(task("1", "w"))],
    });
    const world = { model, agents: scriptedAgents({ w: saying("ok") }) };
    const { memory } = await play(world, "pay");
    memory.settle(memory.open()[0]?.request_id ?? "", answered("20"));
    await play(world, "pay", { memory });
    memory.settle(memory.open()[0]?.request_id ?? "", answered("later"));
    const played = await play(world, "pay", { memory });
    expect(played.end.status).toBe("completed");
    const last = model.requests.at(-1)?.messages ?? [];
    expect(last.flatMap((m) => (m.role === "tool" ? [m.toolCallId] : []))).toEqual(["call_1", "c1", "c2"]);
    expect(last.at(-1)).toMatchObject({ content: "later" });
  });

  test("an inadequate plan whose guidance is a question asks it (X4)", async () => {
    const inadequate = call("create_plan", { tasks: [], adequate: false, reason: "", guidance_message: "哪个城市？" });
    const model = scriptedModel({ triage: [handoff({})], planner: [inadequate] });
    const played = await play({ model, agents: scriptedAgents({ w: saying("x") }) }, "天气");
    expect(eventsOf(played, "plan_require_user_input")[0]?.payload.content).toBe("哪个城市？");
  });

  test("[H2] a question that expires is told and ends the thread", async () => {
    const world = { model: scriptedModel(script()), agents: scriptedAgents({ w: saying("x") }) };
    const { memory } = await play(world, "pay");
    memory.settle(memory.open()[0]?.request_id ?? "", { state: "expired" });
    const played = await play(world, "pay", { memory });
    expect(eventsOf(played, "plan_failed")[0]?.payload).toMatchObject({ code: "question_expired" });
    expect(played.end.status).toBe("failed");
    expect(played.events.at(-1)).toBe("done");
  });

  test.each(["cancelled", "expired"] as const)(
    "[T5] a %s pause that is stopped ends with done alone",
    async (state) => {
      const world = { model: scriptedModel(script()), agents: scriptedAgents({ w: saying("x") }) };
      const { memory } = await play(world, "pay");
      memory.settle(memory.open()[0]?.request_id ?? "", { state });
      const before = memory.sent.length;
      const signal = AbortSignal.abort(new StopReason("person", "You cancelled this."));
      const played = await play(world, "pay", { memory, turn: { signal } });
      expect(played.events.slice(before)).toEqual(["done"]);
      expect(played.end.status).toBe("completed");
    },
  );
});

describe("an agent's question", () => {
  test("the task waits, independent ones go on, dependents do not start, and the answer reaches the same task", async () => {
    const requests: AgentRequest[] = [];
    const world = {
      model: scriptedModel({
        triage: [handoff({})],
        planner: [plan(task("1", "asker"), task("2", "w"), task("3", "w", ["1"]))],
        synthesis: [{ text: "all" }],
      }),
      agents: scriptedAgents({
        async *asker(request) {
          requests.push(request);
          yield* asker(request);
        },
        w: saying("free"),
      }),
    };
    const { memory, end, events } = await play(world, "go");
    expect(end.status).toBe("paused");
    expect(events.filter((name) => name === "task_completed")).toHaveLength(1);
    expect(eventsOf({ memory }, "task_waiting")[0]?.payload).toMatchObject({
      content: "Which city?",
      options: ["Paris", "Rome"],
    });
    memory.settle(memory.open()[0]?.request_id ?? "", answered("Rome"));
    const played = await play(world, "go", { memory });
    expect(requests.map(({ task_id }) => task_id)).toEqual([requests[0]?.task_id, requests[0]?.task_id]);
    expect(requests[1]?.message_id).not.toBe(requests[0]?.message_id);
    expect(requests[1]?.reply).toEqual({ answer: { message: "Rome" }, remote_task_id: "remote-1", state: "kept" });
    expect(played.events.filter((name) => name === "task_completed")).toHaveLength(3);
    expect(JSON.stringify(world.model.requests.at(-1)?.messages)).toContain("Rome, kept remote-1");
  });

  test("an answer that comes while others run is taken up at once", async () => {
    const gate = Promise.withResolvers<void>();
    const world = {
      model: scriptedModel({
        triage: [handoff({})],
        planner: [plan(task("1", "asker"), task("2", "slow"))],
        synthesis: [{ text: "all" }],
      }),
      agents: scriptedAgents({
        asker,
        async *slow() {
          yield { type: "accepted" };
          await gate.promise;
          yield { type: "completed" };
        },
      }),
    };
    const memory = new Memory();
    const playing = play(world, "go", { memory });
    await expect.poll(() => memory.open().length).toBe(1);
    memory.settle(memory.open()[0]?.request_id ?? "", answered("Paris"));
    await expect.poll(() => memory.sent.filter(({ event }) => event === "task_completed").length).toBe(1);
    gate.resolve();
    expect((await playing).end.status).toBe("completed");
  });

  test("[T4] an interrupted leg starts over from the answer, and what was said before it stays", async () => {
    const model = () => scriptedModel({ triage: [handoff({})], planner: [plan(task("1", "asker"))] });
    const { memory } = await play({ model: model(), agents: scriptedAgents({ asker }) }, "go");
    memory.settle(memory.open()[0]?.request_id ?? "", answered("Rome"));
    const dying = scriptedAgents({
      async *asker() {
        yield { type: "accepted" };
        yield { type: "text", text: "Half a " };
        await new Promise(() => {});
      },
    });
    void play({ model: model(), agents: dying }, "go", { memory });
    await expect.poll(() => JSON.stringify(memory.sent)).toContain("Half a ");
    memory.restart();
    const step = memory.step({ isCatchingUp: true });
    const played = await play({ model: model(), agents: scriptedAgents({ asker }) }, "go", { memory, step });
    expect(played.end.status).toBe("completed");
    const history = memory.framesAfter(0);
    expect(JSON.stringify(history)).not.toContain("Half a ");
    expect(JSON.stringify(history)).toContain("One moment.");
    expect(history.filter(({ event }) => event === "task_waiting")).toHaveLength(1);
  });

  test("[H2] an expired one fails its task, tells the agent, and the others are not touched", async () => {
    const agents = scriptedAgents({ asker, w: saying("fine") });
    const model = scriptedModel({
      triage: [handoff({})],
      planner: [plan(task("1", "asker"), task("2", "w"))],
      synthesis: [{ text: "partly" }],
    });
    const { memory } = await play({ model, agents }, "go");
    memory.settle(memory.open()[0]?.request_id ?? "", { state: "expired" });
    const played = await play({ model, agents }, "go", { memory });
    expect(eventsOf(played, "task_failed")[0]?.payload.code).toBe("question_expired");
    expect(played.events.filter((name) => name === "task_completed")).toHaveLength(1);
    expect(agents.dismissed).toEqual(["asker/remote-1"]);
    expect(played.end.status).toBe("failed");
  });

  test("[T5] cancelling the waiting task alone cancels it and its dependents", async () => {
    const agents = scriptedAgents({ asker, w: saying("fine") });
    const model = scriptedModel({
      triage: [handoff({})],
      planner: [plan(task("1", "asker"), task("2", "w", ["1"]))],
      synthesis: [{ text: "nothing" }],
    });
    const { memory } = await play({ model, agents }, "go");
    const [open] = memory.open();
    memory.settle(open?.request_id ?? "", { state: "cancelled" });
    const stop = AbortSignal.abort(new Error("You cancelled this task."));
    const taskSignal = (id: string) => (id === open?.task_id ? stop : new AbortController().signal);
    const played = await play({ model, agents }, "go", { memory, turn: { taskSignal } });
    expect(eventsOf(played, "task_cancelled")).toHaveLength(2);
    expect(agents.dismissed).toEqual(["asker/remote-1"]);
    expect(agents.left).toEqual([{ task_id: open?.task_id, checkpoint: "kept" }]);
    // F15: nothing has failed.
    expect(played.end.status).toBe("completed");
  });

  test("[T5] a task that is cancelled while it waits for a task that asks is told at once, and the question stays", async () => {
    const agents = scriptedAgents({ asker, w: saying("fine") });
    const model = scriptedModel({
      triage: [handoff({})],
      planner: [plan(task("1", "asker"), task("2", "w", ["1"]), task("3", "w", ["2"]))],
    });
    const { memory } = await play({ model, agents }, "go");
    const [created] = eventsOf({ memory }, "plan_created");
    const second = created?.payload.plan.tasks[1]?.task_id;
    const stop = AbortSignal.abort(new StopReason("person", "You cancelled this task."));
    const taskSignal = (id: string) => (id === second ? stop : new AbortController().signal);
    const played = await play({ model, agents }, "go", { memory, turn: { taskSignal } });
    const told = eventsOf(played, "task_cancelled").map(({ payload }) => payload.content);
    expect(told).toEqual(["You cancelled this task.", "“Task 2”, which this depends on, was cancelled."]);
    expect(played.end).toEqual({ status: "paused", request_ids: [memory.open()[0]?.request_id] });
  });
});

describe("answers", () => {
  const plain = { approval: undefined } as unknown as ThreadQuestion;
  const approval = {
    tool: "send",
    arguments: { to: "a@b.c" },
    parameters: {
      type: "object",
      properties: { to: { type: "string" } },
      required: ["to"],
      additionalProperties: false,
    },
  };
  const wanting = { approval } as unknown as ThreadQuestion;

  test.each([
    ["approve", "approve"],
    [" Yes! ", "approve"],
    ["同意", "approve"],
    ["no", "refuse"],
    ["Refuse: too expensive", "refuse"],
    ["不要，太贵了", "refuse"],
    ["yes, but ask again", null],
    ["note this", null],
    ["approve everything", null],
    ["不知道", null],
  ])("%s means %s", (words, decision) => expect(parseDecision(words)).toBe(decision));

  test("an approval wants a decision, and edited arguments that fit its schema", () => {
    expect(parseAnswer(plain, { message: "anything" })).toEqual({ message: "anything" });
    expect(parseAnswer(wanting, { message: "ok" })).toEqual({ message: "ok", decision: "approve" });
    expect(parseAnswer(wanting, { message: "ok", arguments: { to: "x" } })).toMatchObject({ arguments: { to: "x" } });
    const refusals = [
      { message: "maybe" },
      { message: "ok", arguments: { to: 1 } },
      { message: "ok", arguments: { to: "x", cc: "y" } },
      { message: "no", arguments: { to: "x" } },
    ];
    for (const refused of refusals) expect(() => parseAnswer(wanting, refused)).toThrow(/message|arguments/);
    expect(() => parseAnswer(plain, { message: "x", arguments: {} })).toThrow(/words alone/);
  });

  test.each([{ type: "frob" }, { $ref: "https://example.com/schema" }, { type: "string", pattern: "(" }])(
    "arguments of which the agent says %j cannot be edited, and may still be approved as they are",
    (parameters) => {
      const odd = { approval: { tool: "send", arguments: {}, parameters } } as unknown as ThreadQuestion;
      expect(parseAnswer(odd, { message: "ok" })).toEqual({ message: "ok", decision: "approve" });
      expect(() => parseAnswer(odd, { message: "ok", arguments: { to: "x" } })).toThrow(Fault);
    },
  );

  test("values for a plan are given by task and name: others are refused, not dropped", () => {
    const held = { takesValues: true } as unknown as ThreadQuestion;
    const values = { context: { "001": { seats: 8 } } };
    expect(parseAnswer(held, { message: "go on", arguments: values })).toEqual({ message: "go on", arguments: values });
    expect(() => parseAnswer(held, { message: "go on", arguments: { seats: 8 } })).toThrow(/arguments: .*seats/);
    expect(() => parseAnswer(held, { message: "go on", arguments: { context: { "001": 8 } } })).toThrow(
      /arguments\.context\.001: /,
    );
  });
});
