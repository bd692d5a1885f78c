// All of a conversation's SQL. Rows are decoded here; nothing above this file sees one.

import { type Commit } from "../core/log-book.ts";
import { SEGMENT_SPAN, type Entry, type Row } from "../core/log-rows.ts";
import type { Send } from "../protocol/commands.ts";
import type { Conversation } from "../protocol/conversation.ts";

export type SqlValue = string | number | null;

/** The corner of a Durable Object's storage that the store uses, described by shape: any SQLite fits. */
export type Sql = {
  exec(query: string, ...bindings: SqlValue[]): Iterable<Record<string, SqlValue | ArrayBuffer>>;
  /** Runs `work` atomically. `work` must finish before it returns: no promises. */
  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T): T;
};

/** A message that is not done yet. The first of them runs, the others wait in order (T1). */
export type OpenThread = {
  readonly thread_id: string;
  readonly command_id: string;
  /** The `seq` of its `thread_started`. */
  readonly seq: number;
  /** How often its work has begun; more than once means that it was interrupted. */
  readonly attempts: number;
  /** Set once the person has cancelled it: after a crash it is only brought to its end (T5). */
  readonly is_cancelled?: true;
  /** Tasks of it that the person has cancelled. */
  readonly cancelled_tasks?: readonly string[];
};

/** The one row that says how a conversation stands. */
export type Head = {
  readonly conversation: Conversation;
  /** No number above it has been given out. */
  readonly reserved: number;
  readonly open: readonly OpenThread[];
};

export type Command = { readonly thread_id: string; readonly seq: number; readonly request: Send };

// An append-only list: a change to a released table is a new entry, never an edit.
const MIGRATIONS = [
  `CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL) STRICT;
   CREATE TABLE log (
     seq     INTEGER PRIMARY KEY,  -- of the first event in the row
     last    INTEGER NOT NULL,     -- of the last one
     at      INTEGER NOT NULL,     -- when it was stored, in epoch milliseconds
     scope   TEXT,                 -- the task that all of it belongs to
     entries TEXT NOT NULL         -- JSON
   ) STRICT;
   CREATE TABLE command (
     id        TEXT PRIMARY KEY,   -- the client's own id: the same one is carried out once
     thread_id TEXT NOT NULL,
     seq       INTEGER NOT NULL,
     request   TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE step (
     thread_id TEXT NOT NULL,
     name      TEXT NOT NULL,
     value     TEXT NOT NULL,
     PRIMARY KEY (thread_id, name)
   ) STRICT, WITHOUT ROWID;`,
] as const;

/** A stored row of the log and when it was stored. */
export type StoredRow = Row & { readonly at: number };

export class Store {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  migrate(): void {
    this.#sql.transaction(() => {
      this.#run(`CREATE TABLE IF NOT EXISTS migration (id INTEGER PRIMARY KEY) STRICT`);
      const done = Number(this.#first(`SELECT count(*) AS n FROM migration`)?.["n"] ?? 0);
      for (let id = done; id < MIGRATIONS.length; id++) {
        this.#run(MIGRATIONS[id] ?? "");
        this.#run(`INSERT INTO migration (id) VALUES (?)`, id);
      }
    });
  }

  /** How the conversation stands; null when there is none. Creates nothing, so asking leaves no trace. */
  head(): Head | null {
    if (this.#first(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'head'`) === undefined) return null;
    const row = this.#first(`SELECT body FROM head`);
    return row === undefined ? null : (JSON.parse(String(row["body"])) as Head);
  }

  putHead(head: Head): void {
    this.#run(`INSERT OR REPLACE INTO head (id, body) VALUES (1, ?)`, JSON.stringify(head));
  }

  /** Stores one commit of the log. Reserving numbers is the caller's: it stands in the head. */
  append({ rows, retract }: Commit, since: number, at: number): void {
    for (const scope of retract) this.#run(`DELETE FROM log WHERE seq >= ? AND scope = ?`, since, scope);
    for (const { seq, last, scope, entries } of rows) {
      const body = JSON.stringify(entries);
      this.#run(`INSERT INTO log (seq, last, at, scope, entries) VALUES (?, ?, ?, ?, ?)`, seq, last, at, scope, body);
    }
  }

  /** The rows that hold anything after `after`, sorted by their first number. With `scope`, only that task's. */
  *rowsAfter(after: number, scope?: string): Generator<StoredRow> {
    const query = `SELECT seq, last, at, scope, entries FROM log WHERE seq > ? AND last > ?`;
    const from = after - SEGMENT_SPAN;
    const rows =
      scope === undefined
        ? this.#sql.exec(`${query} ORDER BY seq`, from, after)
        : this.#sql.exec(`${query} AND scope = ? ORDER BY seq`, from, after, scope);
    for (const row of rows) yield decoded(row);
  }

  /** True when the log holds anything of `scope` from `since` on. */
  hasRowsOf(scope: string, since: number): boolean {
    return this.#first(`SELECT 1 FROM log WHERE seq >= ? AND scope = ? LIMIT 1`, since, scope) !== undefined;
  }

  command(id: string): Command | null {
    const row = this.#first(`SELECT thread_id, seq, request FROM command WHERE id = ?`, id);
    if (row === undefined) return null;
    return {
      thread_id: String(row["thread_id"]),
      seq: Number(row["seq"]),
      request: JSON.parse(String(row["request"])) as Send,
    };
  }

  putCommand(id: string, { thread_id, seq, request }: Command): void {
    this.#run(
      `INSERT INTO command (id, thread_id, seq, request) VALUES (?, ?, ?, ?)`,
      id,
      thread_id,
      seq,
      JSON.stringify(request),
    );
  }

  /** All rows, newest first: read no more of them than needed. */
  *newestRows(): Generator<StoredRow> {
    const query = `SELECT seq, last, at, scope, entries FROM log ORDER BY seq DESC`;
    for (const row of this.#sql.exec(query)) yield decoded(row);
  }

  /** The JSON value of a finished step. */
  step(threadId: string, name: string): string | null {
    const row = this.#first(`SELECT value FROM step WHERE thread_id = ? AND name = ?`, threadId, name);
    return row === undefined ? null : String(row["value"]);
  }

  putStep(threadId: string, name: string, value: string): void {
    this.#run(`INSERT INTO step (thread_id, name, value) VALUES (?, ?, ?)`, threadId, name, value);
  }

  /** Forgets everything. */
  clear(): void {
    this.#sql.transaction(() => {
      for (const table of ["head", "log", "command", "step"]) this.#run(`DELETE FROM ${table}`);
    });
  }

  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    return this.#sql.transaction(work);
  }

  #first(query: string, ...bindings: SqlValue[]) {
    const [row] = this.#sql.exec(query, ...bindings);
    return row;
  }

  #run(query: string, ...bindings: SqlValue[]): void {
    for (const _ of this.#sql.exec(query, ...bindings));
  }
}

function decoded(row: Record<string, SqlValue | ArrayBuffer>): StoredRow {
  return {
    seq: Number(row["seq"]),
    last: Number(row["last"]),
    at: Number(row["at"]),
    scope: row["scope"] === null ? null : String(row["scope"]),
    entries: JSON.parse(String(row["entries"])) as Entry[],
  };
}

/** A Durable Object's storage as the store uses it. */
export function sqlOf(storage: DurableObjectStorage): Sql {
  return {
    exec: (query, ...bindings) => storage.sql.exec(query, ...bindings),
    transaction: (work) => storage.transactionSync(work),
  };
}
