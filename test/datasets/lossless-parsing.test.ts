// What is in a file reaches its table as it is, or is refused: nothing changes on the way without a word.

import { describe, expect, test } from "vitest";
import { openLibrary } from "../support/library.ts";
import { faultOf, names, read } from "./reading.ts";

describe("what must not be changed on the way", () => {
  test("numbers of JSON that JavaScript cannot hold", () => {
    const file = `[{"id":9007199254740993,"huge":1e999,"n":1.5},{"id":2,"huge":7,"n":1e300}]`;
    const table = read(file, "json");
    expect(table.rows).toEqual([
      ["9007199254740993", "1e999", 1.5],
      ["2", "7", 1e300],
    ]);
  });

  test("western letters, alone among others, are no halves of Chinese ones", () => {
    const bytes = Uint8Array.from(
      [..."Gr\u00f6\u00dfe,St\u00e4dte\nJ\u00f6rg,1\n"].map((letter) => letter.charCodeAt(0)),
    );
    expect(names(read(bytes))).toEqual(["Größe", "Städte"]);
  });
});

test("rare Chinese characters, whose second byte is a letter, are no western ones", () => {
  // 學校,國 over 學 and 1, in GBK.
  const header = [0x8c, 0x57, 0xd0, 0xa3, 0x2c, 0x87, 0xf8, 0x0a];
  const table = read([...header, 0x8c, 0x57, 0x2c, 0x31, 0x0a, 0x8c, 0x57, 0x2c, 0x32, 0x0a]);
  expect([names(table), table.rows[0]]).toEqual([
    ["學校", "國"],
    ["學", 1],
  ]);
});

describe("what a blueprint would take for a reference", () => {
  test.each(["$data.x", "$compute.a", " $input.b", "$context.c"])("%s is called without its sign", (header) => {
    const table = read(`${header},$other.x,$5\n1,2,3\n`);
    expect(names(table)).toEqual([header.trim().slice(1), "$other.x", "$5"]);
    expect(table.notes).toEqual([expect.stringContaining(header.trim().slice(1))]);
  });
});

test("nor is a table called like one", () => {
  const library = openLibrary();
  const { dataset_id, name } = library.add("$data.scores", "a\n1\n");
  expect(name).toBe("data.scores");
  expect(library.datasets.rename(dataset_id, " $compute.x", 2).name).toBe("compute.x");
});

describe("lists of lists", () => {
  test("begin with their header", () => {
    const table = read('[["name","n"],["甲",1]]', "json");
    expect([names(table), table.rows]).toEqual([["name", "n"], [["甲", 1]]]);
    expect(faultOf(() => read('[["name","n"],["甲",1],["乙"]]', "json")).message).toMatch(/^Line 3, column 2: /);
  });

  test.each(["[[1,2],[3,4]]", "[[]]", '[{"a":1},[1]]', `${"[".repeat(9_000)}${"]".repeat(9_000)}`])(
    "without one are refused: %.20s",
    (file) => {
      expect(faultOf(() => read(file, "json"))).toMatchObject({
        code: "unprocessable",
        message: expect.stringContaining("need names") as string,
      });
    },
  );

  test("nested beyond all reason are refused", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    expect(faultOf(() => read(`{"columns":["a"],"rows":[[${deep}]]}`, "json"))).toMatchObject({
      code: "unprocessable",
    });
  });
});
