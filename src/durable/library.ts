// The Durable Object of one user: datasets and pages, and, in a second object, the rate limiter.
//
// Owns one SQLite database; each store creates its tables with its first row. This class only delegates and converts
// errors to results. Every method completes synchronously inside the object, so calls do not interleave; only `begin`
// waits for conversations.
//
//   U1. The object's name is the user id, with a suffix for the rate limiter. No input of a client changes it.
// The rate limiter uses an object of its own (`formatRateLimiterName`), so that a long query does not delay messages.

import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import type {
  ColumnStats,
  Dataset,
  DatasetQuery,
  DatasetSummary,
  Failed,
  NewDataset,
  QueryResult,
} from "../protocol/dataset.ts";
import type { KeptPage, PageDraft, PageSummary, Standing } from "../protocol/pages.ts";
import type { Result } from "../protocol/result.ts";
import { answer } from "./api.ts";
import { settingsOf } from "../settings.ts";
import { DatasetStore } from "./dataset-store.ts";
import { Datasets, type RowPage, type Upload } from "./datasets.ts";
import type { LibraryApi } from "./library-api.ts";
import { Pace, type Granted, type Wish } from "./pace.ts";
import { PageStore } from "./page-store.ts";
import { sqlOf } from "./sql.ts";

export class Library extends DurableObject<Env> implements LibraryApi {
  readonly #datasets = new Datasets(new DatasetStore(sqlOf(this.ctx.storage)), settingsOf(this.env).MAX_DATASETS);
  readonly #pages = new PageStore(sqlOf(this.ctx.storage));
  readonly #pace = new Pace(this.ctx.storage, (conversation) => this.env.CONVERSATION.getByName(conversation));

  /** RPC of the rate limiter: counts messages that are about to start. */
  begin(wanted: number, most: number, wish?: Wish): Promise<Granted> {
    return this.#pace.begin(wanted, most, wish, Date.now);
  }

  list(): Promise<Result<DatasetSummary[]>> {
    return answer(() => this.#datasets.list());
  }

  describe(dataset: string): Promise<Result<Dataset | Failed>> {
    return answer(() => this.#datasets.describe(dataset));
  }

  query(query: DatasetQuery): Promise<Result<QueryResult | Failed>> {
    return answer(() => this.#datasets.query(query));
  }

  columnStats(dataset: string, column: string): Promise<Result<ColumnStats | Failed>> {
    return answer(() => this.#datasets.columnStats(dataset, column));
  }

  addDataset(upload: Upload, options: NewDataset): Promise<Result<Dataset>> {
    return answer(() => this.#datasets.add(upload, options, Date.now()));
  }

  dataset(id: string): Promise<Result<Dataset>> {
    return answer(() => this.#datasets.read(id));
  }

  datasetRows(id: string, limit: number, after: number): Promise<Result<RowPage>> {
    return answer(() => this.#datasets.rows(id, limit, after));
  }

  datasetCsv(id: string): Promise<Result<{ readonly name: string; readonly csv: string }>> {
    return answer(() => this.#datasets.csv(id));
  }

  renameDataset(id: string, name: string): Promise<Result<Dataset>> {
    return answer(() => this.#datasets.rename(id, name, Date.now()));
  }

  removeDataset(id: string): Promise<Result<{ dataset_id: string; deleted: true }>> {
    return answer(() => {
      this.#datasets.remove(id);
      return { dataset_id: id, deleted: true as const };
    });
  }

  loadSample(): Promise<Result<DatasetSummary[]>> {
    return answer(() => this.#datasets.loadSample(Date.now()));
  }

  keepPage(draft: PageDraft): Promise<Result<PageSummary>> {
    return answer(() => this.#pages.keep(draft, Date.now()));
  }

  page(pageId: string): Promise<Result<KeptPage>> {
    return answer(() => this.#pages.page(pageId));
  }

  pages(limit: number, after: { at: number; id: string } | null): Promise<Result<PageSummary[]>> {
    return answer(() => this.#pages.pages(limit, after));
  }

  renamePage(pageId: string, title: string): Promise<Result<PageSummary>> {
    return answer(() => this.#pages.rename(pageId, title));
  }

  removePage(pageId: string): Promise<Result<{ page_id: string; deleted: true }>> {
    return answer(() => {
      this.#pages.remove(pageId);
      return { page_id: pageId, deleted: true as const };
    });
  }

  standing(key: string): Promise<Result<Standing>> {
    return answer(() => this.#pages.standing(key));
  }

  keepStanding(key: string, standing: Standing): Promise<Result<null>> {
    return answer(() => {
      this.#pages.keepStanding(key, standing, Date.now());
      return null;
    });
  }
}
