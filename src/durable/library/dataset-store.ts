// The SQL of a user's datasets: a catalogue, and per dataset tables with typed columns.
//
// Owns the tables `dataset`, `dataset_number` and `d<number>p<part>`. A dataset with more than `MAX_PART_COLUMNS`
// columns is split into several tables that share the row number `r`. Replacing the rows creates tables with a new
// number and drops the old ones in one transaction, so a reader never sees half of a dataset. Synchronous.

import { toCell, estimateJsonLength, type SqlExecutor } from "../../datasets/run-query.ts";
import { getSqlColumnName, getPartName, MAX_PART_COLUMNS, type QueryTable } from "../../datasets/query-sources.ts";
import type { ParsedTable } from "../../datasets/parse-table.ts";
import type { Cell, Column, ColumnType, ColumnProfile } from "../../protocol/datasets/dataset.ts";
import type { Sql } from "../sql.ts";

/** Created with the first dataset, because most users never have one. */
const DATASET_TABLES = `CREATE TABLE IF NOT EXISTS dataset (
     id      TEXT PRIMARY KEY,
     number  INTEGER NOT NULL UNIQUE,  -- of its table, another one whenever its rows are replaced
     key     TEXT NOT NULL UNIQUE,     -- its name as names are compared
     sample  TEXT UNIQUE,              -- which table of the sample it is, if it is one
     body    TEXT NOT NULL             -- everything else, as JSON
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE IF NOT EXISTS dataset_number (last INTEGER NOT NULL) STRICT;`;

/** The maximum length of one bound JSON value, in UTF-16 units. */
const CHUNK_CHARS = 512 * 1024;

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: "INTEGER",
  number: "REAL",
  boolean: "INTEGER",
  date: "TEXT",
  datetime: "TEXT",
  text: "TEXT",
};

/** The catalogue entry of a dataset; stored as JSON. Times in ms since the epoch. */
export type DatasetEntry = {
  readonly dataset_id: string;
  readonly name: string;
  readonly columns: readonly ColumnProfile[];
  readonly rows: number;
  readonly size: number;
  readonly notes: readonly string[];
  readonly created_at: number;
  readonly updated_at: number;
};
/** An entry with the number of its tables, and the name of the sample table that it was loaded from. */
export type StoredDataset = DatasetEntry & { readonly table: number; readonly sample: string | null };

/**
 * One instance per object. Methods with a `StoredDataset` need the current one: its table number changes with the rows.
 */
