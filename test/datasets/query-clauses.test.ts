// The clauses of dataset queries over a small table with gaps: filters, aggregates, groups, joins, order and limits.

import { describe, expect, test } from "vitest";
import type { Cell, Column, DatasetFilter, DatasetQuery } from "../../src/protocol/datasets/dataset.ts";
import { openLibrary, queryRows } from "../support/dataset-library.ts";

const COLUMNS: readonly Column[] = [
  { name: "k", type: "integer" },
  { name: "n", type: "integer" },
  { name: "x", type: "number" },
  { name: "b", type: "boolean" },
  { name: "t", type: "text" },
  { name: "d", type: "date" },
  { name: "at", type: "datetime" },
];
const ROWS: readonly Cell[][] = [
  [1, 3, 0.5, true, "Anna", "2024-02-29", "2024-02-29T08:30:00"],
  [2, -1, null, false, "anna", "2025-12-29", "2025-12-29T00:00:00"],
  [3, null, 2.25, null, "O'Brien", "2026-01-04", "2026-01-04T23:59:59"],
  [4, 3, -4, true, null, null, null],
];
const library = openLibrary();
library.put("all", COLUMNS, ROWS);
library.put("none", COLUMNS, []);
const query = (clauses: object, dataset = "all") => queryRows(library, { dataset, ...clauses } as DatasetQuery);

type Condition = Extract<DatasetFilter, { operator: string }>;
const is = (column: string, operator: Condition["operator"], value?: Condition["value"]): DatasetFilter =>
  value === undefined ? { column, operator } : { column, operator, value };

test.each<[DatasetFilter, number[]]>([
  [is("n", "eq", 3), [1, 4]],
  [is("n", "ne", 3), [2, 3]],
  [is("n", "lt", 3), [2]],
  [is("n", "lte", 3), [1, 2, 4]],
  [is("x", "gt", 0.5), [3]],
  [is("x", "gte", 0.5), [1, 3]],
  [is("n", "in", [-1, 7]), [2]],
  [is("x", "between", [-4, 0.5]), [1, 4]],
  [is("n", "is_gap"), [3]],
  [is("n", "is_not_gap"), [1, 2, 4]],
  [is("b", "eq", false), [2]],
  [is("b", "ne", false), [1, 3, 4]],
  [is("t", "eq", "anna"), [2]],
  [is("t", "in", ["O'Brien", "Anna"]), [1, 3]],
  [is("t", "contains", "NN"), [1, 2]],
  [is("t", "starts_with", "o'"), [3]],
  [is("d", "lt", "2026-01-01"), [1, 2]],
  [is("at", "gt", "2025-12-29T00:00:00"), [3]],
  [{ not: is("n", "gt", 0) }, [2, 3]],
  [{ and: [is("n", "eq", 3), is("x", "lt", 0)] }, [4]],
  [{ or: [is("n", "is_gap"), is("x", "lt", 0)] }, [3, 4]],
  [{ not: { or: [is("n", "eq", 3), { and: [is("t", "eq", "anna"), is("b", "eq", false)] }] } }, [3]],
])("the filter %j selects the rows %j", (filter, ids) => {
  expect(query({ select: ["k"], filter }).flat()).toEqual(ids);
});

describe("an aggregate", () => {
  test.each<[string, string | undefined, Cell, Cell]>([
    ["count", undefined, 4, 0],
    ["count", "n", 3, 0],
    ["distinct", "n", 2, 0],
    ["distinct", "t", 3, 0],
    ["sum", "n", 5, null],
    ["sum", "b", 2, null],
    ["mean", "n", 1.66666666667, null],
    ["mean", "b", 0.666666666667, null],
    ["median", "n", 3, null],
    ["stddev", "n", 2.30940107676, null],
    ["min", "x", -4, null],
    ["max", "t", "anna", null],
    ["min", "d", "2024-02-29", null],
  ])("%s of %s leaves out gaps", (name, column, value, empty) => {
    const aggregate = [{ function: name, ...(column === undefined ? {} : { column }) }];
    expect([query({ aggregate }), query({ aggregate }, "none")]).toEqual([[[value]], [[empty]]]);
  });

  test("is computed for each group, also of gaps, which come last", () => {
    const aggregate = ["count", "median", "stddev"].map((name) => ({ function: name, column: "x" }));
    expect(query({ group: ["n"], aggregate })).toEqual([
      [-1, 0, null, null],
      [3, 2, -1.75, 3.18198051534],
      [null, 1, 2.25, null],
    ]);
  });
});

