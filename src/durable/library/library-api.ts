// The RPC interface of the object that holds a user's datasets and pages, as the Worker calls it.

import type { RemoteDatasetReader } from "../../datasets/dataset-reader.ts";
import type { Dataset, DatasetSummary, DatasetUploadOptions } from "../../protocol/datasets/dataset.ts";
import type { PagesApi } from "../../protocol/pages/stored-page.ts";
import type { InternalResult } from "../../protocol/wire/rpc-result.ts";
import type { DatasetRowPage, DatasetUpload } from "./dataset-catalog.ts";

/** Methods that take an id return `not_found` if it does not exist. SQL never crosses this interface. */
export type LibraryApi = RemoteDatasetReader &
  PagesApi & {
    /**
     * Parses and stores a file. `conflict` if the name is taken and is not to be replaced, `too_many_requests` at the
     * limit of datasets, `unprocessable`, `too_large` or `unsupported` for a file that cannot be read.
     */
    addDataset(upload: DatasetUpload, options: DatasetUploadOptions): Promise<InternalResult<Dataset>>;
    dataset(id: string): Promise<InternalResult<Dataset>>;
    /** Returns rows with a number greater than `after`; numbers start at 1. */
    datasetRows(id: string, limit: number, after: number): Promise<InternalResult<DatasetRowPage>>;
    datasetCsv(id: string): Promise<InternalResult<{ readonly name: string; readonly csv: string }>>;
    /** Renames a dataset. `conflict` if another one has the name. */
    renameDataset(id: string, name: string): Promise<InternalResult<Dataset>>;
    removeDataset(id: string): Promise<InternalResult<{ dataset_id: string; deleted: true }>>;
    /**
     * Loads the sample datasets that are missing and returns all of them. Idempotent. `too_many_requests` at the limit.
     */
    loadSample(): Promise<InternalResult<DatasetSummary[]>>;
  };
