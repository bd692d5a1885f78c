// A user's datasets in memory, as the Library object stores them.

import { describeColumn } from "../../src/datasets/describe-column.ts";
import type { DatasetReader } from "../../src/datasets/dataset-reader.ts";
import { DatasetStore } from "../../src/durable/library/dataset-store.ts";
import { DatasetCatalog } from "../../src/durable/library/dataset-catalog.ts";
import {
  isDataFailure,
  type Cell,
  type Column,
  type Dataset,
  type DatasetQuery,
} from "../../src/protocol/datasets/dataset.ts";
import type { Sql } from "../../src/durable/sql.ts";
import { createInMemorySql } from "./sqlite.ts";

export type TestLibrary = {
  readonly datasets: DatasetCatalog;
  readonly sql: Sql;
  /** The reader that tools use. */
  readonly data: DatasetReader;
  add(name: string, csv: string): Dataset;
  /** Stores a table with the given column types. */
  put(name: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): void;
};

export function openLibrary(limit = 100): TestLibrary {
  const sql = createInMemorySql();
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

/** Returns the rows of a query. Throws if the query fails. */
export function queryRows(library: TestLibrary, query: DatasetQuery): Cell[][] {
  const result = library.datasets.query(query);
  if (isDataFailure(result)) throw new Error(result.error.message);
  return result.rows;
}
