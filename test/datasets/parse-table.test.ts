// Table files as common programs write them, and invalid ones.

import { describe, expect, test } from "vitest";
import type { Cell } from "../../src/protocol/datasets/dataset.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { getCpuMs } from "../support/cpu-time.ts";
import { encoder, catchFault, getNames, readTable, getTypes } from "./parsed-table.ts";

describe("parseTable() accepts", () => {
  const expected = [
    ["甲", 1],
    ["乙", 2],
  ];

  test.each([
    ["commas", "name,n\n甲,1\n乙,2\n"],
    ["semicolons", "name;n\n甲;1\n乙;2\n"],
    ["tabs", "name\tn\n甲\t1\n乙\t2\n"],
    ["CRLF", "name,n\r\n甲,1\r\n乙,2\r\n"],
    ["CR alone", "name,n\r甲,1\r乙,2\r"],
    ["line ends of several kinds", "name,n\r\n甲,1\n乙,2\r"],
    ["no line end at the end", "name,n\n甲,1\n乙,2"],
    ["a byte order mark", "\ufeffname,n\n甲,1\n乙,2\n"],
    ["quotes", `"name","n"\n"甲","1"\n"乙","2"\n`],
    ["blank lines", "\n\nname,n\n\n甲,1\n   \n乙,2\n\n\n"],
    ["trailing separators on every line", "name,n,,\n甲,1,,\n乙,2,,\n"],
    ["lines with only separators", "name,n\n甲,1\n,\n乙,2\n,,,\n"],
    ["Excel's sep= line", "sep=;\r\nname;n\r\n甲;1\r\n乙;2\r\n"],
    ["whitespace around cells", "name , n\n 甲 ,1 \n乙,  2\n"],
  ])("%s", (_, file) => {
    const table = readTable(file);
    expect(table.rows.map((row) => row.slice(0, 2))).toEqual(expected);
    expect(getNames(table)).toEqual(["name", "n"]);
    expect(getTypes(table).slice(0, 2)).toEqual(["text", "integer"]);
  });

  test("separators, quotes and line breaks inside cells", () => {
    const { rows } = readTable(`a,b\n"x, y","say ""hi"""\n"two\r\nlines",3" pipe\n`);
    expect(rows).toEqual([
      ["x, y", `say "hi"`],
      ["two\nlines", `3" pipe`],
    ]);
  });

  test.each([
    ["UTF-16 little-endian with a byte order mark", [0xff, 0xfe], "utf-16le", undefined],
    ["UTF-16 big-endian with a byte order mark", [0xfe, 0xff], "utf-16be", undefined],
    ["UTF-16 without a byte order mark", [], "utf-16le", undefined],
    ["UTF-16 according to the given charset", [], "utf-16be", "utf-16be"],
  ])("%s, with a note", (_, mark, encoding, charset) => {
    const units = [..."name,n\n甲,1\n乙,2\n"].flatMap((character) => {
      const code = character.charCodeAt(0);
      return encoding === "utf-16le" ? [code & 255, code >> 8] : [code >> 8, code & 255];
    });
    const table = readTable([...mark, ...units], "csv", charset);
    expect(table.rows).toEqual(expected);
    expect(table.notes).toEqual([`The file was read as ${encoding}.`]);
  });

  test.each(["utf-16le", "utf-16be"])("%s without a byte order mark if a character ends in a null byte", (encoding) => {
    const units = [..."班级,分数,作业\n一班,88,91\n二班,76,85\n"].map((one) => one.charCodeAt(0));
    const pairs = units.map((unit) => [unit & 255, unit >> 8]);
    const { rows, notes } = readTable(pairs.flatMap((pair) => (encoding === "utf-16le" ? pair : pair.toReversed())));
    expect(rows[0]).toEqual(["一班", 88, 91]);
    expect(notes).toEqual([`The file was read as ${encoding}.`]);
  });

  test("GB18030, with a note", () => {
    const table = readTable([0xb0, 0xe0, 0xbc, 0xb6, 0x0a, 0xd2, 0xbb, 0xb0, 0xe0, 0x0a]);
    expect(getNames(table)).toEqual(["班级"]);
    expect(table.rows).toEqual([["一班"]]);
    expect(table.notes).toEqual(["The file was read as gb18030."]);
  });

  test("windows-1252, with a note", () => {
    const table = readTable([...encoder.encode("caf"), 0xe9, 0x2c, 0x6e, 0x0a, 0x78, 0x2c, 0x31]);
    expect(getNames(table)).toEqual(["café", "n"]);
    expect(table.notes).toEqual(["The file was read as windows-1252."]);
  });
});

