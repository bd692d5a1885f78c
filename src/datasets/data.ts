// The interface through which the data tools read one person's datasets.

import type { ColumnStats, Dataset, DatasetQuery, DatasetSummary, Failed, QueryResult } from "../protocol/dataset.ts";
import { valueOf, type Result } from "../protocol/result.ts";

/**
 * Reads the datasets of one person. A dataset is named by its name or id. Anything that does not exist gives an
 * `{error}` value; all other failures reject with a `Fault`.
 */
export type Data = {
  list(): Promise<DatasetSummary[]>;
  describe(dataset: string): Promise<Dataset | Failed>;
  query(query: DatasetQuery): Promise<QueryResult | Failed>;
  columnStats(dataset: string, column: string): Promise<ColumnStats | Failed>;
};

/** The same interface over RPC, with failures as `Result` values. */
export type RemoteData = {
  [Method in keyof Data]: (...args: Parameters<Data[Method]>) => Promise<Result<Awaited<ReturnType<Data[Method]>>>>;
};

/** Adapts the RPC interface: unwraps each `Result` and throws its failure as a `Fault`. */
export function dataOf(remote: RemoteData): Data {
  return {
    list: async () => valueOf(await remote.list()),
    describe: async (dataset) => valueOf(await remote.describe(dataset)),
    query: async (query) => valueOf(await remote.query(query)),
    columnStats: async (dataset, column) => valueOf(await remote.columnStats(dataset, column)),
  };
}
