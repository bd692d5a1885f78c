// Operations on datasets. A Durable Object per user, the library, stores and queries them.

import { MAX_DATASET_BYTES, createTooManyBytesFault } from "../../datasets/dataset-limits.ts";
import type { DatasetUpload } from "../../durable/library/dataset-catalog.ts";
import type { LibraryApi } from "../../durable/library/operations.ts";
import type { Env } from "../../env.ts";
import {
  datasetQuerySchema,
  isDataFailure,
  type DataFailure,
  type Dataset,
  type DatasetQuery,
  type DatasetRows,
  type DatasetList,
  type DatasetUploadOptions,
  type QueryResult,
  type UpdateDatasetRequest,
} from "../../protocol/datasets/dataset.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { parseOrThrow, type Fault } from "../../protocol/wire/fault.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import { createCursorFault, encodeCursor, decodeCursor } from "./list-cursor.ts";
import { matchesIdFormat } from "./id-validation.ts";
import type { TableFile } from "../rpc-api.ts";

/** A query as a request body. The dataset id is part of the path. */
export const queryBodySchema = datasetQuerySchema.omit({ dataset: true });

const DATASET_ID = /^data-[0-9a-f]{32}$/;

/** Creates the operations for one user. */
export function createDatasetOperations(env: Env, userId: string) {
  /** Returns a new stub for each call, because a failed call may break its stub. */
  const getLibraryStub = (): LibraryApi => env.LIBRARY.getByName(userId);

  /** Returns the id. Throws `not_found` if it does not have the form of a dataset id. */
  const checkDatasetId = (id: string): string => {
    if (matchesIdFormat(id, DATASET_ID)) return id;
    throw createFault("not_found", "dataset.notFound");
  };

  return {
    /**
     * Parses a file and stores it as a dataset. Throws `conflict` if its name is taken and `options.replace` is not
     * true, `too_many_requests` at the limit of datasets, or another `Fault` if the file is too large or malformed.
     */
    async createDataset(file: DatasetUpload | TableFile, options: DatasetUploadOptions): Promise<Dataset> {
      return unwrapResult(await getLibraryStub().addDataset("kind" in file ? file : toUpload(file), options));
    },

    /** Lists all datasets, newest first. */
    async listDatasets(): Promise<DatasetList> {
      return { datasets: unwrapResult(await getLibraryStub().list()) };
    },

    /** Returns a dataset with its columns and first rows. Throws `not_found`, like all methods with an id. */
    async dataset(id: string): Promise<Dataset> {
      return unwrapResult(await getLibraryStub().dataset(checkDatasetId(id)));
    },

    /**
     * Returns a page of rows in their stored order. The cursor contains the dataset id, so it is refused for another
     * dataset.
     */
    async datasetRows(id: string, limit: number, cursor?: string): Promise<DatasetRows> {
      const position = cursor === undefined ? { at: 0, id } : decodeCursor(cursor);
      if (position.id !== id || position.at < 0) {
        throw createCursorFault();
      }
      const { columns, rows, next } = unwrapResult(
        await getLibraryStub().datasetRows(checkDatasetId(id), limit, position.at),
      );
      return { columns, rows, next_cursor: next === null ? null : encodeCursor(next, id) };
    },

    /** Runs a query on one dataset. An unknown name is `unprocessable`; the message suggests the nearest names. */
    async queryDataset(id: string, query: Omit<DatasetQuery, "dataset">): Promise<QueryResult> {
      const validQuery = parseOrThrow(queryBodySchema, query);
      // The query resolves names and ids, but a path contains only ids: check that this dataset exists.
      unwrapResult(await getLibraryStub().dataset(checkDatasetId(id)));
      const result = unwrapResult(await getLibraryStub().query({ ...validQuery, dataset: id }));
      if (!isDataFailure(result)) return result;
      throw createQueryFault(result);
    },

    /** Returns the name of the dataset and its content as CSV for spreadsheets, in which no cell is a formula. */
    async datasetCsv(id: string): Promise<{ readonly name: string; readonly csv: string }> {
      return unwrapResult(await getLibraryStub().datasetCsv(checkDatasetId(id)));
    },

    /** Renames a dataset. Throws `conflict` if another one has the name. */
    async updateDataset(id: string, { name }: UpdateDatasetRequest): Promise<Dataset> {
      return unwrapResult(await getLibraryStub().renameDataset(checkDatasetId(id), name));
    },

    async deleteDataset(id: string): Promise<{ dataset_id: string; deleted: true }> {
      return unwrapResult(await getLibraryStub().removeDataset(checkDatasetId(id)));
    },

    /** Loads the sample datasets that the user does not have yet, and returns them. */
    async loadSample(): Promise<DatasetList> {
      return { datasets: unwrapResult(await getLibraryStub().loadSample()) };
    },
  };
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
