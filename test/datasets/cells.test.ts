import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowsIn, type BrokenQuote } from "../../src/datasets/cells.ts";

/** What is read, and the first thing that is wrong. */
function cut(text: string, separator = ",", most = 100) {
  const wrong: BrokenQuote[] = [];
  const { rows, isCut } = rowsIn(text, separator, most, (quote) => void wrong.push(quote));
  return { rows, isCut, wrong: wrong[0] ?? null };
}

describe("text is cut into rows of cells", () => {
  test.each<[string, string[][]]>([
    ["", []],
    ["a", [["a"]]],
    ["a,\n,b\n", [["a", ""], ["", "b"], [""]]],
    [
      '"a,b","c\nd"\n"e""f",',
      [
        ["a,b", "c\nd"],
        ['e"f', ""],
      ],
    ],
    ['"a"  ,b\n"c"\t\nd', [["a", "b"], ["c"], ["d"]]],
    ['5" nail,"",a"b"', [['5" nail', "", 'a"b"']]],
    [' "a,b"', [[' "a', 'b"']]],
    ['""""', [['"']]],
    ['"a"', [["a"]]],
  ])("%j", (text, rows) => {
    expect(cut(text)).toEqual({ rows, isCut: false, wrong: null });
  });

  test.each<[string, BrokenQuote]>([
    ['a,"b', { at: 2, column: 2, isOpen: true }],
    ['a\n"b"c,"d"', { at: 2, column: 1, isOpen: false }],
    ['"', { at: 0, column: 1, isOpen: true }],
    ['x,y\n1,"2" "3"\n', { at: 6, column: 2, isOpen: false }],
  ])("a quote is wrong in %j", (text, wrong) => {
    expect(cut(text).wrong).toEqual(wrong);
  });

  test("a separator that is a blank is none", () => {
    expect(cut('"a"\t"b" \tc', "\t").rows).toEqual([["a", "b", "c"]]);
  });

  test("no more rows are read than are wanted, and it is told that there are more", () => {
    expect(cut("1\n2\n3\n4", ",", 2)).toMatchObject({ rows: [["1"], ["2"]], isCut: true });
    expect(cut("1\n2", ",", 2)).toMatchObject({ rows: [["1"], ["2"]], isCut: false });
    expect(cut('1\n"2', ",", 1)).toMatchObject({ isCut: true, wrong: null });
  });

  test("whatever is written is read again", () => {
    const cell = fc.string({ unit: fc.constantFrom('"', ",", ";", "\t", "\n", " ", "a", "é", "中") });
    const written = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 }),
        fc.constantFrom(",", ";", "\t"),
        (rows, by) => {
          const text = rows.map((row) => row.map(written).join(by)).join("\n");
          expect(cut(text, by, 1_000)).toEqual({ rows, isCut: false, wrong: null });
          const bare = rows.map((row) => row.map((one) => one.replaceAll(/[",;\t\n]/g, "")));
          expect(cut(bare.map((row) => row.join(by)).join("\n"), by, 1_000).rows).toEqual(
            bare.length === 1 && bare[0]?.join(by) === "" ? [] : bare,
          );
        },
      ),
    );
  });
});
