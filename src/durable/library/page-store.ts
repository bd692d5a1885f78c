// The SQL of a user's pages, and of the dialog state from which the analyst continues.
//
// Owns the tables `page` and `standing` (dialog states), which the first write creates. Both are bounded: beyond
// `MAX_PAGES` or `MAX_DIALOG_STATES` rows the oldest are deleted. A row must stay below the 2 MB limit of SQLite in
// Durable Objects. Synchronous.

import { exceedsBytes } from "../../lib/text-size.ts";
import { omitNulls } from "../../lib/omit-nulls.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { Fault } from "../../protocol/wire/fault.ts";
import { createId } from "../../protocol/wire/ids.ts";
import {
  storedPageSchema,
  pageSummarySchema,
  analysisStateSchema,
  type StoredPage,
  type PageDraft,
  type PageSummary,
  type PageSnapshot,
  type AnalysisState,
} from "../../protocol/pages/stored-page.ts";
import type { Sql } from "../sql.ts";

/** Created with the first message about data, because most users never have one. */
const PAGE_TABLES = `CREATE TABLE IF NOT EXISTS page (
     page_id         TEXT PRIMARY KEY,
     title           TEXT NOT NULL,
     summary         TEXT NOT NULL,
     conversation_id TEXT,
     created_at      INTEGER NOT NULL,  -- epoch milliseconds
     refreshed_at    INTEGER NOT NULL,
     body            TEXT NOT NULL,     -- JSON: what it was made with, and what came of it
     snapshot        TEXT NOT NULL      -- JSON
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX IF NOT EXISTS page_by_time ON page (created_at DESC, page_id DESC);
   CREATE TABLE IF NOT EXISTS standing (
     key        TEXT PRIMARY KEY,       -- stands for a conversation
     body       TEXT NOT NULL,          -- JSON
     updated_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX IF NOT EXISTS standing_by_time ON standing (updated_at);`;

/** The maximum size of a page with its title, summary and blueprint, in bytes. */
const MAX_BODY_BYTES = 1_200_000;
const MAX_SNAPSHOT_BYTES = 500_000;
const MAX_RESULT_BYTES = 200_000;
const MAX_DIALOG_STATE_BYTES = 1_000_000;
/** The maximum number of pages of a user; the oldest are deleted. */
export const MAX_PAGES = 1_000;
const MAX_DIALOG_STATES = 1_000;

const PAGE_SUMMARY_COLUMNS = `page_id, title, summary, conversation_id, created_at, refreshed_at`;