test.each([
  ["day", "at", ["2024-02-29", "2025-12-29", "2026-01-04", null]],
  ["week", "d", ["2024-02-26", "2025-12-29", null]],
  ["month", "d", ["2024-02", "2025-12", "2026-01", null]],
  ["quarter", "d", ["2024-Q1", "2025-Q4", "2026-Q1", null]],
  ["year", "at", ["2024", "2025", "2026", null]],
])("a group by %s names its dates", (bucket, column, names) => {
  expect(query({ group: [{ column, bucket }] }).flat()).toEqual(names);
});

describe("an order", () => {
  test.each([
    [
      [{ by: "n" }, { by: "x", direction: "desc" }],
      [2, 1, 4, 3],
    ],
    [[{ by: "n", direction: "desc" }], [1, 4, 2, 3]],
    [[{ by: "t", direction: "desc" }], [2, 3, 1, 4]],
  ])("%j sorts gaps last and keeps the rows of a page", (order, ids) => {
    expect(query({ select: ["k"], order }).flat()).toEqual(ids);
    expect(query({ select: ["k"], order, limit: 2, offset: 1 }).flat()).toEqual(ids.slice(1, 3));
  });

  test("sorts groups by an aggregate", () => {
    const aggregate = [{ function: "sum", column: "x", as: "total" }];
    const order = [{ by: "total", direction: "desc" }];
    expect(query({ group: ["n"], aggregate, order }).map(([n]) => n)).toEqual([null, 3, -1]);
  });
});

describe("a join", () => {
  library.put(
    "other",
    [
      { name: "m", type: "number" },
      { name: "u", type: "text" },
    ],
    [
      [3, "A"],
      [3, "B"],
      [null, "C"],
    ],
  );

  test.each([
    [
      "inner",
      [
        [1, "A"],
        [1, "B"],
        [4, "A"],
        [4, "B"],
      ],
    ],
    [
      "left",
      [
        [1, "A"],
        [1, "B"],
        [2, null],
        [3, null],
        [4, "A"],
        [4, "B"],
      ],
    ],
  ])("%s matches equal keys and never gaps", (type, rows) => {
    const join = [{ dataset: "other", on: [{ left: "n", right: "m" }], type }];
    expect(query({ join, select: ["k", "u"] })).toEqual(rows);
  });

  test("needs all of its keys, and is filtered by the columns of both tables", () => {
    const on = [
      { left: "n", right: "m" },
      { left: "t", right: "u" },
    ];
    expect(query({ join: [{ dataset: "other", on }] })).toEqual([]);
    const filter = { and: [is("k", "gt", 1), is("u", "eq", "A")] };
    const join = [{ dataset: "other", on: on.slice(0, 1) }];
    expect(query({ join, filter, aggregate: [{ function: "count" }] })).toEqual([[1]]);
  });
});

test("a query reads columns that are stored in several tables", () => {
  const columns = Array.from({ length: 200 }, (_, i): Column => ({ name: `c${i}`, type: "integer" }));
  library.put(
    "wide",
    columns,
    [1, 2, 3].map((row) => columns.map((_, i) => row * 1_000 + (i % 100))),
  );
  const filter = is("c150", "gt", 1_050);
  expect(query({ select: ["c0", "c95", "c199"], filter }, "wide")).toEqual([
    [2_000, 2_095, 2_099],
    [3_000, 3_095, 3_099],
  ]);
  const aggregate = [{ function: "sum", column: "c199" }];
  expect(query({ group: ["c95"], aggregate, filter, order: [{ by: "c95", direction: "desc" }] }, "wide")).toEqual([
    [3_095, 3_099],
    [2_095, 2_099],
  ]);
});
