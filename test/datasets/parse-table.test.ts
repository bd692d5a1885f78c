// Tables as people's programs write them, and as nobody should.

import { describe, expect, test } from "vitest";
import type { Cell } from "../../src/protocol/datasets/dataset.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { encoder, faultOf, names, read, types } from "./reading.ts";

describe("what a file may look like", () => {
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
    ["separators at the end of every line", "name,n,,\n甲,1,,\n乙,2,,\n"],
    ["lines of separators alone", "name,n\n甲,1\n,\n乙,2\n,,,\n"],
    ["Excel's line about the separator", "sep=;\r\nname;n\r\n甲;1\r\n乙;2\r\n"],
    ["blanks around cells", "name , n\n 甲 ,1 \n乙,  2\n"],
  ])("%s", (_, file) => {
    const table = read(file);
    expect(table.rows.map((row) => row.slice(0, 2))).toEqual(expected);
    expect(names(table)).toEqual(["name", "n"]);
    expect(types(table).slice(0, 2)).toEqual(["text", "integer"]);
  });

  test("cells may hold separators, quotes and lines", () => {
    const { rows } = read(`a,b\n"x, y","say ""hi"""\n"two\r\nlines",3" pipe\n`);
    expect(rows).toEqual([
      ["x, y", `say "hi"`],
      ["two\nlines", `3" pipe`],
    ]);
  });

  test.each([
    ["UTF-16, little end first", [0xff, 0xfe], "utf-16le", undefined],
    ["UTF-16, big end first", [0xfe, 0xff], "utf-16be", undefined],
    ["UTF-16 without its mark", [], "utf-16le", undefined],
    ["UTF-16 as its sender says", [], "utf-16be", "utf-16be"],
  ])("%s", (_, mark, encoding, charset) => {
    const units = [..."name,n\n甲,1\n乙,2\n"].flatMap((character) => {
      const code = character.charCodeAt(0);
      return encoding === "utf-16le" ? [code & 255, code >> 8] : [code >> 8, code & 255];
    });
    const table = read([...mark, ...units], "csv", charset);
    expect(table.rows).toEqual(expected);
    expect(table.notes).toEqual([`It was read as ${encoding}.`]);
  });

  test.each(["utf-16le", "utf-16be"])("%s without its mark, also where a character ends in a null", (encoding) => {
    const units = [..."班级,分数,作业\n一班,88,91\n二班,76,85\n"].map((one) => one.charCodeAt(0));
    const pairs = units.map((unit) => [unit & 255, unit >> 8]);
    const { rows, notes } = read(pairs.flatMap((pair) => (encoding === "utf-16le" ? pair : pair.toReversed())));
    expect(rows[0]).toEqual(["一班", 88, 91]);
    expect(notes).toEqual([`It was read as ${encoding}.`]);
  });

  test("GB18030, which is told", () => {
    const table = read([0xb0, 0xe0, 0xbc, 0xb6, 0x0a, 0xd2, 0xbb, 0xb0, 0xe0, 0x0a]);
    expect(names(table)).toEqual(["班级"]);
    expect(table.rows).toEqual([["一班"]]);
    expect(table.notes).toEqual(["It was read as gb18030."]);
  });

  test("what Windows writes in the west, which is told", () => {
    const table = read([...encoder.encode("caf"), 0xe9, 0x2c, 0x6e, 0x0a, 0x78, 0x2c, 0x31]);
    expect(names(table)).toEqual(["café", "n"]);
    expect(table.notes).toEqual(["It was read as windows-1252."]);
  });
});

