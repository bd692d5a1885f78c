// The rows of a person's datasets: a catalogue, and for every dataset a table of its own with typed columns.

import { cellOf, lengthOf, type Exec } from "../datasets/run.ts";
import { columnName, partName, PART_COLUMNS, type StoredTable } from "../datasets/sources.ts";
import type { Table } from "../datasets/table.ts";
import type { Cell, Column, ColumnType, DescribedColumn } from "../protocol/dataset.ts";
import type { Sql, SqlRow } from "./sql.ts";

/** Made with the first dataset: most people never have one. */
const TABLES = `CREATE TABLE IF NOT EXISTS dataset (
     id      TEXT PRIMARY KEY,
     number  INTEGER NOT NULL UNIQUE,  -- of its table, another one whenever its rows are replaced
     key     TEXT NOT NULL UNIQUE,     -- its name as names are compared
     sample  TEXT UNIQUE,              -- which table of the sample it is, if it is one
     body    TEXT NOT NULL             -- everything else, as JSON
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE IF NOT EXISTS dataset_number (last INTEGER NOT NULL) STRICT;`;

/** JSON characters that are bound at once. */
const CHUNK_CHARS = 512 * 1024;

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: "INTEGER",
  number: "REAL",
  boolean: "INTEGER",
  date: "TEXT",
  datetime: "TEXT",
  text: "TEXT",
};

/** What the catalogue says of a dataset. */
export type Entry = {
  readonly dataset_id: string;
  readonly name: string;
  readonly columns: readonly DescribedColumn[];
  readonly rows: number;
  readonly size: number;
  readonly notes: readonly string[];
  readonly created_at: number;
  readonly updated_at: number;
};
export type StoredEntry = Entry & { readonly table: number; readonly sample: string | null };

