// HTTP routes of datasets. `{id}.csv` is a route of its own; `registerRoutes` orders it before `{id}`.

import * as z from "zod";
import {
  datasetRowsSchema,
  datasetSchema,
  datasetsSchema,
  MAX_QUERY_ROWS,
  newDatasetSchema,
  queryResultSchema,
  updateDatasetSchema,
} from "../protocol/dataset.ts";
import { attachment } from "./attachment.ts";
import { queryBodySchema } from "./dataset-verbs.ts";
import { route, trueOrFalse, wholeNumber } from "./route.ts";
import { readUpload, UPLOADS } from "./upload.ts";

const DATASETS = "/api/v1/datasets";
const dataset = { status: 200, description: "The dataset, with its columns and first rows", schema: datasetSchema };

export const datasetRoutes = [
  route({
    method: "post",
    path: DATASETS,
    tag: "Datasets",
    summary: "Keep a table: CSV, JSON, or a file of a form; with `replace`, instead of the one of its name",
    query: newDatasetSchema.extend({ replace: trueOrFalse.optional() }),
    uploads: UPLOADS,
    answer: { ...dataset, status: 201 },
    async handle({ verbs, request, query }) {
      const { upload, name } = await readUpload(request);
      return verbs.createDataset(upload, { ...(name === undefined ? {} : { name }), ...query });
    },
  }),
  route({
    method: "get",
    path: DATASETS,
    tag: "Datasets",
    summary: "Your datasets, newest first",
    answer: { status: 200, description: "All of them", schema: datasetsSchema },
    handle: ({ verbs }) => verbs.listDatasets(),
  }),
  route({
    method: "post",
    path: `${DATASETS}/sample`,
    tag: "Datasets",
    summary: "Load the sample, a classroom; what is there already stays as it is",
    answer: { status: 200, description: "The datasets of the sample", schema: datasetsSchema },
    handle: ({ verbs }) => verbs.loadSample(),
  }),
  route({
    method: "get",
    path: `${DATASETS}/{id}.csv`,
    tag: "Datasets",
    summary: "One dataset as CSV for spreadsheets; no cell of it is a formula",
    answer: {
      status: 200,
      description: "The table, in UTF-8 with a byte order mark",
      schema: z.string(),
      type: "text/csv",
    },
    async handle({ verbs, params }) {
      const { name, csv } = await verbs.datasetCsv(params.id.replace(/\.csv$/, ""));
      return new Response(csv, {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": attachment(name, "csv", "dataset"),
        },
      });
    },
  }),
  route({
    method: "get",
    path: `${DATASETS}/{id}`,
    tag: "Datasets",
    summary: "One dataset: its columns with what is in them, and its first rows",
    answer: dataset,
    handle: ({ verbs, params }) => verbs.dataset(params.id),
  }),
  route({
    method: "get",
    path: `${DATASETS}/{id}/rows`,
    tag: "Datasets",
    summary: "The rows of a dataset, in their order",
    query: z.strictObject({ limit: wholeNumber(100, { min: 1, max: MAX_QUERY_ROWS }), cursor: z.string().optional() }),
    answer: { status: 200, description: "A page of rows", schema: datasetRowsSchema },
    handle: ({ verbs, params, query }) => verbs.datasetRows(params.id, query.limit, query.cursor),
  }),
  route({
    method: "post",
    path: `${DATASETS}/{id}/query`,
    tag: "Datasets",
    summary: "Select, filter, group, join and sort",
    body: queryBodySchema,
    example: {
      filter: { column: "score", operator: "gte", value: 60 },
      group: ["class"],
      aggregate: [{ function: "mean", column: "score", as: "average" }],
      order: [{ by: "average", direction: "desc" }],
    },
    answer: { status: 200, description: "The rows of the answer", schema: queryResultSchema },
    handle: ({ verbs, params, body }) => verbs.queryDataset(params.id, body),
  }),
  route({
    method: "patch",
    path: `${DATASETS}/{id}`,
    tag: "Datasets",
    summary: "Rename a dataset",
    body: updateDatasetSchema,
    example: { name: "Scores of autumn" },
    answer: dataset,
    handle: ({ verbs, params, body }) => verbs.updateDataset(params.id, body),
  }),
  route({
    method: "delete",
    path: `${DATASETS}/{id}`,
    tag: "Datasets",
    summary: "Delete a dataset with its rows",
    answer: {
      status: 200,
      description: "It is gone",
      schema: z.object({ dataset_id: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ verbs, params }) => verbs.deleteDataset(params.id),
  }),
];
