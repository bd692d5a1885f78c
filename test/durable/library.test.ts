// A user's datasets in the Library object, on the runtime's SQLite with its limits.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { MAX_DATASET_ROWS } from "../../src/datasets/dataset-limits.ts";
import type { LibraryApi } from "../../src/durable/library/operations.ts";
import type { Env } from "../../src/env.ts";
import { isDataFailure, type Cell, type DatasetQuery } from "../../src/protocol/datasets/dataset.ts";
import { unwrapResult } from "../../src/protocol/wire/rpc-result.ts";

const bindings = env as unknown as Env;
const getStub = (user: string) => bindings.LIBRARY.getByName(user);
const getLibrary = (user: string) => getStub(user) as unknown as LibraryApi;
const bytes = (text: string) => new TextEncoder().encode(text);
const csv = (text: string) => ({ bytes: bytes(text), kind: "csv" as const });

/** Returns the names of all tables except the platform's. */
function listTables(user: string): Promise<string[]> {
  return runInDurableObject(getStub(user), (_, state) =>
    [
      ...state.storage.sql.exec(
        `SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' AND type = 'table'`,
      ),
    ].map((row) => String(row["name"])),
  );
}

async function queryRows(library: LibraryApi, query: DatasetQuery): Promise<Cell[][]> {
  const result = unwrapResult(await library.query(query));
  if (isDataFailure(result)) throw new Error(result.error.message);
  return result.rows;
}

describe("dataset", () => {
  test("is unchanged after an eviction", async () => {
    const library = getLibrary("lib-1");
    const created = unwrapResult(await library.addDataset(csv("name,score\n甲,85\n乙,\n"), { name: "scores" }));
    await evictDurableObject(getStub("lib-1"));
    expect(unwrapResult(await getLibrary("lib-1").dataset(created.dataset_id))).toEqual(created);
    expect(created.preview).toEqual([
      ["甲", 85],
      ["乙", null],
    ]);
  });

  test("leaves no tables behind if it is invalid", async () => {
    const library = getLibrary("lib-2");
    expect(await library.addDataset(csv(`a,b\n1,"2\n`), { name: "broken" })).toMatchObject({
      failure: { code: "unprocessable", message: expect.stringMatching(/^Line 2, column 2: /) as string },
    });
    expect(await listTables("lib-2")).toEqual([]);
  });

  test("has tables that are dropped with it and when its rows are replaced", async () => {
    const library = getLibrary("lib-3");
    const first = unwrapResult(await library.addDataset(csv("a\n1\n2\n"), { name: "x" }));
    expect(await listTables("lib-3")).toContain("d1p0");
    const second = unwrapResult(await library.addDataset(csv("b,c\n3,4\n"), { name: "X", replace: true }));
    expect(second).toMatchObject({ dataset_id: first.dataset_id, rows: 1, created_at: first.created_at });
    expect(await listTables("lib-3")).toEqual(expect.arrayContaining(["d2p0"]));
    expect(await listTables("lib-3")).not.toContain("d1p0");
    expect(unwrapResult(await library.removeDataset(first.dataset_id))).toMatchObject({ deleted: true });
    expect(await listTables("lib-3")).not.toContain("d2p0");
    expect(unwrapResult(await library.list())).toEqual([]);
  });

  test("with 200 columns is stored in several tables and queried as one", async () => {
    const library = getLibrary("lib-4");
    const names = Array.from({ length: 200 }, (_, i) => `c${i}`);
    const rows = [0, 1, 2].map((row) => names.map((_, i) => row * 1_000 + i));
    const created = unwrapResult(
      await library.addDataset(csv([names, ...rows].map((row) => row.join(",")).join("\n")), { name: "wide" }),
    );
    expect(created.preview).toEqual(rows);
    const query = {
      dataset: "wide",
      select: ["c199", "c0", "c95"],
      filter: { column: "c150", operator: "gte", value: 1_150 },
    };
    expect(await queryRows(library, query as DatasetQuery)).toEqual([
      [1_199, 1_000, 1_095],
      [2_199, 2_000, 2_095],
    ]);
    const all = unwrapResult(await library.query({ dataset: "wide" }));
    expect(all).toMatchObject({ error: { entity: "query", message: expect.stringContaining("select") as string } });
    const self = {
      dataset: "wide",
      aggregate: [
        { function: "median", column: "c180" },
        { function: "stddev", column: "c99" },
      ],
    };
    expect(await queryRows(library, self as DatasetQuery)).toEqual([[1_180, 1_000]]);
    expect(unwrapResult(await library.datasetRows(created.dataset_id, 2, 1))).toMatchObject({
      rows: rows.slice(1),
      next: null,
    });
  });
});

test("the widest allowed query respects the platform's limits on bindings and results", async () => {
  const library = getLibrary("lib-5");
  const names = Array.from({ length: 90 }, (_, i) => `n${i}`);
  unwrapResult(
    await library.addDataset(csv(`${names.join(",")}\n${names.map((_, i) => i).join(",")}\n`), { name: "t" }),
  );
  const conditions = names.slice(0, 40).map((column) => ({ column, operator: "between" as const, value: [0, 100] }));
  const filter = { and: [{ or: conditions.slice(0, 20) }, { or: conditions.slice(20) }] };
  expect(await queryRows(library, { dataset: "t", filter })).toEqual([names.map((_, i) => i)]);
  const functions = ["median", "stddev"] as const;
  const aggregate = names.slice(0, 20).map((column, i) => ({ function: functions[i % 2] ?? "median", column }));
  const group = names.slice(0, 8);
  const [row] = await queryRows(library, {
    dataset: "t",
    filter,
    group,
    aggregate,
    order: group.map((by) => ({ by })),
  });
  expect(row).toHaveLength(28);
  const deep = Array.from({ length: 7 }).reduce<object>((inner) => ({ not: inner }), conditions[0] ?? {});
  expect(await queryRows(library, { dataset: "t", filter: deep as never })).toHaveLength(0);
});

