// The operations on a user's datasets, on top of `DatasetStore`: validation, limits, names, previews and queries.

import { sampleTables } from "../datasets/classroom.ts";
import { columnStats } from "../datasets/column-stats.ts";
import { compile } from "../datasets/compile.ts";
import { unique, withoutReference } from "../datasets/headers.ts";
import { MAX_ANSWER_CHARS, PREVIEW_ROWS } from "../datasets/limits.ts";
import { nearest } from "../protocol/words/nearest.ts";
import { isNumeric } from "../datasets/profile.ts";
import { run } from "../datasets/run.ts";
import { readTable, type FileKind, type Table } from "../datasets/table.ts";
import { csvOf } from "../protocol/csv.ts";
import {
  datasetQuerySchema,
  MAX_DATASET_NAME,
  type Cell,
  type Column,
  type ColumnStats,
  type Dataset,
  type DatasetQuery,
  type DatasetSummary,
  type Failed,
  type NewDataset,
  type QueryResult,
} from "../protocol/dataset.ts";
import { Fault, parseWith } from "../protocol/fault.ts";
import { mint } from "../protocol/ids.ts";
import { plainColumn, storedTable, type DatasetStore, type StoredEntry } from "./dataset-store.ts";

/** An uploaded file, unparsed. `charset` is the declared encoding, if any. */
export type Upload = { readonly bytes: Uint8Array; readonly kind: FileKind; readonly charset?: string };

/** A page of rows. `next` is the `after` of the next page; null on the last. */
export type RowPage = { readonly columns: Column[]; readonly rows: Cell[][]; readonly next: number | null };

const TOP_VALUES = 10;

/**
 * One instance per Library object. Synchronous: each call completes before the next begins. Methods that take an id
 * throw `not_found`; methods that take a name, which a model may have guessed, return `Failed` with suggestions.
 */
export class Datasets {
  readonly #store: DatasetStore;
  /** The maximum number of datasets of the user. */
  readonly #limit: number;

  constructor(store: DatasetStore, limit: number) {
    this.#store = store;
    this.#limit = limit;
  }

  list(): DatasetSummary[] {
    return this.#store.all().map(summaryOf);
  }

  read(id: string): Dataset {
    return this.#withPreview(this.#get(id));
  }

  /** Finds a dataset by id or exact name. */
  describe(dataset: string): Dataset | Failed {
    const entry = this.#find(dataset);
    return "error" in entry ? entry : this.#withPreview(entry);
  }

  /**
   * Parses a file and stores it as a dataset. Throws `conflict` if the name is taken and `replace` is false. A replaced
   * dataset keeps its id and creation time.
   */
  add(upload: Upload, { name: wanted, replace = false }: NewDataset, now: number): Dataset {
    const table = readTable(upload.bytes, upload.kind, upload.charset);
    const asked = wanted ?? table.name?.trim().slice(0, MAX_DATASET_NAME);
    const name = asked === undefined || asked === "" ? this.#freeName("Dataset") : withoutReference(asked);
    const old = this.#store.named(name);
    if (old !== null && !replace) {
      const message = `There is a dataset called "${old.name}" already. Choose another name, or send replace=true.`;
      throw new Fault("conflict", message, { field: "name" });
    }
    if (old === null) this.#makeRoom(1);
    return this.#withPreview(this.#keep(table, { id: old?.dataset_id, name, createdAt: old?.created_at ?? now }, now));
  }

  rename(id: string, wanted: string, now: number): Dataset {
    const name = withoutReference(wanted);
    const entry = this.#get(id);
    const other = this.#store.named(name);
    if (other !== null && other.dataset_id !== id) {
      throw new Fault("conflict", `There is a dataset called "${other.name}" already.`, { field: "name" });
    }
    this.#store.rename(entry, name, now);
    return this.read(id);
  }

  remove(id: string): void {
    this.#store.remove(this.#get(id));
  }

  rows(id: string, limit: number, after: number): RowPage {
    const entry = this.#get(id);
    const { rows, last } = this.#store.page(entry, after, limit, MAX_ANSWER_CHARS);
    return { columns: entry.columns.map(plainColumn), rows, next: last < entry.rows && rows.length > 0 ? last : null };
  }