export class DatasetStore {
  readonly #sql: Sql;
  #exists = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** False if there has never been a dataset. Reading must not create tables. */
  get #hasTables(): boolean {
    this.#exists ||= this.#sql.hasTable("dataset");
    return this.#exists;
  }

  list(): StoredDataset[] {
    if (!this.#hasTables) return [];
    const entries = Array.from(this.#sql.rows<DatasetRecord>(`SELECT number, sample, body FROM dataset`), decodeEntry);
    return entries.toSorted((a, b) => b.created_at - a.created_at || b.table - a.table);
  }

  get(id: string): StoredDataset | null {
    return this.#find("id", id);
  }

  /** Finds a dataset by name, ignoring case and Unicode normalization; null if there is none. */
  findByName(name: string): StoredDataset | null {
    return this.#find("key", normalizeName(name));
  }

  #find(column: "id" | "key", value: string): StoredDataset | null {
    if (!this.#hasTables) return null;
    const query = `SELECT number, sample, body FROM dataset WHERE ${column} = ?`;
    const row = this.#sql.first<DatasetRecord>(query, value);
    return row === undefined ? null : decodeEntry(row);
  }

  /** True if a dataset was loaded from the sample table with this name, even if it was renamed since. */
  hasSample(sample: string): boolean {
    return this.#hasTables && this.#sql.first(`SELECT 1 FROM dataset WHERE sample = ?`, sample) !== undefined;
  }

  /**
   * Stores a dataset with its rows atomically. Replaces the dataset with the same id. No other dataset may have the
   * name.
   */
  put(entry: DatasetEntry, { rows }: Pick<ParsedTable, "rows">, sample: string | null = null): void {
    try {
      this.#sql.transaction(() => this.#write(entry, rows, sample));
    } catch (thrown) {
      // If the rollback removed the tables, they must be created again.
      this.#exists = false;
      throw thrown;
    }
  }

  #write(entry: DatasetEntry, rows: ParsedTable["rows"], sample: string | null): void {
    if (!this.#hasTables) this.#sql.run(DATASET_TABLES);
    const old = this.get(entry.dataset_id);
    const table = this.#nextNumber();
    this.#createTables(table, entry.columns);
    this.#insertRows(table, entry.columns.length, rows);
    this.#sql.run(
      `INSERT OR REPLACE INTO dataset (id, number, key, sample, body) VALUES (?, ?, ?, ?, ?)`,
      entry.dataset_id,
      table,
      normalizeName(entry.name),
      sample,
      JSON.stringify(entry),
    );
    if (old !== null) this.#dropTables(old);
  }

  /**
   * Sets the name of a dataset and its update time (`at`, ms since the epoch). Throws if another dataset has the name.
   */
  rename(dataset: StoredDataset, name: string, at: number): void {
    const { table: _, sample: __, ...body } = { ...dataset, name, updated_at: at };
    const query = `UPDATE dataset SET key = ?, body = ? WHERE id = ?`;
    this.#sql.run(query, normalizeName(name), JSON.stringify(body), dataset.dataset_id);
  }

  remove(dataset: StoredDataset): void {
    this.#sql.transaction(() => {
      this.#sql.run(`DELETE FROM dataset WHERE id = ?`, dataset.dataset_id);
      this.#dropTables(dataset);
    });
  }

  /**
   * Returns rows with a number greater than `after`; numbers start at 1. `last` is the number of the last returned row.
   * At least one row is returned, however long; further rows only up to `maxChars` in total.
   */
  readRows({ table, columns }: StoredDataset, after: number, limit: number, maxChars = Infinity) {
    const rows: Cell[][] = [];
    for (const [part, partColumns] of splitIntoParts(columns).entries()) {
      const query = `SELECT * FROM ${getPartName(table, part)} WHERE r > ? ORDER BY r LIMIT ?`;
      for (const [i, row] of [...this.#sql.rows(query, after, limit)].entries()) {
        const cells = partColumns.map((column, j) =>
          toCell(row[getSqlColumnName(part * MAX_PART_COLUMNS + j)], column),
        );
        (rows[i] ??= []).push(...cells);
      }
    }
    let chars = 0;
    const returned = rows.filter((row, i) => (chars += estimateJsonLength(row)) <= maxChars || i === 0);
    return { rows: returned, last: after + returned.length };
  }

  /** Returns the non-null values of a column with their counts, most frequent first. `position` is the column index. */
  countValues({ table }: StoredDataset, position: number, column: Column, limit: number) {
    const [sqlColumn, sqlTable] = locateColumn(table, position);
    const query = `SELECT ${sqlColumn} AS v, count(*) AS n FROM ${sqlTable} WHERE ${sqlColumn} IS NOT NULL GROUP BY ${sqlColumn} ORDER BY n DESC, v LIMIT ?`;
    return [...this.#sql.rows(query, limit)].map((row) => ({
      value: toCell(row["v"], column),
      count: Number(row["n"]),
    }));
  }

  readNumbers({ table }: StoredDataset, position: number): number[] {
    const [sqlColumn, sqlTable] = locateColumn(table, position);
    const query = `SELECT ${sqlColumn} AS v FROM ${sqlTable} WHERE ${sqlColumn} IS NOT NULL`;
    return Array.from(this.#sql.rows<{ v: number }>(query), ({ v }) => v);
  }

  /** Executes SQL that `compileQuery` produced for these tables. */
  get exec(): SqlExecutor {
    return (query, ...bindings) => this.#sql.rows(query, ...bindings);
  }

  #createTables(table: number, columns: readonly Column[]): void {
    for (const [part, partColumns] of splitIntoParts(columns).entries()) {
      const defined = partColumns.map(
        ({ type }, i) => `${getSqlColumnName(part * MAX_PART_COLUMNS + i)} ${SQL_TYPES[type]}`,
      );
      this.#sql.run(`CREATE TABLE ${getPartName(table, part)} (r INTEGER PRIMARY KEY, ${defined.join(", ")}) STRICT`);
    }
  }

  /**
   * Inserts rows as JSON, many per statement: a statement binds at most 100 values, and the JSON is one. The JSON of a
   * row may be several times as large as its texts; a row with too much of it binds each cell.
   */
  #insertRows(table: number, width: number, rows: ParsedTable["rows"]): void {
    const parts = Math.ceil(width / MAX_PART_COLUMNS);
    const inserts = Array.from({ length: parts }, (_, part) => {
      const from = part * MAX_PART_COLUMNS;
      const values = Array.from(
        { length: Math.min(width - from, MAX_PART_COLUMNS) },
        (__, i) => `value ->> ${from + i}`,
      );
      return `INSERT INTO ${getPartName(table, part)} SELECT ?1 + key, ${values.join(", ")} FROM json_each(?2)`;
    });
    let chunk: string[] = [];
    let chars = 0;
    let first = 1;
    const flush = (): void => {
      for (const insert of inserts) this.#sql.run(insert, first, `[${chunk.join(",")}]`);
      first += chunk.length;
      [chunk, chars] = [[], 0];
    };
    for (const row of rows) {
      const json = JSON.stringify(row);
      if (chars + json.length > CHUNK_CHARS && chunk.length > 0) flush();
      if (json.length > CHUNK_CHARS) {
        this.#insertRow(table, first++, row);
        continue;
      }
      chunk.push(json);
      chars += json.length;
    }
    if (chunk.length > 0) flush();
  }

  #insertRow(table: number, number: number, row: readonly Cell[]): void {
    const values = row.map((cell) => (typeof cell === "boolean" ? Number(cell) : cell));
    for (const [part, cells] of splitIntoParts(values).entries()) {
      const places = cells.map(() => "?").join(", ");
      this.#sql.run(`INSERT INTO ${getPartName(table, part)} VALUES (?, ${places})`, number, ...cells);
    }
  }

  #dropTables({ table, columns }: StoredDataset): void {
    for (const part of splitIntoParts(columns).keys()) this.#sql.run(`DROP TABLE ${getPartName(table, part)}`);
  }

  /**
   * Returns a new table number. Numbers are never reused, so that a query compiled for other columns cannot read a new
   * table.
   */
  #nextNumber(): number {
    const last = this.#sql.first<{ last: number }>(`SELECT last FROM dataset_number`)?.last ?? 0;
    const query = last === 0 ? `INSERT INTO dataset_number (last) VALUES (?)` : `UPDATE dataset_number SET last = ?`;
    this.#sql.run(query, last + 1);
    return last + 1;
  }
}

