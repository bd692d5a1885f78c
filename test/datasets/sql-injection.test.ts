// Queries whose values and names try to inject SQL.

import { describe, expect, test } from "vitest";
import { compileQuery } from "../../src/datasets/compile-query.ts";
import { datasetQuerySchema, isDataFailure, type DatasetFilter } from "../../src/protocol/datasets/dataset.ts";
import { openLibrary, queryRows } from "../support/dataset-library.ts";

describe("SQL injection", () => {
  const HOSTILE_TEXTS = [
    `x"; DROP TABLE dataset; --`,
    `c0" FROM d1p0; DELETE FROM dataset WHERE "1"="1`,
    `' OR 1=1 --`,
    `1); ATTACH DATABASE 'x' AS y; --`,
    "c1",
    "s0.c1",
    "(SELECT body FROM dataset)",
    "sqlite_master",
    "rowid",
    "r",
    "`c1`",
    "[c1]",
    "?1",
    ":a",
    "\u0000",
    "__proto__",
    "\ud800",
  ];

  test("is impossible with names of datasets and columns", () => {
    const library = openLibrary();
    const quoted = HOSTILE_TEXTS.filter((name) => name !== "\u0000" && name !== "\ud800");
    const header = quoted.map((name) => `"${name.replaceAll('"', '""')}"`).join(",");
    for (const name of quoted) library.add(name, `${header}\n${quoted.map((_, i) => i).join(",")}\n`);
    for (const [i, name] of quoted.entries()) {
      const filter = { column: name, operator: "eq" as const, value: i };
      expect(queryRows(library, { dataset: name, select: [name], filter, order: [{ by: name }] })).toEqual([[i]]);
      const grouped = { group: [name], aggregate: [{ function: "sum" as const, column: name, as: `${name}!` }] };
      const result = library.datasets.query({ dataset: name, ...grouped, order: [{ by: `${name}!` }] });
      expect(result).toMatchObject({ columns: [{ name }, { name: `${name}!` }], rows: [[i, i]] });
    }
    expect(library.datasets.list()).toHaveLength(quoted.length);
  });

  test.each(HOSTILE_TEXTS)("is impossible with %j as a value, name or alias", (hostile) => {
    const library = openLibrary();
    library.add("t", "a,b\nx,1\ny,2\n");
    const before = JSON.stringify(library.datasets.list());
    expect(queryRows(library, { dataset: "t", filter: { column: "a", operator: "eq", value: hostile } })).toEqual([]);
    expect(
      queryRows(library, { dataset: "t", filter: { column: "a", operator: "in", value: [hostile, "x"] } }),
    ).toEqual([["x", 1]]);
    expect(queryRows(library, { dataset: "t", filter: { column: "a", operator: "contains", value: hostile } })).toEqual(
      [],
    );
    expect(
      library.datasets.query({
        dataset: "t",
        select: [{ column: "a", as: hostile }],
        order: [{ by: hostile }],
        limit: 1,
      }),
    ).toMatchObject({
      columns: [{ name: hostile }],
      rows: [["x"]],
    });
    for (const query of [
      { dataset: hostile },
      { dataset: "t", select: [hostile] },
      { dataset: "t", group: [hostile] },
      { dataset: "t", group: [{ column: "b", bucket: "month" as const }] },
      { dataset: "t", order: [{ by: hostile }] },
      { dataset: "t", aggregate: [{ function: "sum" as const, column: hostile }] },
      { dataset: "t", filter: { column: { dataset: "t", column: hostile }, operator: "is_gap" as const } },
      { dataset: "t", join: [{ dataset: hostile, on: [{ left: "a", right: "a" }] }] },
    ]) {
      expect(library.datasets.query(query)).toMatchObject({
        error: { entity: expect.stringMatching(/dataset|column/) as string },
      });
    }
    expect(JSON.stringify(library.datasets.list())).toBe(before);
    expect(queryRows(library, { dataset: "t" })).toHaveLength(2);
  });

  test("is impossible because the SQL contains only positions and placeholders", () => {
    const columns = [
      { name: `c"; --`, type: "text" as const },
      { name: "n", type: "integer" as const },
    ];
    const table = { dataset_id: "data-1", name: `t"; --`, table: 4, rows: 1, columns };
    const query = {
      dataset: `t"; --`,
      filter: {
        and: [
          { column: `c"; --`, operator: "contains", value: "v'; --" },
          { column: "n", operator: "between", value: [1, 2] },
        ],
      },
      group: [{ column: `c"; --`, as: `g"; --` }],
      aggregate: [{ function: "median", column: "n", as: `m"; --` }],
      order: [{ by: `m"; --` }],
    };
    const compiled = compileQuery(datasetQuerySchema.parse(query), [table]);
    if (isDataFailure(compiled)) throw new Error(compiled.error.message);
    expect(compiled.sql).toMatch(/^[A-Za-z0-9_.,()*?+/= ><]+$/);
    expect(compiled.bindings).toEqual(["v'; --", 1, 2, 101, 0]);
    const words = new Set(compiled.sql.toLowerCase().match(/[a-z_]+/g));
    for (const word of ["drop", "delete", "insert", "update", "attach", "pragma"]) expect(words).not.toContain(word);
  });

  test("dataset.query() rejects a filter that is too deep or too large", () => {
    const nested = (levels: number): unknown =>
      JSON.parse(`${'{"not":'.repeat(levels)}{"column":"a","operator":"is_gap"}${"}".repeat(levels)}`);
    for (const levels of [50, 100_000]) {
      const parsed = datasetQuerySchema.safeParse({ dataset: "t", filter: nested(levels) });
      expect(parsed.error?.issues[0]).toMatchObject({ path: ["filter"], message: "is nested more than 8 deep" });
    }
    const library = openLibrary();
    library.add("t", "a\nx\n");
    expect(queryRows(library, { dataset: "t", filter: nested(7) as DatasetFilter })).toHaveLength(1);
    expect(library.datasets.query({ dataset: "t", filter: nested(8) as DatasetFilter })).toMatchObject({
      error: { entity: "query" },
    });
    const many = { or: Array.from({ length: 41 }, () => ({ column: "a", operator: "is_gap" as const })) };
    const split = { and: [{ or: many.or.slice(20) }, { or: many.or.slice(0, 20) }] };
    expect(library.datasets.query({ dataset: "t", filter: split })).toMatchObject({
      error: { message: expect.stringContaining("40") as string },
    });
  });
});
