// The databases of a stopped system, read from the disk.

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Finds all databases below a storage folder with their kinds of objects. The platform has its own databases. */
export function findDatabases(
  state: string,
  { hasMetadata = false } = {},
): { readonly kind: string; readonly path: string }[] {
  const files = readdirSync(state, { recursive: true, encoding: "utf8" }).toSorted();
  return files
    .filter((file) => file.endsWith(".sqlite") && (hasMetadata || basename(file) !== "metadata.sqlite"))
    .map((file) => ({ kind: basename(dirname(file)), path: join(state, file) }));
}

/** Reads rows of all databases of a kind. */
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

/** Removes comments and line breaks. */
export function tidySql(sql: string): string {
  const line = sql.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ");
  return line.replaceAll("( ", "(").replaceAll(" )", ")").replaceAll("; ", ";").trim();
}
