// The operations on a user's datasets, on top of `DatasetStore`: validation, limits, names, previews and queries.

import { createSampleTables } from "../datasets/sample-classroom.ts";
import { computeColumnStats } from "../datasets/column-stats.ts";
import { compileQuery } from "../datasets/compile-query.ts";
import { makeUnique, removeReferencePrefix } from "../datasets/column-names.ts";
import { MAX_ANSWER_CHARS, PREVIEW_ROWS } from "../datasets/dataset-limits.ts";
import { findSimilarNames } from "../protocol/language/similar-names.ts";
import { isNumericType } from "../datasets/describe-column.ts";
import { runQuery } from "../datasets/run-query.ts";
import { parseTable, type TableFileKind, type ParsedTable } from "../datasets/parse-table.ts";
import { formatCsv } from "../protocol/text/spreadsheet-csv.ts";
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
} from "../protocol/datasets/dataset.ts";
import { Fault, parseOrThrow } from "../protocol/wire/fault.ts";
import { createId } from "../protocol/wire/ids.ts";
import { toPlainColumn, toStoredTable, type DatasetStore, type StoredDataset } from "./dataset-store.ts";

/** An uploaded file, unparsed. `charset` is the declared encoding, if any. */
export type DatasetUpload = { readonly bytes: Uint8Array; readonly kind: TableFileKind; readonly charset?: string };

/** A page of rows. `next` is the `after` of the next page; null on the last. */
export type DatasetRowPage = { readonly columns: Column[]; readonly rows: Cell[][]; readonly next: number | null };

const MAX_TOP_VALUES = 10;

/**
 * One instance per Library object. Synchronous: each call completes before the next begins. Methods that take an id
 * throw `not_found`; methods that take a name, which a model may have guessed, return `Failed` with suggestions.
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

  /** Finds a dataset by id or exact name. */
  describe(dataset: string): Dataset | DataFailure {
    const entry = this.#find(dataset);
    return "error" in entry ? entry : this.#withPreview(entry);
  }

  /**
   * Parses a file and stores it as a dataset. Throws `conflict` if the name is taken and `replace` is false. A replaced
   * dataset keeps its id and creation time.
   */
  add(upload: DatasetUpload, { name: requestedName, replace = false }: DatasetUploadOptions, now: number): Dataset {
    const table = parseTable(upload.bytes, upload.kind, upload.charset);
    const proposedName = requestedName ?? table.name?.trim().slice(0, MAX_DATASET_NAME);
    const name =
      proposedName === undefined || proposedName === ""
        ? this.#pickFreeName("Dataset")
        : removeReferencePrefix(proposedName);
    const old = this.#store.findByName(name);
    if (old !== null && !replace) {
      const message = `There is a dataset called "${old.name}" already. Choose another name, or send replace=true.`;
      throw new Fault("conflict", message, { field: "name" });
    }
    if (old === null) this.#ensureCapacity(1);
    return this.#withPreview(this.#save(table, { id: old?.dataset_id, name, createdAt: old?.created_at ?? now }, now));
  }

  rename(id: string, newName: string, now: number): Dataset {
    const name = removeReferencePrefix(newName);
    const entry = this.#require(id);
    const other = this.#store.findByName(name);
    if (other !== null && other.dataset_id !== id) {
      throw new Fault("conflict", `There is a dataset called "${other.name}" already.`, { field: "name" });
    }
    this.#store.rename(entry, name, now);
    return this.read(id);
  }

  remove(id: string): void {
    this.#store.remove(this.#require(id));
  }

  readRows(id: string, limit: number, after: number): DatasetRowPage {
    const entry = this.#require(id);
    const { rows, last } = this.#store.readRows(entry, after, limit, MAX_ANSWER_CHARS);
    return {
      columns: entry.columns.map(toPlainColumn),
      rows,
      next: last < entry.rows && rows.length > 0 ? last : null,
    };
  }

  exportCsv(id: string): { readonly name: string; readonly csv: string } {
    const entry = this.#require(id);
    return { name: entry.name, csv: formatCsv(entry.columns, this.#readAllRows(entry)) };
  }

  query(query: DatasetQuery): QueryResult | DataFailure {
    const compiled = compileQuery(parseOrThrow(datasetQuerySchema, query), this.#store.list().map(toStoredTable));
    return "error" in compiled ? compiled : runQuery(this.#store.exec, compiled);
  }

  columnStats(dataset: string, name: string): ColumnStats | DataFailure {
    const entry = this.#find(dataset);
    if ("error" in entry) return entry;
    const position = entry.columns.findIndex((column) => column.name === name.normalize("NFC").trim());
    const column = entry.columns[position];
    if (column === undefined) {
      const names = entry.columns.map((known) => known.name);
      const message = `There is no column "${name}" in "${entry.name}".`;
      return { error: { entity: "column", message, suggestions: findSimilarNames(name, names, 5), wanted: name } };
    }
    const numbers = isNumericType(column.type) ? this.#store.readNumbers(entry, position) : null;
    return computeColumnStats(
      column,
      entry.rows,
      numbers,
      this.#store.countValues(entry, position, column, MAX_TOP_VALUES),
    );
  }

  /** Loads the sample tables that are not loaded yet. If a name is taken, a number is appended. */
  loadSample(now: number): DatasetSummary[] {
    const missing = Object.entries(createSampleTables()).filter(([sample]) => !this.#store.hasSample(sample));
    this.#ensureCapacity(missing.length);
    // Descending creation times list the first table first.
    for (const [i, [sample, rows]] of missing.entries()) {
      const table = parseTable(new TextEncoder().encode(JSON.stringify(rows)), "json");
      const createdAt = now + missing.length - 1 - i;
      this.#save(table, { id: undefined, name: this.#pickFreeName(sample), createdAt }, now, sample);
    }
    return this.#store
      .list()
      .filter((entry) => entry.sample !== null)
      .map(toDatasetSummary);
  }

  #save(
    table: ParsedTable,
    { id = createId("data"), name, createdAt }: { id: string | undefined; name: string; createdAt: number },
    now: number,
    sample: string | null = null,
  ): StoredDataset {
    const { columns, rows, size, notes } = table;
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
    if (entry === null) throw new Fault("not_found", "There is no such dataset.");
    return entry;
  }

  #find(name: string): StoredDataset | DataFailure {
    const known = this.#store.list();
    const found =
      known.find(({ dataset_id }) => dataset_id === name) ??
      known.find((entry) => entry.name === name.normalize("NFC").trim());
    if (found !== undefined) return found;
    const names = known.map((entry) => entry.name);
    const message = names.length === 0 ? "There are no datasets yet." : `There is no dataset called "${name}".`;
    return { error: { entity: "dataset", message, suggestions: findSimilarNames(name, names), wanted: name } };
  }

  /** Returns `name`, with a number appended if it is taken. */
  #pickFreeName(name: string): string {
    return makeUnique([...this.#store.list().map((entry) => entry.name), name]).at(-1) ?? name;
  }

  /** Throws `too_many_requests` if `wanted` more datasets would exceed the limit. */
  #ensureCapacity(count: number): void {
    if (this.#store.list().length + count <= this.#limit) return;
    throw new Fault("too_many_requests", `There can be ${this.#limit} datasets. Delete one that you no longer need.`);
  }
}

function toDatasetSummary({
  dataset_id,
  name,
  rows,
  size,
  sample,
  created_at,
  updated_at,
  columns,
}: StoredDataset): DatasetSummary {
  const is_sample = sample !== null;
  return { dataset_id, name, rows, size, is_sample, created_at, updated_at, columns: columns.map(toPlainColumn) };
}
