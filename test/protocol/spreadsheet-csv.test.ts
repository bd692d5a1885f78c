// CSV for spreadsheets.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatCsv } from "../../src/pages/spreadsheet-csv.ts";
import { parseTable } from "../../src/datasets/parse-table.ts";
import type { Cell } from "../../src/protocol/datasets/dataset.ts";

const formatCell = (cell: Cell): string =>
  formatCsv([{ name: "x" }], [[cell]])
    .split("\r\n")
    .slice(1, -1)
    .join("\r\n");

test.each<[Cell, string]>([
  ["=1+1", "'=1+1"],
  ["+49 30 1234", "'+49 30 1234"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", `"'\t=1"`],
  ["\r=1", `"'\r=1"`],
  [" =1", "' =1"],
  [`"=1"`, `"'""=1"""`],
  ["＝1", "'＝1"],
  [`=HYPERLINK("http://x","y")`, `"'=HYPERLINK(""http://x"",""y"")"`],
  ["-5", "-5"],
  ["-5.25", "-5.25"],
  [-5, "-5"],
  [1e21, "1e+21"],
  [true, "true"],
  [null, ""],
  ["a, b", `"a, b"`],
  ["two\nlines", `"two\nlines"`],
  [`say "hi"`, `"say ""hi"""`],
  ["a;b", `"a;b"`],
  ["甲=乙", "甲=乙"],
])("formatCsv() writes %j as %s", (cell, expected) => {
  expect(formatCell(cell)).toBe(expected);
});

test("formatCsv() escapes column names and begins with the UTF-8 byte order mark", () => {
  expect(formatCsv([{ name: "=x" }, { name: "成绩" }], [])).toBe("\ufeff'=x,成绩\r\n");
});

test("formatCsv() writes no cell that begins like a formula and keeps harmless cells", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", '"', ",", " ", "a", "1") }),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (cells) => {
      const csv = formatCsv(
        [{ name: "k" }, { name: "x" }],
        cells.map((cell) => ["k", cell]),
      );
      const { rows } = parseTable(new TextEncoder().encode(csv.replaceAll("\0", "")), "csv");
      for (const [i, row] of rows.entries()) {
        const [, read] = row;
        if (typeof read !== "string") continue;
        expect(read).not.toMatch(/^[=+@\t\r]/);
        const original = (cells[i] ?? "").replaceAll("\0", "").replaceAll(/\r\n?/g, "\n").trim();
        expect([original, `'${original}`]).toContain(
          read.startsWith("'") && !original.startsWith("'") ? `'${read.slice(1).trim()}` : read,
        );
      }
    }),
  );
});
