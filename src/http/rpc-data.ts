// The methods of the RPC entrypoint that concern datasets, pages and the analyst.
//
// All arguments are validated inside `runAsUser`, so invalid ones become a failed `RpcResult` instead of an exception.

import * as z from "zod";
import {
  analysisRequestSchema,
  pageRequestSchema,
  blueprintRequestSchema,
  type AnalysisRequestInput,
  type PageRequestInput,
  type BlueprintRequestInput,
} from "../protocol/pages/analysis-api.ts";
import {
  MAX_QUERY_ROWS,
  datasetUploadOptionsSchema,
  updateDatasetSchema,
  type DatasetQuery,
  type DatasetUploadOptions,
  type UpdateDatasetRequest,
} from "../protocol/datasets/dataset.ts";
import { parseNamedValue, parseOrThrow } from "../protocol/wire/fault.ts";
import { LINK_LIFETIME_SECONDS, updatePageSchema } from "../protocol/pages/stored-page.ts";
import { runAsUser } from "./run-as-user.ts";
import type { TableFile } from "./rpc-api.ts";
import { listOptionsSchema, PlanEntrypoint } from "./rpc-plans.ts";

const fileSchema: z.ZodType<TableFile> = z.strictObject({
  type: z.enum(["csv", "json"]),
  content: z.union([z.string(), z.instanceof(Uint8Array)]),
});
const rowsOptionsSchema = z.strictObject({
  limit: z.int().min(1).max(MAX_QUERY_ROWS).optional(),
  cursor: z.string().optional(),
});
const linkSecondsSchema = z.int().min(LINK_LIFETIME_SECONDS.min).max(LINK_LIFETIME_SECONDS.max);

/** Implements part of `OrreryApi`; see there for the contracts. */
export class DataEntrypoint extends PlanEntrypoint {
  createDataset(user: string, file: TableFile, options: DatasetUploadOptions = {}) {
    return runAsUser(this.env, user, (operations) =>
      operations.createDataset(parseOrThrow(fileSchema, file), parseOrThrow(datasetUploadOptionsSchema, options)),
    );
  }

  listDatasets(user: string) {
    return runAsUser(this.env, user, (operations) => operations.listDatasets());
  }

  dataset(user: string, dataset: string) {
    return runAsUser(this.env, user, (operations) => operations.dataset(dataset));
  }

  datasetRows(user: string, dataset: string, options: { limit?: number; cursor?: string } = {}) {
    return runAsUser(this.env, user, (operations) => {
      const { limit = 100, cursor } = parseOrThrow(rowsOptionsSchema, options);
      return operations.datasetRows(dataset, limit, cursor);
    });
  }

  queryDataset(user: string, dataset: string, query: Omit<DatasetQuery, "dataset"> = {}) {
    return runAsUser(this.env, user, (operations) => operations.queryDataset(dataset, query));
  }

  datasetCsv(user: string, dataset: string) {
    return runAsUser(this.env, user, async (operations) => (await operations.datasetCsv(dataset)).csv);
  }

  updateDataset(user: string, dataset: string, patch: UpdateDatasetRequest) {
    return runAsUser(this.env, user, (operations) =>
      operations.updateDataset(dataset, parseOrThrow(updateDatasetSchema, patch)),
    );
  }

  deleteDataset(user: string, dataset: string) {
    return runAsUser(this.env, user, (operations) => operations.deleteDataset(dataset));
  }

  loadSample(user: string) {
    return runAsUser(this.env, user, (operations) => operations.loadSample());
  }

  analyse(user: string, request: AnalysisRequestInput) {
    return runAsUser(this.env, user, (operations) => operations.analyse(parseOrThrow(analysisRequestSchema, request)));
  }

  planPage(user: string, request: BlueprintRequestInput) {
    return runAsUser(this.env, user, (operations) =>
      operations.planPage(parseOrThrow(blueprintRequestSchema, request)),
    );
  }

  generatePage(user: string, request: PageRequestInput) {
    return runAsUser(this.env, user, (operations) => operations.generatePage(parseOrThrow(pageRequestSchema, request)));
  }

  listPages(user: string, options: { limit?: number; cursor?: string } = {}) {
    return runAsUser(this.env, user, (operations) => {
      const { limit = 20, cursor } = parseOrThrow(listOptionsSchema, options);
      return operations.listPages(limit, cursor);
    });
  }

  page(user: string, page: string) {
    return runAsUser(this.env, user, (operations) => operations.page(page));
  }

  renamePage(user: string, page: string, title: string) {
    return runAsUser(this.env, user, (operations) =>
      operations.renamePage(page, parseOrThrow(updatePageSchema, { title }).title),
    );
  }

  deletePage(user: string, page: string) {
    return runAsUser(this.env, user, (operations) => operations.deletePage(page));
  }

  runPage(user: string, page: string) {
    return runAsUser(this.env, user, (operations) => operations.runPage(page));
  }

  linkPage(user: string, page: string, seconds: number = LINK_LIFETIME_SECONDS.default) {
    return runAsUser(this.env, user, (operations) =>
      operations.linkPage(page, parseNamedValue("seconds", linkSecondsSchema, seconds)),
    );
  }

  pageLinks(user: string, page: string) {
    return runAsUser(this.env, user, (operations) => operations.pageLinks(page));
  }

  unlinkPage(user: string, page: string, link: string) {
    return runAsUser(this.env, user, (operations) => operations.unlinkPage(page, link));
  }
}
