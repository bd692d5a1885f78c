// Operations on datasets. A Durable Object per user, the library, stores and queries them.

import * as z from "zod";
import { createTooManyBytesFault, MAX_DATASET_BYTES } from "../../datasets/dataset-limits.ts";
import type { DatasetUpload } from "../../durable/library/dataset-catalog.ts";
import type { LibraryApi } from "../../durable/library/operations.ts";
import { createMessage } from "../../language/messages.ts";
import { datasetEndpoints } from "../../protocol/api/dataset-endpoints.ts";
import type { PageQuery } from "../../protocol/api/endpoint.ts";
import {
  isDataFailure,
  type DataFailure,
  type DatasetQuery,
  type DatasetUploadOptions,
  type UpdateDatasetRequest,
} from "../../protocol/datasets/dataset.ts";
import type { Fault } from "../../protocol/wire/fault.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import { respondWithCsv } from "./file-response.ts";
import { readUpload, UPLOAD_FORMATS, type NamedUpload } from "./dataset-upload.ts";
import { matchesIdFormat } from "./id-validation.ts";
import { createCursorFault, decodeCursor, encodeCursor } from "./list-cursor.ts";
import { defineOperation, type Caller } from "./operation.ts";

const tag = "Datasets";
const answer = "The dataset, with its columns and first rows";

/** A table file as text or bytes. */
export type TableFile = { readonly type: "csv" | "json"; readonly content: string | Uint8Array };
const tableFileSchema: z.ZodType<TableFile, TableFile> = z.strictObject({
  type: z.enum(["csv", "json"]),
  content: z.union([z.string(), z.instanceof(Uint8Array)]),
});
const uploadSchema = tableFileSchema.transform((file): NamedUpload => ({ upload: toUpload(file), name: undefined }));

/** The path of the export in earlier releases. It works, but is not described. */
const FORMER_EXPORT_PATH = "/api/v1/datasets/{id}.csv";

function defineExport(path: typeof datasetEndpoints.datasetCsv.path | typeof FORMER_EXPORT_PATH) {
  return defineOperation(
    { ...datasetEndpoints.datasetCsv, path },
    {
      http: {
        tag,
        summary: "Export a dataset as CSV for spreadsheets, without formulas",
        answer: "The table in UTF-8 with a byte order mark",
        type: "text/csv",
      },
      run: async (caller, { id }) => unwrapResult(await getLibraryStub(caller).datasetCsv(checkDatasetId(id))),
      respond: ({ name, csv }) => respondWithCsv(csv, name, "dataset"),
    },
  );
}

export const formerDatasetOperations = { exportDataset: defineExport(FORMER_EXPORT_PATH) };

