import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint-check.ts";
import { applyPatch, parseOperations } from "../../../src/agents/analyst/apply-patch.ts";
import { refineBlueprint } from "../../../src/agents/analyst/refine-blueprint.ts";
import { AgentBudget, DEFAULT_LIMITS } from "../../../src/agents/kit/agent-limits.ts";
import type { AgentModel } from "../../../src/agents/kit/agent.ts";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import type { Blueprint, BlueprintPatch } from "../../../src/protocol/pages/blueprint-schema.ts";
import { blueprintInput, infos } from "./classroom.ts";
import { answering, blueprintOf, endOf, saying } from "./stage.ts";

const BEFORE = blueprintOf();
const slotsIn = ({ uiComposition }: Blueprint) => uiComposition.tabs.flatMap(({ slots }) => slots);
const idsIn = (blueprint: Blueprint) => slotsIn(blueprint).map(({ id }) => id);
const slotIn = (blueprint: Blueprint, id: string) =>
  ensurePresent(
    slotsIn(blueprint).find((slot) => slot.id === id),
    id,
  );

function refine(model: AgentModel, message = "change it") {
  const planning = {
    model,
    signal: new AbortController().signal,
    budget: new AgentBudget(DEFAULT_LIMITS),
    tools: { infos },
  };
  return endOf(refineBlueprint(planning, { blueprint: BEFORE, page: null, message, language: "en" }));
}

const patching = (...operations: unknown[]) => answering(() => ({ calls: [["patch_blueprint", { operations }]] }));

