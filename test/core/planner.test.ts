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
  Memory,
  task,
  type Script,
  type ScriptedReply,
} from "../support/scripted-ports.ts";

/** Runs a turn whose planner makes these replies, with the agent `a` and the disabled agent `off`. */
async function runPlanner(replies: ScriptedReply[], description = "knows A") {
  const model = scriptModel({ triage: [handoff({ enriched_query: "do it" })], planner: replies });
  const agents = scriptAgents(
    { a: answerWith("A"), off: answerWith("") },
    { a: { description }, off: { enabled: false } },
  );
  return { ...(await runTestTurn({ model, agents }, "go")), requests: model.requests };
}

const proposal = (args: object) => call("create_plan", args);
const nestedProposal = (field: string, value: string): ScriptedReply => ({
  call: {
    name: "create_plan",
    arguments: `{"tasks":[{"id":"1","query":"q","agent_name":"a","pattern":"recurring","${field}":${value}}]}`,
  },
});

const DEEP = `{"cron":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;

describe("plan", () => {
  test.each([
    ["[F21] an unknown agent", [task("1", "nobody")], "nobody"],
    ["[F21] a disabled agent", [task("1", "off")], "off"],
    ["a duplicate id", [task("1", "a"), task("1", "a")], "two tasks with the ID 1"],
    ["a dependency on an unknown task", [task("1", "a", ["9"])], "depends on 9"],
    ["a cycle", [task("1", "a", ["2"]), task("2", "a", ["1"])], "cycle"],
    ["a task that depends on itself", [task("1", "a", ["1"])], "cycle"],
    ["too many tasks", Array.from({ length: 9 }, (_, i) => task(String(i), "a")), "The limit is 8"],
    ["a schedule without a time", [{ ...task("1", "a"), pattern: "recurring", schedule_config: { cron: "x" } }], ""],
  ])("is rejected for %s after one correction, with the reason and without tasks", async (_, tasks, reason) => {
    const result = await runPlanner([plan(...tasks), plan(...tasks)]);
    expect(result.requests).toHaveLength(3);
    expect(result.requests.at(-1)?.messages.at(-1)?.content).toMatch(/^Error: The plan is refused: /);
    expect(result.requests.at(-1)?.messages.at(-1)?.content).toContain(reason);
    expect(getEvents(result, "plan_failed")[0]?.payload.content).toContain(reason);
    expect(result.events).not.toContain("plan_created");
    expect(result.end.status).toBe("failed");
  });

  test("is accepted if its correction is", async () => {
    const result = await runPlanner([plan(task("1", "nobody")), plan(task("1", "a"))]);
    expect(getEvents(result, "plan_created")[0]?.payload.plan.tasks).toMatchObject([{ agent_name: "a" }]);
    expect(result.events).not.toContain("plan_failed");
    expect(result.end.status).toBe("completed");
  });

  test("[T4] is not sent back a second time after a crash", async () => {
    const memory = new Memory();
    const isSaved = (value: unknown) => memory.memos.set("plan", { value: JSON.stringify(value), since: 0 });
    const bad = plan(task("1", "nobody")) as { call: { name: string; arguments: string } };
    const transcript = [
      { role: "assistant", content: "", toolCalls: [{ id: "call_1", ...bad.call }] },
      { role: "tool", toolCallId: "call_1", content: "Error: The plan is refused: The agent nobody doesn’t exist." },
    ];
    isSaved({ value: transcript, spent: [] });
    const model = scriptModel({ triage: [handoff({ enriched_query: "do it" })], planner: [bad] });
    const result = await runTestTurn({ model, agents: { a: answerWith("A") } }, "go", { memory });
    expect(getEvents(result, "plan_failed")).toMatchObject([{ payload: { code: "plan_refused" } }]);
  });

  test.each([
    ["Ada", "a"],
    ["A", "a"],
    [" ＡＤＡ ", "a"],
    ["数据分析师", "b"],
  ])("finds the agent %j", async (given, name) => {
    const agents = scriptAgents(
      { a: answerWith("A"), b: answerWith("B"), hidden: answerWith("") },
      {
        a: { display_name: "Ada" },
        b: { display_name: "数据分析师" },
        hidden: { display_name: "Ada", enabled: false },
      },
    );
    const planned = await runTestTurn(
      { model: { triage: [handoff({})], planner: [plan(task("1", given))] }, agents },
      "go",
    );
    const chosen = handoff({ strategy: "single_agent", selected_agents: [given, name] });
    const selected = await runTestTurn({ model: { triage: [chosen] }, agents }, "go");
    const named = await runTestTurn({ model: {}, agents }, "go", {
      turn: { request: { message: "go", agent: given } },
    });
    for (const result of [planned, selected, named])
      expect(getEvents(result, "plan_created")[0]?.payload.plan.tasks).toMatchObject([{ agent_name: name }]);
  });

  test("is refused with the candidates if a display name means several agents", async () => {
    const cards = { a: { display_name: "Ada" }, b: { display_name: "ada" } };
    const agents = scriptAgents({ a: answerWith("A"), b: answerWith("B") }, cards);
    const request = { message: "go", agent: "Ada" };
    const result = await runTestTurn({ model: {}, agents }, "go", { turn: { request } });
    expect(getEvents(result, "plan_failed")[0]?.payload.content).toContain("Several agents are called Ada: a, b.");
  });

  test("may have null in optional fields", async () => {
    const nulls = { title: null, depends_on: null, pattern: null, schedule_config: null };
    const tasks = [{ id: 1, query: "q", agent_name: "a", ...nulls }];
    const result = await runPlanner([
      proposal({ tasks, adequate: null, reason: null, guidance_message: null, verify: null }),
    ]);
    expect(getEvents(result, "plan_created")[0]?.payload.plan.tasks).toMatchObject([{ query: "q", depends_on: [] }]);
    expect(result.end.status).toBe("completed");
  });

  test("has its long task title truncated", async () => {
    const result = await runPlanner([plan({ ...task("1", "a"), title: "t".repeat(10_000) })]);
    expect(getEvents(result, "plan_created")[0]?.payload.plan.tasks[0]?.title).toBe(`${"t".repeat(120)}…`);
  });

  test.each([
    ["an empty query", plan({ ...task("1", "a"), query: "" }), /query/],
    ["a blank query", plan({ ...task("1", "a"), query: " \n　" }), /query/],
    ["[F19] no tasks and no reason", proposal({}), /no tasks and no reason/],
    ["[F19] other fields only", proposal({ tusks: 1 }), /no tasks and no reason/],
    ["[F19] blank reasons", proposal({ tasks: [], adequate: true, reason: " ", guidance_message: "" }), /no reason/],
    [
      "thousands of errors",
      proposal({ tasks: Array.from({ length: 5_000 }, () => ({ id: [], query: 7 })) }),
      /^Error: The arguments of create_plan are wrong: /,
    ],
  ])("is corrected by the planner if it has %s", async (_, wrong, correction) => {
    const result = await runPlanner([wrong, plan(task("1", "a"))]);
    const content = result.requests.at(-1)?.messages.at(-1)?.content ?? "";
    expect(content).toMatch(correction);
    expect(content.length).toBeLessThan(5_000);
    expect(getEvents(result, "plan_created")).toHaveLength(1);
    expect(result.end.status).toBe("completed");
  });

  test.each([
    ["model_malformed", "[F19] three plans without tasks and without a reason", proposal({})],
    ["model_malformed", "[F35] three replies without a tool call", { text: "no" }],
    ["plan_refused", "a plan with extreme nesting in schedule_config", nestedProposal("schedule_config", DEEP)],
    ["model_malformed", "three plans with extreme nesting in pattern", nestedProposal("pattern", DEEP)],
    ["model_malformed", "three plans with extreme nesting in title", nestedProposal("title", DEEP)],
  ])("fails visibly with %s after %s", async (code, _, reply) => {
    const result = await runPlanner([reply, reply, reply]);
    expect(getEvents(result, "plan_failed")).toMatchObject([{ payload: { code } }]);
    expect(getEvents(result, "system_failed")).toEqual([]);
    expect(result.end.status).toBe("failed");
  });

  test("may have extreme nesting in a field that is not used", async () => {
    const result = await runPlanner([nestedProposal("more", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`)]);
    expect(result.end.status).toBe("completed");
  });

  test.each([
    { adequate: false },
    { tasks: [], reason: "No agent fits." },
    { tasks: [], adequate: false, reason: "r", guidance_message: "Tell me the city." },
  ])("[F20] with nothing to do ends the thread with its guidance: %j", async (honest) => {
    const result = await runPlanner([proposal(honest)]);
    const [message, ...others] = getEvents(result, "message_chunk");
    expect([message?.agent_name, others]).toEqual(["Planner", []]);
    if ("guidance_message" in honest) expect(message?.payload.content).toBe(honest.guidance_message);
    expect(result.events).not.toContain("plan_created");
    expect(result.events.at(-1)).toBe("done");
    expect(result.end.status).toBe("completed");
  });
});

