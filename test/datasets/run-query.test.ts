// Dataset queries and their error values.

import { describe, expect, test } from "vitest";
import { isDataFailure, type DatasetQuery, type DatasetFilter } from "../../src/protocol/datasets/dataset.ts";
import { openLibrary, queryRows } from "../support/dataset-library.ts";
import { getCpuMs } from "../support/cpu-time.ts";

describe("dataset query", () => {
  const library = openLibrary();
  library.add(
    "scores",
    "class,name,date,score,passed\n1A,甲,2026-03-01,85,yes\n1A,乙,2026-03-02,,no\n1B,丙,2026-04-01,58,no\n",
  );
  library.add("times", "at,n\n2026-03-01 08:00,1\n2026-03-01 23:59,2\n2026-03-02 00:00,3\n");
  library.add("classes", "class,teacher\n1A,Chan\n1B,Lee\n1C,Ng\n");

  test("compares a day as the whole day", () => {
    const n = (filter: DatasetFilter) => queryRows(library, { dataset: "times", select: ["n"], filter }).flat();
    expect(n({ column: "at", operator: "eq", value: "2026-03-01" })).toEqual([1, 2]);
    expect(n({ column: "at", operator: "lte", value: "2026-03-01" })).toEqual([1, 2]);
    expect(n({ column: "at", operator: "gt", value: "2026年3月1日" })).toEqual([3]);
    expect(n({ column: "at", operator: "between", value: ["2026-03-01 08:30", "2026-03-02 00:00"] })).toEqual([2, 3]);
    expect(n({ column: "at", operator: "in", value: ["01.03.2026"] })).toEqual([1, 2]);
  });

  test("compares a month as the whole month", () => {
    const names = (filter: DatasetFilter) => queryRows(library, { dataset: "scores", select: ["name"], filter }).flat();
    expect(names({ column: "date", operator: "eq", value: "2026-03" })).toEqual(["甲", "乙"]);
    expect(names({ column: "date", operator: "gt", value: "2026年3月" })).toEqual(["丙"]);
    expect(names({ column: "date", operator: "between", value: ["2026-03-02", "Apr 2026"] })).toEqual(["乙", "丙"]);
    expect(names({ column: "date", operator: "in", value: ["2026-04"] })).toEqual(["丙"]);
  });

  test("accepts values as people write them", () => {
    const names = (filter: DatasetFilter) => queryRows(library, { dataset: "scores", select: ["name"], filter }).flat();
    expect(names({ column: "score", operator: "gte", value: "58" })).toEqual(["甲", "丙"]);
    expect(names({ column: "passed", operator: "eq", value: "yes" })).toEqual(["甲"]);
    expect(names({ column: "passed", operator: "in", value: [false] })).toEqual(["乙", "丙"]);
    expect(names({ not: { column: "score", operator: "gt", value: 60 } })).toEqual(["乙", "丙"]);
    expect(names({ column: "score", operator: "ne", value: 85 })).toEqual(["乙", "丙"]);
  });

  test("searches text literally, ignoring the case of A to Z", () => {
    library.add("texts", "t,n\nAnna,1\nJoanna,2\n100%,3\na_b,4\n一班,5\n班一,6\n,7\n");
    const n = (operator: "contains" | "starts_with", value: string) =>
      queryRows(library, { dataset: "texts", select: ["n"], filter: { column: "t", operator, value } }).flat();
    expect(n("contains", "ANNA")).toEqual([1, 2]);
    expect(n("starts_with", "anna")).toEqual([1]);
    expect(n("contains", "%")).toEqual([3]);
    expect(n("contains", "_")).toEqual([4]);
    expect(n("starts_with", "班")).toEqual([6]);
    expect(n("contains", "班")).toEqual([5, 6]);
  });

  test("returns exact minimum and maximum values and a sum with its cents", () => {
    const library = openLibrary();
    library.add("amounts", "at\n114.123456789012\n12345678901.23\n0.02\n");
    const of = (value: number): DatasetQuery => ({
      dataset: "amounts",
      aggregate: (["min", "max", "sum"] as const).map((one) => ({ function: one, column: "at" })),
      filter: { column: "at", operator: "ne", value },
    });
    expect(queryRows(library, of(0.02))).toEqual([[114.123456789012, 12_345_678_901.23, 12_345_679_015.4]]);
    expect(queryRows(library, of(114.123456789012))).toEqual([[0.02, 12_345_678_901.23, 12_345_678_901.25]]);
  });

  test("reports that rows were truncated", () => {
    expect(library.datasets.query({ dataset: "scores", limit: 2 })).toMatchObject({ is_truncated: true });
    expect(library.datasets.query({ dataset: "scores", limit: 3 })).toMatchObject({ is_truncated: false });
  });

  test("renames duplicate result columns", () => {
    const join = [{ dataset: "classes", on: [{ left: "class", right: "class" }] }];
    const result = library.datasets.query({ dataset: "scores", join, limit: 1 });
    expect(result).toMatchObject({
      columns: [
        { name: "class" },
        { name: "name" },
        { name: "date" },
        { name: "score" },
        { name: "passed" },
        { name: "class (2)" },
        { name: "teacher" },
      ],
    });
  });

  test.each<[object, string, RegExp, string[]]>([
    [{ dataset: "score" }, "dataset", /no dataset named “score”/, ["scores"]],
    [{ dataset: "SCORES" }, "dataset", /no dataset/, ["scores"]],
    [{ dataset: "scores", select: ["Score"] }, "column", /no column “Score” in “scores”/, ["score"]],
    [{ dataset: "scores", filter: { column: "sc", operator: "is_gap" } }, "column", /no column/, ["score"]],
    [{ dataset: "scores", group: ["class"], order: [{ by: "score" }] }, "column", /result has no column/, ["class"]],
    [{ dataset: "scores", select: [{ dataset: "classes", column: "class" }] }, "dataset", /doesn’t read/, ["scores"]],
    [
      { dataset: "scores", join: [{ dataset: "scores", on: [{ left: "class", right: "class" }] }] },
      "query",
      /once/,
      [],
    ],
    [
      { dataset: "scores", join: [{ dataset: "classes", on: [{ left: "class", right: "class" }] }], select: ["class"] },
      "column",
      /Several datasets/,
      [],
    ],
    [
      { dataset: "scores", join: [{ dataset: "classes", on: [{ left: "score", right: "class" }] }] },
      "column",
      /same type/,
      [],
    ],
    [{ dataset: "scores", filter: { column: "score", operator: "gt", value: "many" } }, "value", /number/, []],
    [{ dataset: "scores", filter: { column: "date", operator: "gt", value: "3/4/2026" } }, "value", /2026-03-01/, []],
    [{ dataset: "scores", filter: { column: "passed", operator: "eq", value: "maybe" } }, "value", /true or false/, []],
    [{ dataset: "scores", filter: { column: "score", operator: "contains", value: "8" } }, "value", /text only/, []],
    [{ dataset: "scores", filter: { column: "score", operator: "gt" } }, "value", /one value/, []],
    [{ dataset: "scores", filter: { column: "score", operator: "in", value: 1 } }, "value", /list/, []],
    [{ dataset: "scores", filter: { column: "score", operator: "between", value: [1] } }, "value", /two/, []],
    [{ dataset: "scores", group: [{ column: "score", bucket: "month" }] }, "column", /dates/, []],
    [{ dataset: "scores", aggregate: [{ function: "mean", column: "name" }] }, "column", /numbers/, []],
    [{ dataset: "scores", aggregate: [{ function: "mean" }] }, "query", /needs a column/, []],
    [{ dataset: "scores", select: ["name"], group: ["class"] }, "query", /select/, []],
  ])("returns an error value for %j", (query, entity, words, suggestions) => {
    const result = library.datasets.query(query as DatasetQuery);
    expect(result).toMatchObject({ error: { entity, message: expect.stringMatching(words) as string } });
    if (isDataFailure(result)) expect(result.error.suggestions.slice(0, suggestions.length)).toEqual(suggestions);
  });
});

test("a join with too many result rows is rejected before it runs", () => {
  const library = openLibrary();
  const rows = Array.from({ length: 2_000 }, (_, i) => `${i % 2},${i}`).join("\n");
  for (const name of ["a", "b", "c"]) library.add(name, `k,n${name}\n${rows}\n`);
  const on = [{ left: { dataset: "a", column: "k" }, right: "k" }];
  const once: DatasetQuery = { dataset: "a", join: [{ dataset: "b", on }], aggregate: [{ function: "count" }] };
  expect(queryRows(library, once)).toEqual([[2_000_000]]);
  const start = getCpuMs();
  const twice = {
    ...once,
    join: [
      { dataset: "b", on },
      { dataset: "c", on },
    ],
  };
  expect(library.datasets.query(twice)).toMatchObject({
    error: { entity: "query", message: expect.stringContaining("2000000") as string },
  });
  expect(getCpuMs() - start).toBeLessThan(1_000);
});
