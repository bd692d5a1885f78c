// File contents reach the table unchanged or are rejected; nothing is changed without a note.

import { describe, expect, test } from "vitest";
import { openLibrary } from "../support/dataset-library.ts";
import { catchFault, getNames, readTable } from "./parsed-table.ts";

describe("parseTable()", () => {
  test("keeps JSON numbers that JavaScript cannot represent as text", () => {
    const file = `[{"id":9007199254740993,"huge":1e999,"n":1.5},{"id":2,"huge":7,"n":1e300}]`;
    const table = readTable(file, "json");
    expect(table.rows).toEqual([
      ["9007199254740993", "1e999", 1.5],
      ["2", "7", 1e300],
    ]);
  });

  test("does not decode single Western letters as halves of Chinese characters", () => {
    const bytes = Uint8Array.from(
      [..."Gr\u00f6\u00dfe,St\u00e4dte\nJ\u00f6rg,1\n"].map((letter) => letter.charCodeAt(0)),
    );
    expect(getNames(readTable(bytes))).toEqual(["Größe", "Städte"]);
  });
});

test("parseTable() decodes rare Chinese characters whose second byte is a letter as Chinese", () => {
  // 學校,國 above 學 and 1, in GBK.
  const header = [0x8c, 0x57, 0xd0, 0xa3, 0x2c, 0x87, 0xf8, 0x0a];
  const table = readTable([...header, 0x8c, 0x57, 0x2c, 0x31, 0x0a, 0x8c, 0x57, 0x2c, 0x32, 0x0a]);
  expect([getNames(table), table.rows[0]]).toEqual([
    ["學校", "國"],
    ["學", 1],
  ]);
});

describe("column name that looks like a blueprint reference", () => {
  test.each(["$data.x", "$compute.a", " $input.b", "$context.c"])("loses the leading sign of %s", (header) => {
    const table = readTable(`${header},$other.x,$5\n1,2,3\n`);
    expect(getNames(table)).toEqual([header.trim().slice(1), "$other.x", "$5"]);
    expect(table.notes).toEqual([expect.stringContaining(header.trim().slice(1))]);
  });
});

test("a dataset name that looks like a reference loses its leading sign", () => {
  const library = openLibrary();
  const { dataset_id, name } = library.add("$data.scores", "a\n1\n");
  expect(name).toBe("data.scores");
  expect(library.datasets.rename(dataset_id, " $compute.x", 2).name).toBe("compute.x");
});

describe("JSON list of lists", () => {
  test("takes its first list as the header", () => {
    const table = readTable('[["name","n"],["甲",1]]', "json");
    expect([getNames(table), table.rows]).toEqual([["name", "n"], [["甲", 1]]]);
    expect(catchFault(() => readTable('[["name","n"],["甲",1],["乙"]]', "json")).message).toMatch(
      /^Line 3, column 2: /,
    );
  });

  test.each(["[[1,2],[3,4]]", "[[]]", '[{"a":1},[1]]', `${"[".repeat(9_000)}${"]".repeat(9_000)}`])(
    "is rejected without a header: %.20s",
    (file) => {
      expect(catchFault(() => readTable(file, "json"))).toMatchObject({
        code: "unprocessable",
        message: expect.stringContaining("need column names") as string,
      });
    },
  );

  test("is rejected with extreme nesting", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    expect(catchFault(() => readTable(`{"columns":["a"],"rows":[[${deep}]]}`, "json"))).toMatchObject({
      code: "unprocessable",
    });
  });
});
