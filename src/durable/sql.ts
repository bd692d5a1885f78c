// A thin SQLite interface for the stores of this folder. Synchronous.

import { checkRowSize } from "../lib/row-size.ts";

export type SqlValue = string | number | null;
/** One result row by column name. The stores decode values; no blobs are used. */
export type SqlRow = Record<string, SqlValue | ArrayBuffer>;

/** The part of Durable Object storage that the stores use. Any SQLite works; tests use Node's. */
export type SqlDatabase = {
  exec(query: string, ...bindings: SqlValue[]): Iterable<SqlRow>;
  /** Runs `work` atomically and returns its result. `work` must be synchronous; the type rejects promises. */
  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T): T;
};

/** Stateless. All methods throw the error of the database. */
export class Sql {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /**
   * Executes a query and returns a live cursor: consume it before the next write to the same table. `Row` must have the
   * types of the columns: the tables are `STRICT`.
   */
  rows<Row = SqlRow>(query: string, ...bindings: SqlValue[]): Iterable<Row> {
    return this.#database.exec(query, ...bindings) as Iterable<Row>;
  }

  first<Row = SqlRow>(query: string, ...bindings: SqlValue[]): Row | undefined {
    const [row] = this.rows<Row>(query, ...bindings);
    return row;
  }

  /** Returns the parsed JSON of the column `body` of each row. */
  bodies<T>(query: string, ...bindings: SqlValue[]): T[] {
    return Array.from(this.rows<{ body: string }>(query, ...bindings), ({ body }) => JSON.parse(body) as T);
  }

  /** Executes a statement, or several, and discards its rows. */
  run(query: string, ...bindings: SqlValue[]): void {
    for (const _ of this.#database.exec(query, ...bindings));
  }

  /** Returns true if the table exists. Creates nothing, unlike the first write of a store. */
  hasTable(name: string): boolean {
    return this.first(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, name) !== undefined;
  }

  /**
   * Runs `work` atomically and returns its result; if `work` throws, its writes are undone and the error is rethrown.
   */
  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    return this.#database.transaction(work);
  }
}

/** Wraps the SQLite database of a Durable Object. Values beyond the platform's limit are refused also where it is not. */
export function createSql(storage: DurableObjectStorage): Sql {
  return new Sql({
    exec: (query, ...bindings) => {
      checkRowSize(bindings);
      return storage.sql.exec(query, ...bindings);
    },
    transaction: (work) => storage.transactionSync(work),
  });
}