describe("table header", () => {
  test.each([
    ["a,,c\n1,2,3", ["a", "Column 2", "c"]],
    ["姓名,,成绩\n甲,2,3", ["姓名", "列2", "成绩"]],
    ["a,a,A,a (2)\n1,2,3,4", ["a", "a (2)", "A (3)", "a (2) (2)"]],
    [`"two\nlines",b\u0007c\n1,2`, ["two lines", "bc"]],
    ["e\u0301,b\n1,2", ["é", "b"]],
    ["__proto__,constructor\n1,2", ["__proto__", "constructor"]],
    [`"""; DROP TABLE dataset; --",'x'\n1,2`, [`"; DROP TABLE dataset; --`, "'x'"]],
  ])("of %j has unique column names", (file, expected) => {
    const table = readTable(file);
    expect(getNames(table)).toEqual(expected);
    expect(new Set(getNames(table).map((name) => name.toLowerCase())).size).toBe(expected.length);
  });

  test("has long names that are truncated and unique", () => {
    const long = "x".repeat(500);
    expect(getNames(readTable(`${long},${long}\n1,2`)).map((name) => name.length)).toEqual([192, 196]);
  });

  test("without rows is a table without rows", () => {
    expect(readTable("a,b\n")).toMatchObject({ rows: [], columns: [{ type: "text", distinct: 0 }, { gap_share: 0 }] });
  });
});

describe("JSON table", () => {
  test.each<[string, unknown, string[], Cell[][]]>([
    [
      "objects",
      [
        { a: 1, b: "x" },
        { b: "y", c: true },
      ],
      ["a", "b", "c"],
      [
        [1, "x", null],
        [null, "y", true],
      ],
    ],
    [
      "columns and rows",
      {
        columns: ["a", "b"],
        rows: [
          [1, null],
          [2.5, "x"],
        ],
      },
      ["a", "b"],
      [
        [1, null],
        [2.5, "x"],
      ],
    ],
    ["columns with unknown types", { columns: [{ name: "a", type: "x" }], rows: [["1"]] }, ["a"], [[1]]],
    ["rows as objects", { columns: ["b"], rows: [{ a: 1, b: 2 }] }, ["b"], [[2]]],
    ["nested values as JSON text", [{ a: { b: [1] } }], ["a"], [[`{"b":[1]}`]]],
    [
      "names of Object.prototype members",
      JSON.parse(`[{"__proto__":1,"toString":2}]`),
      ["__proto__", "toString"],
      [[1, 2]],
    ],
  ])("is read from %s", (_, json, header, rows) => {
    const table = readTable(JSON.stringify(json), "json");
    expect(getNames(table)).toEqual(header);
    expect(table.rows).toEqual(rows);
  });

  test.each([
    ["1", /array of objects/],
    ["[]", /empty/],
    ["[1,2]", /array of objects/],
    [`{"columns":["a"],"rows":[[1],[1,2]]}`, /^Line 2, column 2: /],
    [`[{"a":1},\n{"a":}]`, /isn’t valid JSON: .*}/],
    [`[{"a":1}`, /isn’t valid JSON/],
  ])("is rejected: %s", (text, words) => {
    expect(catchFault(() => readTable(text, "json"))).toMatchObject({
      code: "unprocessable",
      message: expect.stringMatching(words) as string,
    });
  });
});

describe("parse error with line and column", () => {
  test.each([
    ["an unclosed quote", `a,b\n1,2\n3,"4\n5,6\n`, /^Line 3, column 2: .*never closed/],
    ["an unclosed quote in the header", `a,"b\n1,2\n`, /^Line 1, column 2: /],
    ["text after a closing quote", `a,b,c\n1,2,3\n4,5,"6"x\n7,8,9\n`, /^Line 3, column 3: .*closing quote/],
    ["a row that is too long", "a,b\n1,2\n3,4,5\n", /^Line 3, column 3: .*3 cells.*header has 2/],
    ["a row that is too short", "a,b,分数\n1,2,3\n3,4\n", /^Line 3, column 3: .*“分数” is missing/],
    ["an invalid row after multi-line cells", `a,b\n"1\n2\n3",4\n\n5\n`, /^Line 6, column 2: /],
    ["an invalid row after CRLF", `a,b\r\n1,2\r\n3\r\n`, /^Line 3, column 2: /],
    ["an invalid row after Excel's sep= line", `sep=;\na;b\n1;2;3\n`, /^Line 3, column 3: /],
    ["an empty file", "", /empty/],
    ["only whitespace", " \n\t\n", /empty/],
  ])("is reported for %s", (_, file, words) => {
    expect(catchFault(() => readTable(file))).toMatchObject({
      code: "unprocessable",
      message: expect.stringMatching(words) as string,
    });
  });
});