describe("headers", () => {
  test.each([
    ["a,,c\n1,2,3", ["a", "Column 2", "c"]],
    ["姓名,,成绩\n甲,2,3", ["姓名", "列2", "成绩"]],
    ["a,a,A,a (2)\n1,2,3,4", ["a", "a (2)", "A (3)", "a (2) (2)"]],
    [`"two\nlines",b\u0007c\n1,2`, ["two lines", "b c"]],
    ["e\u0301,b\n1,2", ["é", "b"]],
    ["__proto__,constructor\n1,2", ["__proto__", "constructor"]],
    [`"""; DROP TABLE dataset; --",'x'\n1,2`, [`"; DROP TABLE dataset; --`, "'x'"]],
  ])("%j", (file, expected) => {
    const table = read(file);
    expect(names(table)).toEqual(expected);
    expect(new Set(names(table).map((name) => name.toLowerCase())).size).toBe(expected.length);
  });

  test("of any length are cut, and stay apart", () => {
    const long = "x".repeat(500);
    expect(names(read(`${long},${long}\n1,2`)).map((name) => name.length)).toEqual([192, 196]);
  });

  test("without rows are a table without rows", () => {
    expect(read("a,b\n")).toMatchObject({ rows: [], columns: [{ type: "text", distinct: 0 }, { gap_share: 0 }] });
  });
});

describe("JSON", () => {
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
    ["columns with types of their own", { columns: [{ name: "a", type: "x" }], rows: [["1"]] }, ["a"], [[1]]],
    ["rows that are objects", { columns: ["b"], rows: [{ a: 1, b: 2 }] }, ["b"], [[2]]],
    ["what is nested stays JSON", [{ a: { b: [1] } }], ["a"], [[`{"b":[1]}`]]],
    ["names from the prototype", JSON.parse(`[{"__proto__":1,"toString":2}]`), ["__proto__", "toString"], [[1, 2]]],
  ])("%s", (_, json, header, rows) => {
    const table = read(JSON.stringify(json), "json");
    expect(names(table)).toEqual(header);
    expect(table.rows).toEqual(rows);
  });

  test.each([
    ["1", /array of objects/],
    ["[]", /empty/],
    ["[1,2]", /array of objects/],
    [`{"columns":["a"],"rows":[[1],[1,2]]}`, /^Line 2, column 2: /],
    [`[{"a":1},\n{"a":}]`, /not JSON: .*}/],
    [`[{"a":1}`, /not JSON/],
  ])("%s is refused", (text, words) => {
    expect(faultOf(() => read(text, "json"))).toMatchObject({
      code: "unprocessable",
      message: expect.stringMatching(words) as string,
    });
  });
});

describe("what is broken is told with its line and column", () => {
  test.each([
    ["a quote without an end", `a,b\n1,2\n3,"4\n5,6\n`, /^Line 3, column 2: .*never closed/],
    ["a quote without an end in the header", `a,"b\n1,2\n`, /^Line 1, column 2: /],
    ["something after a closing quote", `a,b,c\n1,2,3\n4,5,"6"x\n7,8,9\n`, /^Line 3, column 3: .*closing quote/],
    ["a row that is too long", "a,b\n1,2\n3,4,5\n", /^Line 3, column 3: .*3 cells.*header has 2/],
    ["a row that is too short", "a,b,分数\n1,2,3\n3,4\n", /^Line 3, column 3: .*"分数" is missing/],
    ["a row after cells of several lines", `a,b\n"1\n2\n3",4\n\n5\n`, /^Line 6, column 2: /],
    ["a row after other line ends", `a,b\r\n1,2\r\n3\r\n`, /^Line 3, column 2: /],
    ["a row after Excel's line about the separator", `sep=;\na;b\n1;2;3\n`, /^Line 3, column 3: /],
    ["nothing", "", /empty/],
    ["nothing but blanks", " \n\t\n", /empty/],
  ])("%s", (_, file, words) => {
    expect(faultOf(() => read(file))).toMatchObject({
      code: "unprocessable",
      message: expect.stringMatching(words) as string,
    });
  });
});

