// The Durable Object of one user: datasets and pages.
//
// Owns one SQLite database; each store creates its tables with its first row. This class only delegates and converts
// errors to results. Every method completes synchronously inside the object, so calls do not interleave.
//
//   U1. The object's name is the user id. No input of a client changes it.

import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";
import type {
  ColumnStats,
  Dataset,
  DatasetQuery,
  DatasetSummary,
  DataFailure,
  DatasetUploadOptions,
  QueryResult,
} from "../../protocol/datasets/dataset.ts";
import type { StoredPage, PageDraft, PageSummary, AnalysisState } from "../../protocol/pages/stored-page.ts";
import type { InternalResult } from "../../protocol/wire/rpc-result.ts";
import { captureResult } from "../conversation-api.ts";
import { getSettings } from "../../settings.ts";
import { DatasetStore } from "./dataset-store.ts";
import { DatasetCatalog, type DatasetRowPage, type DatasetUpload } from "./dataset-catalog.ts";
import type { LibraryApi } from "./library-api.ts";
import { PageStore } from "./page-store.ts";
import { createSql } from "../sql.ts";

/** Registered as a Durable Object; `LibraryApi` documents the methods. */
export class Library extends DurableObject<Env> implements LibraryApi {
  readonly #datasets = new DatasetCatalog(
    new DatasetStore(createSql(this.ctx.storage)),
    getSettings(this.env).MAX_DATASETS,
  );
  readonly #pages = new PageStore(createSql(this.ctx.storage));

  list(): Promise<InternalResult<DatasetSummary[]>> {
    return captureResult(() => this.#datasets.list());
  }

  describe(dataset: string): Promise<InternalResult<Dataset | DataFailure>> {
    return captureResult(() => this.#datasets.describe(dataset));
  }

  query(query: DatasetQuery): Promise<InternalResult<QueryResult | DataFailure>> {
    return captureResult(() => this.#datasets.query(query));
  }

  columnStats(dataset: string, column: string): Promise<InternalResult<ColumnStats | DataFailure>> {
    return captureResult(() => this.#datasets.columnStats(dataset, column));
  }

  addDataset(upload: DatasetUpload, options: DatasetUploadOptions): Promise<InternalResult<Dataset>> {
    return captureResult(() => this.#datasets.add(upload, options, Date.now()));
  }

  dataset(id: string): Promise<InternalResult<Dataset>> {
    return captureResult(() => this.#datasets.read(id));
  }

  datasetRows(id: string, limit: number, after: number): Promise<InternalResult<DatasetRowPage>> {
    return captureResult(() => this.#datasets.readRows(id, limit, after));
  }

  datasetCsv(id: string): Promise<InternalResult<{ readonly name: string; readonly csv: string }>> {
    return captureResult(() => this.#datasets.exportCsv(id));
  }

  renameDataset(id: string, name: string): Promise<InternalResult<Dataset>> {
    return captureResult(() => this.#datasets.rename(id, name, Date.now()));
  }

  removeDataset(id: string): Promise<InternalResult<{ dataset_id: string; deleted: true }>> {
    return captureResult(() => {
      this.#datasets.remove(id);
      return { dataset_id: id, deleted: true as const };
    });
  }

  loadSample(): Promise<InternalResult<DatasetSummary[]>> {
    return captureResult(() => this.#datasets.loadSample(Date.now()));
  }

  keepPage(draft: PageDraft): Promise<InternalResult<PageSummary>> {
    return captureResult(() => this.#pages.save(draft, Date.now()));
  }

  page(pageId: string): Promise<InternalResult<StoredPage>> {
    return captureResult(() => this.#pages.getPage(pageId));
  }

  pages(limit: number, after: { at: number; id: string } | null): Promise<InternalResult<PageSummary[]>> {
    return captureResult(() => this.#pages.listPages(limit, after));
  }

  renamePage(pageId: string, title: string): Promise<InternalResult<PageSummary>> {
    return captureResult(() => this.#pages.rename(pageId, title));
  }

  removePage(pageId: string): Promise<InternalResult<{ page_id: string; deleted: true }>> {
    return captureResult(() => {
      this.#pages.remove(pageId);
      return { page_id: pageId, deleted: true as const };
    });
  }

  standing(key: string): Promise<InternalResult<AnalysisState>> {
    return captureResult(() => this.#pages.getDialogState(key));
  }

  keepStanding(key: string, state: AnalysisState): Promise<InternalResult<null>> {
    return captureResult(() => {
      this.#pages.saveDialogState(key, state, Date.now());
      return null;
    });
  }
}
