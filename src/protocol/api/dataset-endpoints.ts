// The endpoints of datasets.

import * as z from "zod";
import {
  datasetListSchema,
  datasetQuerySchema,
  datasetRowsSchema,
  datasetSchema,
  datasetUploadOptionsSchema,
  MAX_QUERY_ROWS,
  queryResultSchema,
  updateDatasetSchema,
} from "../datasets/dataset.ts";
import { defineEndpoints } from "./endpoint.ts";

export const datasetEndpoints = defineEndpoints({
  /**
   * Stores a table: CSV, JSON, or a form with such a file. `unprocessable`, with line and column, if it cannot be
   * parsed, and `conflict` if the name is taken and `replace` is not set.
   */
  createDataset: {
    method: "post",
    path: "/api/v1/datasets",
    query: datasetUploadOptionsSchema,
    output: datasetSchema,
  },
  /** Lists all datasets, newest first. */
  listDatasets: { method: "get", path: "/api/v1/datasets", output: datasetListSchema },
  /** Loads the sample datasets of a classroom that are missing, and returns all of them. */
  loadSample: { method: "post", path: "/api/v1/datasets/sample", output: datasetListSchema },
  /** Returns the table as CSV for spreadsheets, in which no cell is a formula. */
  datasetCsv: { method: "get", path: "/api/v1/datasets/{id}/csv", output: z.string() },
  /** Returns a dataset with its columns and first rows. */
  dataset: { method: "get", path: "/api/v1/datasets/{id}", output: datasetSchema },
  /** Returns rows in their stored order. `next_cursor` requests the next page and is null on the last one. */
  datasetRows: {
    method: "get",
    path: "/api/v1/datasets/{id}/rows",
    query: z.strictObject({
      limit: z.int().min(1).max(MAX_QUERY_ROWS).default(100),
      cursor: z.string().optional(),
    }),
    output: datasetRowsSchema,
  },
  /** Runs a query. An unknown name is `unprocessable`; the message suggests the nearest names. */
  queryDataset: {
    method: "post",
    path: "/api/v1/datasets/{id}/query",
    body: datasetQuerySchema.omit({ dataset: true }),
    output: queryResultSchema,
  },
  /** Renames a dataset. `conflict` if another one has the name. */
  updateDataset: {
    method: "patch",
    path: "/api/v1/datasets/{id}",
    body: updateDatasetSchema,
    output: datasetSchema,
  },
  deleteDataset: {
    method: "delete",
    path: "/api/v1/datasets/{id}",
    output: z.object({ dataset_id: z.string(), deleted: z.literal(true) }),
  },
});
