// HTTP routes of datasets. `{id}.csv` is a route of its own; `registerRoutes` orders it before `{id}`.

import * as z from "zod";
import {
  datasetRowsSchema,
  datasetSchema,
  datasetListSchema,
  MAX_QUERY_ROWS,
  datasetUploadOptionsSchema,
  queryResultSchema,
  updateDatasetSchema,
} from "../../protocol/datasets/dataset.ts";
import { formatContentDisposition } from "./content-disposition.ts";
import { queryBodySchema } from "../operations/dataset-operations.ts";
import { defineRoute, booleanParameter, createIntegerParameter } from "../define-route.ts";
import { readUpload, UPLOAD_FORMATS } from "./dataset-upload.ts";

const DATASETS_PATH = "/api/v1/datasets";
const datasetResponse = {
  status: 200,
  description: "The dataset, with its columns and first rows",
  schema: datasetSchema,
};

export const datasetRoutes = [
  defineRoute({
    method: "post",
    path: DATASETS_PATH,
    tag: "Datasets",
    summary: "Upload a table as CSV, JSON or a form; with `replace`, it replaces the dataset of its name",
    query: datasetUploadOptionsSchema.extend({ replace: booleanParameter.optional() }),
    uploads: UPLOAD_FORMATS,
    answer: { ...datasetResponse, status: 201 },
    async handle({ operations, request, query }) {
      const { upload, name } = await readUpload(request);
      return operations.createDataset(upload, { ...(name === undefined ? {} : { name }), ...query });
    },
  }),
  defineRoute({
    method: "get",
    path: DATASETS_PATH,
    tag: "Datasets",
    summary: "List your datasets, newest first",
    answer: { status: 200, description: "All datasets", schema: datasetListSchema },
    handle: ({ operations }) => operations.listDatasets(),
  }),
  defineRoute({
    method: "post",
    path: `${DATASETS_PATH}/sample`,
    tag: "Datasets",
    summary: "Load the sample datasets of a classroom; existing ones are not changed",
    answer: { status: 200, description: "The sample datasets", schema: datasetListSchema },
    handle: ({ operations }) => operations.loadSample(),
  }),
  defineRoute({
    method: "get",
    path: `${DATASETS_PATH}/{id}.csv`,
    tag: "Datasets",
    summary: "Export a dataset as CSV for spreadsheets, without formulas",
    answer: {
      status: 200,
      description: "The table in UTF-8 with a byte order mark",
      schema: z.string(),
      type: "text/csv",
    },
    async handle({ operations, params }) {
      const { name, csv } = await operations.datasetCsv(params.id.replace(/\.csv$/, ""));
      return new Response(csv, {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": formatContentDisposition(name, "csv", "dataset"),
        },
      });
    },
  }),
  defineRoute({
    method: "get",
    path: `${DATASETS_PATH}/{id}`,
    tag: "Datasets",
    summary: "Get a dataset with its columns and first rows",
    answer: datasetResponse,
    handle: ({ operations, params }) => operations.dataset(params.id),
  }),
  defineRoute({
    method: "get",
    path: `${DATASETS_PATH}/{id}/rows`,
    tag: "Datasets",
    summary: "List the rows of a dataset in their order",
    query: z.strictObject({
      limit: createIntegerParameter(100, { min: 1, max: MAX_QUERY_ROWS }),
      cursor: z.string().optional(),
    }),
    answer: { status: 200, description: "A page of rows", schema: datasetRowsSchema },
    handle: ({ operations, params, query }) => operations.datasetRows(params.id, query.limit, query.cursor),
  }),
  defineRoute({
    method: "post",
    path: `${DATASETS_PATH}/{id}/query`,
    tag: "Datasets",
    summary: "Query a dataset: select, filter, group, join and sort",
    body: queryBodySchema,
    example: {
      filter: { column: "score", operator: "gte", value: 60 },
      group: ["class"],
      aggregate: [{ function: "mean", column: "score", as: "average" }],
      order: [{ by: "average", direction: "desc" }],
    },
    answer: { status: 200, description: "The result rows", schema: queryResultSchema },
    handle: ({ operations, params, body }) => operations.queryDataset(params.id, body),
  }),
  defineRoute({
    method: "patch",
    path: `${DATASETS_PATH}/{id}`,
    tag: "Datasets",
    summary: "Rename a dataset",
    body: updateDatasetSchema,
    example: { name: "Autumn scores" },
    answer: datasetResponse,
    handle: ({ operations, params, body }) => operations.updateDataset(params.id, body),
  }),
  defineRoute({
    method: "delete",
    path: `${DATASETS_PATH}/{id}`,
    tag: "Datasets",
    summary: "Delete a dataset",
    answer: {
      status: 200,
      description: "The dataset was deleted",
      schema: z.object({ dataset_id: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ operations, params }) => operations.deleteDataset(params.id),
  }),
];
