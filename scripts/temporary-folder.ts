// Temporary folders of programs. They are removed when the program ends, also by a signal that can be handled.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

/** Creates a temporary folder that is removed when this process exits. Signals then end the process with code 1. */
export function createTemporaryFolder(prefix: string): string {
  if (folders.size === 0) removeAtExit();
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.add(folder);
  return folder;
}

function removeAtExit(): void {
  process.once("exit", () => folders.forEach(removeFolder));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
}

function removeFolder(folder: string): void {
  // A process that has just been killed may still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