describe("table limit", () => {
  test("is 100,000 rows", () => {
    const file = `a\n${"1\n".repeat(100_000)}`;
    expect(readTable(file).rows).toHaveLength(100_000);
    expect(catchFault(() => readTable(`${file}1\n`))).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("100000") as string,
    });
    const json = JSON.stringify({ columns: ["a"], rows: Array.from({ length: 100_001 }, () => [1]) });
    expect(catchFault(() => readTable(json, "json"))).toMatchObject({ code: "too_large" });
  });

  test("counts blank lines, and no row after them is lost", () => {
    const lines = (rows: number) => `n,x\n${Array.from({ length: rows }, (_, i) => `${i},x\n\n\n\n`).join("")}`;
    expect(readTable(lines(50_000)).rows.length).toBe(50_000);
    expect(catchFault(() => readTable(lines(60_000)))).toMatchObject({ code: "too_large" });
  });

  test("is 200 columns", () => {
    const header = Array.from({ length: 201 }, (_, i) => `c${i}`);
    expect(readTable(`${header.slice(1).join(",")}\n`).columns).toHaveLength(200);
    expect(catchFault(() => readTable(`${header.join(",")}\n`))).toMatchObject({ code: "too_large" });
    const json = JSON.stringify([Object.fromEntries(header.map((name) => [name, 1]))]);
    expect(catchFault(() => readTable(json, "json"))).toMatchObject({ code: "too_large" });
  });

  test("is 32 KB per cell, in bytes", () => {
    const most = "汉".repeat(10_922);
    expect(readTable(`a,b\n1,${most}xx\n`).rows[0]?.[1]).toHaveLength(10_924);
    expect(catchFault(() => readTable(`a,b\n1,2\n1,${most}xxx\n`))).toMatchObject({
      code: "too_large",
      message: expect.stringMatching(/^Line 3, column 2: /) as string,
    });
  });

  test("is one megabyte per row, because the platform stores no longer rows", () => {
    const header = Array.from({ length: 60 }, (_, i) => `c${i}`).join(",");
    const row = Array.from({ length: 60 }, () => "x".repeat(20_000)).join(",");
    expect(catchFault(() => readTable(`${header}\n${row}\n`))).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("Line 2") as string,
    });
  });

  test("is twelve megabytes per file", () => {
    expect(catchFault(() => readTable(new Uint8Array(12 * 1_024 * 1_024 + 1)))).toMatchObject({ code: "too_large" });
  });

  test("is three million cells, also empty ones", () => {
    const columns = Array.from({ length: 200 }, (_, i) => `c${i}`);
    const refusal = { code: "too_large", message: expect.stringContaining("3000000") as string };
    const csv = `${columns.join(",")}\n${`${",".repeat(199)}\n`.repeat(15_100)}`;
    expect(catchFault(() => readTable(encoder.encode(csv)))).toMatchObject(refusal);
    const rows = Array.from({ length: 15_100 }, () => ({}));
    expect(catchFault(() => readTable(JSON.stringify({ columns, rows }), "json"))).toMatchObject(refusal);
  });

  test("allows 100,000 rows of twelve columns", () => {
    const row = `学生张三,1A,2026-03-01,English,81,${"x".repeat(60)},1.25,2,yes,a,b,c`;
    const bytes = encoder.encode(`a,b,c,d,e,f,g,h,i,j,k,l\n${`${row}\n`.repeat(100_000)}`);
    expect(bytes.byteLength).toBeGreaterThan(10_000_000);
    expect(readTable(bytes).rows).toHaveLength(100_000);
  }, 60_000);
});

describe("unsupported file", () => {
  test.each<[string, number[] | string, string?]>([
    ["a spreadsheet", [0x50, 0x4b, 3, 4, 20, 0]],
    ["a picture", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]],
    ["null characters", "a,b\n1,\0\n"],
    ["an unknown encoding", "a\n1\n", "klingon"],
    ["bytes that are invalid in its encoding", [0x61, 0x0a, 0xff, 0xff], "utf-8"],
  ])("is rejected: %s", (_, file, charset) => {
    expect(catchFault(() => readTable(file, "csv", charset))).toMatchObject({ code: "unsupported" });
  });

  test("parseTable() reads or rejects pathological lines quickly", () => {
    const start = getCpuMs();
    for (const hostile of [
      `"`.repeat(100_001),
      `a\n${`"",`.repeat(50_000)}`,
      `${"a".repeat(30_000)}\n"`,
      "(".repeat(30_000),
      "1,".repeat(100),
    ]) {
      try {
        readTable(`v\n${hostile}`);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Fault);
      }
    }
    expect(getCpuMs() - start).toBeLessThan(2_000);
  });
});