describe("[F115] operations", () => {
  test("are offered beside a whole new blueprint", async () => {
    const model = patching({ op: "update_props", slotId: "chart", props: { variant: "line" } });
    const { blueprint, scope, recompose } = await refine(model, "as a line");
    expect([scope, recompose]).toEqual(["patch_layout", []]);
    expect(slotIn(blueprint, "chart").props).toEqual({ title: "Scores", variant: "line" });
    expect(blueprint).toMatchObject({ id: BEFORE.id, version: 2, sourcePrompt: "Analyse unit 5\nas a line" });
    expect(model.asked[0]?.tools?.map(({ name }) => name)).toEqual(["patch_blueprint", "create_blueprint"]);
    expect(model.asked[0]?.messages[1]?.content).toContain('Message:\n```json\n"as a line"\n```');
    expect(model.asked[0]?.messages[1]?.content).toContain('Blueprint:\n```json\n{"id":"bp-unit5"');
  });

  test.each<[string, object]>([
    ["type and blockId", { type: "update_props", blockId: "chart", changes: { variant: "line" } }],
    ["operation and target", { operation: "UPDATE-PROPS", target: "chart", props: { variant: "line" } }],
    ["op and targetBlockId", { op: "update_props", targetBlockId: "chart", props: { variant: "line" } }],
    ["snake case", { op: "update_props", slot_id: "chart", props: { variant: "line" } }],
  ])("are read with %s", async (_, operation) => {
    expect(slotIn((await refine(patching(operation))).blueprint, "chart").props).toMatchObject({ variant: "line" });
  });

  test("take properties away with null, and move what belongs to the slot itself", async () => {
    const props = { title: null, dataBinding: "$compute.scoreStats", componentType: "table" };
    const { blueprint } = await refine(patching({ op: "update_props", slotId: "chart", props }));
    expect(slotIn(blueprint, "chart")).toMatchObject({
      componentType: "table",
      dataBinding: "$compute.scoreStats",
      props: {},
    });
  });

  test("reorder blocks, those that are not named behind", async () => {
    const { blueprint, scope } = await refine(
      patching({ op: "reorder", tabId: "overview", slotIds: ["table", "chart"] }),
    );
    expect([idsIn(blueprint), scope]).toEqual([["table", "chart", "text", "kpis"], "patch_layout"]);
    const lenient = await refine(patching({ op: "reorder", order: ["kpis"] }));
    expect(idsIn(lenient.blueprint)).toEqual(["kpis", "text", "chart", "table"]);
  });

  test("add blocks: one with data needs no model, one with a text does", async () => {
    const slot = { id: "top", componentType: "table", dataBinding: "$compute.scoreStats" };
    const data = await refine(patching({ op: "add_block", tabId: "overview", slot, index: 1 }));
    expect([idsIn(data.blueprint)[1], data.scope]).toEqual(["top", "patch_layout"]);
    const text = await refine(patching({ type: "add_block", block: { type: "suggestion_list", aiContentSlot: true } }));
    expect(text.scope).toBe("patch_compose");
    expect(text.recompose).toEqual([idsIn(text.blueprint).at(-1)]);
  });

  test("remove blocks, and the node that wrote for nobody else", async () => {
    const { blueprint, scope } = await refine(patching({ op: "remove_block", slotId: "text" }));
    expect([idsIn(blueprint), scope]).toEqual([["kpis", "chart", "table"], "patch_layout"]);
    expect(blueprint.computeGraph.nodes.map(({ id }) => id)).toEqual(["stats"]);
  });

  test("have texts written anew, with what is wanted in their prompt from then on", async () => {
    const node = await refine(patching({ op: "recompose", slotIds: ["text"], instruction: "Shorter." }));
    expect([node.scope, node.recompose]).toEqual(["patch_compose", ["text"]]);
    expect(node.blueprint.computeGraph.nodes[1]?.promptTemplate).toBe(
      "Say how it went, from $compute.scoreStats.\nShorter.",
    );
    const own = await refine(
      patching(
        { op: "add_block", slot: { id: "own", componentType: "markdown", aiContentSlot: true } },
        { op: "recompose", slotId: "own", instruction: "Kinder." },
      ),
    );
    expect(slotIn(own.blueprint, "own").props).toEqual({ instruction: "Kinder." });
    const reworded = await refine(patching({ op: "update_props", slotId: "text", props: { instruction: "x" } }));
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
    ["a text that is none", { op: "recompose", slotIds: ["kpis"] }, /kpis shows data/],
    [
      "a dangling reference",
      { op: "add_block", slot: { id: "b", componentType: "table", dataBinding: "$data.x" } },
      /slots\.4\.dataBinding: \$data\.x/,
    ],
    [
      "a block that is there",
      { op: "add_block", slot: { id: "kpis", componentType: "table", dataBinding: "$data.submissions" } },
      /twice/,
    ],
    ["an unknown component", { op: "add_block", slot: { id: "b", componentType: "map" } }, /componentType/],
    ["what is no operation", "nothing" as unknown as object, /operations\.0/],
  ])("with %s come back with the place", async (_, operation, problem) => {
    const model = answering((_asked, call) => ({
      calls: [["patch_blueprint", { operations: [call === 1 ? operation : { op: "remove_block", slotId: "table" }] }]],
    }));
    const { blueprint } = await refine(model);
    expect(idsIn(blueprint)).not.toContain("table");
    expect(model.asked[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringMatching(problem) as string,
    });
  });

  test("that never make sense fail in words", async () => {
    await expect(refine(patching({ op: "explode" }))).rejects.toMatchObject({ code: "agent_failed" });
    await expect(refine(patching())).rejects.toMatchObject({
      message: expect.stringContaining("list of operations") as string,
    });
    await expect(refine(saying("no"))).rejects.toMatchObject({ code: "agent_failed" });
  });
});

test("[F115] a whole new blueprint keeps the id and asks for everything anew", async () => {
  const input = { ...blueprintInput(), id: "bp-other", name: "Unit 6" };
  const { blueprint, scope } = await refine(answering(() => ({ calls: [["create_blueprint", input]] })));
  expect([blueprint.id, blueprint.name, blueprint.version, scope]).toEqual([BEFORE.id, "Unit 6", 2, "full"]);
  expect(await refine(saying(JSON.stringify(input)))).toMatchObject({ scope: "full" });
});

test("applying is pure, and what is applied to a good blueprint is good or refused with words", () => {
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
      const checked = checkBlueprint(applied.blueprint, infos);
      if (checked.ok) expect(applied.recompose.every((one) => idsIn(checked.blueprint).includes(one))).toBe(true);
      else expect(checked.problems.every(({ message }) => /twice/.test(message))).toBe(true);
    }),
  );
});
