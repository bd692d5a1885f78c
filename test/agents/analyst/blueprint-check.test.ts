import { expect, test } from "vitest";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint/blueprint-check.ts";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import { ensurePresent } from "../../../src/lib/assert.ts";
import { openLibrary } from "../../support/dataset-library.ts";
import { createBlueprintInput, TOOL_INFOS, type BlueprintInput, type BlueprintPart } from "./classroom.ts";
import { getSlots } from "./text-blueprint.ts";

const getNode = (input: BlueprintInput, i: number): BlueprintPart => ensurePresent(input.computeGraph.nodes[i], "node");
const getBinding = (input: BlueprintInput, i = 0): BlueprintPart =>
  ensurePresent(input.dataContract.bindings[i], "binding");

function findProblemsAfter(change: (input: BlueprintInput) => void): [string, string][] {
  const input = createBlueprintInput();
  change(input);
  const checked = checkBlueprint(input, TOOL_INFOS);
  return checked.ok ? [] : checked.problems.map(({ place, message }) => [place, message]);
}

test("[F108] a complete blueprint passes, and its missing members are filled in", () => {
  const checked = checkBlueprint(createBlueprintInput(), TOOL_INFOS, { sourcePrompt: "analyse unit 5", now: 0 });
  expect(checked).toMatchObject({
    ok: true,
    warnings: [],
    blueprint: {
      id: "bp-unit5",
      icon: "chart",
      category: "analytics",
      version: 1,
      capabilityLevel: 1,
      sourcePrompt: "analyse unit 5",
      createdAt: "1970-01-01T00:00:00.000Z",
      dataContract: { bindings: [{ sourceType: "tool", required: true, dependsOn: [] }] },
    },
  });
  const { id: _, ...rest } = createBlueprintInput();
  expect(checkBlueprint({ ...rest, sourcePrompt: "mine", createdAt: "then" }, TOOL_INFOS)).toMatchObject({
    blueprint: { id: expect.stringMatching(/^bp-[0-9a-f]{32}$/) as string, sourcePrompt: "mine", createdAt: "then" },
  });
});