export class DatasetStore {
  readonly #sql: Sql;
  #exists = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** False while there has never been a dataset: asking leaves no trace. */
  get #hasTables(): boolean {
    this.#exists ||= this.#sql.hasTable("dataset");
    return this.#exists;
  }

  /** The newest first. */
  all(): StoredEntry[] {
    if (!this.#hasTables) return [];
    const entries = [...this.#sql.rows(`SELECT number, sample, body FROM dataset`)].map(entryIn);
    return entries.toSorted((a, b) => b.created_at - a.created_at || b.table - a.table);
  }

  get(id: string): StoredEntry | null {
    const row = this.#hasTables
      ? this.#sql.first(`SELECT number, sample, body FROM dataset WHERE id = ?`, id)
      : undefined;
    return row === undefined ? null : entryIn(row);
  }

  named(name: string): StoredEntry | null {
    if (!this.#hasTables) return null;
    const row = this.#sql.first(`SELECT number, sample, body FROM dataset WHERE key = ?`, keyOf(name));
    return row === undefined ? null : entryIn(row);
  }

  hasSample(sample: string): boolean {
    return this.#hasTables && this.#sql.first(`SELECT 1 FROM dataset WHERE sample = ?`, sample) !== undefined;
  }

  /** Stores a dataset with its rows, all or nothing. One of the same id is replaced. */
  put(entry: Entry, { rows }: Pick<Table, "rows">, sample: string | null = null): void {
    try {
      this.#sql.transaction(() => this.#write(entry, rows, sample));
    } catch (thrown) {
      // The first one takes its tables along.
      this.#exists = false;
      throw thrown;
    }
  }

  #write(entry: Entry, rows: Table["rows"], sample: string | null): void {
    if (!this.#hasTables) this.#sql.run(TABLES);
    const old = this.get(entry.dataset_id);
    const table = this.#nextNumber();
    this.#create(table, entry.columns);
    this.#fill(table, entry.columns.length, rows);
    this.#sql.run(
      `INSERT OR REPLACE INTO dataset (id, number, key, sample, body) VALUES (?, ?, ?, ?, ?)`,
      entry.dataset_id,
      table,
      keyOf(entry.name),
      sample,
      JSON.stringify(entry),
    );
    if (old !== null) this.#drop(old);
  }

  rename(entry: StoredEntry, name: string, at: number): void {
    const { table: _, sample: __, ...body } = { ...entry, name, updated_at: at };
    const query = `UPDATE dataset SET key = ?, body = ? WHERE id = ?`;
    this.#sql.run(query, keyOf(name), JSON.stringify(body), entry.dataset_id);
  }

  remove(entry: StoredEntry): void {
    this.#sql.transaction(() => {
      this.#sql.run(`DELETE FROM dataset WHERE id = ?`, entry.dataset_id);
      this.#drop(entry);
    });
  }

  /** Rows after the number `after`, which count from 1. `last` is the number of the last one. */
  page({ table, columns }: StoredEntry, after: number, limit: number, maxChars = Infinity) {
    const rows: Cell[][] = [];
    for (const [part, of] of partsOf(columns).entries()) {
      const query = `SELECT * FROM ${partName(table, part)} WHERE r > ? ORDER BY r LIMIT ?`;
      for (const [i, row] of [...this.#sql.rows(query, after, limit)].entries()) {
        const cells = of.map((column, j) => cellOf(row[columnName(part * PART_COLUMNS + j)], column));
        (rows[i] ??= []).push(...cells);
      }
    }
    let chars = 0;
    const kept = rows.filter((row, i) => (chars += lengthOf(row)) <= maxChars || i === 0);
    return { rows: kept, last: after + kept.length };
  }

  /** Every value of a column that is there, by how often: the most frequent first. */
  frequent({ table }: StoredEntry, position: number, column: Column, limit: number) {
    const [at, of] = [columnName(position), partName(table, Math.floor(position / PART_COLUMNS))];
    const query = `SELECT ${at} AS v, count(*) AS n FROM ${of} WHERE ${at} IS NOT NULL GROUP BY ${at} ORDER BY n DESC, v LIMIT ?`;
    return [...this.#sql.rows(query, limit)].map((row) => ({
      value: cellOf(row["v"], column),
      count: Number(row["n"]),
    }));
  }

  numbers({ table }: StoredEntry, position: number): number[] {
    const [at, of] = [columnName(position), partName(table, Math.floor(position / PART_COLUMNS))];
    return [...this.#sql.rows(`SELECT ${at} AS v FROM ${of} WHERE ${at} IS NOT NULL`)].map((row) => Number(row["v"]));
  }

  /** For queries that were compiled against these tables. */
  get exec(): Exec {
    return (query, ...bindings) => this.#sql.rows(query, ...bindings);
  }

  #create(table: number, columns: readonly Column[]): void {
    for (const [part, of] of partsOf(columns).entries()) {
      const defined = of.map(({ type }, i) => `${columnName(part * PART_COLUMNS + i)} ${SQL_TYPES[type]}`);
      this.#sql.run(`CREATE TABLE ${partName(table, part)} (r INTEGER PRIMARY KEY, ${defined.join(", ")}) STRICT`);
    }
  }

  /** As JSON, many rows at a time: one statement binds a hundred values at most, and this is one. */
  #fill(table: number, width: number, rows: Table["rows"]): void {
    const parts = Math.ceil(width / PART_COLUMNS);
    const inserts = Array.from({ length: parts }, (_, part) => {
      const from = part * PART_COLUMNS;
      const values = Array.from({ length: Math.min(width - from, PART_COLUMNS) }, (__, i) => `value ->> ${from + i}`);
      return `INSERT INTO ${partName(table, part)} SELECT ?1 + key, ${values.join(", ")} FROM json_each(?2)`;
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
      chunk.push(json);
      chars += json.length;
    }
    if (chunk.length > 0) flush();
  }

  #drop({ table, columns }: StoredEntry): void {
    for (const part of partsOf(columns).keys()) this.#sql.run(`DROP TABLE ${partName(table, part)}`);
  }

  /** Numbers are never used twice: a query that was made for other columns must not find new ones. */
  #nextNumber(): number {
    const last = Number(this.#sql.first(`SELECT last FROM dataset_number`)?.["last"] ?? 0);
    const query = last === 0 ? `INSERT INTO dataset_number (last) VALUES (?)` : `UPDATE dataset_number SET last = ?`;
    this.#sql.run(query, last + 1);
    return last + 1;
  }
}

/** Without what is in it. */
export function plainColumn({ name, type, unit }: Column): Column {
  return { name, type, ...(unit === undefined ? {} : { unit }) };
}

export function storedTable({ dataset_id, name, table, rows, columns }: StoredEntry): StoredTable {
  return { dataset_id, name, table, rows, columns: columns.map(plainColumn) };
}

function partsOf<T>(columns: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(columns.length / PART_COLUMNS) }, (_, part) =>
    columns.slice(part * PART_COLUMNS, (part + 1) * PART_COLUMNS),
  );
}

/** Two names are one if they differ in case or in how an accent is encoded alone. */
function keyOf(name: string): string {
  return name.normalize("NFC").trim().toLowerCase();
}

function entryIn(row: SqlRow): StoredEntry {
  const sample = row["sample"];
  return {
    ...(JSON.parse(String(row["body"])) as Entry),
    table: Number(row["number"]),
    sample: typeof sample === "string" ? sample : null,
  };
}
