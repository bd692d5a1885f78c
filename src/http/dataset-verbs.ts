// Operations on datasets. A Durable Object per user, the library, stores and queries them.

import { MAX_BYTES, tooManyBytes } from "../datasets/limits.ts";
import type { Upload } from "../durable/datasets.ts";
import type { LibraryApi } from "../durable/library-api.ts";
import type { Env } from "../env.ts";
import {
  datasetQuerySchema,
  isFailed,
  type Dataset,
  type DatasetQuery,
  type DatasetRows,
  type Datasets,
  type NewDataset,
  type QueryResult,
  type UpdateDataset,
} from "../protocol/dataset.ts";
import { Fault, parseWith } from "../protocol/fault.ts";
import { valueOf } from "../protocol/result.ts";
import { cursorOf, placeIn } from "./cursor.ts";
import { isOfForm } from "./ids.ts";
import type { TableFile } from "./rpc-api.ts";

/** A query as a request body. The dataset id is part of the path. */
export const queryBodySchema = datasetQuerySchema.omit({ dataset: true });

const DATASET_ID = /^data-[0-9a-f]{32}$/;

/** Creates the operations for one user. */
export function datasetVerbsOf(env: Env, userId: string) {
  /** Returns a new stub for each call, because a failed call may break its stub. */
  const library = (): LibraryApi => env.LIBRARY.getByName(userId);

  /** Returns the id. Throws `not_found` if it does not have the form of a dataset id. */
  const known = (id: string): string => {
    if (isOfForm(id, DATASET_ID)) return id;
    throw new Fault("not_found", "There is no such dataset.");
  };

  return {
    /** Parses a file and stores it as a dataset. Throws a `Fault` if the file is too large or malformed. */
    async createDataset(file: Upload | TableFile, options: NewDataset): Promise<Dataset> {
      return valueOf(await library().addDataset("kind" in file ? file : uploadOf(file), options));
    },

    async listDatasets(): Promise<Datasets> {
      return { datasets: valueOf(await library().list()) };
    },

    async dataset(id: string): Promise<Dataset> {
      return valueOf(await library().dataset(known(id)));
    },

    /**
     * Returns a page of rows in their stored order. The cursor contains the dataset id, so it is refused for another
     * dataset.
     */
    async datasetRows(id: string, limit: number, cursor?: string): Promise<DatasetRows> {
      const place = cursor === undefined ? { at: 0, id } : placeIn(cursor);
      if (place.id !== id || place.at < 0) {
        throw new Fault("invalid_request", "cursor: is not one that was given out here", { field: "cursor" });
      }
      const { columns, rows, next } = valueOf(await library().datasetRows(known(id), limit, place.at));
      return { columns, rows, next_cursor: next === null ? null : cursorOf(next, id) };
    },

    /** Runs a query on one dataset. An unknown name is `unprocessable`; the message suggests the nearest names. */
    async queryDataset(id: string, query: Omit<DatasetQuery, "dataset">): Promise<QueryResult> {
      const checked = parseWith(queryBodySchema, query);
      // The query resolves names and ids, but a path contains only ids: check that this dataset exists.
      valueOf(await library().dataset(known(id)));
      const result = valueOf(await library().query({ ...checked, dataset: id }));
      if (!isFailed(result)) return result;
      const { entity, message, suggestions } = result.error;
      const near = suggestions.map((name) => `"${name}"`).join(", ");
      throw new Fault("unprocessable", near === "" ? message : `${message} The nearest: ${near}.`, { field: entity });
    },

    /** Returns the dataset as CSV for spreadsheets, with its name. */
    async datasetCsv(id: string): Promise<{ readonly name: string; readonly csv: string }> {
      return valueOf(await library().datasetCsv(known(id)));
    },

    async updateDataset(id: string, { name }: UpdateDataset): Promise<Dataset> {
      return valueOf(await library().renameDataset(known(id), name));
    },

    async deleteDataset(id: string): Promise<{ dataset_id: string; deleted: true }> {
      return valueOf(await library().removeDataset(known(id)));
    },

    /** Loads the sample datasets that the user does not have yet, and returns them. */
    async loadSample(): Promise<Datasets> {
      return { datasets: valueOf(await library().loadSample()) };
    },
  };
}

/** Converts a file from RPC to an upload. Throws `too_large`. */
function uploadOf({ type, content }: TableFile): Upload {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (bytes.byteLength > MAX_BYTES) throw tooManyBytes();
  return { bytes, kind: type };
}
