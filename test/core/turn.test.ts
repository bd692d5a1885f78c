import { describe, expect, test } from "vitest";
import { ModelFault } from "../../src/core/ports.ts";
import { Stop } from "../../src/core/stop.ts";
import type { AgentRequest } from "../../src/protocol/agent.ts";
import { call, eventsOf, play, saying, scriptedAgents, scriptedModel, type Script } from "../support/scripted.ts";

const handoff = (args: object) => call("handoff_to_planner", { strategy: "needs_planning", reason: "work", ...args });
const plan = (...tasks: object[]) => call("create_plan", { tasks, adequate: true, reason: "as asked" });
const task = (id: string, agent_name: string, depends_on: string[] = []) => ({
  id,
  title: `Task ${id}`,
  query: `do ${id}`,
  agent_name,
  depends_on,
});

describe("triage", () => {
  test("[F06] plain text is the direct answer: no plan, no task, then done", async () => {
    const model = scriptedModel({ triage: [{ reasoning: "easy", text: "Hello there!" }] });
    const played = await play({ model, agents: scriptedAgents({}) }, "hi");
    expect(played.events).toEqual([
      "reasoning_started",
      "reasoning",
      "reasoning_completed",
      "message_chunk",
      "message_chunk",
      "triage_completed",
      "done",
    ]);
    expect(played.end.status).toBe("completed");
  });

  test("[F10] the reasoning triple shares one item id, the answer another", async () => {
    const played = await play(
      { model: scriptedModel({ triage: [{ reasoning: "hm", text: "Hi you" }] }), agents: scriptedAgents({}) },
      "hi",
    );
    const ids = (names: string[]) =>
      new Set(played.memory.sent.filter((f) => names.includes(f.event)).map((f) => f.data.item_id));
    expect(ids(["reasoning_started", "reasoning", "reasoning_completed"]).size).toBe(1);
    expect(ids(["message_chunk"]).size).toBe(1);
  });

  test("[F05] the decision is visible: decision, strategy, reason, selected agents", async () => {
    const model = scriptedModel({
      triage: [
        handoff({
          strategy: "single_agent",
          selected_agents: ["clock"],
          enriched_query: "time in Oslo?",
          reason: "live data",
        }),
      ],
    });
    const played = await play({ model, agents: scriptedAgents({ clock: saying("noon") }) }, "time?");
    expect(eventsOf(played, "triage_completed")[0]?.payload).toEqual({
      decision: "handoff_to_planner",
      strategy: "single_agent",
      reason: "live data",
      selected_agents: ["clock"],
      enriched_query: "time in Oslo?",
    });
    const [created] = eventsOf(played, "plan_created");
    expect(created?.payload.plan).toMatchObject({ orig_query: "time?", query: "time in Oslo?" });
    expect(created?.payload.plan.tasks).toMatchObject([
      { agent_name: "clock", query: "time in Oslo?", handoff_from_super_agent: true },
    ]);
  });

  test("[F09] multi_agent makes one independent task per agent, without another model call", async () => {
    const model = scriptedModel({
      triage: [handoff({ strategy: "multi_agent", selected_agents: ["a", "b"], enriched_query: "both" })],
      synthesis: [{ text: "A and B" }],
    });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A"), b: saying("B") }) }, "both");
    expect(eventsOf(played, "plan_created")[0]?.payload.plan.tasks.map((t) => [t.agent_name, t.depends_on])).toEqual([
      ["a", []],
      ["b", []],
    ]);
    expect(model.requests.map((request) => request.role)).toEqual(["triage", "synthesis"]);
  });

  test("[F11] no outcome is a handoff with the person's own words", async () => {
    const model = scriptedModel({ triage: [{ text: "" }], planner: [plan(task("1", "clock"))] });
    const played = await play({ model, agents: scriptedAgents({ clock: saying("noon") }) }, "what time is it");
    expect(eventsOf(played, "plan_created")[0]?.payload.plan.query).toBe("what time is it");
  });

  test("[F11] a malformed handoff is told to the model, boundedly, then to the person", async () => {
    const bad = { call: { name: "handoff_to_planner", arguments: "{not json" } };
    const model = scriptedModel({ triage: [bad, bad, bad] });
    const played = await play({ model, agents: scriptedAgents({}) }, "hi");
    expect(model.requests).toHaveLength(3);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("not JSON") as string,
    });
    expect(eventsOf(played, "system_failed")[0]?.payload.code).toBe("model_malformed");
    expect(played.events.at(-1)).toBe("done");
  });

  test("[F12] agents that are disabled, hidden or passthrough are not offered", async () => {
    const model = scriptedModel({ triage: [{ text: "ok" }] });
    const agents = scriptedAgents(
      { a: saying(""), b: saying(""), c: saying(""), d: saying("") },
      { b: { enabled: false }, c: { hidden: true }, d: { planner_passthrough: true } },
    );
    await play({ model, agents }, "hi");
    const prompt = model.requests[0]?.messages[0]?.content ?? "";
    expect(prompt).toContain('"name":"a"');
    for (const name of ["b", "c", "d"]) expect(prompt).not.toContain(`"name":"${name}"`);
  });

  test("[T3] a broken stream is taken back and asked for again, then answered", async () => {
    const cut = new ModelFault("model_interrupted", "cut", { retryable: true });
    const model = scriptedModel({ triage: [cut, { text: "Hello" }] });
    const played = await play({ model, agents: scriptedAgents({}) }, "hi");
    expect(played.events).toContain("task_retrying");
    expect(played.end.status).toBe("completed");
  });
});

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
      planner: [call("create_plan", { tasks: [], adequate: false, reason: "r", guidance_message: "Which city?" })],
    });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(eventsOf(played, "message_chunk")).toMatchObject([
      { agent_name: "Planner", payload: { content: "Which city?" } },
    ]);
    expect(played.events).not.toContain("plan_created");
    expect(played.events.at(-1)).toBe("done");
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

