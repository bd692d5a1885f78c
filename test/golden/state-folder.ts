// The stored state: an archived folder of local storage, and the responses of a system that starts on it.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { ApiUser } from "../support/api-user.ts";
import { findDatabases, useDatabase } from "./databases.ts";

export const ARCHIVE = join(import.meta.dirname, "state", "state-v1.tar.gz");
/** Golden file of the responses, relative to `test/golden`. */
export const SERVED = "state/served-v1.json";

/** 2100-01-01: no question of the archive expires before. */
const FAR_FUTURE = 4_102_444_800_000;

/**
 * Copies the storage of a stopped test runtime to the folder where `npm start` expects it, without caches and
 * counters.
 */
export function keepStorage(state: string, folder: string): void {
  for (const { path } of findDatabases(state, { hasMetadata: true })) {
    useDatabase(path, (database) => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  }
  rmSync(join(folder, "v3"), { recursive: true, force: true });
  for (const part of ["d1", "do"]) cpSync(join(state, part), join(folder, "v3", part), { recursive: true });
}

/** Packs a folder of local storage. */
export function packState(folder: string): void {
  execFileSync("tar", ["-czf", ARCHIVE, "--exclude=*-shm", "--exclude=*-wal", "-C", folder, "migrated", "v3"]);
}

/** Unpacks the archive into a new folder. */
export function unpackState(): string {
  const state = mkdtempSync(join(tmpdir(), "orrery-state-"));
  execFileSync("tar", ["-xzf", ARCHIVE, "-C", state]);
  return state;
}

/**
 * Moves the expiry of all open questions far into the future, wherever it is stored: no setting allows such a long
 * time.
 */
export function postponeQuestions(state: string): void {
  for (const { kind, path } of findDatabases(state)) {
    if (kind === "orrery-Conversation") useDatabase(path, postponeInDatabase);
  }
}

function postponeInDatabase(database: DatabaseSync): void {
  const tables = database.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
  );
  const names = tables.all().map(({ name }) => String(name));
  if (!names.includes("question")) return;
  const open = database.prepare("SELECT expires_at AS time FROM question WHERE state = 'open'").all();
  for (const { time } of open) {
    for (const table of names) {
      for (const { name, type } of database.prepare("SELECT name, type FROM pragma_table_info(?)").all(table)) {
        const column = `"${String(name)}"`;
        if (type === "INTEGER")
          database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(FAR_FUTURE, time ?? 0);
        else
          database
            .prepare(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`)
            .run(String(time), String(FAR_FUTURE));
      }
    }
  }
}

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Reads everything that the system serves of its stored data. */
export async function readServed(person: ApiUser): Promise<Record<string, unknown>> {
  const served: Record<string, unknown> = {};
  const read = async (path: string) => {
    const answer = await person.get<Rows>(`/api/v1${path}`);
    served[path] = answer;
    return answer;
  };
  /** Reads a list, and the given paths below each of its entries. */
  const readAll = async (path: string, key: string, id: string, below: readonly string[], query = "") => {
    for (const entry of (await read(path + query))[key] ?? []) {
      for (const part of below) await read(`${path}/${String(entry[id])}${part}`);
    }
  };
  const parts = ["", "/events?limit=5000", "/items", "/plans", "/tasks", "/context"];
  await readAll("/conversations", "conversations", "conversation_id", parts, "?limit=100");
  await readAll("/schedules", "schedules", "schedule_id", ["", "/results"]);
  await readAll("/tools", "tools", "name", [""]);
  await readAll("/datasets", "datasets", "dataset_id", ["", "/rows?limit=10"]);
  await readAll("/pages", "pages", "page_id", [""]);
  await readAll("/plan-templates", "templates", "plan_id", ["", "/versions"]);
  await readAll("/plan-instances", "instances", "plan_instance_id", [""]);
  await read("/agents/walker");
  return served;
}
