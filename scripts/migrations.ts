import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATION_STAMP } from "./private-files.ts";
import { ROOT, runTool } from "./tools.ts";

/**
 * Applies the migrations to the local database. A call of wrangler takes two seconds, so the state folder stores a
 * fingerprint of the applied migrations. When `stop` aborts, wrangler is stopped with all its processes and nothing is
 * stored: the next start applies the rest.
 */
export async function applyMigrations(state: string, stop?: AbortSignal): Promise<void> {
  const folder = join(ROOT, "migrations");
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".sql")) : [];
  if (files.length === 0) return;
  const hash = createHash("sha256");
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(folder, file)));
  const fingerprint = hash.digest("hex");
  const stamp = join(state, MIGRATION_STAMP);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return;
  const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", state];
  const { code, output } = await runTool("wrangler", args, stop === undefined ? {} : { stop });
  if (stop?.aborted === true) return;
  if (code !== 0) throw new Error(`The database migrations failed:\n${output}`);
  writeFileSync(stamp, fingerprint);
}
