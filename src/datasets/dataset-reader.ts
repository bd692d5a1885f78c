// The interface through which the data tools read one person's datasets.

import type {
  ColumnStats,
  Dataset,
  DatasetQuery,
  DatasetSummary,
  DataFailure,
  QueryResult,
} from "../protocol/datasets/dataset.ts";
import { unwrapResult, type InternalResult } from "../protocol/wire/rpc-result.ts";

/**
 * Reads the datasets of one person. A dataset is named by its name or id. Anything that does not exist, and a query
 * that does not fit the data, gives an `{error}` value; all other failures reject with a `Fault`.
 */
export type DatasetReader = {
  list(): Promise<DatasetSummary[]>;
  describe(dataset: string): Promise<Dataset | DataFailure>;
  query(query: DatasetQuery): Promise<QueryResult | DataFailure>;
  columnStats(dataset: string, column: string): Promise<ColumnStats | DataFailure>;
};

/** The same interface over RPC, with failures as `InternalResult` values. */
export type RemoteDatasetReader = {
  [Method in keyof DatasetReader]: (
    ...args: Parameters<DatasetReader[Method]>
  ) => Promise<InternalResult<Awaited<ReturnType<DatasetReader[Method]>>>>;
};

/** Adapts the RPC interface: unwraps each `InternalResult` and throws its failure as a `Fault`. */
export function createDatasetReader(remote: RemoteDatasetReader): DatasetReader {
  return {
    list: async () => unwrapResult(await remote.list()),
    describe: async (dataset) => unwrapResult(await remote.describe(dataset)),
    query: async (query) => unwrapResult(await remote.query(query)),
    columnStats: async (dataset, column) => unwrapResult(await remote.columnStats(dataset, column)),
  };
}
