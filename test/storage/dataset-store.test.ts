// Dataset tables after a failed write.

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