describe("execution", () => {
  const planned = (...tasks: object[]) => ({
    triage: [handoff({ enriched_query: "q" })],
    planner: [plan(...tasks)],
    synthesis: [{ text: "All done." }],
  });

  test("[F39] a task starts after what it depends on and receives its result", async () => {
    const requests: AgentRequest[] = [];
    const worker: Script = async function* (request) {
      requests.push(request);
      yield { type: "text", text: `result of ${request.query}` };
    };
    const played = await play(
      { model: scriptedModel(planned(task("1", "w"), task("2", "w", ["1"]))), agents: scriptedAgents({ w: worker }) },
      "go",
    );
    expect(requests.map((r) => [r.query, r.metadata.dependencies?.map((d) => d.result)])).toEqual([
      ["do 1", []],
      ["do 2", ["result of do 1"]],
    ]);
    const order = played.memory.sent
      .filter((f) => f.event === "task_started" || f.event === "task_completed")
      .map((f) => f.event);
    expect(order).toEqual(["task_started", "task_completed", "task_started", "task_completed"]);
  });

  test("[F40] independent tasks overlap, and not more of them than allowed", async () => {
    let now = 0;
    let most = 0;
    const slow: Script = async function* () {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      yield { type: "text", text: "x" };
    };
    const tasks = ["1", "2", "3", "4", "5"].map((id) => task(id, "s"));
    await play({ model: scriptedModel(planned(...tasks)), agents: scriptedAgents({ s: slow }) }, "go");
    expect(most).toBe(3);
  });

  test("[F41] one failure isolates: dependents are cancelled with the reason, the others finish", async () => {
    const bad: Script = async function* () {
      yield { type: "failed", reason: "it broke" };
    };
    const tasks = [task("1", "bad"), task("2", "ok", ["1"]), task("3", "ok"), task("4", "ok", ["2"])];
    const played = await play(
      { model: scriptedModel(planned(...tasks)), agents: scriptedAgents({ bad, ok: saying("fine") }) },
      "go",
    );
    expect(eventsOf(played, "task_failed").map((d) => d.payload.content)).toEqual(["it broke"]);
    expect(eventsOf(played, "task_cancelled").map((d) => d.payload.content)).toEqual([
      expect.stringContaining("Task 1"),
      expect.stringContaining("Task 2"),
    ]);
    expect(eventsOf(played, "task_completed")).toHaveLength(1);
    expect(played.events.filter((name) => name === "done")).toHaveLength(1);
  });

  test("[F46] reaching the agent is a tool call; its failure is task_failed without task_started", async () => {
    const gone: Script = async function* () {
      yield { type: "failed", reason: "nobody answers" };
    };
    const played = await play(
      { model: scriptedModel(planned(task("1", "gone"))), agents: scriptedAgents({ gone }) },
      "go",
    );
    const connect = eventsOf(played, "tool_call_completed").find((d) => d.payload.tool_name === "connect_agent");
    expect(connect?.payload.tool_result).toContain("ERROR");
    expect(played.events).not.toContain("task_started");
  });

  test("[F47] a handoff shows where the sub-agent begins and ends, once, also when it fails", async () => {
    const broken: Script = async function* () {
      yield { type: "text", text: "half" };
      throw new Error("boom");
    };
    const played = await play(
      { model: scriptedModel(planned(task("1", "broken"))), agents: scriptedAgents({ broken }) },
      "go",
    );
    const components = eventsOf(played, "component_generator");
    expect(components.map((d) => (JSON.parse(d.payload.content) as { phase: string }).phase)).toEqual(["start", "end"]);
    expect(new Set(components.map((d) => d.item_id)).size).toBe(1);
  });

  test("[F64] a tool call between chunks makes two paragraphs; [F67] the call is one item", async () => {
    const worker: Script = async function* () {
      yield { type: "text", text: "before " };
      yield { type: "tool_started", call_id: "c", tool: "t", arguments: "{}" };
      yield { type: "tool_completed", call_id: "c", tool: "t", result: "42" };
      yield { type: "text", text: "after" };
    };
    const played = await play(
      { model: scriptedModel(planned(task("1", "w"))), agents: scriptedAgents({ w: worker }) },
      "go",
    );
    const texts = eventsOf(played, "message_chunk").filter((d) => d.agent_name === "w");
    expect(new Set(texts.map((d) => d.item_id)).size).toBe(2);
    const [completed] = eventsOf(played, "tool_call_completed").filter((d) => d.payload.tool_name === "t");
    expect(completed?.payload.tool_result).toBe('[{"content":"42"}]');
    expect(completed?.item_id).toBe(completed?.payload.tool_call_id);
  });

  test("[T6] a budget that runs out is a visible failure", async () => {
    const model = scriptedModel(planned(task("1", "w"), task("2", "w")));
    const limits = { maxModelCalls: 2, maxTokens: 1e6, maxTasks: 8, maxConcurrentTasks: 1 };
    const played = await play({ model, agents: scriptedAgents({ w: saying("x") }) }, "go", { turn: { limits } });
    expect(eventsOf(played, "task_failed").length + eventsOf(played, "system_failed").length).toBeGreaterThan(0);
    expect(JSON.stringify(played.memory.sent)).toContain("model calls");
    expect(played.events.at(-1)).toBe("done");
  });

  test("[T5] a cancelled thread ends with its tasks' task_cancelled and done, nothing else", async () => {
    const stop = new AbortController();
    const endless: Script = async function* (_, signal) {
      yield { type: "text", text: "working" };
      stop.abort(new Stop("person", "You cancelled this."));
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(signal.aborted).toBe(true);
      yield { type: "failed", reason: "late" };
    };
    const played = await play(
      { model: scriptedModel(planned(task("1", "e"))), agents: scriptedAgents({ e: endless }) },
      "go",
      { turn: { signal: stop.signal } },
    );
    expect(eventsOf(played, "task_cancelled")).toHaveLength(1);
    expect(played.events).not.toContain("system_failed");
    expect(played.events.at(-1)).toBe("done");
  });

  test("[T3] done is told once and last, with the thread's usage", async () => {
    const played = await play(
      { model: scriptedModel(planned(task("1", "w"))), agents: scriptedAgents({ w: saying("x") }) },
      "go",
    );
    expect(eventsOf(played, "done")).toMatchObject([
      { metadata: { usage: { model_calls: 2, input_tokens: 20, output_tokens: 10, tasks: 1 } } },
    ]);
  });
});