/** Returns a column without its statistics. */
export function toPlainColumn({ name, type, unit }: Column): Column {
  return { name, type, ...(unit === undefined ? {} : { unit }) };
}

/** Reduces a dataset to the members that a query needs: no notes, times or column statistics. */
export function toQueryTable({ dataset_id, name, table, rows, columns }: StoredDataset): QueryTable {
  return { dataset_id, name, table, rows, columns: columns.map(toPlainColumn) };
}

function splitIntoParts<T>(columns: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(columns.length / MAX_PART_COLUMNS) }, (_, part) =>
    columns.slice(part * MAX_PART_COLUMNS, (part + 1) * MAX_PART_COLUMNS),
  );
}

/** Normalizes a name for comparison: NFC, trimmed, lower case. */
function normalizeName(name: string): string {
  return name.normalize("NFC").trim().toLowerCase();
}

/** Returns the names of a column and of the table that contains it. */
function locateColumn(table: number, position: number): [column: string, table: string] {
  return [getSqlColumnName(position), getPartName(table, Math.floor(position / MAX_PART_COLUMNS))];
}

type DatasetRecord = { readonly number: number; readonly sample: string | null; readonly body: string };

function decodeEntry({ number: table, sample, body }: DatasetRecord): StoredDataset {
  return { ...(JSON.parse(body) as DatasetEntry), table, sample };
}