/** One instance per object. Times are in ms since the epoch. */
export class PageStore {
  readonly #sql: Sql;
  #exists = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** False if nothing has ever been stored. Reading must not create tables. */
  get #hasTables(): boolean {
    this.#exists ||= this.#sql.hasTable("standing");
    return this.#exists;
  }

  /**
   * Stores a page and returns its summary. With a `page_id`, replaces that page but keeps its creation time, and its
   * title if the user has changed it. A snapshot that is too large is shortened. Throws `too_large` for the page
   * itself, and `not_found` if a rerun refers to a deleted page.
   */
  save(draft: PageDraft, now: number): PageSummary {
    const { page_id = createId("page"), is_rerun: isRerun, conversation_id, snapshot, page, ...setup } = draft;
    if (isRerun === true) this.#getSummary(page_id);
    const body = JSON.stringify({ page, ...setup });
    // Title and summary are columns of their own.
    if (exceedsBytes(body + page.meta.pageTitle + page.meta.summary, MAX_BODY_BYTES))
      throw createFault("too_large", "page.tooLarge");
    if (!this.#hasTables) this.#sql.run(PAGE_TABLES);
    this.#sql.run(
      `INSERT INTO page (${PAGE_SUMMARY_COLUMNS}, body, snapshot) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (page_id) DO UPDATE SET
         title = CASE WHEN title = page.body ->> '$.page.meta.pageTitle' THEN excluded.title ELSE title END,
         summary = excluded.summary, refreshed_at = excluded.refreshed_at,
         body = excluded.body, snapshot = excluded.snapshot`,
      page_id,
      page.meta.pageTitle,
      page.meta.summary,
      conversation_id ?? null,
      now,
      now,
      body,
      JSON.stringify(limitSnapshot(snapshot)),
    );
    this.#sql.run(
      `DELETE FROM page WHERE page_id IN (SELECT page_id FROM page ORDER BY created_at DESC, page_id DESC LIMIT -1 OFFSET ?)`,
      MAX_PAGES,
    );
    return this.#getSummary(page_id);
  }

  getPage(pageId: string): StoredPage {
    if (!this.#hasTables) throw createPageNotFound();
    const row = this.#sql.first(`SELECT ${PAGE_SUMMARY_COLUMNS}, body, snapshot FROM page WHERE page_id = ?`, pageId);
    if (row === undefined) throw createPageNotFound();
    const { body, snapshot, ...summary } = row;
    const read: unknown = { ...omitNulls(summary), ...parseJsonObject(body), snapshot: parseJsonObject(snapshot) };
    return storedPageSchema.parse(read);
  }

  /**
   * Returns at most `limit` summaries, newest first; with `after`, those that follow this position (`at` is
   * `created_at`).
   */
  listPages(limit: number, after: { at: number; id: string } | null): PageSummary[] {
    if (!this.#hasTables) return [];
    const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: "" };
    const query = `SELECT ${PAGE_SUMMARY_COLUMNS} FROM page WHERE (created_at, page_id) < (?, ?)
      ORDER BY created_at DESC, page_id DESC LIMIT ?`;
    return [...this.#sql.rows(query, at, id, limit)].map((row) => pageSummarySchema.parse(omitNulls(row)));
  }

  rename(pageId: string, title: string): PageSummary {
    this.#getSummary(pageId);
    this.#sql.run(`UPDATE page SET title = ? WHERE page_id = ?`, title, pageId);
    return this.#getSummary(pageId);
  }

  remove(pageId: string): void {
    this.#getSummary(pageId);
    this.#sql.run(`DELETE FROM page WHERE page_id = ?`, pageId);
  }

  /** Returns the dialog state of a conversation; {} if there is none. `key` identifies the conversation. */
  getDialogState(key: string): AnalysisState {
    if (!this.#hasTables) return {};
    const [state = {}] = this.#sql.bodies(`SELECT body FROM standing WHERE key = ?`, key);
    return analysisStateSchema.parse(state);
  }

  /** Stores the dialog state of a conversation; an empty one is deleted. Throws `too_large`. */
  saveDialogState(key: string, state: AnalysisState, now: number): void {
    if (Object.keys(state).length === 0) {
      if (this.#hasTables) this.#sql.run(`DELETE FROM standing WHERE key = ?`, key);
      return;
    }
    const body = JSON.stringify(state);
    if (exceedsBytes(body, MAX_DIALOG_STATE_BYTES)) throw createFault("too_large", "page.blueprintTooLarge");
    if (!this.#hasTables) this.#sql.run(PAGE_TABLES);
    this.#sql.run(`INSERT OR REPLACE INTO standing (key, body, updated_at) VALUES (?, ?, ?)`, key, body, now);
    this.#sql.run(
      `DELETE FROM standing WHERE key IN (SELECT key FROM standing ORDER BY updated_at DESC LIMIT -1 OFFSET ?)`,
      MAX_DIALOG_STATES,
    );
  }

  #getSummary(pageId: string): PageSummary {
    if (!this.#hasTables) throw createPageNotFound();
    const row = this.#sql.first(`SELECT ${PAGE_SUMMARY_COLUMNS} FROM page WHERE page_id = ?`, pageId);
    if (row === undefined) throw createPageNotFound();
    return pageSummarySchema.parse(omitNulls(row));
  }
}

/** Limits a snapshot: omits large results, then the last ones until the rest fits. */
function limitSnapshot({ results, is_cut }: PageSnapshot): PageSnapshot {
  const limited = results.filter((result) => !exceedsBytes(JSON.stringify(result), MAX_RESULT_BYTES));
  while (limited.length > 0 && exceedsBytes(JSON.stringify(limited), MAX_SNAPSHOT_BYTES)) limited.pop();
  return { results: limited, is_cut: is_cut || limited.length < results.length };
}

function createPageNotFound(): Fault {
  return createFault("not_found", "page.notFound");
}

function parseJsonObject(json: unknown): Record<string, unknown> {
  return JSON.parse(String(json)) as Record<string, unknown>;
}
