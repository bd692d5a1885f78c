// What the tools of an analysis read: one person's own tables. Whatever answers like this will do.

import type { ColumnStats, Dataset, DatasetQuery, DatasetSummary, Failed, QueryResult } from "../protocol/dataset.ts";
import { valueOf, type Result } from "../protocol/result.ts";

/** Datasets are named by their name or id. What is not there is an error value; everything else throws a `Fault`. */
export type Data = {
  list(): Promise<DatasetSummary[]>;
  describe(dataset: string): Promise<Dataset | Failed>;
  query(query: DatasetQuery): Promise<QueryResult | Failed>;
  columnStats(dataset: string, column: string): Promise<ColumnStats | Failed>;
};

/** The same as another Worker or object answers it, with failures as values. */
export type RemoteData = {
  [Method in keyof Data]: (...args: Parameters<Data[Method]>) => Promise<Result<Awaited<ReturnType<Data[Method]>>>>;
};

export function dataOf(remote: RemoteData): Data {
  return {
    list: async () => valueOf(await remote.list()),
    describe: async (dataset) => valueOf(await remote.describe(dataset)),
    query: async (query) => valueOf(await remote.query(query)),
    columnStats: async (dataset, column) => valueOf(await remote.columnStats(dataset, column)),
  };
}
