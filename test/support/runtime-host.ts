// The runtime as a separate program, so that a test can kill all of it at once: Miniflare with bundled Workers and a
// storage folder that survives the process. Takes a `HostConfig` as its argument, sends "ready" over the IPC channel,
// and exits when the channel closes.

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

type Database = { prepare(sql: string): object; batch(statements: readonly object[]): Promise<unknown> };
type MiniflareModule = {
  readonly Miniflare: new (options: unknown) => {
    readonly ready: Promise<URL>;
    getD1Database(binding: string): Promise<Database>;
    dispose(): Promise<void>;
  };
  readonly convertV4MiniflareOptions: (options: unknown) => unknown;
};

// Use the Miniflare that wrangler depends on, without loading wrangler: that would double the start time.
const require = createRequire(import.meta.resolve("wrangler"));
const { Miniflare, convertV4MiniflareOptions } = require("miniflare") as MiniflareModule;

const { state, migrations, workers } = JSON.parse(process.argv[2] ?? "") as HostConfig;
const host = new Miniflare(
  convertV4MiniflareOptions({ host: "127.0.0.1", port: 0, resourcePersistencePath: state, workers }),
);
process.once("disconnect", () => void host.dispose().finally(() => process.exit(0)));
await host.ready;

// Migrate once per folder: the data survives a kill.
const stamp = join(state, "migrated");
if (!existsSync(stamp)) {
  const database = await host.getD1Database("DB");
  await database.batch(migrations.map((statement) => database.prepare(statement)));
  writeFileSync(stamp, "");
}
process.send?.("ready");
