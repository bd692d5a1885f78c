import { describe, expect, test } from "vitest";
import {
  getEvents,
  handoff,
  plan,
  runTestTurn,
  answerWith,
  scriptAgents,
  scriptModel,
  task,
} from "../support/scripted-ports.ts";
import type { Model } from "../../src/core/ports.ts";
import { Failure } from "../../src/protocol/wire/message-error.ts";

describe("triage", () => {
  test("[F06] sends plain text as a direct answer, without plan and tasks, and then done", async () => {
    const model = scriptModel({ triage: [{ reasoning: "easy", text: "Hello there!" }] });
    const result = await runTestTurn({ model, agents: {} }, "hi");
    expect(result.events).toEqual([
      "reasoning_started",
      "reasoning",
      "reasoning_completed",
      "message_chunk",
      "message_chunk",
      "triage_completed",
      "done",
    ]);
    expect(result.end.status).toBe("completed");
  });

  test("[F10] gives the three reasoning events one item id and the answer another", async () => {
    const result = await runTestTurn({ model: { triage: [{ reasoning: "hm", text: "Hi you" }] }, agents: {} }, "hi");
    const ids = (names: string[]) =>
      new Set(result.memory.sent.filter((f) => names.includes(f.event)).map((f) => f.data.item_id));
    expect(ids(["reasoning_started", "reasoning", "reasoning_completed"]).size).toBe(1);
    expect(ids(["message_chunk"]).size).toBe(1);
  });

  test("[F05] publishes decision, strategy, reason and selected agents", async () => {
    const model = scriptModel({
      triage: [
        handoff({
          strategy: "single_agent",
          selected_agents: ["clock"],
          enriched_query: "time in Oslo?",
          reason: "live data",
        }),
      ],
    });
    const result = await runTestTurn({ model, agents: { clock: answerWith("noon") } }, "time?");
    expect(getEvents(result, "triage_completed")[0]?.payload).toEqual({
      decision: "handoff_to_planner",
      strategy: "single_agent",
      reason: "live data",
      selected_agents: ["clock"],
      enriched_query: "time in Oslo?",
    });
    const [created] = getEvents(result, "plan_created");
    expect(created?.payload.plan).toMatchObject({ orig_query: "time?", query: "time in Oslo?" });
    expect(created?.payload.plan.tasks).toMatchObject([
      { agent_name: "clock", query: "time in Oslo?", handoff_from_super_agent: true },
    ]);
  });

  test("[F09] creates one independent task per selected agent for multi_agent, without another model call", async () => {
    const model = scriptModel({
      triage: [handoff({ strategy: "multi_agent", selected_agents: ["a", "b", "a"], enriched_query: "both" })],
      synthesis: [{ text: "A and B" }],
    });
    const result = await runTestTurn({ model, agents: { a: answerWith("A"), b: answerWith("B") } }, "both");
    expect(getEvents(result, "plan_created")[0]?.payload.plan.tasks.map((t) => [t.agent_name, t.depends_on])).toEqual([
      ["a", []],
      ["b", []],
    ]);
    expect(model.requests.map((request) => request.role)).toEqual(["triage", "synthesis"]);
  });

  test("[F11] hands off the user's message if the model returns nothing", async () => {
    const model = scriptModel({ triage: [{ text: "" }], planner: [plan(task("1", "clock"))] });
    const result = await runTestTurn({ model, agents: { clock: answerWith("noon") } }, "what time is it");
    expect(getEvents(result, "plan_created")[0]?.payload.plan.query).toBe("what time is it");
  });

  test("[F11] reports a malformed handoff to the model up to three times, then to the user", async () => {
    const bad = { call: { name: "handoff_to_planner", arguments: "{not json" } };
    const model = scriptModel({ triage: [bad, bad, bad] });
    const result = await runTestTurn({ model, agents: {} }, "hi");
    expect(model.requests).toHaveLength(3);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("not JSON") as string,
    });
    expect(getEvents(result, "system_failed")[0]?.payload.code).toBe("model_malformed");
    expect(result.events.at(-1)).toBe("done");
  });

  test("[F12] does not offer disabled, hidden or passthrough agents", async () => {
    const model = scriptModel({ triage: [{ text: "ok" }] });
    const agents = scriptAgents(
      { a: answerWith(""), b: answerWith(""), c: answerWith(""), d: answerWith("") },
      { b: { enabled: false }, c: { hidden: true }, d: { planner_passthrough: true } },
    );
    await runTestTurn({ model, agents }, "hi");
    const prompt = model.requests[0]?.messages[0]?.content ?? "";
    expect(prompt).toContain('"name":"a"');
    for (const name of ["b", "c", "d"]) expect(prompt).not.toContain(`"name":"${name}"`);
  });

  test("[F12] lists the names of disabled agents in the prompt", async () => {
    const scripts = { a: answerWith(""), b: answerWith(""), c: answerWith("") };
    const getPrompt = async (cards: Parameters<typeof scriptAgents>[1]) => {
      const model = scriptModel({ triage: [{ text: "ok" }] });
      await runTestTurn({ model, agents: scriptAgents(scripts, cards) }, "hi");
      return model.requests[0]?.messages[0]?.content ?? "";
    };
    const off = { b: { enabled: false, display_name: "Bee" }, c: { enabled: false, hidden: true } };
    expect(await getPrompt(off)).toContain('Switched off:\n```json\n["b","Bee"]\n```');
    expect(await getPrompt({})).not.toContain("Switched off");
  });

  test.each([
    ["fails", new Failure("model_unavailable", "gone", { retryable: false })],
    ["is unusable", null],
  ])("[F10] closes its reasoning if the model %s in the middle of it", async (_, failure) => {
    const model: Model = {
      complete: (_request, onDelta) => {
        onDelta({ type: "reasoning", text: "let me" });
        if (failure !== null) return Promise.reject(failure);
        const toolCalls = [{ id: "c", name: "no_such_tool", arguments: "{}" }];
        return Promise.resolve({ text: "", toolCalls, usage: { inputTokens: 1, outputTokens: 1 } });
      },
    };
    const result = await runTestTurn({ model, agents: {} }, "hi");
    const shown = result.events.slice(result.events.lastIndexOf("reasoning_started"));
    expect(shown).toEqual(["reasoning_started", "reasoning", "reasoning_completed", "system_failed", "done"]);
  });

  test("[T3] retracts an interrupted answer and requests it again", async () => {
    const cut = new Failure("model_interrupted", "cut", { retryable: true });
    const model = scriptModel({ triage: [cut, { text: "Hello" }] });
    const result = await runTestTurn({ model, agents: {} }, "hi");
    expect(result.events).toContain("task_retrying");
    expect(result.end.status).toBe("completed");
    expect(model.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});