describe("dataset of 100,000 rows", () => {
  const CLASSES = ["一班", "二班", "三班"];
  const text = ["学号,班级,日期,成绩,备注,y,pass"]
    .concat(
      Array.from({ length: MAX_DATASET_ROWS }, (_, i) => {
        const day = String((i % 28) + 1).padStart(2, "0");
        const score = i % 10 === 0 ? "" : (i * 7) % 101;
        return `${i},${CLASSES[i % 3]},2026-0${(i % 9) + 1}-${day},${score},n${i % 50},${(i % 999) / 8},${i % 2 === 0}`;
      }),
    )
    .join("\n");

  test("is parsed, stored and queried in reasonable time", async ({ annotate }) => {
    const library = getLibrary("lib-6");
    // The bound detects hangs, not slowness: normally everything takes two seconds.
    const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const value = await work();
      const took = performance.now() - start;
      expect(took, what).toBeLessThan(10_000);
      await annotate(`${what}: ${Math.round(took)} ms`);
      return value;
    };
    const upload = csv(text);
    const created = await timed(`read and keep ${upload.bytes.length} bytes`, async () =>
      unwrapResult(await library.addDataset(upload, { name: "大表" })),
    );
    expect(created.rows).toBe(MAX_DATASET_ROWS);
    expect(created.columns.map(({ type }) => type)).toEqual([
      "integer",
      "text",
      "date",
      "integer",
      "text",
      "number",
      "boolean",
    ]);
    expect(created.columns[3]).toMatchObject({ gaps: 10_000, gap_share: 0.1, min: 0, max: 100, distinct: 101 });
    const group: DatasetQuery = {
      dataset: "大表",
      filter: { column: "成绩", operator: "gte", value: 60 },
      group: ["班级", { column: "日期", bucket: "month" }],
      aggregate: [{ function: "count" }, { function: "mean", column: "成绩" }, { function: "median", column: "成绩" }],
    };
    expect(await timed("filter and group with a median", () => queryRows(library, group))).toHaveLength(9);
    const sorted: DatasetQuery = { dataset: "大表", order: [{ by: "成绩", direction: "desc" }], limit: 10_000 };
    expect(await timed("sort, 10,000 rows answered", () => queryRows(library, sorted))).toHaveLength(10_000);
    const stats = await timed("one column in full", async () =>
      unwrapResult(await library.columnStats("大表", "成绩")),
    );
    expect(stats).toMatchObject({ count: 90_000, median: 50 });
    const exported = await timed("export", async () => unwrapResult(await library.datasetCsv(created.dataset_id)));
    expect(exported.csv.split("\r\n")).toHaveLength(MAX_DATASET_ROWS + 2);
    await timed("copy", async () => unwrapResult(await library.addDataset(upload, { name: "copy" })));
    const join: DatasetQuery = {
      dataset: "大表",
      join: [{ dataset: "copy", on: [{ left: "学号", right: "学号" }] }],
      aggregate: [{ function: "count" }],
    };
    expect(await timed("join with itself by key", () => queryRows(library, join))).toEqual([[MAX_DATASET_ROWS]]);
    const wild = { ...join, join: [{ dataset: "copy", on: [{ left: "班级", right: "班级" }] }] };
    const refused = await timed("refuse a join of a billion rows", async () => unwrapResult(await library.query(wild)));
    expect(refused).toMatchObject({ error: { entity: "query", message: expect.stringContaining("join") as string } });
    await timed("delete", async () => unwrapResult(await library.removeDataset(created.dataset_id)));
  });

  test("is rejected with one more row", async () => {
    const more = await getLibrary("lib-7").addDataset(csv(`${text}\n1,二班,2026-01-01,1,n,1,true`), {
      name: "t",
    });
    expect(more).toMatchObject({
      failure: { code: "too_large", message: expect.stringContaining("100000") as string },
    });
  });
});

describe("sample data", () => {
  test("is loaded once, next to datasets with the same names", async () => {
    const library = getLibrary("lib-8");
    unwrapResult(await library.addDataset(csv("mine\n1\n"), { name: "Scores" }));
    const names = async () => unwrapResult(await library.loadSample()).map(({ name }) => name);
    expect(await names()).toEqual(["classes", "students", "assignments", "scores (2)"]);
    expect(await names()).toEqual(["classes", "students", "assignments", "scores (2)"]);
    expect(unwrapResult(await library.list())).toHaveLength(5);
    const query: DatasetQuery = {
      dataset: "scores (2)",
      filter: { column: "assignment_id", operator: "in", value: ["a-001"] },
      aggregate: [
        { function: "mean", column: "score" },
        { function: "count", column: "score" },
      ],
    };
    expect(await queryRows(library, query)).toEqual([[74.2, 5]]);
  });
});
