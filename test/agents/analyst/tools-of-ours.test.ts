// What the tools over a person's data answer, shown by every block that could show it.

import * as z from "zod";
import { expect, test } from "vitest";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint-check.ts";
import type { AnalystTools } from "../../../src/agents/analyst/tools.ts";
import type { DatasetReader } from "../../../src/datasets/dataset-reader.ts";
import { dataToolRegistry } from "../../../src/datasets/tools/all-data-tools.ts";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import type { PageBlock } from "../../../src/protocol/pages/page.ts";
import { openLibrary } from "../../support/library.ts";
import { lastOf, of, run, saying, type Run } from "./stage.ts";

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

const missing = { error: { entity: "dataset", message: 'There is no dataset "x".', suggestions: ["sales"] } };
const data: DatasetReader = {
  list: () => Promise.resolve([]),
  describe: () => Promise.resolve(missing),
  query: ({ dataset }) => Promise.resolve(dataset === "sales" ? SALES : missing),
  columnStats: () => Promise.resolve(missing),
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

function made(bindings: Slots, nodes: Slots, slots: Slots, own: AnalystTools = tools): Promise<Run> {
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
  return run({ blueprint: checked.blueprint, tools: own, context: {}, model: saying("Fine.") });
}

const blockOf = ({ page }: Run, id: string): PageBlock =>
  ensurePresent(
    ensurePresent(page, "page").tabs[0]?.blocks.find((block) => block.id === id),
    id,
  );

const submissions = (id: string, assignment_id: string) => ({
  id,
  toolName: "get_assignment_submissions",
  paramMapping: { teacher_id: "$context.teacherId", assignment_id },
});

test("a node reckons with all rows of a query that does not say how many, and with as many as one says", async () => {
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
  const ran = await made(
    [query("of_all", {}), query("of_some", { limit: 5 })],
    [stats("all"), stats("some")],
    [figure("all"), figure("some"), { id: "rows", componentType: "table", dataBinding: "$data.of_all" }],
    ownTools,
  );
  expect(blockOf(ran, "all")).toMatchObject({ data: [{ value: "150" }] });
  expect(blockOf(ran, "some")).toMatchObject({ data: [{ value: "5" }] });
});

test("two classes are compared", async () => {
  const ran = await made(
    [submissions("a", "a-001"), submissions("b", "a-003")],
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
  expect(lastOf(ran).message).toBe("completed");
  expect(blockOf(ran, "kpis")).toMatchObject({
    data: [
      { label: "Form 1A · Average", value: "74.2" },
      { label: "Form 1B · Average", value: "69.5" },
      { value: "4.7", status: "up" },
    ],
  });
  expect(blockOf(ran, "bars")).toMatchObject({
    xAxis: ["Average", "Highest"],
    series: [{ data: [74.2, 91] }, { data: [69.5, 90] }],
  });
  expect(blockOf(ran, "both")).toMatchObject({ headers: ["Measure", "Group A", "Group B", "Difference"] });
  expect(blockOf(ran, "spread")).toMatchObject({ variant: "distribution", series: [{ data: [0, 0, 1, 1, 1, 1, 1] }] });
});

test("scores out of fifty are marked by their share", async () => {
  const ran = await made(
    [submissions("a", "a-002")],
    [],
    [
      { id: "whole", componentType: "table", dataBinding: "$data.a" },
      { id: "rows", componentType: "table", dataBinding: "$data.a.submissions", props: { columns: ["name", "score"] } },
    ],
  );
  const statuses = (id: string) => {
    const block = blockOf(ran, id);
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

test("a table of one's own is shown with the names that it has, gaps as gaps", async () => {
  const query = { id: "q", toolName: "query_dataset", paramMapping: { dataset: "sales" } };
  const nodes = [
    ["stats", "calculate_stats", { data: "$data.q.values.Avg. price" }],
    ["trend", "linear_trend", { y: "$data.q.values.Avg. price" }],
    ["ranking", "ranking", { labels: "$data.q.values.month", values: "$data.q.values.Avg. price" }],
    ["bins", "histogram", { data: "$data.q.values.Avg. price", bins: 2 }],
  ] as const;
  const ran = await made(
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
  expect(lastOf(ran).message).toBe("completed");
  expect(blockOf(ran, "table")).toMatchObject({
    headers: ["month", "Avg. price"],
    rows: [{ cells: ["2026-09", 10.5] }, { cells: ["2026-10", null] }, {}],
  });
  expect(blockOf(ran, "line")).toMatchObject({
    variant: "line",
    xAxis: ["2026-09", "2026-10", "2026-11"],
    series: [{ name: "Avg. price", data: [10.5, null, 12] }],
  });
  expect(blockOf(ran, "mean")).toMatchObject({
    data: [{ value: "11.25" }, {}, {}, {}, {}, { label: "Count", value: "2" }],
  });
  expect(blockOf(ran, "fitted")).toMatchObject({
    variant: "line",
    series: [{ name: "Trend", data: [10.5, 11.25, 12] }],
  });
  expect(blockOf(ran, "ranks")).toMatchObject({
    variant: "bar",
    xAxis: ["2026-11", "2026-09"],
    series: [{ data: [12, 10.5] }],
  });
  expect(blockOf(ran, "list")).toMatchObject({
    headers: ["Rank", "Name", "Value"],
    rows: [{ cells: [1, "2026-11", 12] }, {}],
  });
  expect(blockOf(ran, "bins")).toMatchObject({ variant: "distribution", series: [{ data: [1, 1] }] });
});

test("[F116] what is not there comes back with the nearest names", async () => {
  const ran = await made([{ id: "q", toolName: "query_dataset", paramMapping: { dataset: "x" } }], [], []);
  expect(of(ran.events, "DATA_ERROR")).toEqual([
    { type: "DATA_ERROR", entity: "dataset", message: 'There is no dataset "x".', suggestions: ["sales"] },
  ]);
  expect(lastOf(ran)).toMatchObject({ message: "error", result: { page: null } });
});

test("[F108] a query that cannot be right is refused with its place", () => {
  const filter = { column: "n", operator: "resembles", value: 1 };
  const wrong = (paramMapping: object) => {
    const bindings = [{ id: "q", toolName: "query_dataset", paramMapping }];
    const uiComposition = { tabs: [{ id: "t", label: "", slots: [] }] };
    const checked = checkBlueprint(
      { name: "x", dataContract: { bindings }, computeGraph: {}, uiComposition },
      tools.infos,
    );
    return checked.ok ? [] : checked.problems.map(({ place }) => place);
  };
  expect(wrong({ dataset: "sales", filter: { and: [{ column: "n", operator: "eq", value: 1 }] } })).toEqual([]);
  expect(wrong({ dataset: "sales", filter })).toEqual(["dataContract.bindings.0.paramMapping.filter"]);
  expect(wrong({ dataset: "sales", where: "1=1" })).toEqual(["dataContract.bindings.0.paramMapping.where"]);
  expect(wrong({})).toEqual(["dataContract.bindings.0.paramMapping.dataset"]);
});
