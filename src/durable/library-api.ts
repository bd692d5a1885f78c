// The RPC interface of the object that holds a user's datasets and pages, as the Worker calls it.

import type { RemoteData } from "../datasets/data.ts";
import type { Dataset, DatasetSummary, NewDataset } from "../protocol/dataset.ts";
import type { PagesApi } from "../protocol/pages.ts";
import type { Result } from "../protocol/result.ts";
import type { RowPage, Upload } from "./datasets.ts";
import type { PaceApi } from "./pace.ts";

/** Methods that take an id return `not_found` if it does not exist. SQL never crosses this interface. */
export type LibraryApi = RemoteData &
  PagesApi &
  PaceApi & {
    /** Parses and stores a file. `conflict` if the name is taken and is not to be replaced. */
    addDataset(upload: Upload, options: NewDataset): Promise<Result<Dataset>>;
    dataset(id: string): Promise<Result<Dataset>>;
    /** Returns rows with a number greater than `after`; numbers start at 1. */
    datasetRows(id: string, limit: number, after: number): Promise<Result<RowPage>>;
    datasetCsv(id: string): Promise<Result<{ readonly name: string; readonly csv: string }>>;
    renameDataset(id: string, name: string): Promise<Result<Dataset>>;
    removeDataset(id: string): Promise<Result<{ dataset_id: string; deleted: true }>>;
    /** Loads the sample datasets that are missing and returns all of them. Idempotent. */
    loadSample(): Promise<Result<DatasetSummary[]>>;
  };
