// Client calls for the datasets of a user.

import { datasetEndpoints } from "../protocol/api/dataset-endpoints.ts";
import type { EndpointCalls } from "../protocol/api/endpoint.ts";
import { datasetSchema, type Dataset, type DatasetUploadOptions } from "../protocol/datasets/dataset.ts";
import { createEndpointCalls } from "./endpoint-calls.ts";
import { createHttpClient, buildQueryString, type ApiOptions } from "./http-client.ts";

export type DatasetsClient = Omit<EndpointCalls<typeof datasetEndpoints>, "createDataset"> & {
  /**
   * Stores a table: CSV as text or `Blob`, or JSON as objects or a `Blob` of a JSON type. Rejects with `unprocessable`,
   * with line and column, if it cannot be parsed, and with `conflict` if the name is taken and `replace` is not set.
   */
  createDataset(table: string | Blob | readonly object[], options?: DatasetUploadOptions): Promise<Dataset>;
};

/** Creates the calls for datasets, as `createEndpointCalls` does. */
export function createDatasetsApi(options: ApiOptions): DatasetsClient {
  const { method, path } = datasetEndpoints.createDataset;
  return {
    ...createEndpointCalls(datasetEndpoints, options),
    createDataset: async (table, uploadOptions = {}) => {
      const isCsv = typeof table === "string" || (table instanceof Blob && !/json/.test(table.type));
      const type = isCsv ? "text/csv" : "application/json";
      const { call } = createHttpClient(options);
      return datasetSchema.parse(await call(method, path + buildQueryString(uploadOptions), table, type));
    },
  };
}
