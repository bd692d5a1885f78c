// Column types, inferred from all cells.

import { describe, expect, test } from "vitest";
import type { Cell, ColumnType } from "../../src/protocol/datasets/dataset.ts";
import { readTable } from "./parsed-table.ts";

/** Parses a table with one column of these cells. */
function parseColumn(cells: readonly string[]): {
  type: ColumnType;
  unit?: string;
  values: Cell[];
  notes: readonly string[];
} {
  const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}",.`);
  const { columns, rows, notes } = readTable(["value,x", ...quoted].join("\n"));
  const [{ type, unit } = { type: "text" as const }] = columns;
  return { type, ...(unit === undefined ? {} : { unit }), values: rows.map(([cell = null]) => cell), notes };
}

describe("column type", () => {
  test.each<[string, string[], ColumnType, Cell[], string?]>([
    ["whole numbers", ["1", "-2", "+3", ""], "integer", [1, -2, 3, null]],
    ["numbers", ["1", "2.50", "-.5"], "number", [1, 2.5, -0.5]],
    ["exponents", ["1e3", "2.5E-2"], "number", [1_000, 0.025]],
    ["thousands separators", ["1,234", "12", "1,234,567"], "integer", [1_234, 12, 1_234_567]],
    ["thousands and decimals", ["1,234.5", "0.5"], "number", [1_234.5, 0.5]],
    ["decimal commas", ["1,5", "2.000,25"], "number", [1.5, 2_000.25]],
    ["spaces as thousands separators", ["1 234", "1\u202f234", "7"], "integer", [1_234, 1_234, 7]],
    ["apostrophes as thousands separators", ["1'234.5"], "number", [1_234.5]],
    ["percentages", ["12%", "8.5 %"], "number", [12, 8.5], "%"],
    ["percentages mixed with plain numbers", ["12%", "0.5"], "text", ["12%", "0.5"]],
    ["dollars", ["$1,200", "-$5", "7"], "integer", [1_200, -5, 7], "$"],
    ["yuan", ["¥1,200.50", "¥3"], "number", [1_200.5, 3], "¥"],
    ["yuan in words", ["300元", "12.5 元"], "number", [300, 12.5], "元"],
    ["two currencies", ["$1", "€1"], "text", ["$1", "€1"]],
    ["parentheses for negative numbers", ["(1,200)", "5"], "integer", [-1_200, 5]],
    ["full-width digits", ["１２", "３"], "integer", [12, 3]],
    ["codes with leading zeros", ["007", "12"], "text", ["007", "12"]],
    ["more digits than a number can represent", ["12345678901234567890"], "text", ["12345678901234567890"]],
    ["numbers and a word", ["1", "2", "三"], "text", ["1", "2", "三"]],
    ["words for a missing value", ["1", "N/A", "null", "-", "无", "3"], "integer", [1, null, null, null, null, 3]],
    ["words for a missing value among texts", ["x", "N/A", "-"], "text", ["x", "N/A", "-"]],
    ["true and false", ["true", "FALSE", ""], "boolean", [true, false, null]],
    ["是否", ["是", "否"], "boolean", [true, false]],
    ["yes and no", ["Yes", "no"], "boolean", [true, false]],
    ['only "no" values', ["无", "无"], "text", ["无", "无"]],
    ["ISO dates", ["2026-03-01", "2024-02-29"], "date", ["2026-03-01", "2024-02-29"]],
    ["dates with slashes", ["2026/3/1", "2026/12/31"], "date", ["2026-03-01", "2026-12-31"]],
    ["Chinese dates", ["2026年3月1日", "2026 年 12 月 31 日"], "date", ["2026-03-01", "2026-12-31"]],
    ["German dates", ["01.03.2026", "31.12.2026"], "date", ["2026-03-01", "2026-12-31"]],
    ["American dates", ["3/14/2026", "1/2/2026"], "date", ["2026-03-14", "2026-01-02"]],
    ["British dates", ["14/3/2026", "1/2/2026"], "date", ["2026-03-14", "2026-02-01"]],
    ["American dates among German ones", ["3/14/2026", "01.03.2026"], "date", ["2026-03-14", "2026-03-01"]],
    ["ambiguous dates", ["3/4/2026", "1/2/2026"], "text", ["3/4/2026", "1/2/2026"]],
    ["dates of both orders", ["14/3/2026", "3/14/2026"], "text", ["14/3/2026", "3/14/2026"]],
    ["dates in words", ["1 Mar 2026", "March 14, 2026"], "date", ["2026-03-01", "2026-03-14"]],
    [
      "dates in several formats",
      ["2026-03-01", "2026年3月2日", "03.03.2026"],
      "date",
      ["2026-03-01", "2026-03-02", "2026-03-03"],
    ],
    ["a day that does not exist", ["2026-02-30", "2026-03-01"], "text", ["2026-02-30", "2026-03-01"]],
    ["times", ["2026-03-01 08:30", "2026-03-01T23:59:59"], "datetime", ["2026-03-01T08:30:00", "2026-03-01T23:59:59"]],
    [
      "times with a UTC offset",
      ["2026-03-01T08:30:00+08:00", "2026-03-01T00:00:00Z"],
      "datetime",
      ["2026-03-01T00:30:00", "2026-03-01T00:00:00"],
    ],
    ["dates and times", ["2026-03-01", "2026-03-02 08:00"], "datetime", ["2026-03-01T00:00:00", "2026-03-02T08:00:00"]],
    [
      "12-hour times",
      ["3/14/2026 1:05 PM", "3/14/2026 12:00 AM"],
      "datetime",
      ["2026-03-14T13:05:00", "2026-03-14T00:00:00"],
    ],
    ["Chinese times", ["2026年3月1日 8时30分"], "datetime", ["2026-03-01T08:30:00"]],
    ["an hour that does not exist", ["2026-03-01 25:00"], "text", ["2026-03-01 25:00"]],
    ["eight digits as a number", ["20260301"], "integer", [20_260_301]],
    ["two-digit years", ["14/3/26", "1/2/99"], "date", ["2026-03-14", "1999-02-01"]],
    ["ambiguous two-digit years", ["3/4/26"], "text", ["3/4/26"]],
    ["German two-digit years", ["01.03.26"], "date", ["2026-03-01"]],
    ["days and months in words", ["05-Jan-26", "5-Sept-2026"], "date", ["2026-01-05", "2026-09-05"]],
    ["section numbers", ["1.2.10", "1.3.11"], "text", ["1.2.10", "1.3.11"]],
    ["dates that may begin with a two-digit year", ["26-03-01"], "text", ["26-03-01"]],
    ["months", ["2026-01", "2026-12", ""], "date", ["2026-01-01", "2026-12-01", null]],
    ["months with slashes", ["2026/1", "03/2026"], "date", ["2026-01-01", "2026-03-01"]],
    ["Chinese months", ["2026年1月", "2026 年 12 月份"], "date", ["2026-01-01", "2026-12-01"]],
    ["months in words", ["Mar 2026", "December 2026"], "date", ["2026-03-01", "2026-12-01"]],
    ["words that begin like a month", ["Marathon 2026", "Decathlon 2025"], "text", ["Marathon 2026", "Decathlon 2025"]],
    ["school years", ["2010-11", "2011-12"], "text", ["2010-11", "2011-12"]],
    ["a month that does not exist", ["2026-13"], "text", ["2026-13"]],
    ["only gaps", ["", " "], "text", [null, null]],
    ["formulas as texts", ["=1+1", "@x"], "text", ["=1+1", "@x"]],
    ["negative zero", ["-0", "0"], "integer", [0, 0]],
    ["infinity", ["Infinity", "1e999"], "text", ["Infinity", "1e999"]],
    ["numbers in other notations", ["0x10", "1_000"], "text", ["0x10", "1_000"]],
  ])("is inferred for %s", (_, cells, type, values, unit) => {
    expect(parseColumn(cells)).toMatchObject({ type, values, ...(unit === undefined ? {} : { unit }) });
    expect(parseColumn(cells).unit).toBe(unit);
    expect(parseColumn(cells).values.some((value) => Object.is(value, -0))).toBe(false);
  });

  test("is inferred from all rows, not only the first ones", () => {
    const cells = Array.from({ length: 5_000 }, (_, i) => String(i));
    expect(parseColumn(cells).type).toBe("integer");
    expect(parseColumn([...cells, "0.5"]).type).toBe("number");
    const mixed = parseColumn([...cells, "缺考"]);
    expect(mixed.type).toBe("text");
    expect(mixed.notes).toEqual([expect.stringContaining("缺考")]);
  });

  test("comes with a note on the cells or mixed units that prevent a number type", () => {
    expect(parseColumn(["88", "95", "76", "absent"]).notes).toEqual([
      expect.stringContaining("isn’t a number: “absent”"),
    ]);
    expect(parseColumn(["88", "95", "absent"]).notes).toEqual([]);
    expect(parseColumn(["98%", "91%", "100"])).toMatchObject({
      type: "text",
      notes: [expect.stringContaining("several units")],
    });
    expect(parseColumn(["$5", "€6"]).notes).toEqual([expect.stringContaining("several units")]);
  });

  test("comes with a note when offsets are converted to UTC", () => {
    const shifted = parseColumn(["2026-03-01T01:00:00+08:00", "2026-03-02 01:00 +0800"]);
    expect(shifted.values).toEqual(["2026-02-28T17:00:00", "2026-03-01T17:00:00"]);
    expect(shifted.notes).toEqual([expect.stringContaining("UTC")]);
    expect(parseColumn(["2026-03-01T01:00:00Z", "2026-03-01T01:00:00+00:00", "2026-03-01 02:00"]).notes).toEqual([]);
  });

  test("comes with a note on the cells that prevent a date type and on converted months", () => {
    expect(parseColumn([...Array<string>(3).fill("2026-03-01"), "2026-02-30"]).notes).toEqual([
      expect.stringContaining("isn’t a date: “2026-02-30”"),
    ]);
    expect(parseColumn(["2026-03-01", "x", "y"]).notes).toEqual([]);
    expect(parseColumn(["2026-03"]).notes).toEqual([expect.stringContaining("first day")]);
  });

  test("treats commas as decimal separators if cells are separated by semicolons", () => {
    expect(readTable("n;x\n1,234;a\n2,5;b\n").rows).toEqual([
      [1.234, "a"],
      [2.5, "b"],
    ]);
    expect(readTable("n;x\n1,234;a\n5,678;b\n").rows).toEqual([
      [1.234, "a"],
      [5.678, "b"],
    ]);
    expect(readTable("n;x\n3.141;a\n2.5;b\n").rows).toEqual([
      [3.141, "a"],
      [2.5, "b"],
    ]);
    expect(readTable(`n,x\n"1,234",a\n`).rows).toEqual([[1_234, "a"]]);
  });

  test("comes with a note on ambiguous days and months", () => {
    expect(parseColumn(["3/4/2026"]).notes).toEqual([expect.stringMatching(/“value”.*day\/month or month\/day/)]);
  });
});

test("parseTable() describes columns with gaps, distinct values, range and mean", () => {
  const { columns } = readTable("n,t,d\n3,b,2026-01-02\n1,a,\n,b,2025-01-01\n2,b,2026-01-02\n");
  expect(columns).toEqual([
    { name: "n", type: "integer", gaps: 1, gap_share: 0.25, distinct: 3, min: 1, max: 3, mean: 2 },
    { name: "t", type: "text", gaps: 0, gap_share: 0, distinct: 2, min: "a", max: "b", mean: null },
    {
      name: "d",
      type: "date",
      gaps: 1,
      gap_share: 0.25,
      distinct: 2,
      min: "2025-01-01",
      max: "2026-01-02",
      mean: null,
    },
  ]);
});