describe("limits", () => {
  test("a hundred thousand rows, and not one more", () => {
    const file = `a\n${"1\n".repeat(100_000)}`;
    expect(read(file).rows).toHaveLength(100_000);
    expect(faultOf(() => read(`${file}1\n`))).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("100000") as string,
    });
    const json = JSON.stringify({ columns: ["a"], rows: Array.from({ length: 100_001 }, () => [1]) });
    expect(faultOf(() => read(json, "json"))).toMatchObject({ code: "too_large" });
  });

  test("rows behind many blank lines are read or refused, and never lost", () => {
    const lines = (rows: number) => `n,x\n${Array.from({ length: rows }, (_, i) => `${i},x\n\n\n\n`).join("")}`;
    expect(read(lines(50_000)).rows.length).toBe(50_000);
    expect(faultOf(() => read(lines(60_000)))).toMatchObject({ code: "too_large" });
  });

  test("two hundred columns, and not one more", () => {
    const header = Array.from({ length: 201 }, (_, i) => `c${i}`);
    expect(read(`${header.slice(1).join(",")}\n`).columns).toHaveLength(200);
    expect(faultOf(() => read(`${header.join(",")}\n`))).toMatchObject({ code: "too_large" });
    const json = JSON.stringify([Object.fromEntries(header.map((name) => [name, 1]))]);
    expect(faultOf(() => read(json, "json"))).toMatchObject({ code: "too_large" });
  });

  test("32 KB in a cell, counted in bytes", () => {
    const most = "汉".repeat(10_922);
    expect(read(`a,b\n1,${most}xx\n`).rows[0]?.[1]).toHaveLength(10_924);
    expect(faultOf(() => read(`a,b\n1,2\n1,${most}xxx\n`))).toMatchObject({
      code: "too_large",
      message: expect.stringMatching(/^Line 3, column 2: /) as string,
    });
  });

  test("a megabyte in a row: the platform stores no longer ones", () => {
    const header = Array.from({ length: 60 }, (_, i) => `c${i}`).join(",");
    const row = Array.from({ length: 60 }, () => "x".repeat(20_000)).join(",");
    expect(faultOf(() => read(`${header}\n${row}\n`))).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("Line 2") as string,
    });
  });

  test("twelve megabytes", () => {
    expect(faultOf(() => read(new Uint8Array(12 * 1_024 * 1_024 + 1)))).toMatchObject({ code: "too_large" });
  });

  test("three million cells, whatever is in them", () => {
    const columns = Array.from({ length: 200 }, (_, i) => `c${i}`);
    const refusal = { code: "too_large", message: expect.stringContaining("3000000") as string };
    const csv = `${columns.join(",")}\n${`${",".repeat(199)}\n`.repeat(15_100)}`;
    expect(faultOf(() => read(encoder.encode(csv)))).toMatchObject(refusal);
    const rows = Array.from({ length: 15_100 }, () => ({}));
    expect(faultOf(() => read(JSON.stringify({ columns, rows }), "json"))).toMatchObject(refusal);
  });

  test("a hundred thousand rows of twelve columns are within all of them", () => {
    const row = `学生张三,1A,2026-03-01,English,81,${"x".repeat(60)},1.25,2,yes,a,b,c`;
    const bytes = encoder.encode(`a,b,c,d,e,f,g,h,i,j,k,l\n${`${row}\n`.repeat(100_000)}`);
    expect(bytes.byteLength).toBeGreaterThan(10_000_000);
    expect(read(bytes).rows).toHaveLength(100_000);
  }, 60_000);
});

describe("what is no table", () => {
  test.each<[string, number[] | string, string?]>([
    ["a spreadsheet", [0x50, 0x4b, 3, 4, 20, 0]],
    ["a picture", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]],
    ["null characters", "a,b\n1,\0\n"],
    ["an encoding that there is not", "a\n1\n", "klingon"],
    ["bytes that its encoding does not have", [0x61, 0x0a, 0xff, 0xff], "utf-8"],
  ])("%s", (_, file, charset) => {
    expect(faultOf(() => read(file, "csv", charset))).toMatchObject({ code: "unsupported" });
  });

  test("a long line of quotes is read, or refused, in no time", () => {
    const start = cpuMs();
    for (const hostile of [
      `"`.repeat(100_001),
      `a\n${`"",`.repeat(50_000)}`,
      `${"a".repeat(30_000)}\n"`,
      "(".repeat(30_000),
      "1,".repeat(100),
    ]) {
      try {
        read(`v\n${hostile}`);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Fault);
      }
    }
    expect(cpuMs() - start).toBeLessThan(2_000);
  });
});
