import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./tools.ts";

/**
 * Brings the local database up to date. Asking wrangler takes two seconds, so a state folder
 * remembers which migrations it has had.
 */
export async function applyMigrations(state: string): Promise<void> {
  const folder = join(ROOT, "migrations");
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".sql")) : [];
  if (files.length === 0) return;
  const hash = createHash("sha256");
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(folder, file)));
  const wanted = hash.digest("hex");
  const stamp = join(state, "migrated");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  const { code, output } = await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", state]);
  if (code !== 0) throw new Error(`The database could not be prepared:\n${output}`);
  writeFileSync(stamp, wanted);
}
