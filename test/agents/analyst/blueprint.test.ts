import { describe, expect, test } from "vitest";
import { createBlueprint } from "../../../src/agents/analyst/create-blueprint.ts";
import { AgentBudget, DEFAULT_LIMITS } from "../../../src/agents/kit/agent-limits.ts";
import type { AgentModel } from "../../../src/agents/kit/agent.ts";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { blueprintInput, infos } from "./classroom.ts";
import { answering, endOf, saying } from "./stage.ts";

function plan(model: AgentModel, language = "en") {
  const planning = {
    model,
    signal: new AbortController().signal,
    budget: new AgentBudget(DEFAULT_LIMITS),
    tools: { infos },
  };
  return endOf(createBlueprint(planning, { prompt: "Analyse unit 5", language, context: { teacherId: "t-001" } }));
}

const writing = (...inputs: unknown[]) =>
  answering((_, call) => ({ calls: [["create_blueprint", inputs[Math.min(call, inputs.length) - 1]]] }));

const broken = () => {
  const input = blueprintInput();
  ensurePresent(input.computeGraph.nodes[0], "node")["toolName"] = "guess";
  return input;
};

describe("[F108] a blueprint", () => {
  test("is asked for in its role, with the tools, the request and the context as data", async () => {
    const model = writing(blueprintInput());
    const blueprint = await plan(model, "zh");
    expect(blueprint).toMatchObject({ id: "bp-unit5", sourcePrompt: "Analyse unit 5" });
    expect(blueprint.createdAt).toMatch(/^\d{4}-/);
    const [asked] = model.asked;
    expect(asked?.role).toBe("blueprint");
    expect(asked?.tools?.map(({ name }) => name)).toEqual(["create_blueprint"]);
    expect(JSON.stringify(asked?.tools)).toContain("dataContract");
    expect(asked?.messages[0]?.content).toContain("Language of the person: zh");
    const prompt = asked?.messages[1]?.content ?? "";
    expect(prompt).toContain('Request:\n```json\n"Analyse unit 5"\n```');
    expect(prompt).toContain('Context:\n```json\n{"teacherId":"t-001"}\n```');
    expect(prompt).toContain('Tools that exist:\n```json\n[{"name":"get_assignment_submissions"');
  });

  test("that is wrong comes back with the places, and is repaired", async () => {
    const model = writing(broken(), blueprintInput());
    expect(await plan(model)).toMatchObject({ id: "bp-unit5" });
    const [question, turn, answer] = model.asked[1]?.messages.slice(-3) ?? [];
    expect(question?.role).toBe("user");
    expect(turn).toMatchObject({ role: "assistant", toolCalls: [{ name: "create_blueprint" }] });
    expect(answer).toMatchObject({
      role: "tool",
      content: expect.stringContaining("computeGraph.nodes.0.toolName: There is no tool guess.") as string,
    });
  });

  test("that has no text for people is not good enough from a model", async () => {
    const input = blueprintInput();
    ensurePresent(input.uiComposition.tabs[0], "tab").slots.shift();
    const model = writing(input, blueprintInput());
    await plan(model);
    expect(model.asked[1]?.messages.at(-1)?.content).toContain("markdown slot");
  });

  test.each([
    ["that stays wrong", () => writing(broken()), /no tool guess/],
    ["that is no JSON", () => writing("{"), /not JSON/],
    ["that never comes", () => saying("I would rather not."), /another way/],
    ["under another name", () => answering(() => ({ calls: [["make_page", {}]] })), /no tool make_page/],
  ])("%s fails after two repairs, in words", async (_, make, words) => {
    const model = make();
    await expect(plan(model)).rejects.toMatchObject({
      code: "agent_failed",
      message: expect.stringMatching(words) as string,
    });
    expect(model.asked).toHaveLength(3);
  });

  test("is taken from a wrapper, and from JSON in plain words", async () => {
    expect(await plan(writing({ blueprint: blueprintInput() }))).toMatchObject({ id: "bp-unit5" });
    expect(await plan(saying(`Here:\n\`\`\`json\n${JSON.stringify(blueprintInput())}\n\`\`\``))).toMatchObject({
      id: "bp-unit5",
    });
    const model = answering((_, call) =>
      call === 1 ? { text: JSON.stringify(broken()) } : { calls: [["create_blueprint", blueprintInput()]] },
    );
    await plan(model);
    expect(model.asked[1]?.messages.at(-1)?.content).toContain("no tool guess");
  });

  test("is not waited for when the model itself fails", async () => {
    const fault = Object.assign(new Error("no model"), { name: "ModelFault", code: "model_unavailable" });
    await expect(plan(answering(() => Promise.reject(fault)))).rejects.toBe(fault);
  });
});
