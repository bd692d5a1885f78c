// The databases of a stopped system, as they lie on the disk.

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Finds every database below a folder of storage, and the kind of object that it belongs to. The platform has its own. */
export function findDatabases(
  state: string,
  { hasMetadata = false } = {},
): { readonly kind: string; readonly path: string }[] {
  const files = readdirSync(state, { recursive: true, encoding: "utf8" }).toSorted();
  return files
    .filter((file) => file.endsWith(".sqlite") && (hasMetadata || basename(file) !== "metadata.sqlite"))
    .map((file) => ({ kind: basename(dirname(file)), path: join(state, file) }));
}

/** Reads rows of every database of a kind. */
export function queryAll<T>(state: string, kind: string, query: string): T[] {
  return findDatabases(state)
    .filter((database) => database.kind === kind)
    .flatMap(({ path }) => useDatabase(path, (database) => database.prepare(query).all() as T[]));
}

export function useDatabase<T>(path: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Removes comments and lines, which mean nothing to a database. */
export function tidySql(sql: string): string {
  const line = sql.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ");
  return line.replaceAll("( ", "(").replaceAll(" )", ")").replaceAll("; ", ";").trim();
}