  csv(id: string): { readonly name: string; readonly csv: string } {
    const entry = this.#get(id);
    return { name: entry.name, csv: csvOf(entry.columns, this.#allRows(entry)) };
  }

  query(query: DatasetQuery): QueryResult | Failed {
    const compiled = compile(parseWith(datasetQuerySchema, query), this.#store.all().map(storedTable));
    return "error" in compiled ? compiled : run(this.#store.exec, compiled);
  }

  columnStats(dataset: string, name: string): ColumnStats | Failed {
    const entry = this.#find(dataset);
    if ("error" in entry) return entry;
    const position = entry.columns.findIndex((column) => column.name === name.normalize("NFC").trim());
    const column = entry.columns[position];
    if (column === undefined) {
      const names = entry.columns.map((known) => known.name);
      const message = `There is no column "${name}" in "${entry.name}".`;
      return { error: { entity: "column", message, suggestions: nearest(name, names, 5), wanted: name } };
    }
    const numbers = isNumeric(column.type) ? this.#store.numbers(entry, position) : null;
    return columnStats(column, entry.rows, numbers, this.#store.frequent(entry, position, column, TOP_VALUES));
  }

  /** Loads the sample tables that are not loaded yet. If a name is taken, a number is appended. */
  loadSample(now: number): DatasetSummary[] {
    const missing = Object.entries(sampleTables()).filter(([sample]) => !this.#store.hasSample(sample));
    this.#makeRoom(missing.length);
    // Descending creation times list the first table first.
    for (const [i, [sample, rows]] of missing.entries()) {
      const table = readTable(new TextEncoder().encode(JSON.stringify(rows)), "json");
      const createdAt = now + missing.length - 1 - i;
      this.#keep(table, { id: undefined, name: this.#freeName(sample), createdAt }, now, sample);
    }
    return this.#store
      .all()
      .filter((entry) => entry.sample !== null)
      .map(summaryOf);
  }

  #keep(
    table: Table,
    { id = mint("data"), name, createdAt }: { id: string | undefined; name: string; createdAt: number },
    now: number,
    sample: string | null = null,
  ): StoredEntry {
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
    return this.#get(id);
  }

  *#allRows(entry: StoredEntry): Generator<readonly Cell[]> {
    for (let after = 0; after < entry.rows;) {
      const { rows, last } = this.#store.page(entry, after, 1_000);
      yield* rows;
      after = last;
    }
  }

  #withPreview(entry: StoredEntry): Dataset {
    const { columns, notes } = entry;
    const preview = this.#store.page(entry, 0, PREVIEW_ROWS, MAX_ANSWER_CHARS).rows;
    return { ...summaryOf(entry), columns: [...columns], notes: [...notes], preview };
  }

  #get(id: string): StoredEntry {
    const entry = this.#store.get(id);
    if (entry === null) throw new Fault("not_found", "There is no such dataset.");
    return entry;
  }

  #find(name: string): StoredEntry | Failed {
    const known = this.#store.all();
    const found =
      known.find(({ dataset_id }) => dataset_id === name) ??
      known.find((entry) => entry.name === name.normalize("NFC").trim());
    if (found !== undefined) return found;
    const names = known.map((entry) => entry.name);
    const message = names.length === 0 ? "There are no datasets yet." : `There is no dataset called "${name}".`;
    return { error: { entity: "dataset", message, suggestions: nearest(name, names), wanted: name } };
  }

  /** Returns `name`, with a number appended if it is taken. */
  #freeName(name: string): string {
    return unique([...this.#store.all().map((entry) => entry.name), name]).at(-1) ?? name;
  }

  /** Throws `too_many_requests` if `wanted` more datasets would exceed the limit. */
  #makeRoom(wanted: number): void {
    if (this.#store.all().length + wanted <= this.#limit) return;
    throw new Fault("too_many_requests", `There can be ${this.#limit} datasets. Delete one that you no longer need.`);
  }
}

function summaryOf({
  dataset_id,
  name,
  rows,
  size,
  sample,
  created_at,
  updated_at,
  columns,
}: StoredEntry): DatasetSummary {
  const is_sample = sample !== null;
  return { dataset_id, name, rows, size, is_sample, created_at, updated_at, columns: columns.map(plainColumn) };
}
