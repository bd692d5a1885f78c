// Results of the data tools, in every block that can show them.

import * as z from "zod";
import { expect, test } from "vitest";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint/blueprint-check.ts";
import type { AnalystTools } from "../../../src/agents/analyst/tools.ts";
import type { DatasetReader } from "../../../src/datasets/dataset-reader.ts";
import { dataToolRegistry } from "../../../src/datasets/tools/all-data-tools.ts";
import { ensurePresent } from "../../../src/lib/assert.ts";
import type { PageBlock } from "../../../src/protocol/pages/page.ts";
import { openLibrary } from "../../support/dataset-library.ts";
import { getCompleteEvent, filterByType, runExecution, createTextModel, type ExecutionRun } from "./run-execution.ts";

const SALES = {
  columns: [
    { name: "month", type: "text" as const },
    { name: "Avg. price", type: "number" as const },
  ],
  rows: [
    ["2026-09", 10.5],
    ["2026-10", null],
    ["2026-11", 12],
  ],
  is_truncated: false,
};

const MISSING_DATASET = { error: { entity: "dataset", message: 'There is no dataset "x".', suggestions: ["sales"] } };
const data: DatasetReader = {
  list: () => Promise.resolve([]),
  describe: () => Promise.resolve(MISSING_DATASET),
  query: ({ dataset }) => Promise.resolve(dataset === "sales" ? SALES : MISSING_DATASET),
  columnStats: () => Promise.resolve(MISSING_DATASET),
};

const tools: AnalystTools = {
  infos: dataToolRegistry.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: z.toJSONSchema(parameters, { io: "input", unrepresentable: "any" }),
  })),
  call: (name, args) => dataToolRegistry.call(name, args, data),
};

type Slots = Record<string, unknown>[];

function runBlueprint(
  bindings: Slots,
  nodes: Slots,
  slots: Slots,
  ownTools: AnalystTools = tools,
): Promise<ExecutionRun> {
  const checked = checkBlueprint(
    {
      name: "All",
      dataContract: { bindings },
      computeGraph: { nodes },
      uiComposition: { tabs: [{ id: "t", label: "T", slots }] },
    },
    tools.infos,
  );
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return runExecution({ blueprint: checked.blueprint, tools: ownTools, context: {}, model: createTextModel("Fine.") });
}

const getBlock = ({ page }: ExecutionRun, id: string): PageBlock =>
  ensurePresent(
    ensurePresent(page, "page").tabs[0]?.blocks.find((block) => block.id === id),
    id,
  );

const createSubmissionsBinding = (id: string, assignment_id: string) => ({
  id,
  toolName: "get_assignment_submissions",
  paramMapping: { teacher_id: "$context.teacherId", assignment_id },
});

test("a node computes over all rows of a query without a limit, and over the limited rows otherwise", async () => {
  const library = openLibrary();
  library.add("many", `v\n${Array.from({ length: 150 }, (_, i) => i + 1).join("\n")}\n`);
  const ownTools = { ...tools, call: (name: string, args: unknown) => dataToolRegistry.call(name, args, library.data) };
  const query = (id: string, more: object) => ({
    id,
    toolName: "query_dataset",
    paramMapping: { dataset: "many", select: ["v"], ...more },
  });
  const stats = (outputKey: string) => ({
    id: outputKey,
    type: "tool",
    toolName: "calculate_stats",
    toolArgs: { data: `$data.of_${outputKey}.values.v`, metrics: ["max"] },
    outputKey,
  });
  const figure = (id: string) => ({ id, componentType: "kpi_grid", dataBinding: `$compute.${id}.max` });
  const ran = await runBlueprint(
    [query("of_all", {}), query("of_some", { limit: 5 })],
    [stats("all"), stats("some")],
    [figure("all"), figure("some"), { id: "rows", componentType: "table", dataBinding: "$data.of_all" }],
    ownTools,
  );
  expect(getBlock(ran, "all")).toMatchObject({ data: [{ value: "150" }] });
  expect(getBlock(ran, "some")).toMatchObject({ data: [{ value: "5" }] });
});

test("the comparison of two classes fills figures, bars and a table", async () => {
  const ran = await runBlueprint(
    [createSubmissionsBinding("a", "a-001"), createSubmissionsBinding("b", "a-003")],
    [
      {
        id: "c",
        type: "tool",
        toolName: "compare_performance",
        toolArgs: { group_a: "$data.a.scores", group_b: "$data.b.scores", metrics: "$context.nothing" },
        outputKey: "c",
      },
    ],
    [
      {
        id: "kpis",
        componentType: "kpi_grid",
        dataBinding: "$compute.c",
        props: { groupNames: ["$data.a.class_name", "$data.b.class_name"] },
      },
      { id: "bars", componentType: "chart", dataBinding: "$compute.c", props: { metrics: ["mean", "max"] } },
      { id: "both", componentType: "table", dataBinding: "$compute.c" },
      { id: "spread", componentType: "chart", dataBinding: "$compute.c.group_a" },
    ],
  );
  expect(getCompleteEvent(ran).message).toBe("completed");
  expect(getBlock(ran, "kpis")).toMatchObject({
    data: [
      { label: "Form 1A · Average", value: "74.2" },
      { label: "Form 1B · Average", value: "69.5" },
      { value: "4.7", status: "up" },
    ],
  });
  expect(getBlock(ran, "bars")).toMatchObject({
    xAxis: ["Average", "Highest"],
    series: [{ data: [74.2, 91] }, { data: [69.5, 90] }],
  });
  expect(getBlock(ran, "both")).toMatchObject({ headers: ["Measure", "Group A", "Group B", "Difference"] });
  expect(getBlock(ran, "spread")).toMatchObject({ variant: "distribution", series: [{ data: [0, 0, 1, 1, 1, 1, 1] }] });
});

