// The methods of the RPC entrypoint that concern datasets, pages and the analyst.
//
// All arguments are validated inside `runAsUser`, so invalid ones become a failed `Result` instead of an exception.

import * as z from "zod";
import {
  analysisRequestSchema,
  pageRequestSchema,
  workflowRequestSchema,
  type AnalysisInput,
  type PageInput,
  type WorkflowInput,
} from "../protocol/analysis.ts";
import {
  MAX_QUERY_ROWS,
  newDatasetSchema,
  updateDatasetSchema,
  type DatasetQuery,
  type NewDataset,
  type UpdateDataset,
} from "../protocol/dataset.ts";
import { parseAt, parseWith } from "../protocol/fault.ts";
import { LINK_SECONDS, updatePageSchema } from "../protocol/pages.ts";
import { actingFor } from "./acting.ts";
import type { TableFile } from "./rpc-api.ts";
import { pageSchema, PlanDoor } from "./rpc-plans.ts";

const fileSchema: z.ZodType<TableFile> = z.strictObject({
  type: z.enum(["csv", "json"]),
  content: z.union([z.string(), z.instanceof(Uint8Array)]),
});
const rowsSchema = z.strictObject({
  limit: z.int().min(1).max(MAX_QUERY_ROWS).optional(),
  cursor: z.string().optional(),
});
const linkSecondsSchema = z.int().min(LINK_SECONDS.least).max(LINK_SECONDS.most);

/** Implements part of `OrreryApi`; see there for the contracts. */
export class DataDoor extends PlanDoor {
  createDataset(user: string, file: TableFile, options: NewDataset = {}) {
    return actingFor(this.env, user, (verbs) =>
      verbs.createDataset(parseWith(fileSchema, file), parseWith(newDatasetSchema, options)),
    );
  }

  listDatasets(user: string) {
    return actingFor(this.env, user, (verbs) => verbs.listDatasets());
  }

  dataset(user: string, dataset: string) {
    return actingFor(this.env, user, (verbs) => verbs.dataset(dataset));
  }

  datasetRows(user: string, dataset: string, options: { limit?: number; cursor?: string } = {}) {
    return actingFor(this.env, user, (verbs) => {
      const { limit = 100, cursor } = parseWith(rowsSchema, options);
      return verbs.datasetRows(dataset, limit, cursor);
    });
  }

  queryDataset(user: string, dataset: string, query: Omit<DatasetQuery, "dataset"> = {}) {
    return actingFor(this.env, user, (verbs) => verbs.queryDataset(dataset, query));
  }

  datasetCsv(user: string, dataset: string) {
    return actingFor(this.env, user, async (verbs) => (await verbs.datasetCsv(dataset)).csv);
  }

  updateDataset(user: string, dataset: string, patch: UpdateDataset) {
    return actingFor(this.env, user, (verbs) => verbs.updateDataset(dataset, parseWith(updateDatasetSchema, patch)));
  }

  deleteDataset(user: string, dataset: string) {
    return actingFor(this.env, user, (verbs) => verbs.deleteDataset(dataset));
  }

  loadSample(user: string) {
    return actingFor(this.env, user, (verbs) => verbs.loadSample());
  }

  analyse(user: string, request: AnalysisInput) {
    return actingFor(this.env, user, (verbs) => verbs.analyse(parseWith(analysisRequestSchema, request)));
  }

  planPage(user: string, request: WorkflowInput) {
    return actingFor(this.env, user, (verbs) => verbs.planPage(parseWith(workflowRequestSchema, request)));
  }

  generatePage(user: string, request: PageInput) {
    return actingFor(this.env, user, (verbs) => verbs.generatePage(parseWith(pageRequestSchema, request)));
  }

  listPages(user: string, options: { limit?: number; cursor?: string } = {}) {
    return actingFor(this.env, user, (verbs) => {
      const { limit = 20, cursor } = parseWith(pageSchema, options);
      return verbs.listPages(limit, cursor);
    });
  }

  page(user: string, page: string) {
    return actingFor(this.env, user, (verbs) => verbs.page(page));
  }

  renamePage(user: string, page: string, title: string) {
    return actingFor(this.env, user, (verbs) => verbs.renamePage(page, parseWith(updatePageSchema, { title }).title));
  }

  deletePage(user: string, page: string) {
    return actingFor(this.env, user, (verbs) => verbs.deletePage(page));
  }

  runPage(user: string, page: string) {
    return actingFor(this.env, user, (verbs) => verbs.runPage(page));
  }

  linkPage(user: string, page: string, seconds: number = LINK_SECONDS.usual) {
    return actingFor(this.env, user, (verbs) => verbs.linkPage(page, parseAt("seconds", linkSecondsSchema, seconds)));
  }

  pageLinks(user: string, page: string) {
    return actingFor(this.env, user, (verbs) => verbs.pageLinks(page));
  }

  unlinkPage(user: string, page: string, link: string) {
    return actingFor(this.env, user, (verbs) => verbs.unlinkPage(page, link));
  }
}
