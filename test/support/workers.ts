// Builds Workers as a deployment does: bundled, with the bindings of their wrangler.toml.

import { build } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { UNSET } from "./unset-settings.ts";

export const ROOT = join(import.meta.dirname, "..", "..");
export const RUNTIME_ENTRY = "src/worker.ts";
/** The path of the bundle that `storeRuntimeBundle` wrote. */
const BUNDLE_VARIABLE = "ORRERY_TEST_BUNDLE";

export type Deployment = {
  /** The name in its configuration. */
  readonly name: string;
  /** Its wrangler.toml, relative to the repository. */
  readonly config: string;
  readonly entry: string;
  /** The output folder of the bundle. */
  readonly folder: string;
  /** The port on the loopback address. */
  readonly port: number;
  readonly vars: Readonly<Record<string, string>>;
  /** Additional service bindings: binding name → Worker or `worker#Entrypoint`. */
  readonly services: Readonly<Record<string, string>>;
};

type WorkerOptions = Readonly<Record<string, unknown>> & {
  readonly bindings?: object;
  readonly serviceBindings?: object;
};

/** Bundles a Worker and returns its Miniflare options. */
export async function buildWorkerOptions(worker: Deployment): Promise<Readonly<Record<string, unknown>>> {
  const script = join(worker.folder, "worker.js");
  mkdirSync(worker.folder, { recursive: true });
  writeFileSync(script, await getBundle(worker.entry));
  const options = unstable_getMiniflareWorkerOptions(join(ROOT, worker.config)).workerOptions as WorkerOptions;
  const services = Object.entries(worker.services).map(([binding, target]) => {
    const [name, entrypoint] = target.split("#");
    return [binding, entrypoint === undefined ? { name } : { name, entrypoint }] as const;
  });
  return {
    ...options,
    name: worker.name,
    modulesRoot: worker.folder,
    modules: [{ type: "ESModule", path: script }],
    bindings: { ...options.bindings, ...UNSET, ...worker.vars },
    serviceBindings: { ...options.serviceBindings, ...Object.fromEntries(services) },
    unsafeDirectSockets: [{ host: "127.0.0.1", port: worker.port }],
  };
}

/** Reads the SQL statements of all migrations, in order. */
export function readMigrationStatements(): string[] {
  const folder = join(ROOT, "migrations");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return files.toSorted().flatMap((file) => unstable_splitSqlQuery(readFileSync(join(folder, file), "utf8")));
}

/** Bundles by entry. Building takes longer than starting, and most tests start the same Worker. */
const bundles = new Map<string, Promise<string>>();

/** Stores the bundle of the runtime for all processes of a test run. */
export async function storeRuntimeBundle(folder: string): Promise<void> {
  process.env[BUNDLE_VARIABLE] = join(folder, "runtime.js");
  writeFileSync(join(folder, "runtime.js"), await bundle(join(ROOT, RUNTIME_ENTRY)));
}

async function readStoredBundle(entry: string): Promise<string | null> {
  const path = process.env[BUNDLE_VARIABLE];
  return entry === RUNTIME_ENTRY && path !== undefined ? readFile(path, "utf8") : null;
}

function getBundle(entry: string): Promise<string> {
  const known = bundles.get(entry) ?? readStoredBundle(entry).then((stored) => stored ?? bundle(join(ROOT, entry)));
  bundles.set(entry, known);
  return known;
}

/** Bundles like wrangler: ES modules for workerd, without the platform's own modules. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    format: "esm",
    target: "es2024",
    keepNames: true,
    external: ["cloudflare:*", "node:*"],
    // Same as `alias` in wrangler.toml.
    alias: { "@modelcontextprotocol/client/_shims": join(ROOT, "src/agents/kit/mcp/mcp-shims.ts") },
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
