// SQLite as the stores of this folder use it.

export type SqlValue = string | number | null;
export type SqlRow = Record<string, SqlValue | ArrayBuffer>;

/** What the stores need of a Durable Object's storage. Any SQLite will do: tests run on Node's. */
export type Database = {
  exec(query: string, ...bindings: SqlValue[]): Iterable<SqlRow>;
  /** Runs `work` atomically. `work` must finish before it returns: no promises. */
  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T): T;
};

export class Sql {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  rows(query: string, ...bindings: SqlValue[]): Iterable<SqlRow> {
    return this.#database.exec(query, ...bindings);
  }

  first(query: string, ...bindings: SqlValue[]): SqlRow | undefined {
    const [row] = this.#database.exec(query, ...bindings);
    return row;
  }

  run(query: string, ...bindings: SqlValue[]): void {
    for (const _ of this.#database.exec(query, ...bindings));
  }

  /** Looking leaves no trace: a conversation that was never written to has no tables. */
  hasTable(name: string): boolean {
    return this.first(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, name) !== undefined;
  }

  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    return this.#database.transaction(work);
  }
}

/** The SQLite of a Durable Object. */
export function sqlOf(storage: DurableObjectStorage): Sql {
  return new Sql({
    exec: (query, ...bindings) => storage.sql.exec(query, ...bindings),
    transaction: (work) => storage.transactionSync(work),
  });
}
