import { describe, expect, test } from "vitest";
import { sumUsage } from "../../src/core/budget.ts";
import { StopReason } from "../../src/core/stop-reason.ts";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import { usageSchema } from "../../src/protocol/wire/events.ts";
import {
  eventsOf,
  handoff,
  LIMITS,
  Memory,
  plan,
  play,
  saying,
  scriptedAgents,
  scriptedModel,
  task,
  type Script,
} from "../support/scripted.ts";

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

  test.each<[string, Script, string]>([
    ["nothing", async function* () {}, "Task completed without output."],
    [
      "blanks alone",
      async function* () {
        yield { type: "text", text: " \n" };
        yield { type: "completed" };
      },
      "Task completed without output.",
    ],
    [
      "a component",
      async function* () {
        yield { type: "component", component_type: "card", content: "{}" };
      },
      "",
    ],
    [
      "a notification",
      async function* () {
        yield { type: "notification", text: "Mailed." };
      },
      "",
    ],
  ])("an agent that ends with %s leaves no reader in the dark", async (_, quiet, words) => {
    const played = await play(
      { model: scriptedModel(planned(task("1", "w"))), agents: scriptedAgents({ w: quiet }) },
      "go",
    );
    const chunks = eventsOf(played, "message_chunk").filter((d) => d.agent_name === "w");
    expect(chunks.map((d) => d.payload.content.trim()).join("")).toBe(words);
    expect(eventsOf(played, "task_completed")).toHaveLength(1);
  });

  test("the last word is asked for with no more of the results than a model takes", async () => {
    const model = scriptedModel(planned(task("1", "long"), task("2", "short"), task("3", "bad")));
    const bad: Script = async function* () {
      yield { type: "failed", reason: "x".repeat(1_000_000) };
    };
    const long = saying(`${"字".repeat(1_000_000)}end`);
    const played = await play({ model, agents: scriptedAgents({ long, short: saying("6 × 7 = 42"), bad }) }, "go");
    const asked = JSON.stringify(model.requests.at(-1)?.messages);
    expect(asked).toContain("6 × 7 = 42");
    expect(asked).toContain("字…");
    expect(asked.length).toBeLessThan(110_000);
    const told = eventsOf(played, "message_chunk").filter((data) => data.agent_name === "long");
    expect(told.at(-1)?.payload.content).toMatch(/end$/);
  });

  test("[T6] a budget that runs out is a visible failure", async () => {
    const model = scriptedModel(planned(task("1", "w"), task("2", "w")));
    const limits = { ...LIMITS, maxModelCalls: 2, maxConcurrentTasks: 1 };
    const played = await play({ model, agents: scriptedAgents({ w: saying("x") }) }, "go", { turn: { limits } });
    expect(eventsOf(played, "task_failed").length + eventsOf(played, "system_failed").length).toBeGreaterThan(0);
    expect(JSON.stringify(played.memory.sent)).toContain("model calls");
    expect(played.events.at(-1)).toBe("done");
  });

  test("[T6] an agent that says it has used less than nothing gives nothing back", async () => {
    const lender: Script = async function* () {
      yield { type: "usage", usage: { model_calls: -100, input_tokens: -1_000_000, output_tokens: -1_000_000 } };
      yield { type: "usage", usage: { model_calls: 30, input_tokens: 1, output_tokens: 1 } };
      yield { type: "text", text: "more" };
    };
    const agents = scriptedAgents({ w: lender });
    const played = await play({ model: scriptedModel(planned(task("1", "w"))), agents }, "go");
    expect(eventsOf(played, "task_failed")).toMatchObject([{ payload: { code: "budget_exceeded" } }]);
    expect(eventsOf(played, "done")).toMatchObject([{ metadata: { usage: { model_calls: 32, input_tokens: 21 } } }]);
  });

  test("[T6] what agents say in ever so many pieces that they used is told in a bounded list", async () => {
    const counting: Script = async function* () {
      const usage = { model_calls: 0, input_tokens: 1, output_tokens: 0 };
      for (let i = 0; i < 5_000; i += 1) yield { type: "usage", usage };
    };
    const agents = scriptedAgents({ w: counting });
    const played = await play({ model: scriptedModel(planned(task("1", "w"), task("2", "w"))), agents }, "go");
    const [done] = eventsOf(played, "done");
    const { calls, ...sum } = usageSchema.parse(done?.metadata?.["usage"]);
    expect(sum).toMatchObject({ model_calls: 3, input_tokens: 10_030 });
    expect(sumUsage(calls ?? [])).toMatchObject({ model_calls: 3, input_tokens: 10_030 });
    expect(new Set(calls?.map(({ task_id }) => task_id)).size).toBe(5);
    expect(calls?.length).toBeLessThanOrEqual(505);
  });

  test("[T6] what agents claim, however much, adds up to what every reader takes for a number", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const boasting: Script = async function* () {
      const usage = { model_calls: most, input_tokens: most, output_tokens: most };
      for (let i = 0; i < 3; i += 1) yield { type: "usage", usage };
    };
    const agents = scriptedAgents({ w: boasting });
    const played = await play({ model: scriptedModel(planned(task("1", "w"))), agents }, "go");
    const [done] = eventsOf(played, "done");
    expect(usageSchema.parse(done?.metadata?.["usage"])).toMatchObject({ model_calls: most, input_tokens: most });
    const [completed] = eventsOf(played, "task_completed");
    expect(completed?.metadata).toEqual({
      usage: { model_calls: most, input_tokens: most, output_tokens: most },
    });
  });

  test("[T5] a cancelled thread ends with its tasks' task_cancelled and done, nothing else", async () => {
    const stop = new AbortController();
    const endless: Script = async function* (_, signal) {
      yield { type: "text", text: "working" };
      stop.abort(new StopReason("person", "You cancelled this."));
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

  test("[T5] [F56] tasks that are cancelled before their turn end at once, and set up no schedule", async () => {
    const memory = new Memory();
    const stop = new AbortController();
    let settled = Promise.withResolvers<void>();
    let cancelled = 0;
    const worker: Script = async function* () {
      stop.abort(new StopReason("person", "You cancelled this task."));
      settled.resolve();
      settled = Promise.withResolvers<void>();
      await new Promise((resolve) => setTimeout(resolve, 5));
      cancelled = eventsOf({ memory }, "task_cancelled").length;
      yield { type: "text", text: "done" };
    };
    const daily = { ...task("3", "w"), pattern: "recurring", schedule_config: { daily_time: "09:00" } };
    const isFirst = (id: string) => eventsOf({ memory }, "plan_created")[0]?.payload.plan.tasks[0]?.task_id === id;
    const played = await play(
      {
        model: scriptedModel(planned(task("1", "w"), task("2", "w", ["1"]), daily)),
        agents: scriptedAgents({ w: worker }),
      },
      "every day at 9, yes I confirm",
      {
        memory,
        turn: {
          limits: { ...LIMITS, maxConcurrentTasks: 1 },
          waitForChange: () => settled.promise,
          taskSignal: (id) => (isFirst(id) ? new AbortController().signal : stop.signal),
        },
      },
    );
    expect(cancelled).toBe(2);
    expect(memory.schedules.size).toBe(0);
    expect(eventsOf(played, "task_completed")).toHaveLength(1);
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

  test("[T3] done counts the tasks also where the summary of their results fails", async () => {
    const model = scriptedModel({ ...planned(task("1", "w"), task("2", "w")), synthesis: [new Error("no summary")] });
    const played = await play({ model, agents: scriptedAgents({ w: saying("x") }) }, "go");
    expect(eventsOf(played, "system_failed")).toHaveLength(1);
    expect(eventsOf(played, "done")).toMatchObject([{ metadata: { usage: { tasks: 2 } } }]);
  });
});
