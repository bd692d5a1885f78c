// The operations on a user's datasets and pages, as the Worker and the agents call them.

import type { RemoteDatasetReader } from "../../datasets/dataset-reader.ts";
import type {
  ColumnStats,
  DataFailure,
  Dataset,
  DatasetQuery,
  DatasetSummary,
  DatasetUploadOptions,
  QueryResult,
} from "../../protocol/datasets/dataset.ts";
import type { AnalysisState, PageDraft, PagesApi, PageSummary, StoredPage } from "../../protocol/pages/stored-page.ts";
import type { Rpc } from "../rpc.ts";
import type { Sql } from "../sql.ts";
import { DatasetCatalog, type DatasetRowPage, type DatasetUpload } from "./dataset-catalog.ts";
import { DatasetStore } from "./dataset-store.ts";
import { PageStore } from "./page-store.ts";

/**
 * One instance per object. Every public method is an RPC method: names and argument shapes are wire. Methods that
 * take an id throw `not_found` if it does not exist. SQL never crosses this interface.
 */
export class LibraryOperations {
  readonly #datasets: DatasetCatalog;
  readonly #pages: PageStore;

  constructor(sql: Sql, maxDatasets: number) {
    this.#datasets = new DatasetCatalog(new DatasetStore(sql), maxDatasets);
    this.#pages = new PageStore(sql);
  }

  list(): DatasetSummary[] {
    return this.#datasets.list();
  }

  describe(dataset: string): Dataset | DataFailure {
    return this.#datasets.describe(dataset);
  }

  query(query: DatasetQuery): QueryResult | DataFailure {
    return this.#datasets.query(query);
  }

  columnStats(dataset: string, column: string): ColumnStats | DataFailure {
    return this.#datasets.columnStats(dataset, column);
  }

  addDataset(upload: DatasetUpload, options: DatasetUploadOptions): Dataset {
    return this.#datasets.add(upload, options, Date.now());
  }

  dataset(id: string): Dataset {
    return this.#datasets.read(id);
  }

  /** Returns rows with a number greater than `after`; numbers start at 1. */
  datasetRows(id: string, limit: number, after: number): DatasetRowPage {
    return this.#datasets.readRows(id, limit, after);
  }

  datasetCsv(id: string): { readonly name: string; readonly csv: string } {
    return this.#datasets.exportCsv(id);
  }

  renameDataset(id: string, name: string): Dataset {
    return this.#datasets.rename(id, name, Date.now());
  }

  removeDataset(id: string): { dataset_id: string; deleted: true } {
    this.#datasets.remove(id);
    return { dataset_id: id, deleted: true };
  }

  loadSample(): DatasetSummary[] {
    return this.#datasets.loadSample(Date.now());
  }

  keepPage(draft: PageDraft): PageSummary {
    return this.#pages.save(draft, Date.now());
  }

  page(pageId: string): StoredPage {
    return this.#pages.getPage(pageId);
  }

  pages(limit: number, after: { at: number; id: string } | null): PageSummary[] {
    return this.#pages.listPages(limit, after);
  }

  renamePage(pageId: string, title: string): PageSummary {
    return this.#pages.rename(pageId, title);
  }

  removePage(pageId: string): { page_id: string; deleted: true } {
    this.#pages.remove(pageId);
    return { page_id: pageId, deleted: true };
  }

  standing(key: string): AnalysisState {
    return this.#pages.getDialogState(key);
  }

  keepStanding(key: string, state: AnalysisState): null {
    this.#pages.saveDialogState(key, state, Date.now());
    return null;
  }
}

/** The RPC interface of the library. It must contain the interfaces that agents know. */
export type LibraryApi = Extending<RemoteDatasetReader & PagesApi, Rpc<LibraryOperations>>;
type Extending<Required, Actual extends Required> = Actual;
