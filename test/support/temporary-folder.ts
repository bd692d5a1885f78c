// Global setup of the end-to-end tests: all temporary files of a run lie in one folder, which is deleted at its end.
// Runtimes that the tests share end together with their process and cannot delete their storage themselves.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The time that the runtimes need to end after the processes of the tests. */
const END_MS = 2_000;

export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-e2e-run-"));
  process.env["TMPDIR"] = folder;
  return async () => {
    await sleep(END_MS);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
