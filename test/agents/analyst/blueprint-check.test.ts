import { expect, test } from "vitest";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint-check.ts";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { blueprintInput, infos, type Input, type Part } from "./classroom.ts";

const slots = (input: Input): Part[] => ensurePresent(input.uiComposition.tabs[0], "tab").slots;
const node = (input: Input, i: number): Part => ensurePresent(input.computeGraph.nodes[i], "node");
const binding = (input: Input, i = 0): Part => ensurePresent(input.dataContract.bindings[i], "binding");

function problemsAfter(change: (input: Input) => void): [string, string][] {
  const input = blueprintInput();
  change(input);
  const checked = checkBlueprint(input, infos);
  return checked.ok ? [] : checked.problems.map(({ place, message }) => [place, message]);
}

test("[F108] a whole blueprint passes, and what it leaves out is filled in", () => {
  const checked = checkBlueprint(blueprintInput(), infos, { sourcePrompt: "analyse unit 5", now: 0 });
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
  const { id: _, ...rest } = blueprintInput();
  expect(checkBlueprint({ ...rest, sourcePrompt: "mine", createdAt: "then" }, infos)).toMatchObject({
    blueprint: { id: expect.stringMatching(/^bp-[0-9a-f]{32}$/) as string, sourcePrompt: "mine", createdAt: "then" },
  });
});

test.each<[string, (input: Input) => void, string, RegExp]>([
  [
    "an unknown tool of a node",
    (b) => (node(b, 0)["toolName"] = "guess"),
    "computeGraph.nodes.0.toolName",
    /no tool guess/,
  ],
  [
    "an unknown tool of a binding",
    (b) => (binding(b)["toolName"] = "x"),
    "dataContract.bindings.0.toolName",
    /There are: get_/,
  ],
  ["a tool without a name", (b) => delete node(b, 0)["toolName"], "computeGraph.nodes.0.toolName", /named/],
  [
    "an unknown argument",
    (b) => (binding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "a", limit: 3 }),
    "dataContract.bindings.0.paramMapping.limit",
    /no parameter limit.*teacher_id, assignment_id/,
  ],
  [
    "an argument that every object has",
    (b) => (binding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "a", constructor: "x" }),
    "dataContract.bindings.0.paramMapping.constructor",
    /no parameter constructor/,
  ],
  [
    "a missing argument",
    (b) => (binding(b)["paramMapping"] = { teacher_id: "t" }),
    "dataContract.bindings.0.paramMapping.assignment_id",
    /needs assignment_id/,
  ],
  [
    "an argument of the wrong type",
    (b) => (node(b, 0)["toolArgs"] = { data: "all of them" }),
    "computeGraph.nodes.0.toolArgs.data",
    /array/,
  ],
  [
    "an argument that is none of its values",
    (b) => (node(b, 0)["toolArgs"] = { data: [1], metrics: ["vibe"] }),
    "computeGraph.nodes.0.toolArgs.metrics.0",
    /mean/,
  ],
  [
    "an unknown component",
    (b) => (ensurePresent(slots(b)[1], "slot")["componentType"] = "map"),
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
  ["the same slot twice", (b) => slots(b).push({ ...slots(b)[1] }), "uiComposition.tabs.0.slots.4.id", /twice/],
  ["the same binding twice", (b) => b.dataContract.bindings.push(binding(b)), "dataContract.bindings.1.id", /twice/],
  ["the same output twice", (b) => (node(b, 1)["outputKey"] = "scoreStats"), "computeGraph.nodes.1.outputKey", /twice/],
  ["the same node twice", (b) => (node(b, 1)["id"] = "stats"), "computeGraph.nodes.1.id", /twice/],
  [
    "a node that depends on nothing there",
    (b) => (node(b, 1)["dependsOn"] = ["x"]),
    "computeGraph.nodes.1.dependsOn.0",
    /no x/,
  ],
  [
    "a binding that depends on nothing there",
    (b) => (binding(b)["dependsOn"] = ["x"]),
    "dataContract.bindings.0.dependsOn.0",
    /no x/,
  ],
  [
    "a reference to a binding that is not there",
    (b) => (node(b, 0)["toolArgs"] = { data: "$data.grades.scores" }),
    "computeGraph.nodes.0.toolArgs.data",
    /\$data\.grades\.scores refers to nothing\. There is: \$data\.submissions/,
  ],
  [
    "a reference to an input that is not there",
    (b) => (binding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "$input.class" }),
    "dataContract.bindings.0.paramMapping.assignment_id",
    /\$input\.class/,
  ],
  [
    "a slot bound to nothing there",
    (b) => (ensurePresent(slots(b)[1], "slot")["dataBinding"] = "$compute.x"),
    "uiComposition.tabs.0.slots.1.dataBinding",
    /\$compute\.x/,
  ],
  [
    "a slot bound to plain words",
    (b) => (ensurePresent(slots(b)[1], "slot")["dataBinding"] = "scoreStats"),
    "uiComposition.tabs.0.slots.1.dataBinding",
    /no reference/,
  ],
  [
    "a property that refers to nothing",
    (b) => (ensurePresent(slots(b)[1], "slot")["props"] = { data: [{ value: "$data.q" }] }),
    "uiComposition.tabs.0.slots.1.props.data.0.value",
    /\$data\.q/,
  ],
  [
    "a prompt that refers to nothing",
    (b) => (node(b, 1)["promptTemplate"] = "From $compute.nope."),
    "computeGraph.nodes.1.promptTemplate",
    /\$compute\.nope/,
  ],
  [
    "an AI node without a prompt",
    (b) => delete node(b, 1)["promptTemplate"],
    "computeGraph.nodes.1.promptTemplate",
    /prompt/,
  ],
  [
    "data that needs what is computed later",
    (b) => (binding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "$compute.scoreStats.id" }),
    "dataContract.bindings.0.paramMapping.assignment_id",
    /not known yet/,
  ],
  [
    "a circle of nodes",
    (b) => (node(b, 0)["dependsOn"] = ["insight"]),
    "computeGraph.nodes",
    /stats → insight → stats/,
  ],
  [
    "a circle of references among bindings",
    (b) => {
      binding(b)["paramMapping"] = { teacher_id: "t", assignment_id: "$data.other.id" };
      b.dataContract.bindings.push({ id: "other", sourceType: "static", paramMapping: { id: "$data.submissions.id" } });
    },
    "dataContract.bindings",
    /submissions → other → submissions/,
  ],
  [
    "a tool that works on what a model wrote",
    (b) => {
      const args = { data: ["$compute.insightText"] };
      b.computeGraph.nodes.push({ id: "n", type: "tool", toolName: "calculate_stats", toolArgs: args, outputKey: "n" });
    },
    "computeGraph.nodes.2",
    /AI node insight/,
  ],
  [
    "an address to be called",
    (b) => Object.assign(binding(b), { sourceType: "api", apiPath: "/x" }),
    "dataContract.bindings.0.sourceType",
    /not called/,
  ],
  ["no name", (b) => delete b["name"], "name", /./],
])("[F108] %s is refused with its place", (_, change, place, message) => {
  expect(problemsAfter(change)).toContainEqual([place, expect.stringMatching(message) as string]);
});

