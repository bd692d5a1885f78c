// The operations on a user's datasets, on top of `DatasetStore`: validation, limits, names, previews and queries.

import { createSampleTables } from "../../datasets/sample-classroom.ts";
import { computeColumnStats } from "../../datasets/column-stats.ts";
import { compileQuery } from "../../datasets/compile-query.ts";
import { createDataFailure } from "../../datasets/query-refusal.ts";
import { createUnknownDatasetMessage } from "../../datasets/query-sources.ts";
import { makeUnique, removeReferencePrefix } from "../../datasets/column-names.ts";
import { MAX_ANSWER_CHARS, PREVIEW_ROWS } from "../../datasets/dataset-limits.ts";
import type { Language } from "../../language/detect-language.ts";
import { findSimilarNames } from "../../language/similar-names.ts";
import { isNumericType } from "../../datasets/describe-column.ts";
import { runQuery } from "../../datasets/run-query.ts";
import { parseTable, type TableFileKind, type ParsedTable } from "../../datasets/parse-table.ts";
import { truncate } from "../../lib/truncate.ts";
import { toVisibleLine } from "../../lib/visible-text.ts";
import { formatCsv } from "../../pages/spreadsheet-csv.ts";
import {
  datasetQuerySchema,
  MAX_DATASET_NAME,
  type Cell,
  type Column,
  type ColumnStats,
  type Dataset,
  type DatasetQuery,
  type DatasetSummary,
  type DataFailure,
  type DatasetUploadOptions,
  type QueryResult,
} from "../../protocol/datasets/dataset.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { parseOrThrow } from "../../protocol/wire/fault.ts";
import { createId } from "../../protocol/wire/ids.ts";
import { toPlainColumn, toQueryTable, type DatasetStore, type StoredDataset } from "./dataset-store.ts";

/** An uploaded file, unparsed. `charset` is the declared encoding, if any; `language` is that of the notes. */
export type DatasetUpload = {
  readonly bytes: Uint8Array;
  readonly kind: TableFileKind;
  readonly charset?: string;
  readonly language?: Language;
};

/** A page of rows. `next` is the `after` of the next page; null on the last. */
export type DatasetRowPage = { readonly columns: Column[]; readonly rows: Cell[][]; readonly next: number | null };

const MAX_TOP_VALUES = 10;

type CreatedDataset = {
  readonly id: string | undefined;
  readonly name: string;
  readonly createdAt: number;
  readonly notes: readonly string[];
};

/**
 * One instance per Library object. Synchronous: each call completes before the next begins. Methods that take an id
 * throw `not_found`; methods that take a name, which a model may have guessed, return a `DataFailure` with
 * suggestions.
 */
export class DatasetCatalog {
  readonly #store: DatasetStore;
  /** The maximum number of datasets of the user. */
  readonly #limit: number;

  constructor(store: DatasetStore, limit: number) {
    this.#store = store;
    this.#limit = limit;
  }

  list(): DatasetSummary[] {
    return this.#store.list().map(toDatasetSummary);
  }

  read(id: string): Dataset {
    return this.#withPreview(this.#require(id));
  }

  /** Returns the dataset with this id or exact name, with its columns and a preview. */
  describe(dataset: string): Dataset | DataFailure {
    const entry = this.#find(dataset);
    return "error" in entry ? entry : this.#withPreview(entry);
  }

  /**
   * Parses a file and stores it as a dataset; without a name, the file's own or a free one is used. A replaced dataset
   * keeps its id and creation time. Throws `conflict` (`name`) if the name is taken and `replace` is false,
   * `too_many_requests` beyond the limit of datasets, and the faults of `parseTable`.
   */
  add(upload: DatasetUpload, { name: requestedName, replace = false }: DatasetUploadOptions, now: number): Dataset {
    const table = parseTable(upload.bytes, upload.kind, upload.charset);
    const proposedName = requestedName ?? truncate(toVisibleLine(table.name ?? ""), MAX_DATASET_NAME);
    const name = proposedName === "" ? this.#pickFreeName("Dataset") : removeReferencePrefix(proposedName);
    const old = this.#store.findByName(name);
    if (old !== null && !replace) {
      throw createFault("conflict", createMessage("dataset.nameTakenOnUpload", { name: old.name }), { field: "name" });
    }
    if (old === null) this.#ensureCapacity(1);
    const notes = table.notes.map((note) => formatMessage(upload.language ?? "en", note));
    const created = { id: old?.dataset_id, name, createdAt: old?.created_at ?? now, notes };
    return this.#withPreview(this.#save(table, created, now));
  }

  /** Renames a dataset. Throws `conflict` (`name`) if another one has the name. */
  rename(id: string, newName: string, now: number): Dataset {
    const name = removeReferencePrefix(newName);
    const entry = this.#require(id);
    const other = this.#store.findByName(name);
    if (other !== null && other.dataset_id !== id) {
      throw createFault("conflict", createMessage("dataset.nameTaken", { name: other.name }), { field: "name" });
    }
    this.#store.rename(entry, name, now);
    return this.read(id);
  }

  remove(id: string): void {
    this.#store.remove(this.#require(id));
  }

