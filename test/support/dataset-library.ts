// A person's datasets in memory, as the object that keeps them has them.

import { describeColumn } from "../../src/datasets/describe-column.ts";
import type { DatasetReader } from "../../src/datasets/dataset-reader.ts";
import { DatasetStore } from "../../src/durable/dataset-store.ts";
import { DatasetCatalog } from "../../src/durable/dataset-catalog.ts";
import {
  isDataFailure,
  type Cell,
  type Column,
  type Dataset,
  type DatasetQuery,
} from "../../src/protocol/datasets/dataset.ts";
import type { Sql } from "../../src/durable/sql.ts";
import { inMemory } from "./sqlite.ts";

export type OpenLibrary = {
  readonly datasets: DatasetCatalog;
  readonly sql: Sql;
  /** What tools read. */
  readonly data: DatasetReader;
  add(name: string, csv: string): Dataset;
  /** Keeps a table whose types are given. */
  put(name: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): void;
};

export function openLibrary(limit = 100): OpenLibrary {
  const sql = inMemory();
  const store = new DatasetStore(sql);
  const datasets = new DatasetCatalog(store, limit);
  return {
    sql,
    datasets,
    data: {
      list: () => Promise.resolve(datasets.list()),
      describe: (dataset) => Promise.resolve(datasets.describe(dataset)),
      query: async (query) => datasets.query(query),
      columnStats: (dataset, column) => Promise.resolve(datasets.columnStats(dataset, column)),
    },
    put(name, columns, rows) {
      const values = (i: number): Cell[] => rows.map((row) => row[i] ?? null);
      const entry = {
        dataset_id: `data-${name}`,
        name,
        rows: rows.length,
        size: 0,
        notes: [],
        created_at: 1,
        updated_at: 1,
        columns: columns.map((column, i) => describeColumn(column, values(i))),
      };
      store.put(entry, { rows });
    },
    add: (name, csv) => datasets.add({ bytes: new TextEncoder().encode(csv), kind: "csv" }, { name }, 1),
  };
}

/** The rows that a query answers, which must not fail. */
export function rowsOf(library: OpenLibrary, query: DatasetQuery): Cell[][] {
  const result = library.datasets.query(query);
  if (isDataFailure(result)) throw new Error(result.error.message);
  return result.rows;
}
