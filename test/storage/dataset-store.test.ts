// Datasets in their tables, when a write of them fails.

import { expect, test } from "vitest";
import { openLibrary } from "../support/library.ts";

test("a first dataset that cannot be stored leaves a library that takes others", () => {
  const library = openLibrary();
  const numbers = [{ name: "n", type: "integer" }] as const;
  expect(() => library.put("wrong", numbers, [["no number"]])).toThrow("cannot store TEXT value");
  expect(library.datasets.list()).toEqual([]);
  library.add("right", "n\n1\n2\n");
  expect(library.datasets.list().map(({ name }) => name)).toEqual(["right"]);
});
