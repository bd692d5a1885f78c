import { describe, expect, test } from "vitest";
import { createBlueprint } from "../../../src/agents/analyst/blueprint/create-blueprint.ts";
import { AgentBudget, DEFAULT_LIMITS } from "../../../src/agents/kit/agent-limits.ts";
import type { AgentModel } from "../../../src/agents/kit/agent.ts";
import { ensurePresent } from "../../../src/lib/assert.ts";
import { createBlueprintInput, TOOL_INFOS } from "./classroom.ts";
import { createModel, getReturnValue, createTextModel } from "./run-execution.ts";
import { Failure } from "../../../src/protocol/wire/message-error.ts";

function planBlueprint(model: AgentModel, language = "en") {
  const planning = {
    model,
    signal: new AbortController().signal,
    budget: new AgentBudget(DEFAULT_LIMITS),
    tools: { infos: TOOL_INFOS },
  };
  return getReturnValue(
    createBlueprint(planning, { prompt: "Analyse unit 5", language, context: { teacherId: "t-001" } }),
  );
}

const createBlueprintModel = (...inputs: unknown[]) =>
  createModel((_, call) => ({ calls: [["create_blueprint", inputs[Math.min(call, inputs.length) - 1]]] }));

const createBrokenInput = () => {
  const input = createBlueprintInput();
  ensurePresent(input.computeGraph.nodes[0], "node")["toolName"] = "guess";
  return input;
};

describe("[F108] a blueprint", () => {
  test("is requested in its role, with the tools, the request and the context as data", async () => {
    const model = createBlueprintModel(createBlueprintInput());
    const blueprint = await planBlueprint(model, "zh");
    expect(blueprint).toMatchObject({ id: "bp-unit5", sourcePrompt: "Analyse unit 5" });
    expect(blueprint.createdAt).toMatch(/^\d{4}-/);
    const [request] = model.requests;
    expect(request?.role).toBe("blueprint");
    expect(request?.tools?.map(({ name }) => name)).toEqual(["create_blueprint"]);
    expect(JSON.stringify(request?.tools)).toContain("dataContract");
    expect(request?.messages[0]?.content).toContain("Language of the person: zh");
    const prompt = request?.messages[1]?.content ?? "";
    expect(prompt).toContain('Request:\n```json\n"Analyse unit 5"\n```');
    expect(prompt).toContain('<untrusted source="Context">\n{"teacherId":"t-001"}\n</untrusted>');
    expect(prompt).toContain('<untrusted source="Tools that exist">\n[{"name":"get_assignment_submissions"');
  });

  test("that is invalid goes back to the model with the places of its problems and is repaired", async () => {
    const model = createBlueprintModel(createBrokenInput(), createBlueprintInput());
    expect(await planBlueprint(model)).toMatchObject({ id: "bp-unit5" });
    const [question, turn, answer] = model.requests[1]?.messages.slice(-3) ?? [];
    expect(question?.role).toBe("user");
    expect(turn).toMatchObject({ role: "assistant", toolCalls: [{ name: "create_blueprint" }] });
    expect(answer).toMatchObject({
      role: "tool",
      content: expect.stringContaining("computeGraph.nodes.0.toolName: There is no tool guess.") as string,
    });
  });

  test("of a model is rejected without a text for people", async () => {
    const input = createBlueprintInput();
    ensurePresent(input.uiComposition.tabs[0], "tab").slots.shift();
    const model = createBlueprintModel(input, createBlueprintInput());
    await planBlueprint(model);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("markdown slot");
  });

  test.each([
    ["that stays invalid", () => createBlueprintModel(createBrokenInput()), /no tool guess/],
    ["that is not JSON", () => createBlueprintModel("{"), /not JSON/],
    ["that is never written", () => createTextModel("I would rather not."), /Rephrase/],
    [
      "that is passed to an unknown tool",
      () => createModel(() => ({ calls: [["make_page", {}]] })),
      /no tool make_page/,
    ],
  ])("%s fails after two repairs, with a reason", async (_, make, reason) => {
    const model = make();
    await expect(planBlueprint(model)).rejects.toMatchObject({
      code: "agent_failed",
      message: expect.stringMatching(reason) as string,
    });
    expect(model.requests).toHaveLength(3);
  });

  test("is read from a wrapper object and from JSON inside text", async () => {
    expect(await planBlueprint(createBlueprintModel({ blueprint: createBlueprintInput() }))).toMatchObject({
      id: "bp-unit5",
    });
    expect(
      await planBlueprint(createTextModel(`Here:\n\`\`\`json\n${JSON.stringify(createBlueprintInput())}\n\`\`\``)),
    ).toMatchObject({
      id: "bp-unit5",
    });
    const model = createModel((_, call) =>
      call === 1
        ? { text: JSON.stringify(createBrokenInput()) }
        : { calls: [["create_blueprint", createBlueprintInput()]] },
    );
    await planBlueprint(model);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("no tool guess");
  });

  test("is not requested again when the model itself fails", async () => {
    const fault = new Failure("model_unavailable", "no model");
    await expect(planBlueprint(createModel(() => Promise.reject(fault)))).rejects.toBe(fault);
  });
});