test.each<[string, (input: BlueprintInput) => void, string, RegExp]>([
  [
    "an unknown tool of a node",
    (b) => (getNode(b, 0)["toolName"] = "guess"),
    "computeGraph.nodes.0.toolName",
    /no tool guess/,
  ],
  [
    "an unknown tool of a binding",
    (b) => (getBinding(b)["toolName"] = "x"),
    "dataContract.bindings.0.toolName",
    /There are: get_/,
  ],
  ["a tool without a name", (b) => delete getNode(b, 0)["toolName"], "computeGraph.nodes.0.toolName", /named/],
  [
    "an unknown argument",
    (b) => (getBinding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "a", limit: 3 }),
    "dataContract.bindings.0.paramMapping.limit",
    /no parameter limit.*teacher_id, assignment_id/,
  ],
  [
    "an argument that every object has",
    (b) => (getBinding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "a", constructor: "x" }),
    "dataContract.bindings.0.paramMapping.constructor",
    /no parameter constructor/,
  ],
  [
    "a missing argument",
    (b) => (getBinding(b)["paramMapping"] = { teacher_id: "t" }),
    "dataContract.bindings.0.paramMapping.assignment_id",
    /needs assignment_id/,
  ],
  [
    "an argument of the wrong type",
    (b) => (getNode(b, 0)["toolArgs"] = { data: "all of them" }),
    "computeGraph.nodes.0.toolArgs.data",
    /array/,
  ],
  [
    "an argument outside its enumeration",
    (b) => (getNode(b, 0)["toolArgs"] = { data: [1], metrics: ["vibe"] }),
    "computeGraph.nodes.0.toolArgs.metrics.0",
    /mean/,
  ],
  [
    "an unknown component",
    (b) => (ensurePresent(getSlots(b)[1], "slot")["componentType"] = "map"),
    "uiComposition.tabs.0.slots.1.componentType",
    /kpi_grid/,
  ],
  ["no tab", (b) => (b.uiComposition.tabs = []), "uiComposition.tabs", />=1|at least|small/i],
  [
    "four tabs",
    (b) => (b.uiComposition.tabs = [1, 2, 3, 4].map((n) => ({ id: `t${n}`, label: "", slots: [] }))),
    "uiComposition.tabs",
    /<=3|at most|big/i,
  ],
  ["the same slot twice", (b) => getSlots(b).push({ ...getSlots(b)[1] }), "uiComposition.tabs.0.slots.4.id", /twice/],
  ["the same binding twice", (b) => b.dataContract.bindings.push(getBinding(b)), "dataContract.bindings.1.id", /twice/],
  [
    "the same output twice",
    (b) => (getNode(b, 1)["outputKey"] = "scoreStats"),
    "computeGraph.nodes.1.outputKey",
    /twice/,
  ],
  ["the same node twice", (b) => (getNode(b, 1)["id"] = "stats"), "computeGraph.nodes.1.id", /twice/],
  [
    "a node that depends on an unknown node",
    (b) => (getNode(b, 1)["dependsOn"] = ["x"]),
    "computeGraph.nodes.1.dependsOn.0",
    /no x/,
  ],
  [
    "a binding that depends on an unknown input",
    (b) => (getBinding(b)["dependsOn"] = ["x"]),
    "dataContract.bindings.0.dependsOn.0",
    /no x/,
  ],
  [
    "a reference to an unknown binding",
    (b) => (getNode(b, 0)["toolArgs"] = { data: "$data.grades.scores" }),
    "computeGraph.nodes.0.toolArgs.data",
    /\$data\.grades\.scores refers to nothing\. There is: \$data\.submissions/,
  ],
  [
    "a reference to an unknown input",
    (b) => (getBinding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "$input.class" }),
    "dataContract.bindings.0.paramMapping.assignment_id",
    /\$input\.class/,
  ],
  [
    "a slot bound to an unknown output",
    (b) => (ensurePresent(getSlots(b)[1], "slot")["dataBinding"] = "$compute.x"),
    "uiComposition.tabs.0.slots.1.dataBinding",
    /\$compute\.x/,
  ],
  [
    "a slot bound to plain text",
    (b) => (ensurePresent(getSlots(b)[1], "slot")["dataBinding"] = "scoreStats"),
    "uiComposition.tabs.0.slots.1.dataBinding",
    /no reference/,
  ],
  [
    "a property that refers to an unknown binding",
    (b) => (ensurePresent(getSlots(b)[1], "slot")["props"] = { data: [{ value: "$data.q" }] }),
    "uiComposition.tabs.0.slots.1.props.data.0.value",
    /\$data\.q/,
  ],
  [
    "a prompt that refers to an unknown output",
    (b) => (getNode(b, 1)["promptTemplate"] = "From $compute.nope."),
    "computeGraph.nodes.1.promptTemplate",
    /\$compute\.nope/,
  ],
  [
    "an AI node without a prompt",
    (b) => delete getNode(b, 1)["promptTemplate"],
    "computeGraph.nodes.1.promptTemplate",
    /prompt/,
  ],
  [
    "a binding that refers to a computed value",
    (b) => (getBinding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "$compute.scoreStats.id" }),
    "dataContract.bindings.0.paramMapping.assignment_id",
    /not known yet/,
  ],
  [
    "a cycle of nodes",
    (b) => (getNode(b, 0)["dependsOn"] = ["insight"]),
    "computeGraph.nodes",
    /stats → insight → stats/,
  ],
  [
    "a cycle of references among bindings",
    (b) => {
      getBinding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "$data.other.id" };
      b.dataContract.bindings.push({ id: "other", sourceType: "static", paramMapping: { id: "$data.submissions.id" } });
    },
    "dataContract.bindings",
    /submissions → other → submissions/,
  ],
  [
    "a tool node that reads the output of a model",
    (b) => {
      const args = { data: ["$compute.insightText"] };
      b.computeGraph.nodes.push({ id: "n", type: "tool", toolName: "calculate_stats", toolArgs: args, outputKey: "n" });
    },
    "computeGraph.nodes.2",
    /AI node insight/,
  ],
  [
    "a binding with an API path",
    (b) => Object.assign(getBinding(b), { sourceType: "api", apiPath: "/x" }),
    "dataContract.bindings.0.sourceType",
    /not called/,
  ],
  ["no name", (b) => delete b["name"], "name", /./],
])("[F108] %s is rejected with its place", (_, change, place, message) => {
  expect(findProblemsAfter(change)).toContainEqual([place, expect.stringMatching(message) as string]);
});

