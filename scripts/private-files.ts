// Files of the local storage that only this user can read: the folder, the settings of the Worker and the sealing key.

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The file by which a state folder is recognized. */
export const MIGRATION_STAMP = "migrated";

/**
 * Creates the folder if it does not exist, so that only this user can open it. A state folder of an earlier version
 * becomes private; any other existing folder keeps its mode.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (existsSync(join(path, MIGRATION_STAMP))) chmodSync(path, 0o700);
}

/** Writes a file that only this user can read, also in place of one that others could read. */
export function writePrivateFile(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
}

/** Returns the sealing key of a state folder. Creates it at the first start; the folder must be claimed. */
export function loadSealingKey(state: string): string {
  const path = join(state, "sealing.key");
  if (existsSync(path)) {
    const key = readFileSync(path, "utf8").trim();
    if (key !== "") return key;
  }
  const key = randomBytes(32).toString("base64url");
  writePrivateFile(path, `${key}\n`);
  return key;
}
