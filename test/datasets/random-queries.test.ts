// Compares random queries with an independent implementation that loops over the same rows.

import { describe, expect, test } from "vitest";
import {
  isDataFailure,
  type Cell,
  type Column,
  type DatasetQuery,
  type DatasetFilter,
} from "../../src/protocol/datasets/dataset.ts";
import { openLibrary, queryRows } from "../support/dataset-library.ts";
import { randomBetween, createRandom } from "../support/random.ts";
import { runPlainQuery, type PlainTable } from "./query-oracle.ts";

type Random = () => number;
const pick = <T>(random: Random, items: readonly T[]): T => items[randomBetween(random, 0, items.length - 1)] as T;
const pickSome = <T>(random: Random, items: readonly T[], most: number): T[] =>
  items.filter(() => random() < most / items.length).slice(0, most);

const TEXTS = ["一班", "二班", "O'Brien", `say "hi"`, "100%", "a_b", "Anna", "anna", "; DROP TABLE dataset; --", "é"];
const DATES = [
  "2024-02-29",
  "2025-12-29",
  "2025-12-31",
  "2026-01-01",
  "2026-01-04",
  "2026-03-31",
  "2026-04-01",
  "2026-11-21",
];

const VALUES: Readonly<Record<Column["type"], (random: Random) => Cell>> = {
  integer: (random) => randomBetween(random, -5, 8),
  number: (random) => randomBetween(random, -20, 20) / 4,
  boolean: (random) => random() < 0.5,
  text: (random) => pick(random, TEXTS),
  date: (random) => pick(random, DATES),
  datetime: (random) => `${pick(random, DATES)}T${pick(random, ["00:00:00", "08:30:00", "23:59:59"])}`,
};

const TYPES = Object.keys(VALUES) as Column["type"][];

function randomTable(random: Random, name: string, prefix: string): PlainTable {
  const columns = TYPES.concat("integer", "text").map((type, i) => ({ name: `${prefix}${type} ${i}`, type }));
  const gaps = pick(random, [0, 0.2, 0.9]);
  const rows = Array.from({ length: pick(random, [0, 1, 2, 12, 40]) }, () =>
    columns.map(({ type }) => (random() < gaps ? null : VALUES[type](random))),
  );
  return { name, columns, rows };
}

const OPERATORS = ["eq", "ne", "lt", "lte", "gt", "gte", "in", "between", "is_gap", "is_not_gap"] as const;
const TEXT_OPERATORS = ["contains", "starts_with"] as const;

function randomFilter(random: Random, columns: readonly Column[], depth = 0): DatasetFilter {
  const kind = depth > 2 ? 1 : random();
  const inner = (): DatasetFilter => randomFilter(random, columns, depth + 1);
  if (kind < 0.2) return { and: Array.from({ length: randomBetween(random, 1, 3) }, inner) };
  if (kind < 0.35) return { or: Array.from({ length: randomBetween(random, 1, 3) }, inner) };
  if (kind < 0.45) return { not: inner() };
  const { name: column, type } = pick(random, columns);
  const value = (): string | number | boolean => VALUES[type](random) as string | number | boolean;
  const operator = pick(random, type === "text" ? [...OPERATORS, ...TEXT_OPERATORS] : OPERATORS);
  switch (operator) {
    case "is_gap":
    case "is_not_gap":
      return { column, operator };
    case "in":
      return { column, operator, value: Array.from({ length: randomBetween(random, 1, 3) }, value) };
    case "between":
      return { column, operator, value: [value(), value()] };
    case "contains":
    case "starts_with":
      return { column, operator, value: pick(random, ["a", "N", "%", "_", "班", "'", '"', "一班", ""]) };
    default:
      return { column, operator, value: value() };
  }
}

