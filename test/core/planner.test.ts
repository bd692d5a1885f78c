import { describe, expect, test } from "vitest";
import {
  call,
  eventsOf,
  handoff,
  plan,
  play,
  saying,
  scriptedAgents,
  scriptedModel,
  task,
  type Script,
} from "../support/scripted.ts";

describe("planning", () => {
  const triage = [handoff({ enriched_query: "do it" })];

  test.each([
    ["[F21] an unknown agent", [task("1", "nobody")], "nobody"],
    ["[F21] a disabled agent", [task("1", "off")], "off"],
    ["a duplicate id", [task("1", "a"), task("1", "a")], "two tasks with the id 1"],
    ["a dangling dependency", [task("1", "a", ["9"])], "depends on 9"],
    ["a cycle", [task("1", "a", ["2"]), task("2", "a", ["1"])], "circle"],
    ["a task that waits for itself", [task("1", "a", ["1"])], "circle"],
    ["too many tasks", Array.from({ length: 9 }, (_, i) => task(String(i), "a")), "at most 8"],
  ])("%s is refused with the reason and zero tasks", async (_, tasks, reason) => {
    const model = scriptedModel({ triage, planner: [plan(...tasks)] });
    const played = await play(
      { model, agents: scriptedAgents({ a: saying("A"), off: saying("") }, { off: { enabled: false } }) },
      "go",
    );
    expect(eventsOf(played, "plan_failed")[0]?.payload.content).toContain(reason);
    expect(played.events).not.toContain("plan_created");
    expect(played.end.status).toBe("failed");
  });

  test("[F20] an inadequate plan is guidance and done", async () => {
    const model = scriptedModel({
      triage,
      planner: [
        call("create_plan", { tasks: [], adequate: false, reason: "r", guidance_message: "Tell me the city." }),
      ],
    });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(eventsOf(played, "message_chunk")).toMatchObject([
      { agent_name: "Planner", payload: { content: "Tell me the city." } },
    ]);
    expect(played.events).not.toContain("plan_created");
    expect(played.events.at(-1)).toBe("done");
  });

  test("null stands for what a plan leaves out", async () => {
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
    const model = scriptedModel({ triage, planner: [call("create_plan", proposal)] });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(eventsOf(played, "plan_created")[0]?.payload.plan.tasks).toMatchObject([{ query: "q", depends_on: [] }]);
    expect(played.end.status).toBe("completed");
  });

  test("a title is short, however long the planner makes it", async () => {
    const model = scriptedModel({ triage, planner: [plan({ ...task("1", "a"), title: "t".repeat(10_000) })] });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(eventsOf(played, "plan_created")[0]?.payload.plan.tasks[0]?.title).toBe(`${"t".repeat(120)}…`);
  });

  test.each(["", " \n　"])(
    "a task in which nobody is told what to do, as by %j, is for the planner to mend",
    async (query) => {
      const model = scriptedModel({ triage, planner: [plan({ ...task("1", "a"), query }), plan(task("1", "a"))] });
      const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
      const tasks = eventsOf(played, "plan_created").flatMap(({ payload }) => payload.plan.tasks);
      expect(tasks.map((planned) => planned.query)).toEqual(["do 1"]);
    },
  );

  test.each([{}, { tusks: 1 }, { tasks: [], adequate: true, reason: " ", guidance_message: "" }])(
    "[F19] what says neither what to do nor why nothing, as %j, is for the planner to mend",
    async (wrong) => {
      const model = scriptedModel({ triage, planner: [call("create_plan", wrong), plan(task("1", "a"))] });
      const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
      expect(model.requests[2]?.messages.at(-1)?.content).toContain("no tasks and no reason");
      expect(eventsOf(played, "plan_created")).toHaveLength(1);
      expect(played.end.status).toBe("completed");
    },
  );

  test("[F19] a planner that never says what to do is a visible failure after three calls", async () => {
    const empty = call("create_plan", {});
    const model = scriptedModel({ triage, planner: [empty, empty, empty] });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(eventsOf(played, "plan_failed")).toMatchObject([{ payload: { code: "model_malformed" } }]);
    expect(played.end.status).toBe("failed");
  });

  test.each([{ adequate: false }, { tasks: [], reason: "No agent fits." }, { guidance_message: "No agent fits." }])(
    "[F20] that there is nothing to do can be said as %j",
    async (honest) => {
      const model = scriptedModel({ triage, planner: [call("create_plan", honest)] });
      const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
      expect(eventsOf(played, "message_chunk")).toHaveLength(1);
      expect(played.end.status).toBe("completed");
    },
  );

  test("what is nested beyond reason where nobody looks does no harm", async () => {
    const deep = `{"tasks":[{"id":"1","query":"q","agent_name":"a","schedule_config":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}]}`;
    const nested = { call: { name: "create_plan", arguments: deep } };
    const model = scriptedModel({ triage, planner: [nested] });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(played.end.status).toBe("completed");
  });

  test.each(["schedule_config", "pattern", "title"])("nor does it as the value of %s", async (field) => {
    const deep = `{"cron":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const odd = `{"tasks":[{"id":"1","query":"q","agent_name":"a","pattern":"recurring","${field}":${deep}}]}`;
    const nested = { call: { name: "create_plan", arguments: odd } };
    const model = scriptedModel({ triage, planner: [nested, nested, nested] });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(eventsOf(played, "plan_failed")).toHaveLength(1);
    expect(eventsOf(played, "system_failed")).toEqual([]);
  });

  test("[F25] the planner can look closer at an agent", async () => {
    const model = scriptedModel({
      triage,
      planner: [call("get_agent_description", { agent_name: "a" }), plan(task("1", "a"))],
    });
    await play({ model, agents: scriptedAgents({ a: saying("A") }, { a: { description: "knows A" } }) }, "go");
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("knows A") as string,
    });
  });

  test("no agent takes up more of a prompt than others, and who looks closer reads all of it", async () => {
    const description = `${"knows A ".repeat(2_000)}and B`;
    const model = scriptedModel({
      triage,
      planner: [call("get_agent_description", { agent_name: "a" }), plan(task("1", "a"))],
    });
    await play({ model, agents: scriptedAgents({ a: saying("A") }, { a: { description } }) }, "go");
    const [first, second, third] = model.requests;
    for (const prompt of [first, second]) expect(prompt?.messages[0]?.content.length).toBeLessThan(6_000);
    expect(third?.messages.at(-1)?.content).toContain("and B");
  });

  test("of calls without end the first are heard", async () => {
    const look = { name: "get_agent_description", arguments: JSON.stringify({ agent_name: "a" }) };
    const calls = Array.from({ length: 10_000 }, (_, i) => ({ id: `call_${i}`, ...look }));
    const model = scriptedModel({ triage, planner: [{ calls }, plan(task("1", "a"))] });
    const agents = scriptedAgents({ a: saying("A") }, { a: { description: "knows A ".repeat(200) } });
    const played = await play({ model, agents }, "go");
    expect(played.end.status).toBe("completed");
    const { messages = [] } = model.requests.at(-1) ?? {};
    expect(JSON.stringify(messages).length).toBeLessThan(100_000);
    const asked = messages.flatMap((one) => (one.role === "assistant" ? (one.toolCalls ?? []) : []));
    const answered = messages.flatMap((one) => (one.role === "tool" ? [one.toolCallId] : []));
    expect(answered).toEqual(asked.map(({ id }) => id));
  });

  test("a plan that is wrong in thousands of places is told the first of them", async () => {
    const wrong = call("create_plan", { tasks: Array.from({ length: 5_000 }, () => ({ id: [], query: 7 })) });
    const model = scriptedModel({ triage, planner: [wrong, plan(task("1", "a"))] });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(played.end.status).toBe("completed");
    const told = model.requests.at(-1)?.messages.at(-1)?.content;
    expect(told).toMatch(/^Error: The arguments of create_plan are wrong: /);
    expect(told?.length).toBeLessThan(5_000);
  });

  test("[F35] a planner that never plans is a visible failure", async () => {
    const model = scriptedModel({ triage, planner: [{ text: "no" }, { text: "no" }, { text: "no" }] });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(eventsOf(played, "plan_failed")).toHaveLength(1);
  });

  test("[F16] a named passthrough agent gets the words as they are and costs no model call", async () => {
    let heard = "";
    const echo: Script = async function* ({ query }) {
      heard = query;
      yield { type: "text", text: query };
    };
    const model = scriptedModel({});
    const agents = scriptedAgents({ echo }, { echo: { planner_passthrough: true } });
    const played = await play({ model, agents }, "", {
      turn: { request: { message: "  exactly THIS\n", agent: "echo" } },
    });
    expect(heard).toBe("  exactly THIS\n");
    expect(model.requests).toEqual([]);
    expect(played.events).not.toContain("reasoning_started");
    expect(played.events).not.toContain("triage_completed");
  });

  test("an agent that nobody knows is a failure with its name, and the conversation goes on", async () => {
    const played = await play({ model: scriptedModel({}), agents: scriptedAgents({}) }, "", {
      turn: { request: { message: "x", agent: "ghost" } },
    });
    expect(eventsOf(played, "plan_failed")[0]?.payload.content).toContain("ghost");
    expect(played.events.at(-1)).toBe("done");
  });
});
