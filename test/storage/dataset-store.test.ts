// Dataset tables after a failed write, and rows whose JSON is much larger than their texts.

import { expect, test } from "vitest";
import { openLibrary } from "../support/dataset-library.ts";

test("a library accepts datasets after its first one could not be stored", () => {
  const library = openLibrary();
  const numbers = [{ name: "n", type: "integer" }] as const;
  expect(() => library.put("wrong", numbers, [["no number"]])).toThrow("cannot store TEXT value");
  expect(library.datasets.list()).toEqual([]);
  library.add("right", "n\n1\n2\n");
  expect(library.datasets.list().map(({ name }) => name)).toEqual(["right"]);
});

test("[I43] a row whose JSON does not fit a row of the storage is stored, between others", () => {
  const library = openLibrary();
  const cell = "\u0001".repeat(9_000);
  const row = [...Array<string>(100).fill(cell), "true", "7", ""].join(",");
  const header = Array.from({ length: 103 }, (_, i) => `c${i}`).join(",");
  const short = row.replaceAll(cell, "x");
  library.add("long", `${[header, short, row, row, short].join("\n")}\n`);
  const [dataset] = library.datasets.list();
  const { rows } = library.datasets.readRows(dataset?.dataset_id ?? "", 10, 0);
  const expected = [cell, true, 7, null];
  expect(rows.map((cells) => [cells[0], ...cells.slice(100)])).toEqual([
    ["x", ...expected.slice(1)],
    expected,
    expected,
    ["x", ...expected.slice(1)],
  ]);
});