function randomQuery(random: Random, [left, right]: readonly [PlainTable, PlainTable]): DatasetQuery {
  const isJoined = random() < 0.4;
  const columns = isJoined ? [...left.columns, ...right.columns] : left.columns;
  const type = pick(random, TYPES);
  const findKey = (table: PlainTable): string => table.columns.find((column) => column.type === type)?.name ?? "";
  const on = [
    { left: random() < 0.5 ? findKey(left) : { dataset: left.name, column: findKey(left) }, right: findKey(right) },
  ];
  const base: DatasetQuery = {
    dataset: left.name,
    ...(isJoined ? { join: [{ dataset: right.name, on, type: pick(random, ["inner", "left"]) }] } : {}),
    ...(random() < 0.7 ? { filter: randomFilter(random, columns) } : {}),
    limit: pick(random, [1, 5, 100, 10_000]),
    offset: pick(random, [0, 0, 1, 7]),
  };
  const directions = ["asc", "desc"] as const;
  const order = (names: readonly string[]) => {
    const by = pickSome(random, names, 3).map((name) => ({ by: name, direction: pick(random, directions) }));
    return by.length === 0 ? {} : { order: by };
  };
  const names = columns.map(({ name }) => name);
  if (random() < 0.4) {
    const select = pickSome(random, names, 5);
    return { ...base, ...(select.length === 0 ? {} : { select }), ...order(names) };
  }
  const dates = columns.filter((column) => column.type === "date" || column.type === "datetime");
  const group = [
    ...pickSome(random, names, 1),
    ...pickSome(random, dates, 1).map(({ name: column }) => ({
      column,
      bucket: pick(random, ["day", "week", "month", "quarter", "year"] as const),
    })),
  ];
  const numeric = columns.filter((column) => ["integer", "number", "boolean"].includes(column.type));
  const aggregate = [
    { function: "count" as const },
    ...pickSome(random, numeric, 3).map(({ name: column }) => ({
      function: pick(random, ["sum", "mean", "median", "stddev"] as const),
      column,
    })),
    ...pickSome(random, columns, 2).map(({ name: column }) => ({
      function: pick(random, ["count", "distinct", "min", "max"] as const),
      column,
    })),
  ].map((item, i) => ({ ...item, as: `a${i}` }));
  // Standard deviations may differ in the last digit, which could change the order.
  const sortable = aggregate.filter((item) => item.function !== "stddev").map(({ as }) => as);
  return { ...base, ...(group.length === 0 ? {} : { group }), aggregate, ...order(sortable) };
}

function expectSameRows(found: readonly (readonly Cell[])[], expected: readonly (readonly Cell[])[]): void {
  const rounded = expected.map((row) =>
    row.map((cell) => (typeof cell === "number" && !Number.isInteger(cell) ? (expect.closeTo(cell, 8) as Cell) : cell)),
  );
  expect(found).toEqual(rounded);
}

describe("random query on random tables", () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))(
    "gives the same result as plain loops with seed %i",
    (seed) => {
      const random = createRandom(seed);
      const tables = [randomTable(random, "左", "l "), randomTable(random, "right's", "r ")] as const;
      const library = openLibrary();
      for (const { name, columns, rows } of tables) library.put(name, columns, rows);
      for (let i = 0; i < 10; i++) {
        const query = randomQuery(random, tables);
        const result = library.datasets.query(query);
        if (isDataFailure(result)) throw new Error(`${result.error.message} ${JSON.stringify(query)}`);
        const expected = runPlainQuery(query, tables);
        expect(result.columns.map(({ name }) => name)).toEqual(expected.names);
        expectSameRows(result.rows, expected.rows);
      }
    },
  );

  test("gives the same result if the columns are stored in several tables", () => {
    const random = createRandom(7);
    const columns = Array.from({ length: 200 }, (_, i): Column => ({ name: `c${i}`, type: pick(random, TYPES) }));
    const rows = Array.from({ length: 20 }, () =>
      columns.map(({ type }) => (random() < 0.2 ? null : VALUES[type](random))),
    );
    const tables = [
      { name: "wide", columns, rows },
      {
        name: "other",
        columns: columns.map((column) => ({ ...column, name: `o${column.name}` })),
        rows: rows.slice(5),
      },
    ] as const;
    const library = openLibrary();
    for (const table of tables) library.put(table.name, table.columns, table.rows);
    for (let i = 0; i < 60; i++) {
      const query = randomQuery(random, tables);
      const selectsAll = query.select === undefined && query.aggregate === undefined;
      const executed = selectsAll ? { ...query, select: ["c0", "c95", "c199"] } : query;
      expectSameRows(queryRows(library, executed), runPlainQuery(executed, tables).rows);
    }
  });
});
