import { describe, expect, test } from "vitest";
import { ModelFault } from "../../src/core/ports.ts";
import { eventsOf, handoff, plan, play, saying, scriptedAgents, scriptedModel, task } from "../support/scripted.ts";

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

  test("[F09] an agent that is named twice works once", async () => {
    const selected = ["a", "a"];
    const model = scriptedModel({ triage: [handoff({ strategy: "multi_agent", selected_agents: selected })] });
    const played = await play({ model, agents: scriptedAgents({ a: saying("A") }) }, "go");
    expect(eventsOf(played, "task_completed")).toHaveLength(1);
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

  test("[F12] those that are switched off are known by name, so that the person can be told", async () => {
    const scripts = { a: saying(""), b: saying(""), c: saying("") };
    const promptWith = async (cards: Parameters<typeof scriptedAgents>[1]) => {
      const model = scriptedModel({ triage: [{ text: "ok" }] });
      await play({ model, agents: scriptedAgents(scripts, cards) }, "hi");
      return model.requests[0]?.messages[0]?.content ?? "";
    };
    const off = { b: { enabled: false, display_name: "Bee" }, c: { enabled: false, hidden: true } };
    expect(await promptWith(off)).toContain('Switched off:\n```json\n["b","Bee"]\n```');
    expect(await promptWith({})).not.toContain("Switched off");
  });

  test("[T3] a broken stream is taken back and asked for again, then answered", async () => {
    const cut = new ModelFault("model_interrupted", "cut", { retryable: true });
    const model = scriptedModel({ triage: [cut, { text: "Hello" }] });
    const played = await play({ model, agents: scriptedAgents({}) }, "hi");
    expect(played.events).toContain("task_retrying");
    expect(played.end.status).toBe("completed");
    expect(model.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});