export const datasetOperations = {
  /** Parses a table file and stores it. `conflict` if its name is taken and `options.replace` is not true. */
  createDataset: defineOperation(
    { ...datasetEndpoints.createDataset, body: uploadSchema },
    {
      http: {
        tag,
        summary: "Upload a table as CSV, JSON or a form; with `replace`, it replaces the dataset of its name",
        upload: { formats: UPLOAD_FORMATS, read: readUpload },
        status: 201,
        answer,
      },
      rpc: (file: TableFile, options?: DatasetUploadOptions) => ({ body: file, query: options }),
      run: async (caller, { body: { upload, name }, query }) =>
        unwrapResult(
          await getLibraryStub(caller).addDataset(upload, { ...(name === undefined ? {} : { name }), ...query }),
        ),
    },
  ),
  /** Lists newest first. */
  listDatasets: defineOperation(datasetEndpoints.listDatasets, {
    http: { tag, summary: "List your datasets, newest first", answer: "All datasets" },
    rpc: () => ({}),
    run: async (caller) => ({ datasets: unwrapResult(await getLibraryStub(caller).list()) }),
  }),
  /** Loads the sample datasets that are missing, and returns all of them. */
  loadSample: defineOperation(datasetEndpoints.loadSample, {
    http: {
      tag,
      summary: "Load the sample datasets of a classroom; existing ones are not changed",
      answer: "The sample datasets",
    },
    rpc: () => ({}),
    run: async (caller) => ({ datasets: unwrapResult(await getLibraryStub(caller).loadSample()) }),
  }),
  exportDataset: defineExport(datasetEndpoints.datasetCsv.path),
  /** Returns CSV for spreadsheets, in which no cell is a formula. */
  datasetCsv: defineOperation(datasetEndpoints.datasetCsv, {
    rpc: (dataset: string) => ({ id: dataset }),
    run: async (caller, { id }) => unwrapResult(await getLibraryStub(caller).datasetCsv(checkDatasetId(id))).csv,
  }),
  /** Returns a dataset with its columns and first rows. */
  dataset: defineOperation(datasetEndpoints.dataset, {
    http: { tag, summary: "Get a dataset with its columns and first rows", answer },
    rpc: (dataset: string) => ({ id: dataset }),
    run: async (caller, { id }) => unwrapResult(await getLibraryStub(caller).dataset(checkDatasetId(id))),
  }),
  /** Returns rows in their stored order, 100 per page by default. The cursor is refused for another dataset. */
  datasetRows: defineOperation(datasetEndpoints.datasetRows, {
    http: { tag, summary: "List the rows of a dataset in their order", answer: "A page of rows" },
    rpc: (dataset: string, options?: PageQuery) => ({ id: dataset, query: options }),
    async run(caller, { id, query: { limit, cursor } }) {
      const position = decodeCursor(cursor) ?? { at: 0, id };
      if (position.id !== id || position.at < 0) throw createCursorFault();
      const { columns, rows, next } = unwrapResult(
        await getLibraryStub(caller).datasetRows(checkDatasetId(id), limit, position.at),
      );
      return { columns, rows, next_cursor: next === null ? null : encodeCursor(next, id) };
    },
  }),
  /** Runs a query. An unknown name is `unprocessable`; the message suggests the nearest names. */
  queryDataset: defineOperation(datasetEndpoints.queryDataset, {
    http: {
      tag,
      summary: "Query a dataset: select, filter, group, join and sort",
      example: {
        filter: { column: "score", operator: "gte", value: 60 },
        group: ["class"],
        aggregate: [{ function: "mean", column: "score", as: "average" }],
        order: [{ by: "average", direction: "desc" }],
      },
      answer: "The result rows",
    },
    rpc: (dataset: string, query: Omit<DatasetQuery, "dataset"> = {}) => ({ id: dataset, body: query }),
    async run(caller, { id, body }) {
      // The query resolves names and ids, but a path contains only ids: check that this dataset exists.
      unwrapResult(await getLibraryStub(caller).dataset(checkDatasetId(id)));
      const result = unwrapResult(await getLibraryStub(caller).query({ ...body, dataset: id }));
      if (!isDataFailure(result)) return result;
      throw createQueryFault(result);
    },
  }),
  /** Renames a dataset. `conflict` if another one has the name. */
  updateDataset: defineOperation(datasetEndpoints.updateDataset, {
    http: { tag, summary: "Rename a dataset", example: { name: "Autumn scores" }, answer },
    rpc: (dataset: string, patch: UpdateDatasetRequest) => ({ id: dataset, body: patch }),
    run: async (caller, { id, body: { name } }) =>
      unwrapResult(await getLibraryStub(caller).renameDataset(checkDatasetId(id), name)),
  }),
  deleteDataset: defineOperation(datasetEndpoints.deleteDataset, {
    http: { tag, summary: "Delete a dataset", answer: "The dataset was deleted" },
    rpc: (dataset: string) => ({ id: dataset }),
    run: async (caller, { id }) => unwrapResult(await getLibraryStub(caller).removeDataset(checkDatasetId(id))),
  }),
};

/** Returns a new stub for each call, because a failed call may break its stub. */
function getLibraryStub({ env, userId }: Caller): LibraryApi {
  return env.LIBRARY.getByName(userId);
}

/** Returns the id. Throws `not_found` if it does not have the form of a dataset id. */
function checkDatasetId(id: string): string {
  if (matchesIdFormat(id, /^data-[0-9a-f]{32}$/)) return id;
  throw createFault("not_found", "dataset.notFound");
}

/** Converts a failed query to a fault. Its field is the kind of thing that is wrong. */
function createQueryFault({ error: { entity, message, suggestions }, text }: DataFailure): Fault {
  const names = suggestions.map((name) => `"${name}"`);
  const params = { problem: text ?? message, suggestions: names };
  return createFault(
    "unprocessable",
    names.length === 0 ? createMessage("query.failed", params) : createMessage("query.failedWithSuggestions", params),
    { field: entity },
  );
}

/** Converts a file from RPC to an upload. Throws `too_large`. */
function toUpload({ type, content }: TableFile): DatasetUpload {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (bytes.byteLength > MAX_DATASET_BYTES) throw createTooManyBytesFault();
  return { bytes, kind: type };
}
