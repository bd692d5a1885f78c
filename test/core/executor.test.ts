import { describe, expect, test } from "vitest";
import { sumUsage } from "../../src/core/models/budget.ts";
import type { Model } from "../../src/core/ports.ts";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import { usageSchema } from "../../src/protocol/wire/events.ts";
import { Failure } from "../../src/protocol/wire/message-error.ts";
import {
  getEvents,
  Memory,
  runTestTurn,
  answerWith,
  scriptAgents,
  scriptModel,
  task,
  type Script,
  LIMITS,
  runPlan,
  scriptPlan,
} from "../support/scripted-ports.ts";

describe("executor", () => {
  test("[F39] starts a task after its dependencies and passes their results to it", async () => {
    const requests: AgentRequest[] = [];
    const worker: Script = async function* (request) {
      requests.push(request);
      yield { type: "text", text: `result of ${request.query}` };
    };
    const result = await runPlan([task("1", "w"), task("2", "w", ["1"])], { w: worker });
    expect(requests.map((r) => [r.query, r.metadata.dependencies?.map((d) => d.result)])).toEqual([
      ["do 1", []],
      ["do 2", ["result of do 1"]],
    ]);
    const order = result.memory.sent
      .filter((f) => f.event === "task_started" || f.event === "task_completed")
      .map((f) => f.event);
    expect(order).toEqual(["task_started", "task_completed", "task_started", "task_completed"]);
  });

  test("[F40] runs independent tasks concurrently, up to the limit", async () => {
    let now = 0;
    let peak = 0;
    const slow: Script = async function* () {
      peak = Math.max(peak, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      yield { type: "text", text: "x" };
    };
    const tasks = ["1", "2", "3", "4", "5"].map((id) => task(id, "s"));
    await runPlan(tasks, { s: slow });
    expect(peak).toBe(3);
  });

  test("[F41] cancels only the dependents of a failed task, with the reason, and completes the other tasks", async () => {
    const bad: Script = async function* () {
      yield { type: "failed", reason: "it broke" };
    };
    const tasks = [task("1", "bad"), task("2", "ok", ["1"]), task("3", "ok"), task("4", "ok", ["2"])];
    const result = await runPlan(tasks, { bad, ok: answerWith("fine") });
    expect(getEvents(result, "task_failed").map((d) => d.payload.content)).toEqual(["it broke"]);
    expect(getEvents(result, "task_cancelled").map((d) => d.payload.content)).toEqual([
      expect.stringContaining("Task 1"),
      expect.stringContaining("Task 2"),
    ]);
    expect(getEvents(result, "task_completed")).toHaveLength(1);
    expect(result.events.filter((name) => name === "done")).toHaveLength(1);
  });

  test("[F46] reports connecting to an agent as a tool call, and a failed connection as task_failed without task_started", async () => {
    const gone: Script = async function* () {
      yield { type: "failed", reason: "nobody answers" };
    };
    const result = await runPlan([task("1", "gone")], { gone });
    const connect = getEvents(result, "tool_call_completed").find((d) => d.payload.tool_name === "connect_agent");
    expect(connect?.payload.tool_result).toContain("ERROR");
    expect(result.events).not.toContain("task_started");
  });

  test("[F47] marks the start and end of an agent's conversation with one component, even if the agent fails", async () => {
    const broken: Script = async function* () {
      yield { type: "text", text: "half" };
      throw new Error("boom");
    };
    const result = await runPlan([task("1", "broken")], { broken });
    const components = getEvents(result, "component_generator");
    expect(components.map((d) => (JSON.parse(d.payload.content) as { phase: string }).phase)).toEqual(["start", "end"]);
    expect(new Set(components.map((d) => d.item_id)).size).toBe(1);
  });

  test("[F64] [F67] splits text around a tool call into two paragraphs and reports the call as one item", async () => {
    const worker: Script = async function* () {
      yield { type: "text", text: "before " };
      yield { type: "tool_started", call_id: "c", tool: "t", arguments: "{}" };
      yield { type: "tool_completed", call_id: "c", tool: "t", result: "42" };
      yield { type: "text", text: "after" };
    };
    const result = await runPlan([task("1", "w")], { w: worker });
    const texts = getEvents(result, "message_chunk").filter((d) => d.agent_name === "w");
    expect(new Set(texts.map((d) => d.item_id)).size).toBe(2);
    const [completed] = getEvents(result, "tool_call_completed").filter((d) => d.payload.tool_name === "t");
    expect(completed?.payload.tool_result).toBe('[{"content":"42"}]');
    expect(completed?.item_id).toBe(completed?.payload.tool_call_id);
  });

  test.each<[string, Script, string]>([
    ["empty", async function* () {}, "Task completed without output."],
    [
      "only whitespace",
      async function* () {
        yield { type: "text", text: " \n" };
        yield { type: "completed" };
      },
      "Task completed without output.",
    ],
    [
      "only a component",
      async function* () {
        yield { type: "component", component_type: "card", content: "{}" };
      },
      "",
    ],
    [
      "only a notification",
      async function* () {
        yield { type: "notification", text: "Mailed." };
      },
      "",
    ],
  ])(
    "completes the task of an agent whose output is %s, with a message if nothing is visible",
    async (_, quiet, expected) => {
      const result = await runPlan([task("1", "w")], { w: quiet });
      const chunks = getEvents(result, "message_chunk").filter((d) => d.agent_name === "w");
      expect(chunks.map((d) => d.payload.content.trim()).join("")).toBe(expected);
      expect(getEvents(result, "task_completed")).toHaveLength(1);
    },
  );

  test("truncates task results in the synthesis request but not in the published events", async () => {
    const model = scriptModel(scriptPlan(task("1", "long"), task("2", "short"), task("3", "bad")));
    const bad: Script = async function* () {
      yield { type: "failed", reason: "x".repeat(1_000_000) };
    };
    const long = answerWith(`${"字".repeat(1_000_000)}end`);
    const result = await runTestTurn({ model, agents: { long, short: answerWith("6 × 7 = 42"), bad } }, "go");
    const prompt = JSON.stringify(model.requests.at(-1)?.messages);
    expect(prompt).toContain("6 × 7 = 42");
    expect(prompt).toContain("字…");
    expect(prompt.length).toBeLessThan(110_000);
    const published = getEvents(result, "message_chunk").filter((data) => data.agent_name === "long");
    expect(published.at(-1)?.payload.content).toMatch(/end$/);
  });

  test("[T6] fails visibly when the model call budget is exhausted", async () => {
    const model = scriptModel(scriptPlan(task("1", "w"), task("2", "w")));
    const limits = { ...LIMITS, maxModelCalls: 2, maxConcurrentTasks: 1 };
    const result = await runTestTurn({ model, agents: { w: answerWith("x") } }, "go", {
      turn: { limits },
    });
    expect(getEvents(result, "task_failed").length + getEvents(result, "system_failed").length).toBeGreaterThan(0);
    expect(JSON.stringify(result.memory.sent)).toContain("model calls");
    expect(result.events.at(-1)).toBe("done");
  });

  test("[T6] ignores negative usage that an agent reports", async () => {
    const refunding: Script = async function* () {
      yield { type: "usage", usage: { model_calls: -100, input_tokens: -1_000_000, output_tokens: -1_000_000 } };
      yield { type: "usage", usage: { model_calls: 30, input_tokens: 1, output_tokens: 1 } };
      yield { type: "text", text: "more" };
    };
    const agents = scriptAgents({ w: refunding });
    const result = await runPlan([task("1", "w")], agents);
    expect(getEvents(result, "task_failed")).toMatchObject([{ payload: { code: "budget_exceeded" } }]);
    expect(getEvents(result, "done")).toMatchObject([{ metadata: { usage: { model_calls: 32, input_tokens: 21 } } }]);
  });

  test("[T6] merges thousands of usage reports into a bounded list", async () => {
    const splitting: Script = async function* () {
      const usage = { model_calls: 0, input_tokens: 1, output_tokens: 0 };
      for (let i = 0; i < 5_000; i += 1) yield { type: "usage", usage };
    };
    const agents = scriptAgents({ w: splitting });
    const result = await runPlan([task("1", "w"), task("2", "w")], agents);
    const [done] = getEvents(result, "done");
    const { calls, ...sum } = usageSchema.parse(done?.metadata?.["usage"]);
    expect(sum).toMatchObject({ model_calls: 3, input_tokens: 10_030 });
    expect(sumUsage(calls ?? [])).toMatchObject({ model_calls: 3, input_tokens: 10_030 });
    expect(new Set(calls?.map(({ task_id }) => task_id)).size).toBe(5);
    expect(calls?.length).toBeLessThanOrEqual(505);
  });

  test("[T6] caps the sum of reported usage at the largest safe integer", async () => {
    const peak = Number.MAX_SAFE_INTEGER;
    const exaggerating: Script = async function* () {
      const usage = { model_calls: peak, input_tokens: peak, output_tokens: peak };
      for (let i = 0; i < 3; i += 1) yield { type: "usage", usage };
    };
    const agents = scriptAgents({ w: exaggerating });
    const result = await runPlan([task("1", "w")], agents);
    const [done] = getEvents(result, "done");
    expect(usageSchema.parse(done?.metadata?.["usage"])).toMatchObject({ model_calls: peak, input_tokens: peak });
    const [completed] = getEvents(result, "task_completed");
    expect(completed?.metadata).toEqual({
      usage: { model_calls: peak, input_tokens: peak, output_tokens: peak },
    });
  });

  test("[T5] [F56] ends tasks that are cancelled before they start at once, without creating their schedule", async () => {
    const memory = new Memory();
    const stop = new AbortController();
    let changed = Promise.withResolvers<void>();
    let cancelled = 0;
    const worker: Script = async function* () {
      stop.abort(new StopReason("person", "You stopped this task."));
      changed.resolve();
      changed = Promise.withResolvers<void>();
      await new Promise((resolve) => setTimeout(resolve, 5));
      cancelled = getEvents({ memory }, "task_cancelled").length;
      yield { type: "text", text: "done" };
    };
    const daily = { ...task("3", "w"), pattern: "recurring", schedule_config: { daily_time: "09:00" } };
    const isFirst = (id: string) => getEvents({ memory }, "plan_created")[0]?.payload.plan.tasks[0]?.task_id === id;
    const result = await runTestTurn(
      { model: scriptPlan(task("1", "w"), task("2", "w", ["1"]), daily), agents: { w: worker } },
      "every day at 9, yes I confirm",
      {
        memory,
        turn: {
          limits: { ...LIMITS, maxConcurrentTasks: 1 },
          waitForChange: () => changed.promise,
          taskSignal: (id) => (isFirst(id) ? new AbortController().signal : stop.signal),
        },
      },
    );
    expect(cancelled).toBe(2);
    expect(memory.schedules.size).toBe(0);
    expect(getEvents(result, "task_completed")).toHaveLength(1);
  });

  test("[T3] sends done once, last, with the usage of the thread", async () => {
    const result = await runPlan([task("1", "w")], { w: answerWith("x") });
    expect(getEvents(result, "done")).toMatchObject([
      { metadata: { usage: { model_calls: 2, input_tokens: 20, output_tokens: 10, tasks: 1 } } },
    ]);
  });

  test.each([
    ["the model fails", [new Failure("model_unavailable", "Gone.", { retryable: false })], {}, "Gone."],
    ["the budget is exhausted", [], { limits: { ...LIMITS, maxModelCalls: 3 } }, "limit of 3 model calls"],
  ])("[T6] lists the results by task if %s in the synthesis, and completes", async (_, synthesis, turn, reason) => {
    const model = scriptModel({ ...scriptPlan(task("1", "w"), task("2", "w")), synthesis });
    const w: Script = async function* () {
      yield { type: "text", text: "x = 42" };
      yield { type: "usage", usage: { model_calls: 1, input_tokens: 1, output_tokens: 1 } };
    };
    const result = await runTestTurn({ model, agents: { w } }, "go", { turn });
    const answer = getEvents(result, "message_chunk").filter(({ agent_name }) => agent_name === "SuperAgent");
    const [text = "", ...others] = answer.map(({ payload }) => payload.content);
    expect(others).toEqual([]);
    expect(text).toContain(reason);
    expect(text).toContain("**Task 1**\n\nx = 42\n\n**Task 2**\n\nx = 42");
    expect(getEvents(result, "system_failed")).toEqual([]);
    expect(result.end.status).toBe("completed");
  });

  test("retracts a synthesis that broke off before it lists the results", async () => {
    const script = scriptModel(scriptPlan(task("1", "w"), task("2", "bad")));
    const model: Model = {
      complete: (request, onDelta) => {
        if (request.role !== "synthesis") return script.complete(request, onDelta);
        onDelta({ type: "text", text: "The result is 4" });
        return Promise.reject(new Failure("model_interrupted", "Cut.", { retryable: false }));
      },
    };
    const bad: Script = async function* () {
      yield { type: "failed", reason: "No paper." };
    };
    const result = await runTestTurn({ model, agents: { w: answerWith("42"), bad } }, "go");
    const shown = result.memory
      .readFrames(0)
      .flatMap(({ event, data }) =>
        event === "message_chunk" && data.agent_name === "SuperAgent" ? [data.payload.content] : [],
      );
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain("**Task 1**\n\n42\n\n**Task 2**\n\nFailed: No paper.");
    expect(result.end.status).toBe("failed");
  });

  test("[T3] counts the tasks in done even if the synthesis fails", async () => {
    const model = scriptModel({ ...scriptPlan(task("1", "w"), task("2", "w")), synthesis: [new Error("no summary")] });
    const result = await runTestTurn({ model, agents: { w: answerWith("x") } }, "go");
    expect(getEvents(result, "system_failed")).toHaveLength(1);
    expect(getEvents(result, "done")).toMatchObject([{ metadata: { usage: { tasks: 2 } } }]);
  });
});
