import { expect, test } from "vitest";
import { sortTable } from "../../../src/agents/analyst/sort-table.ts";

const TABLE = {
  columns: ["name", "score"],
  rows: [
    { name: "Bo", score: 9 },
    { name: "Al", score: null },
    { name: "Cy", score: "10" },
  ],
};
const names = (props: Record<string, unknown>) => sortTable(TABLE, props).rows.map(({ name }) => name);

test("rows are sorted by a column, the greatest first, those without a value last", () => {
  expect(names({ sortBy: "score" })).toEqual(["Cy", "Bo", "Al"]);
  expect(names({ sortBy: "score", sortDirection: "asc" })).toEqual(["Bo", "Cy", "Al"]);
  expect(names({ sortBy: "name", sortDirection: "asc" })).toEqual(["Al", "Bo", "Cy"]);
});

test("a column that is not there sorts nothing", () => {
  expect(names({ sortBy: "age" })).toEqual(["Bo", "Al", "Cy"]);
  expect(names({})).toEqual(["Bo", "Al", "Cy"]);
});
