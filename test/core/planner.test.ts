import { describe, expect, test } from "vitest";
import {
  call,
  getEvents,
  handoff,
  plan,
  runTestTurn,
  answerWith,
  scriptAgents,
  scriptModel,
  task,
  type Script,
} from "../support/scripted-ports.ts";

describe("planner", () => {
  const triage = [handoff({ enriched_query: "do it" })];

  test.each([
    ["[F21] an unknown agent", [task("1", "nobody")], "nobody"],
    ["[F21] a disabled agent", [task("1", "off")], "off"],
    ["a duplicate id", [task("1", "a"), task("1", "a")], "two tasks with the ID 1"],
    ["a dependency on an unknown task", [task("1", "a", ["9"])], "depends on 9"],
    ["a cycle", [task("1", "a", ["2"]), task("2", "a", ["1"])], "cycle"],
    ["a task that depends on itself", [task("1", "a", ["1"])], "cycle"],
    ["too many tasks", Array.from({ length: 9 }, (_, i) => task(String(i), "a")), "The limit is 8"],
  ])("rejects %s with the reason and without tasks", async (_, tasks, reason) => {
    const model = scriptModel({ triage, planner: [plan(...tasks)] });
    const result = await runTestTurn(
      { model, agents: scriptAgents({ a: answerWith("A"), off: answerWith("") }, { off: { enabled: false } }) },
      "go",
    );
    expect(getEvents(result, "plan_failed")[0]?.payload.content).toContain(reason);
    expect(result.events).not.toContain("plan_created");
    expect(result.end.status).toBe("failed");
  });

  test("[F20] sends the guidance of an inadequate plan and ends the thread", async () => {
    const model = scriptModel({
      triage,
      planner: [
        call("create_plan", { tasks: [], adequate: false, reason: "r", guidance_message: "Tell me the city." }),
      ],
    });
    const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
    expect(getEvents(result, "message_chunk")).toMatchObject([
      { agent_name: "Planner", payload: { content: "Tell me the city." } },
    ]);
    expect(result.events).not.toContain("plan_created");
    expect(result.events.at(-1)).toBe("done");
  });

  test("accepts null for optional fields", async () => {
    const task = {
      id: 1,
      title: null,
      query: "q",
      agent_name: "a",
      depends_on: null,
      pattern: null,
      schedule_config: null,
    };
    const proposal = { tasks: [task], adequate: null, reason: null, guidance_message: null, verify: null };
    const model = scriptModel({ triage, planner: [call("create_plan", proposal)] });
    const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
    expect(getEvents(result, "plan_created")[0]?.payload.plan.tasks).toMatchObject([{ query: "q", depends_on: [] }]);
    expect(result.end.status).toBe("completed");
  });

  test("truncates a long task title", async () => {
    const model = scriptModel({ triage, planner: [plan({ ...task("1", "a"), title: "t".repeat(10_000) })] });
    const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
    expect(getEvents(result, "plan_created")[0]?.payload.plan.tasks[0]?.title).toBe(`${"t".repeat(120)}…`);
  });

  test.each(["", " \n　"])("asks the planner to correct a task whose query is %j", async (query) => {
    const model = scriptModel({ triage, planner: [plan({ ...task("1", "a"), query }), plan(task("1", "a"))] });
    const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
    const tasks = getEvents(result, "plan_created").flatMap(({ payload }) => payload.plan.tasks);
    expect(tasks.map((planned) => planned.query)).toEqual(["do 1"]);
  });

  test.each([{}, { tusks: 1 }, { tasks: [], adequate: true, reason: " ", guidance_message: "" }])(
    "[F19] asks the planner to correct a plan without tasks and without a reason: %j",
    async (wrong) => {
      const model = scriptModel({ triage, planner: [call("create_plan", wrong), plan(task("1", "a"))] });
      const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
      expect(model.requests[2]?.messages.at(-1)?.content).toContain("no tasks and no reason");
      expect(getEvents(result, "plan_created")).toHaveLength(1);
      expect(result.end.status).toBe("completed");
    },
  );

  test("[F19] fails visibly after three plans without tasks and without a reason", async () => {
    const empty = call("create_plan", {});
    const model = scriptModel({ triage, planner: [empty, empty, empty] });
    const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
    expect(getEvents(result, "plan_failed")).toMatchObject([{ payload: { code: "model_malformed" } }]);
    expect(result.end.status).toBe("failed");
  });

  test.each([{ adequate: false }, { tasks: [], reason: "No agent fits." }, { guidance_message: "No agent fits." }])(
    "[F20] accepts %j as a plan with nothing to do",
    async (honest) => {
      const model = scriptModel({ triage, planner: [call("create_plan", honest)] });
      const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
      expect(getEvents(result, "message_chunk")).toHaveLength(1);
      expect(result.end.status).toBe("completed");
    },
  );

  test("accepts extreme nesting in a field that is not used", async () => {
    const deep = `{"tasks":[{"id":"1","query":"q","agent_name":"a","schedule_config":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}]}`;
    const nested = { call: { name: "create_plan", arguments: deep } };
    const model = scriptModel({ triage, planner: [nested] });
    const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
    expect(result.end.status).toBe("completed");
  });

  test.each(["schedule_config", "pattern", "title"])(
    "rejects extreme nesting in %s without an internal error",
    async (field) => {
      const deep = `{"cron":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
      const json = `{"tasks":[{"id":"1","query":"q","agent_name":"a","pattern":"recurring","${field}":${deep}}]}`;
      const nested = { call: { name: "create_plan", arguments: json } };
      const model = scriptModel({ triage, planner: [nested, nested, nested] });
      const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
      expect(getEvents(result, "plan_failed")).toHaveLength(1);
      expect(getEvents(result, "system_failed")).toEqual([]);
    },
  );

  test("[F25] returns the description of an agent to the planner on request", async () => {
    const model = scriptModel({
      triage,
      planner: [call("get_agent_description", { agent_name: "a" }), plan(task("1", "a"))],
    });
    await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }, { a: { description: "knows A" } }) }, "go");
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("knows A") as string,
    });
  });

  test("truncates agent descriptions in prompts and returns the full description on request", async () => {
    const description = `${"knows A ".repeat(2_000)}and B`;
    const model = scriptModel({
      triage,
      planner: [call("get_agent_description", { agent_name: "a" }), plan(task("1", "a"))],
    });
    await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }, { a: { description } }) }, "go");
    const [first, second, third] = model.requests;
    for (const prompt of [first, second]) expect(prompt?.messages[0]?.content.length).toBeLessThan(6_000);
    expect(third?.messages.at(-1)?.content).toContain("and B");
  });

  test("executes only the first of 10,000 tool calls and answers each call that it keeps", async () => {
    const look = { name: "get_agent_description", arguments: JSON.stringify({ agent_name: "a" }) };
    const calls = Array.from({ length: 10_000 }, (_, i) => ({ id: `call_${i}`, ...look }));
    const model = scriptModel({ triage, planner: [{ calls }, plan(task("1", "a"))] });
    const agents = scriptAgents({ a: answerWith("A") }, { a: { description: "knows A ".repeat(200) } });
    const result = await runTestTurn({ model, agents }, "go");
    expect(result.end.status).toBe("completed");
    const { messages = [] } = model.requests.at(-1) ?? {};
    expect(JSON.stringify(messages).length).toBeLessThan(100_000);
    const requested = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
    const answered = messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
    expect(answered).toEqual(requested.map(({ id }) => id));
  });

  test("limits the correction message for a plan with thousands of errors", async () => {
    const wrong = call("create_plan", { tasks: Array.from({ length: 5_000 }, () => ({ id: [], query: 7 })) });
    const model = scriptModel({ triage, planner: [wrong, plan(task("1", "a"))] });
    const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
    expect(result.end.status).toBe("completed");
    const correction = model.requests.at(-1)?.messages.at(-1)?.content;
    expect(correction).toMatch(/^Error: The arguments of create_plan are wrong: /);
    expect(correction?.length).toBeLessThan(5_000);
  });

  test("[F35] fails visibly if the planner never calls a tool", async () => {
    const model = scriptModel({ triage, planner: [{ text: "no" }, { text: "no" }, { text: "no" }] });
    const result = await runTestTurn({ model, agents: scriptAgents({ a: answerWith("A") }) }, "go");
    expect(getEvents(result, "plan_failed")).toHaveLength(1);
  });

  test("[F16] passes the message unchanged to a named passthrough agent without a model call", async () => {
    let receivedQuery = "";
    const echo: Script = async function* ({ query }) {
      receivedQuery = query;
      yield { type: "text", text: query };
    };
    const model = scriptModel({});
    const agents = scriptAgents({ echo }, { echo: { planner_passthrough: true } });
    const result = await runTestTurn({ model, agents }, "", {
      turn: { request: { message: "  exactly THIS\n", agent: "echo" } },
    });
    expect(receivedQuery).toBe("  exactly THIS\n");
    expect(model.requests).toEqual([]);
    expect(result.events).not.toContain("reasoning_started");
    expect(result.events).not.toContain("triage_completed");
  });

  test("fails with the name of an unknown agent and ends the thread", async () => {
    const result = await runTestTurn({ model: scriptModel({}), agents: scriptAgents({}) }, "", {
      turn: { request: { message: "x", agent: "ghost" } },
    });
    expect(getEvents(result, "plan_failed")[0]?.payload.content).toContain("ghost");
    expect(result.events.at(-1)).toBe("done");
  });
});
