import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint/blueprint-check.ts";
import { listSlots } from "../../../src/agents/analyst/blueprint/blueprint-parts.ts";
import { applyPatch, parseOperations } from "../../../src/agents/analyst/blueprint/apply-patch.ts";
import { refineBlueprint } from "../../../src/agents/analyst/blueprint/refine-blueprint.ts";
import { AgentBudget, DEFAULT_LIMITS } from "../../../src/agents/kit/agent-limits.ts";
import type { AgentModel } from "../../../src/agents/kit/agent.ts";
import { ensurePresent } from "../../../src/lib/assert.ts";
import type { Blueprint, BlueprintPatch } from "../../../src/protocol/pages/blueprint-schema.ts";
import { createBlueprintInput, TOOL_INFOS } from "./classroom.ts";
import { createModel, createBlueprint, getReturnValue, createTextModel } from "./run-execution.ts";

const BEFORE = createBlueprint();
const listSlotIds = (blueprint: Blueprint) => listSlots(blueprint).map(({ id }) => id);
const getSlot = (blueprint: Blueprint, id: string) =>
  ensurePresent(
    listSlots(blueprint).find((slot) => slot.id === id),
    id,
  );

function refine(model: AgentModel, message = "change it") {
  const planning = {
    model,
    signal: new AbortController().signal,
    budget: new AgentBudget(DEFAULT_LIMITS),
    tools: { infos: TOOL_INFOS },
  };
  return getReturnValue(refineBlueprint(planning, { blueprint: BEFORE, page: null, message, language: "en" }));
}

const createPatchModel = (...operations: unknown[]) =>
  createModel(() => ({ calls: [["patch_blueprint", { operations }]] }));

describe("[F115] patch operations", () => {
  test("are offered beside a new blueprint", async () => {
    const model = createPatchModel({ op: "update_props", slotId: "chart", props: { variant: "line" } });
    const { blueprint, scope, recompose } = await refine(model, "as a line");
    expect([scope, recompose]).toEqual(["patch_layout", []]);
    expect(getSlot(blueprint, "chart").props).toEqual({ title: "Scores", variant: "line" });
    expect(blueprint).toMatchObject({ id: BEFORE.id, version: 2, sourcePrompt: "Analyse unit 5\nas a line" });
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["patch_blueprint", "create_blueprint"]);
    expect(model.requests[0]?.messages[1]?.content).toContain('Message:\n```json\n"as a line"\n```');
    expect(model.requests[0]?.messages[1]?.content).toContain('Blueprint:\n```json\n{"id":"bp-unit5"');
  });

  test("remove properties with null, and move members of the slot out of its properties", async () => {
    const props = { title: null, dataBinding: "$compute.scoreStats", componentType: "table" };
    const { blueprint } = await refine(createPatchModel({ op: "update_props", slotId: "chart", props }));
    expect(getSlot(blueprint, "chart")).toMatchObject({
      componentType: "table",
      dataBinding: "$compute.scoreStats",
      props: {},
    });
  });

  test("reorder blocks and keep unnamed blocks at the end", async () => {
    const { blueprint, scope } = await refine(
      createPatchModel({ op: "reorder", tabId: "overview", slotIds: ["table", "chart"] }),
    );
    expect([listSlotIds(blueprint), scope]).toEqual([["table", "chart", "text", "kpis"], "patch_layout"]);
    const untabbed = await refine(createPatchModel({ op: "reorder", slotIds: ["kpis"] }));
    expect(listSlotIds(untabbed.blueprint)).toEqual(["kpis", "text", "chart", "table"]);
  });

  test("add blocks, and need the model only for blocks of text", async () => {
    const slot = { id: "top", componentType: "table", dataBinding: "$compute.scoreStats" };
    const data = await refine(createPatchModel({ op: "add_block", tabId: "overview", slot, index: 1 }));
    expect([listSlotIds(data.blueprint)[1], data.scope]).toEqual(["top", "patch_layout"]);
    const text = await refine(
      createPatchModel({ op: "add_block", slot: { componentType: "suggestion_list", aiContentSlot: true } }),
    );
    expect(text.scope).toBe("patch_compose");
    expect(text.recompose).toEqual([listSlotIds(text.blueprint).at(-1)]);
  });

  test("remove blocks together with a text node that nothing else uses", async () => {
    const { blueprint, scope } = await refine(createPatchModel({ op: "remove_block", slotId: "text" }));
    expect([listSlotIds(blueprint), scope]).toEqual([["kpis", "chart", "table"], "patch_layout"]);
    expect(blueprint.computeGraph.nodes.map(({ id }) => id)).toEqual(["stats"]);
  });

  test("rewrite texts and keep the instruction in their prompt", async () => {
    const node = await refine(createPatchModel({ op: "recompose", slotIds: ["text"], instruction: "Shorter." }));
    expect([node.scope, node.recompose]).toEqual(["patch_compose", ["text"]]);
    expect(node.blueprint.computeGraph.nodes[1]?.promptTemplate).toBe(
      "Say how it went, from $compute.scoreStats.\nShorter.",
    );
    const own = await refine(
      createPatchModel(
        { op: "add_block", slot: { id: "own", componentType: "markdown", aiContentSlot: true } },
        { op: "recompose", slotIds: ["own"], instruction: "Kinder." },
      ),
    );
    expect(getSlot(own.blueprint, "own").props).toEqual({ instruction: "Kinder." });
    const reworded = await refine(
      createPatchModel({ op: "update_props", slotId: "text", props: { instruction: "x" } }),
    );
    expect(reworded.scope).toBe("patch_compose");
  });

  test.each<[string, object, RegExp]>([
    [
      "an unknown slot",
      { op: "update_props", slotId: "map", props: {} },
      /operations\.0\.slotId: There is no slot map\. There are: text, kpis/,
    ],
    ["an unknown tab", { op: "reorder", tabId: "x", slotIds: ["kpis"] }, /operations\.0\.tabId: There is no tab x/],
    ["an unknown operation", { op: "explode" }, /operations\.0\.op/],
    ["a rewrite of a block without text", { op: "recompose", slotIds: ["kpis"] }, /kpis shows data/],
    [
      "a dangling reference",
      { op: "add_block", slot: { id: "b", componentType: "table", dataBinding: "$data.x" } },
      /slots\.4\.dataBinding: \$data\.x/,
    ],
    [
      "the id of an existing block",
      { op: "add_block", slot: { id: "kpis", componentType: "table", dataBinding: "$data.submissions" } },
      /twice/,
    ],
    ["an unknown component", { op: "add_block", slot: { id: "b", componentType: "map" } }, /componentType/],
    ["a value that is not an operation", "nothing" as unknown as object, /operations\.0/],
  ])("with %s go back to the model with the place of the problem", async (_, operation, problem) => {
    const model = createModel((_asked, call) => ({
      calls: [["patch_blueprint", { operations: [call === 1 ? operation : { op: "remove_block", slotId: "table" }] }]],
    }));
    const { blueprint } = await refine(model);
    expect(listSlotIds(blueprint)).not.toContain("table");
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringMatching(problem) as string,
    });
  });

  test("that stay invalid fail with a message", async () => {
    await expect(refine(createPatchModel({ op: "explode" }))).rejects.toMatchObject({ code: "agent_failed" });
    await expect(refine(createPatchModel())).rejects.toMatchObject({
      message: expect.stringContaining("list of operations") as string,
    });
    await expect(refine(createTextModel("no"))).rejects.toMatchObject({ code: "agent_failed" });
  });
});