test("scores out of 50 are marked by their share", async () => {
  const ran = await runBlueprint(
    [createSubmissionsBinding("a", "a-002")],
    [],
    [
      { id: "whole", componentType: "table", dataBinding: "$data.a" },
      { id: "rows", componentType: "table", dataBinding: "$data.a.submissions", props: { columns: ["name", "score"] } },
    ],
  );
  const statuses = (id: string) => {
    const block = getBlock(ran, id);
    return block.type === "table" ? block.rows.map(({ cells, status }) => [cells.at(-1), status]) : [];
  };
  expect(statuses("rows")).toEqual([
    [32, "normal"],
    [45, "success"],
    [38, "normal"],
    [47, "success"],
    [35, "normal"],
  ]);
  expect(statuses("whole").map(([, status]) => status)).toEqual(["normal", "success", "normal", "success", "normal"]);
});

test("a table of the user is shown with its own names and with gaps", async () => {
  const query = { id: "q", toolName: "query_dataset", paramMapping: { dataset: "sales" } };
  const nodes = [
    ["stats", "calculate_stats", { data: "$data.q.values.Avg. price" }],
    ["trend", "linear_trend", { y: "$data.q.values.Avg. price" }],
    ["ranking", "ranking", { labels: "$data.q.values.month", values: "$data.q.values.Avg. price" }],
    ["bins", "histogram", { data: "$data.q.values.Avg. price", bins: 2 }],
  ] as const;
  const ran = await runBlueprint(
    [query],
    nodes.map(([id, toolName, toolArgs]) => ({ id, type: "tool", toolName, toolArgs, outputKey: id })),
    [
      { id: "table", componentType: "table", dataBinding: "$data.q" },
      { id: "line", componentType: "chart", dataBinding: "$data.q" },
      { id: "mean", componentType: "kpi_grid", dataBinding: "$compute.stats" },
      { id: "fitted", componentType: "chart", dataBinding: "$compute.trend" },
      { id: "ranks", componentType: "chart", dataBinding: "$compute.ranking" },
      { id: "list", componentType: "table", dataBinding: "$compute.ranking" },
      { id: "bins", componentType: "chart", dataBinding: "$compute.bins" },
    ],
  );
  expect(getCompleteEvent(ran).message).toBe("completed");
  expect(getBlock(ran, "table")).toMatchObject({
    headers: ["month", "Avg. price"],
    rows: [{ cells: ["2026-09", 10.5] }, { cells: ["2026-10", null] }, {}],
  });
  expect(getBlock(ran, "line")).toMatchObject({
    variant: "line",
    xAxis: ["2026-09", "2026-10", "2026-11"],
    series: [{ name: "Avg. price", data: [10.5, null, 12] }],
  });
  expect(getBlock(ran, "mean")).toMatchObject({
    data: [{ value: "11.25" }, {}, {}, {}, {}, { label: "Count", value: "2" }],
  });
  expect(getBlock(ran, "fitted")).toMatchObject({
    variant: "line",
    series: [{ name: "Trend", data: [10.5, 11.25, 12] }],
  });
  expect(getBlock(ran, "ranks")).toMatchObject({
    variant: "bar",
    xAxis: ["2026-11", "2026-09"],
    series: [{ data: [12, 10.5] }],
  });
  expect(getBlock(ran, "list")).toMatchObject({
    headers: ["Rank", "Name", "Value"],
    rows: [{ cells: [1, "2026-11", 12] }, {}],
  });
  expect(getBlock(ran, "bins")).toMatchObject({ variant: "distribution", series: [{ data: [1, 1] }] });
});

test("[F116] an unknown dataset is reported with the nearest names", async () => {
  const ran = await runBlueprint([{ id: "q", toolName: "query_dataset", paramMapping: { dataset: "x" } }], [], []);
  expect(filterByType(ran.events, "DATA_ERROR")).toEqual([
    { type: "DATA_ERROR", entity: "dataset", message: 'There is no dataset "x".', suggestions: ["sales"] },
  ]);
  expect(getCompleteEvent(ran)).toMatchObject({ message: "error", result: { page: null } });
});

test("[F108] an invalid query is rejected with its place", () => {
  const filter = { column: "n", operator: "resembles", value: 1 };
  const findPlaces = (paramMapping: object) => {
    const bindings = [{ id: "q", toolName: "query_dataset", paramMapping }];
    const uiComposition = { tabs: [{ id: "t", label: "", slots: [] }] };
    const checked = checkBlueprint(
      { name: "x", dataContract: { bindings }, computeGraph: {}, uiComposition },
      tools.infos,
    );
    return checked.ok ? [] : checked.problems.map(({ place }) => place);
  };
  expect(findPlaces({ dataset: "sales", filter: { and: [{ column: "n", operator: "eq", value: 1 }] } })).toEqual([]);
  expect(findPlaces({ dataset: "sales", filter })).toEqual(["dataContract.bindings.0.paramMapping.filter"]);
  expect(findPlaces({ dataset: "sales", where: "1=1" })).toEqual(["dataContract.bindings.0.paramMapping.where"]);
  expect(findPlaces({})).toEqual(["dataContract.bindings.0.paramMapping.dataset"]);
});