  /** Returns at most `limit` rows with a number greater than `after`, fewer if they are long, but at least one. */
  readRows(id: string, limit: number, after: number): DatasetRowPage {
    const entry = this.#require(id);
    const { rows, last } = this.#store.readRows(entry, after, limit, MAX_ANSWER_CHARS);
    return {
      columns: entry.columns.map(toPlainColumn),
      rows,
      next: last < entry.rows && rows.length > 0 ? last : null,
    };
  }

  /** Returns all rows as CSV, with the name of the dataset. */
  exportCsv(id: string): { readonly name: string; readonly csv: string } {
    const entry = this.#require(id);
    return { name: entry.name, csv: formatCsv(entry.columns, this.#readAllRows(entry)) };
  }

  /**
   * Runs a query over the user's datasets. Throws `invalid_request` for a malformed query; a query that does not fit
   * the data returns a `DataFailure`.
   */
  query(query: DatasetQuery): QueryResult | DataFailure {
    const compiled = compileQuery(parseOrThrow(datasetQuerySchema, query), this.#store.list().map(toQueryTable));
    return "error" in compiled ? compiled : runQuery(this.#store.exec, compiled);
  }

  /** Returns statistics of one column, with its most frequent values. */
  columnStats(dataset: string, name: string): ColumnStats | DataFailure {
    const entry = this.#find(dataset);
    if ("error" in entry) return entry;
    const position = entry.columns.findIndex((column) => column.name === toVisibleLine(name));
    const column = entry.columns[position];
    if (column === undefined) {
      const names = entry.columns.map((known) => known.name);
      const text = createMessage("query.unknownColumn", { column: name, tables: `“${entry.name}”` });
      return createDataFailure("column", text, findSimilarNames(name, names, 5), name);
    }
    const numbers = isNumericType(column.type) ? this.#store.readNumbers(entry, position) : null;
    return computeColumnStats(
      column,
      entry.rows,
      numbers,
      this.#store.countValues(entry, position, column, MAX_TOP_VALUES),
    );
  }

  /**
   * Loads the sample tables that are not loaded yet and returns all loaded ones. If a name is taken, a number is
   * appended. Throws `too_many_requests` beyond the limit of datasets.
   */
  loadSample(now: number): DatasetSummary[] {
    const missing = Object.entries(createSampleTables()).filter(([sample]) => !this.#store.hasSample(sample));
    this.#ensureCapacity(missing.length);
    // Descending creation times list the first table first.
    for (const [i, [sample, rows]] of missing.entries()) {
      const table = parseTable(new TextEncoder().encode(JSON.stringify(rows)), "json");
      const createdAt = now + missing.length - 1 - i;
      const created = { id: undefined, name: this.#pickFreeName(sample), createdAt, notes: [] };
      this.#save(table, created, now, sample);
    }
    return this.#store
      .list()
      .filter((entry) => entry.sample !== null)
      .map(toDatasetSummary);
  }

  #save(
    table: ParsedTable,
    { id = createId("data"), name, createdAt, notes }: CreatedDataset,
    now: number,
    sample: string | null = null,
  ): StoredDataset {
    const { columns, rows, size } = table;
    const entry = {
      dataset_id: id,
      name,
      columns,
      rows: rows.length,
      size,
      notes,
      created_at: createdAt,
      updated_at: now,
    };
    this.#store.put(entry, table, sample);
    return this.#require(id);
  }

  *#readAllRows(entry: StoredDataset): Generator<readonly Cell[]> {
    for (let after = 0; after < entry.rows;) {
      const { rows, last } = this.#store.readRows(entry, after, 1_000);
      yield* rows;
      after = last;
    }
  }

  #withPreview(entry: StoredDataset): Dataset {
    const { columns, notes } = entry;
    const preview = this.#store.readRows(entry, 0, PREVIEW_ROWS, MAX_ANSWER_CHARS).rows;
    return { ...toDatasetSummary(entry), columns: [...columns], notes: [...notes], preview };
  }

  #require(id: string): StoredDataset {
    const entry = this.#store.get(id);
    if (entry === null) throw createFault("not_found", "dataset.notFound");
    return entry;
  }

  #find(name: string): StoredDataset | DataFailure {
    const known = this.#store.list();
    const found =
      known.find(({ dataset_id }) => dataset_id === name) ?? known.find((entry) => entry.name === toVisibleLine(name));
    if (found !== undefined) return found;
    const names = known.map((entry) => entry.name);
    return createDataFailure("dataset", createUnknownDatasetMessage(name, names), findSimilarNames(name, names), name);
  }

  #pickFreeName(name: string): string {
    return makeUnique([...this.#store.list().map((entry) => entry.name), name]).at(-1) ?? name;
  }

  #ensureCapacity(count: number): void {
    if (this.#store.list().length + count <= this.#limit) return;
    throw createFault("too_many_requests", createMessage("dataset.limitReached", { max: this.#limit }));
  }
}

function toDatasetSummary({ dataset_id, name, rows, size, sample, columns, ...times }: StoredDataset): DatasetSummary {
  const { created_at, updated_at } = times;
  const is_sample = sample !== null;
  return { dataset_id, name, rows, size, is_sample, created_at, updated_at, columns: columns.map(toPlainColumn) };
}
