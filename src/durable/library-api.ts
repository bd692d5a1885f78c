// What the Worker asks of the object that holds what a person owns.

import type { RemoteData } from "../datasets/data.ts";
import type { Dataset, DatasetSummary, NewDataset } from "../protocol/dataset.ts";
import type { PagesApi } from "../protocol/pages.ts";
import type { Result } from "../protocol/result.ts";
import type { RowPage, Upload } from "./datasets.ts";
import type { PaceApi } from "./pace.ts";

/** `not_found` for an id that is not there. No SQL crosses this border, in either direction. */
export type LibraryApi = RemoteData &
  PagesApi &
  PaceApi & {
    addDataset(upload: Upload, options: NewDataset): Promise<Result<Dataset>>;
    dataset(id: string): Promise<Result<Dataset>>;
    datasetRows(id: string, limit: number, after: number): Promise<Result<RowPage>>;
    datasetCsv(id: string): Promise<Result<{ readonly name: string; readonly csv: string }>>;
    renameDataset(id: string, name: string): Promise<Result<Dataset>>;
    removeDataset(id: string): Promise<Result<{ dataset_id: string; deleted: true }>>;
    /** Idempotent. Answers the datasets of the sample. */
    loadSample(): Promise<Result<DatasetSummary[]>>;
  };