test.each([[null], ["text"], [[]], [{}], [1]])("%j is no blueprint", (input) => {
  expect(checkBlueprint(input, infos).ok).toBe(false);
});

test("nothing that is nested without end, or enormous, is read at all", () => {
  const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown;
  expect(checkBlueprint({ ...blueprintInput(), extra: deep }, infos)).toMatchObject({
    ok: false,
    problems: [{ message: expect.stringContaining("deep") as string }],
  });
  expect(checkBlueprint({ ...blueprintInput(), extra: "x".repeat(300_000) }, infos).ok).toBe(false);
});

test("[F108] null stands for what is left out", () => {
  const input = blueprintInput();
  Object.assign(binding(input), { apiPath: null, dependsOn: null, required: null });
  Object.assign(node(input, 0), { promptTemplate: null, dependsOn: null });
  Object.assign(node(input, 1), { toolName: null, toolArgs: null });
  Object.assign(ensurePresent(slots(input)[1], "slot"), { props: null });
  const nothing = { sourcePrompt: null, createdAt: null, icon: null };
  expect(checkBlueprint({ ...input, ...nothing }, infos, { sourcePrompt: "x" })).toMatchObject({
    ok: true,
    blueprint: { sourcePrompt: "x", icon: "chart" },
  });
  binding(input)["paramMapping"] = { teacher_id: null, assignment_id: "a" };
  expect(checkBlueprint(input, infos)).toMatchObject({
    problems: [{ message: "get_assignment_submissions needs teacher_id." }],
  });
});

test("[F108] a page without a narrative is no error but a warning, and so is a slot that nothing can fill", () => {
  const input = blueprintInput();
  ensurePresent(input.uiComposition.tabs[0], "tab").slots = [
    { id: "kpis", componentType: "kpi_grid", dataBinding: "$compute.scoreStats" },
    { id: "empty", componentType: "chart" },
    { id: "told", componentType: "table", aiContentSlot: true },
  ];
  const checked = checkBlueprint(input, infos);
  expect(checked.ok && checked.warnings.map(({ place }) => place)).toEqual([
    "uiComposition.tabs",
    "uiComposition.tabs.0.slots.1.dataBinding",
    "uiComposition.tabs.0.slots.2.aiContentSlot",
  ]);
});

test("a binding may be called as the input that it depends on", () => {
  const rename = (b: Input) => Object.assign(binding(b), { id: "assignment", dependsOn: ["assignment"] });
  expect(
    problemsAfter((b) => {
      rename(b);
      node(b, 0)["toolArgs"] = { data: "$data.assignment.scores" };
      ensurePresent(slots(b)[3], "slot")["dataBinding"] = "$data.assignment.submissions";
    }),
  ).toEqual([]);
});
