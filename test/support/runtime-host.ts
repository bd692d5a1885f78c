// Miniflare with bundled Workers and a storage folder that survives it. Its workerd is a process of its own, which ends
// only by SIGKILL: a crash and a regular end do the same.

import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export type HostConfig = {
  /** Folder of the local storage. */
  readonly state: string;
  /** SQL statements that create the database of a new folder. */
  readonly migrations: readonly string[];
  /** Miniflare options of each Worker; the first one is the runtime. */
  readonly workers: readonly Readonly<Record<string, unknown>>[];
};

/** A running workerd. */
export type Host = {
  /** Kills it immediately (SIGKILL). Resolves once it has ended. */
  kill(): Promise<void>;
};

type Database = { prepare(sql: string): object; batch(statements: readonly object[]): Promise<unknown> };
type MiniflareModule = {
  readonly Miniflare: new (options: unknown) => {
    readonly ready: Promise<URL>;
    getD1Database(binding: string): Promise<Database>;
    dispose(): Promise<void>;
  };
  readonly convertV4MiniflareOptions: (options: unknown) => unknown;
};

// The Miniflare that wrangler depends on.
const require = createRequire(import.meta.resolve("wrangler"));
const { Miniflare, convertV4MiniflareOptions } = require("miniflare") as MiniflareModule;

/** Starts workerd, which ends with this process. Rejects with its errors if it does not start. */
export async function startHost({ state, migrations, workers }: HostConfig): Promise<Host> {
  const shared = { host: "127.0.0.1", port: 0, cf: false, handleStructuredLogs: () => {} };
  const host = new Miniflare(convertV4MiniflareOptions({ ...shared, resourcePersistencePath: state, workers }));
  try {
    await host.ready;
    // Migrate once per folder: the data survives a kill.
    const stamp = join(state, "migrated");
    if (!existsSync(stamp)) {
      const database = await host.getD1Database("DB");
      await database.batch(migrations.map((statement) => database.prepare(statement)));
      writeFileSync(stamp, "");
    }
  } catch (thrown) {
    await host.dispose().catch(() => {});
    throw thrown;
  }
  return { kill: () => host.dispose() };
}
