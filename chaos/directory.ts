// The directory (D1) as a separate server that survives kills of the host, as it does for a deployed Worker. Implements
// the protocol of the platform's D1 binding with an in-memory SQLite database.

import { createServer } from "node:http";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { readBody, listen } from "../test/support/net.ts";
import { readMigrationStatements } from "../test/support/workers.ts";

export type Directory = {
  /** Host and port for the requests of the binding. */
  readonly address: string;
  /** Returns the stored status of a conversation, without a call to the conversation; null if it is unknown. */
  statusOf(conversationId: string): string | null;
  close(): void;
};

type Query = { readonly sql: string; readonly params?: readonly SQLInputValue[] | null };

export async function startDirectory(): Promise<Directory> {
  const database = new DatabaseSync(":memory:");
  for (const statement of readMigrationStatements()) database.exec(statement);
  const server = createServer((request, response) => {
    void readBody(request).then(
      (body) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(answer(database, body, request.url ?? "")));
      },
      // The sender was killed.
      () => undefined,
    );
  });
  const port = await listen(server);
  const status = database.prepare(`SELECT status FROM conversation WHERE conversation_id = ?`);
  return {
    address: `127.0.0.1:${port}`,
    statusOf: (conversationId) => (status.get(conversationId)?.["status"] as string | undefined) ?? null,
    close() {
      server.close();
      server.closeAllConnections();
      database.close();
    },
  };
}

function answer(database: DatabaseSync, body: string, url: string): unknown {
  const parsed = JSON.parse(body) as Query | readonly Query[];
  const queries = isMany(parsed) ? parsed : [parsed];
  database.exec("BEGIN");
  try {
    const results = queries.map((query) => run(database, query, url.includes("ROWS_AND_COLUMNS")));
    database.exec("COMMIT");
    return results;
  } catch (thrown) {
    database.exec("ROLLBACK");
    return { success: false, error: String(thrown) };
  }
}

function run(database: DatabaseSync, { sql, params }: Query, asRows: boolean): object {
  const statement = database.prepare(sql);
  const columns = statement.columns().map(({ name }) => name);
  const before = changesIn(database);
  const found = statement.all(...(params ?? [])) as Record<string, unknown>[];
  const changes = changesIn(database) - before;
  const results = asRows ? { columns, rows: found.map((row) => columns.map((name) => row[name])) } : found;
  const meta = {
    served_by: "directory",
    duration: 0,
    changes,
    last_row_id: 0,
    changed_db: changes > 0,
    size_after: 0,
    rows_read: found.length,
    rows_written: changes,
  };
  return { success: true, results, meta };
}

function changesIn(database: DatabaseSync): number {
  return Number(database.prepare(`SELECT total_changes() AS n`).get()?.["n"] ?? 0);
}

function isMany(value: Query | readonly Query[]): value is readonly Query[] {
  return Array.isArray(value);
}
