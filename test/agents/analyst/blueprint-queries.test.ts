import { describe, expect, test } from "vitest";
import {
  addPageFilters,
  listUnfilteredSlots,
  readsOtherDataset,
} from "../../../src/agents/analyst/blueprint/blueprint-queries.ts";
import { computePageFacts } from "../../../src/agents/analyst/talk/page-facts.ts";
import { blueprintSchema } from "../../../src/protocol/pages/blueprint-schema.ts";
import type { PageSpec } from "../../../src/protocol/pages/page.ts";

const NORTH = { column: "region", operator: "eq", value: "North" };
const SOUTH = { ...NORTH, value: "South" };
const LARGE = { column: "amount", operator: "gt", value: 100 };

/** Creates a blueprint with one query and one chart for each filter. `b0` is the query of the page. */
const createBlueprint = (filters: readonly (object | null)[], dataset = "orders") =>
  blueprintSchema.parse({
    id: "bp",
    name: "Orders",
    dataContract: {
      bindings: filters.map((filter, i) => ({
        id: `b${i}`,
        toolName: "query_dataset",
        paramMapping: { dataset: i === 0 ? "orders" : dataset, ...(filter === null ? {} : { filter }) },
      })),
    },
    computeGraph: {},
    uiComposition: {
      tabs: [
        {
          id: "all",
          label: "",
          slots: filters.map((_, i) => ({
            id: `s${i}`,
            componentType: "chart",
            dataBinding: `$data.b${i}`,
            props: { title: `Chart ${i}` },
          })),
        },
      ],
    },
  });
const listFilters = (blueprint: ReturnType<typeof createBlueprint>) =>
  blueprint.dataContract.bindings.map(({ paramMapping }) => paramMapping["filter"]);

describe("a query that a refinement adds to a page with a filter", () => {
  const page = createBlueprint([NORTH]);

  test.each<[string, object | null, unknown]>([
    ["takes the filter", null, NORTH],
    ["takes the filter beside its own", LARGE, { and: [NORTH, LARGE] }],
    ["keeps its own filter of the same column", SOUTH, SOUTH],
  ])("%s", (_, filter, expected) => {
    const after = addPageFilters(page, createBlueprint([NORTH, filter]));
    expect(listFilters(after)).toEqual([NORTH, expected]);
    expect(listUnfilteredSlots(page, after)).toEqual(filter === SOUTH ? ["Chart 1"] : []);
  });

  test("takes none of another dataset, of an unfiltered page, or of a page with different filters", () => {
    expect(listFilters(addPageFilters(page, createBlueprint([NORTH, null], "visits")))).toEqual([NORTH, undefined]);
    expect(listFilters(addPageFilters(createBlueprint([null]), createBlueprint([null, null])))).toEqual([
      undefined,
      undefined,
    ]);
    const mixed = createBlueprint([NORTH, SOUTH]);
    expect(listFilters(addPageFilters(mixed, createBlueprint([NORTH, SOUTH, null])))[2]).toBeUndefined();
  });

  test("leaves a changed filter of the page as the person wants it", () => {
    expect(listFilters(addPageFilters(page, createBlueprint([SOUTH])))).toEqual([SOUTH]);
  });
});

test("a blueprint reads another dataset if a query or a join names one that the page does not read", () => {
  const page = createBlueprint([NORTH]);
  expect(readsOtherDataset(page, createBlueprint([null, LARGE]))).toBe(false);
  expect(readsOtherDataset(page, createBlueprint([null, null], "visits"))).toBe(true);
  const joined = createBlueprint([null]);
  const [binding] = joined.dataContract.bindings;
  Object.assign(binding?.paramMapping ?? {}, { join: [{ dataset: "visits", on: [] }] });
  expect(readsOtherDataset(page, joined)).toBe(true);
});

test("the facts of a page name its highest and lowest number, without blocks of invented numbers", () => {
  const page = {
    tabs: [
      {
        blocks: [
          {
            id: "k",
            type: "kpi_grid",
            data: [
              { label: "Mean", value: "1,234.5" },
              { label: "Best", value: "North" },
            ],
          },
          { id: "c", type: "chart", title: "Sales", xAxis: ["a", "b"], series: [{ name: "n", data: [7, null] }] },
          {
            id: "t",
            type: "table",
            title: "Rows",
            headers: ["shop", "n"],
            rows: [{ cells: ["x", -3] }, { cells: ["y", 9] }],
          },
          { id: "invented", type: "kpi_grid", data: [{ label: "Total", value: "999,999.99" }] },
        ],
      },
    ],
  } as unknown as PageSpec;
  expect(computePageFacts(page, new Set(["invented"]))).toMatchObject({
    wholePage: { highest: { label: "Mean", value: 1_234.5 }, lowest: { block: "Rows", label: "x", value: -3 } },
    measures: [
      { count: 1 },
      { highest: { measure: "n", label: "a", value: 7 } },
      { highest: { label: "y", value: 9 } },
    ],
  });
  expect(computePageFacts({ ...page, tabs: [] }, new Set())).toBeNull();
});
