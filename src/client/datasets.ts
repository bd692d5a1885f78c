// Client calls for the datasets of a user. Each response is validated.

import {
  datasetRowsSchema,
  datasetSchema,
  datasetListSchema,
  queryResultSchema,
  type Dataset,
  type DatasetQuery,
  type DatasetRows,
  type DatasetSummary,
  type DatasetUploadOptions,
  type QueryResult,
} from "../protocol/datasets/dataset.ts";
import { createHttpClient, buildResourcePath, buildQueryString, type ApiOptions } from "./http-client.ts";

/** All methods reject with a `Fault`, or with a `ZodError` if the response does not match its schema. */
export type DatasetsClient = {
  /**
   * Stores a table: CSV as text or `Blob`, or JSON as objects or a `Blob` of a JSON type. Rejects with `unprocessable`,
   * with line and column, if it cannot be parsed, and with `conflict` if the name is taken and `replace` is not set.
   */
  createDataset(table: string | Blob | readonly object[], options?: DatasetUploadOptions): Promise<Dataset>;
  /** Lists the datasets, newest first. */
  listDatasets(): Promise<DatasetSummary[]>;
  dataset(id: string): Promise<Dataset>;
  /** Lists rows in the order of the file. `next_cursor` requests the next page and is null on the last one. */
  datasetRows(id: string, page?: { limit?: number; cursor?: string }): Promise<DatasetRows>;
  /** Runs a query. Rejects with `unprocessable`, with the nearest names, if a name in it does not exist. */
  queryDataset(id: string, query?: Omit<DatasetQuery, "dataset">): Promise<QueryResult>;
  /** Returns the table as CSV for spreadsheets. */
  datasetCsv(id: string): Promise<string>;
  renameDataset(id: string, name: string): Promise<Dataset>;
  deleteDataset(id: string): Promise<void>;
  /** Stores the sample datasets of a classroom that are missing, and returns all of them. */
  loadSample(): Promise<DatasetSummary[]>;
};

/** Creates the calls for datasets. Sends nothing until a method is called. */
export function createDatasetsApi(options: ApiOptions): DatasetsClient {
  const { call } = createHttpClient(options);
  const at = (id: string, part?: string) => buildResourcePath("datasets", id, part);
  return {
    createDataset: async (table, uploadOptions = {}) => {
      const isCsv = typeof table === "string" || (table instanceof Blob && !/json/.test(table.type));
      const type = isCsv ? "text/csv" : "application/json";
      return datasetSchema.parse(await call("POST", `/api/v1/datasets${buildQueryString(uploadOptions)}`, table, type));
    },
    listDatasets: async () => datasetListSchema.parse(await call("GET", "/api/v1/datasets")).datasets,
    dataset: async (id) => datasetSchema.parse(await call("GET", at(id))),
    datasetRows: async (id, page = {}) =>
      datasetRowsSchema.parse(await call("GET", at(id, `/rows${buildQueryString(page)}`))),
    queryDataset: async (id, query = {}) => queryResultSchema.parse(await call("POST", at(id, "/query"), query)),
    datasetCsv: async (id) => String(await call("GET", at(id, ".csv"))),
    renameDataset: async (id, name) => datasetSchema.parse(await call("PATCH", at(id), { name })),
    deleteDataset: async (id) => void (await call("DELETE", at(id))),
    loadSample: async () => datasetListSchema.parse(await call("POST", "/api/v1/datasets/sample")).datasets,
  };
}
