import { expect, test } from "vitest";
import { sortTable } from "../../../src/agents/analyst/blocks/sort-table.ts";

const TABLE = {
  columns: ["name", "score"],
  rows: [
    { name: "Bo", score: 9 },
    { name: "Al", score: null },
    { name: "Cy", score: "10" },
  ],
};
const sortNames = (props: Record<string, unknown>) => sortTable(TABLE, props).rows.map(({ name }) => name);

test("sortTable sorts rows by a column in descending order by default, rows without a value last", () => {
  expect(sortNames({ sortBy: "score" })).toEqual(["Cy", "Bo", "Al"]);
  expect(sortNames({ sortBy: "score", sortDirection: "asc" })).toEqual(["Bo", "Cy", "Al"]);
  expect(sortNames({ sortBy: "name", sortDirection: "asc" })).toEqual(["Al", "Bo", "Cy"]);
});

test("sortTable keeps the order for an unknown or missing column", () => {
  expect(sortNames({ sortBy: "age" })).toEqual(["Bo", "Al", "Cy"]);
  expect(sortNames({})).toEqual(["Bo", "Al", "Cy"]);
});