test("[F115] a new blueprint in place of a patch keeps the id and requires a full rebuild", async () => {
  const input = { ...createBlueprintInput(), id: "bp-other", name: "Unit 6" };
  const { blueprint, scope } = await refine(createModel(() => ({ calls: [["create_blueprint", input]] })));
  expect([blueprint.id, blueprint.name, blueprint.version, scope]).toEqual([BEFORE.id, "Unit 6", 2, "full"]);
  expect(await refine(createTextModel(JSON.stringify(input)))).toMatchObject({ scope: "full" });
});

test("applyPatch leaves its input unchanged and returns a valid blueprint or a problem with a message", () => {
  const id = fc.constantFrom("text", "kpis", "chart", "table", "new", "gone");
  const operation = fc.oneof(
    fc.record({
      op: fc.constant("update_props"),
      slotId: id,
      props: fc.dictionary(fc.constantFrom("title", "variant", "instruction"), fc.jsonValue()),
    }),
    fc.record({
      op: fc.constant("reorder"),
      tabId: fc.constantFrom("", "overview", "x"),
      slotIds: fc.array(id, { minLength: 1 }),
    }),
    fc.record({
      op: fc.constant("add_block"),
      slot: fc.record({
        id,
        componentType: fc.constantFrom("table", "markdown"),
        dataBinding: fc.constant("$compute.scoreStats"),
        aiContentSlot: fc.boolean(),
      }),
      index: fc.nat({ max: 9 }),
    }),
    fc.record({ op: fc.constant("remove_block"), slotId: id }),
    fc.record({ op: fc.constant("recompose"), slotIds: fc.array(id, { minLength: 1 }), instruction: fc.string() }),
  );
  const copy = JSON.stringify(BEFORE);
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 6 }), (operations) => {
      const { patches, problems } = parseOperations(operations, BEFORE);
      expect(problems).toEqual([]);
      const applied = applyPatch(BEFORE, patches satisfies BlueprintPatch[]);
      expect(JSON.stringify(BEFORE)).toBe(copy);
      if (!applied.ok) {
        expect(applied.problems[0]?.message).not.toBe("");
        return;
      }
      const checked = checkBlueprint(applied.blueprint, TOOL_INFOS);
      if (checked.ok) expect(applied.recompose.every((id) => listSlotIds(checked.blueprint).includes(id))).toBe(true);
      else expect(checked.problems.every(({ message }) => /twice/.test(message))).toBe(true);
    }),
  );
});
