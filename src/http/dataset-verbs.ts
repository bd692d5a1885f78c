// What a user can ask about their datasets. Everything is asked of their library.

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

/** The body of a query: the dataset stands in the path. */
export const queryBodySchema = datasetQuerySchema.omit({ dataset: true });

const DATASET_ID = /^data-[0-9a-f]{32}$/;

export function datasetVerbsOf(env: Env, userId: string) {
  /** A call that fails may leave a stub broken, so each has its own. */
  const library = (): LibraryApi => env.LIBRARY.getByName(userId);

  /** What no dataset can have as its id names nothing. */
  const known = (id: string): string => {
    if (isOfForm(id, DATASET_ID)) return id;
    throw new Fault("not_found", "There is no such dataset.");
  };

  return {
    async createDataset(file: Upload | TableFile, options: NewDataset): Promise<Dataset> {
      return valueOf(await library().addDataset("kind" in file ? file : uploadOf(file), options));
    },

    async listDatasets(): Promise<Datasets> {
      return { datasets: valueOf(await library().list()) };
    },

    async dataset(id: string): Promise<Dataset> {
      return valueOf(await library().dataset(known(id)));
    },

    async datasetRows(id: string, limit: number, cursor?: string): Promise<DatasetRows> {
      const place = cursor === undefined ? { at: 0, id } : placeIn(cursor);
      if (place.id !== id || place.at < 0) {
        throw new Fault("invalid_request", "cursor: is not one that was given out here", { field: "cursor" });
      }
      const { columns, rows, next } = valueOf(await library().datasetRows(known(id), limit, place.at));
      return { columns, rows, next_cursor: next === null ? null : cursorOf(next, id) };
    },

    /** A name that is not there is `unprocessable`, with the nearest ones. */
    async queryDataset(id: string, query: Omit<DatasetQuery, "dataset">): Promise<QueryResult> {
      const checked = parseWith(queryBodySchema, query);
      // A path names datasets by their ids alone.
      valueOf(await library().dataset(known(id)));
      const result = valueOf(await library().query({ ...checked, dataset: id }));
      if (!isFailed(result)) return result;
      const { entity, message, suggestions } = result.error;
      const near = suggestions.map((name) => `"${name}"`).join(", ");
      throw new Fault("unprocessable", near === "" ? message : `${message} The nearest: ${near}.`, { field: entity });
    },

    async datasetCsv(id: string): Promise<{ readonly name: string; readonly csv: string }> {
      return valueOf(await library().datasetCsv(known(id)));
    },

    async updateDataset(id: string, { name }: UpdateDataset): Promise<Dataset> {
      return valueOf(await library().renameDataset(known(id), name));
    },

    async deleteDataset(id: string): Promise<{ dataset_id: string; deleted: true }> {
      return valueOf(await library().removeDataset(known(id)));
    },

    async loadSample(): Promise<Datasets> {
      return { datasets: valueOf(await library().loadSample()) };
    },
  };
}

function uploadOf({ type, content }: TableFile): Upload {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (bytes.byteLength > MAX_BYTES) throw tooManyBytes();
  return { bytes, kind: type };
}
