// Global setup of the end-to-end tests: builds the runtime and the web application once for all processes. All temporary
// files of a run lie in one folder, which is deleted at its end: shared runtimes end with their process and cannot delete
// their storage.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildAssets } from "../../scripts/assets.ts";
import { storeRuntimeBundle } from "./workers.ts";

/** The longest time that the runtimes need to end after the processes of the tests. */
const END_MS = 10_000;
const POLL_MS = 250;

export async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-e2e-run-"));
  process.env["TMPDIR"] = folder;
  await Promise.all([storeRuntimeBundle(folder), buildAssets()]);
  return async () => {
    // A runtime that has not ended yet writes into the folder again.
    for (let waitedMs = 0; waitedMs < END_MS && existsSync(folder); waitedMs += POLL_MS) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      await sleep(POLL_MS);
    }
  };
}
