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

/** The parts of the valid blueprint that the rows below change. */
const getParts = (input: BlueprintInput) => ({
  input,
  nodes: input.computeGraph.nodes,
  bindings: input.dataContract.bindings,
  stats: getNode(input, 0),
  insight: getNode(input, 1),
  binding: getBinding(input),
  kpis: ensurePresent(getSlots(input)[1], "slot"),
});
type Change = (parts: ReturnType<typeof getParts>) => unknown;
const setArgs =
  (more: object): Change =>
  ({ binding }) =>
    (binding["paramMapping"] = { teacher_id: "t", assignment_id: "a", ...more });

test.each<[string, Change, string, RegExp]>([
  ["an unknown tool", ({ stats }) => (stats["toolName"] = "x"), "nodes.0.toolName", /no tool x\. There are: get_/],
  ["no tool", ({ stats }) => delete stats["toolName"], "nodes.0.toolName", /named/],
  [
    "an unknown tool of a binding",
    ({ binding }) => (binding["toolName"] = "x"),
    "bindings.0.toolName",
    /There are: get_/,
  ],
  ["an unknown argument", setArgs({ limit: 3 }), "bindings.0.paramMapping.limit", /no parameter limit.*teacher_id/],
  ["a member of objects", setArgs({ constructor: 1 }), "bindings.0.paramMapping.constructor", /no parameter/],
  [
    "a missing argument",
    setArgs({ assignment_id: null }),
    "bindings.0.paramMapping.assignment_id",
    /needs assignment_id/,
  ],
  [
    "an argument of a wrong type",
    ({ stats }) => (stats["toolArgs"] = { data: "all" }),
    "nodes.0.toolArgs.data",
    /array/,
  ],
  [
    "an argument outside its enumeration",
    ({ stats }) => (stats["toolArgs"] = { data: [1], metrics: ["vibe"] }),
    "nodes.0.toolArgs.metrics.0",
    /mean/,
  ],
  ["an unknown component", ({ kpis }) => (kpis["componentType"] = "map"), "slots.1.componentType", /kpi_grid/],
  ["no tab", ({ input }) => (input.uiComposition.tabs = []), "uiComposition.tabs", />=1|at least|small/i],
  [
    "four tabs",
    ({ input }) => (input.uiComposition.tabs = [1, 2, 3, 4].map((n) => ({ id: `t${n}`, label: "", slots: [] }))),
    "uiComposition.tabs",
    /<=3|at most|big/i,
  ],
  ["a slot twice", ({ input, kpis }) => getSlots(input).push({ ...kpis }), "slots.4.id", /twice/],
  ["a binding twice", ({ bindings, binding }) => bindings.push(binding), "bindings.1.id", /twice/],
  ["an output twice", ({ insight }) => (insight["outputKey"] = "scoreStats"), "nodes.1.outputKey", /twice/],
  ["a node twice", ({ insight }) => (insight["id"] = "stats"), "nodes.1.id", /twice/],
  ["an unknown needed node", ({ insight }) => (insight["dependsOn"] = ["x"]), "nodes.1.dependsOn.0", /no x/],
  ["an unknown needed input", ({ binding }) => (binding["dependsOn"] = ["x"]), "bindings.0.dependsOn.0", /no x/],
  [
    "a reference to an unknown binding",
    ({ stats }) => (stats["toolArgs"] = { data: "$data.grades.scores" }),
    "nodes.0.toolArgs.data",
    /\$data\.grades\.scores refers to nothing\. There is: \$data\.submissions/,
  ],
  [
    "a reference to an unknown input",
    setArgs({ assignment_id: "$input.class" }),
    "bindings.0.paramMapping.assignment_id",
    /\$input\.class/,
  ],
  [
    "a slot of an unknown output",
    ({ kpis }) => (kpis["dataBinding"] = "$compute.x"),
    "slots.1.dataBinding",
    /\$compute\.x/,
  ],
  ["a slot bound to plain text", ({ kpis }) => (kpis["dataBinding"] = "x"), "slots.1.dataBinding", /no reference/],
  [
    "a property that refers to an unknown binding",
    ({ kpis }) => (kpis["props"] = { data: [{ value: "$data.q" }] }),
    "slots.1.props.data.0.value",
    /\$data\.q/,
  ],
  [
    "a prompt that refers to an unknown output",
    ({ insight }) => (insight["promptTemplate"] = "From $compute.nope."),
    "nodes.1.promptTemplate",
    /\$compute\.nope/,
  ],
  [
    "an AI node without a prompt",
    ({ insight }) => delete insight["promptTemplate"],
    "nodes.1.promptTemplate",
    /prompt/,
  ],
  [
    "a binding that refers to a computed value",
    setArgs({ assignment_id: "$compute.scoreStats.id" }),
    "bindings.0.paramMapping.assignment_id",
    /not known yet/,
  ],
  ["a cycle of nodes", ({ stats }) => (stats["dependsOn"] = ["insight"]), "nodes", /stats → insight → stats/],
  [
    "a cycle of references among bindings",
    (parts) => {
      setArgs({ assignment_id: "$data.other.id" })(parts);
      parts.bindings.push({ id: "other", sourceType: "static", paramMapping: { id: "$data.submissions.id" } });
    },
    "bindings",
    /submissions → other → submissions/,
  ],
  [
    "a tool that reads the text of a model",
    ({ nodes }) => {
      const toolArgs = { data: ["$compute.insightText"] };
      nodes.push({ id: "n", type: "tool", toolName: "calculate_stats", toolArgs, outputKey: "n" });
    },
    "nodes.2",
    /AI node insight/,
  ],
  [
    "a binding with an API path",
    ({ binding }) => Object.assign(binding, { sourceType: "api", apiPath: "/x" }),
    "bindings.0.sourceType",
    /not called/,
  ],
  ["no name", ({ input }) => delete input["name"], "name", /./],
])("[F108] %s is rejected with its place", (_, change, place, message) => {
  const problems = findProblemsAfter((input) => void change(getParts(input)));
  const full = place
    .replace(/^nodes/, "computeGraph.nodes")
    .replace(/^bindings/, "dataContract.bindings")
    .replace(/^slots/, "uiComposition.tabs.0.slots");
  expect(problems).toContainEqual([full, expect.stringMatching(message) as string]);
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