test.each([[null], ["text"], [[]], [{}], [1]])("%j is rejected as a blueprint", (input) => {
  expect(checkBlueprint(input, TOOL_INFOS).ok).toBe(false);
});

test("checkBlueprint rejects input that is nested too deep or too large", () => {
  const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown;
  expect(checkBlueprint({ ...createBlueprintInput(), extra: deep }, TOOL_INFOS)).toMatchObject({
    ok: false,
    problems: [{ message: expect.stringContaining("deep") as string }],
  });
  expect(checkBlueprint({ ...createBlueprintInput(), extra: "x".repeat(300_000) }, TOOL_INFOS).ok).toBe(false);
});

test("[F108] null counts as a missing member", () => {
  const input = createBlueprintInput();
  Object.assign(getBinding(input), { apiPath: null, dependsOn: null, required: null });
  Object.assign(getNode(input, 0), { promptTemplate: null, dependsOn: null });
  Object.assign(getNode(input, 1), { toolName: null, toolArgs: null });
  Object.assign(ensurePresent(getSlots(input)[1], "slot"), { props: null });
  const nothing = { sourcePrompt: null, createdAt: null, icon: null };
  expect(checkBlueprint({ ...input, ...nothing }, TOOL_INFOS, { sourcePrompt: "x" })).toMatchObject({
    ok: true,
    blueprint: { sourcePrompt: "x", icon: "chart" },
  });
  getBinding(input)["paramMapping"] = { teacher_id: null, assignment_id: "a" };
  expect(checkBlueprint(input, TOOL_INFOS)).toMatchObject({
    problems: [{ message: "get_assignment_submissions needs teacher_id." }],
  });
});

test("[F108] a page without narrative text or with a slot that nothing can fill yields warnings, not errors", () => {
  const input = createBlueprintInput();
  ensurePresent(input.uiComposition.tabs[0], "tab").slots = [
    { id: "kpis", componentType: "kpi_grid", dataBinding: "$compute.scoreStats" },
    { id: "empty", componentType: "chart" },
    { id: "told", componentType: "table", aiContentSlot: true },
  ];
  const checked = checkBlueprint(input, TOOL_INFOS);
  expect(checked.ok && checked.warnings.map(({ place }) => place)).toEqual([
    "uiComposition.tabs",
    "uiComposition.tabs.0.slots.1.dataBinding",
    "uiComposition.tabs.0.slots.2.aiContentSlot",
  ]);
});

test("a binding may have the id of the input that it depends on", () => {
  const rename = (b: BlueprintInput) => Object.assign(getBinding(b), { id: "assignment", dependsOn: ["assignment"] });
  expect(
    findProblemsAfter((b) => {
      rename(b);
      getNode(b, 0)["toolArgs"] = { data: "$data.assignment.scores" };
      ensurePresent(getSlots(b)[3], "slot")["dataBinding"] = "$data.assignment.submissions";
    }),
  ).toEqual([]);
});

test("[F108] an invalid query is rejected with its place", () => {
  const { infos } = createDataTools(openLibrary().data);
  const findPlaces = (paramMapping: object) => {
    const bindings = [{ id: "q", toolName: "query_dataset", paramMapping }];
    const uiComposition = { tabs: [{ id: "t", label: "", slots: [] }] };
    const input = { name: "x", dataContract: { bindings }, computeGraph: {}, uiComposition };
    const checked = checkBlueprint(input, infos);
    return checked.ok
      ? []
      : checked.problems.map(({ place }) => place.replace("dataContract.bindings.0.paramMapping.", ""));
  };
  const filter = (operator: string) => ({ column: "n", operator, value: 1 });
  expect(findPlaces({ dataset: "sales", filter: { and: [filter("eq")] } })).toEqual([]);
  expect(findPlaces({ dataset: "sales", filter: filter("resembles") })).toEqual(["filter"]);
  expect(findPlaces({ dataset: "sales", where: "1=1" })).toEqual(["where"]);
});