test("[F25] descriptions of agents are truncated in prompts and complete on request", async () => {
  const lookUp = call("get_agent_description", { agent_name: "a" });
  const { requests } = await runPlanner([lookUp, plan(task("1", "a"))], `${"knows A ".repeat(2_000)}and B`);
  const [first, second, third] = requests;
  for (const prompt of [first, second]) expect(prompt?.messages[0]?.content.length).toBeLessThan(6_000);
  expect(third?.messages.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("and B") as string });
});

test("executes only the first of 10,000 tool calls and answers each call that it keeps", async () => {
  const look = { name: "get_agent_description", arguments: JSON.stringify({ agent_name: "a" }) };
  const calls = Array.from({ length: 10_000 }, (_, i) => ({ id: `call_${i}`, ...look }));
  const result = await runPlanner([{ calls }, plan(task("1", "a"))], "knows A ".repeat(200));
  expect(result.end.status).toBe("completed");
  const { messages = [] } = result.requests.at(-1) ?? {};
  expect(JSON.stringify(messages).length).toBeLessThan(100_000);
  const requested = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  const answered = messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
  expect(answered).toEqual(requested.map(({ id }) => id));
});

test("[F16] passes the message unchanged to a named passthrough agent without a model call", async () => {
  let receivedQuery = "";
  const echo: Script = async function* ({ query }) {
    receivedQuery = query;
    yield { type: "text", text: query };
  };
  const model = scriptModel({});
  const agents = scriptAgents({ echo }, { echo: { planner_passthrough: true } });
  const request = { message: "  exactly THIS\n", agent: "echo" };
  const result = await runTestTurn({ model, agents }, "", { turn: { request } });
  expect(receivedQuery).toBe("  exactly THIS\n");
  expect(model.requests).toEqual([]);
  expect(result.events).not.toContain("reasoning_started");
  expect(result.events).not.toContain("triage_completed");
});

test.each([
  ["unknown", "ghost"],
  ["disabled", "off"],
])("fails with the name of the agent that the person names if it is %s", async (_, agent) => {
  const agents = scriptAgents({ off: answerWith("") }, { off: { enabled: false } });
  const result = await runTestTurn({ model: {}, agents }, "", { turn: { request: { message: "x", agent } } });
  expect(getEvents(result, "plan_failed")[0]?.payload.content).toContain(agent);
  expect(result.events.at(-1)).toBe("done");
});
