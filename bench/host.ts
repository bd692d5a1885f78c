// Runs one Worker under Miniflare, as a separate program that can have a core to itself. Takes its `HostConfig` as an
// argument, prints a line of JSON (`HostReady`) when it is ready, and exits when its standard input ends.
//
// Requests reach the Worker directly, without the proxies of a development server.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig, unstable_splitSqlQuery } from "wrangler";
import { createTemporaryFolder } from "../scripts/temporary-folder.ts";

export type HostConfig = {
  /** The wrangler.toml whose bindings the Worker gets. */
  readonly config: string;
  /** The script of the built Worker. */
  readonly script: string;
  readonly vars: Readonly<Record<string, string>>;
  /** The folder of D1 migrations, for Workers with a database binding `DB`. */
  readonly migrations?: string;
};
/** `cron`: a request to this URL fires the cron trigger. */
export type HostReady = {
  readonly url: string;
  readonly cron: string;
  readonly pid: number;
  readonly inspector: string;
};

type Database = { prepare(sql: string): { run(): Promise<unknown> } };
type WorkerOptions = { readonly bindings?: Readonly<Record<string, unknown>>; readonly ratelimits?: unknown };
type MiniflareModule = {
  readonly Miniflare: new (options: unknown) => {
    readonly ready: Promise<URL>;
    unsafeGetDirectURL(worker: string): Promise<URL>;
    getInspectorURL(): Promise<URL>;
    getD1Database(binding: string): Promise<Database>;
    dispose(): Promise<void>;
  };
  convertV4MiniflareOptions(options: unknown): unknown;
};

// The version that wrangler depends on. It is no dependency of the project.
const miniflare = createRequire(import.meta.resolve("wrangler"))("miniflare") as MiniflareModule;

const { config, script, vars, migrations } = JSON.parse(process.argv[2] ?? "") as HostConfig;
// Miniflare implements a rate limiter as an object, which would be measured with each request.
const {
  bindings,
  ratelimits: _,
  ...options
} = unstable_getMiniflareWorkerOptions(config).workerOptions as WorkerOptions;
const { name = "worker" } = unstable_readConfig({ config }) as { name?: string };
const state = createTemporaryFolder("orrery-bench-state-");

const host = new miniflare.Miniflare(
  miniflare.convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: 0,
    inspectorPort: 0,
    unsafeTriggerHandlers: true,
    resourcePersistencePath: state,
    workers: [
      {
        ...options,
        name,
        modulesRoot: dirname(script),
        modules: [{ type: "ESModule", path: script }],
        bindings: { ...bindings, ...vars },
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      },
    ],
  }),
);
const cron = new URL("/cdn-cgi/local/scheduled", await host.ready);
if (migrations !== undefined) await applyMigrations(await host.getD1Database("DB"), migrations);
const url = await host.unsafeGetDirectURL(name);
const inspector = await host.getInspectorURL();
console.log(
  JSON.stringify({
    url: url.origin,
    cron: cron.href,
    pid: findWorkerd(process.pid),
    inspector: inspector.href,
  } satisfies HostReady),
);
process.stdin.on("end", () => void host.dispose().finally(() => process.exit(0))).resume();

async function applyMigrations(database: Database, folder: string): Promise<void> {
  for (const file of readdirSync(folder)
    .filter((entry) => entry.endsWith(".sql"))
    .toSorted()) {
    for (const statement of unstable_splitSqlQuery(readFileSync(join(folder, file), "utf8")))
      await database.prepare(statement).run();
  }
}

/** Returns the pid of the workerd process that Miniflare started; 0 without /proc. */
function findWorkerd(parent: number): number {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(/\s+/).map(Number);
    return children.find((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "workerd") ?? 0;
  } catch {
    return 0;
  }
}
