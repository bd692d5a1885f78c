// Workers as a deploy makes them: bundled, with the bindings of their wrangler.toml.

import { build } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { UNSET } from "./unset.ts";

export const ROOT = join(import.meta.dirname, "..", "..");

export type Deployment = {
  /** As in its configuration. */
  readonly name: string;
  /** Its wrangler.toml, relative to the repository. */
  readonly config: string;
  readonly entry: string;
  /** Where the bundle goes. */
  readonly folder: string;
  /** Where it listens on the loopback address. */
  readonly port: number;
  readonly vars: Readonly<Record<string, string>>;
  /** Service bindings besides those of the configuration: the binding, and the Worker or `worker#Entrypoint`. */
  readonly services: Readonly<Record<string, string>>;
};

type WorkerOptions = Readonly<Record<string, unknown>> & {
  readonly bindings?: object;
  readonly serviceBindings?: object;
};

/** Miniflare's options for a Worker. */
export async function workerOptions(worker: Deployment): Promise<Readonly<Record<string, unknown>>> {
  const script = join(worker.folder, "worker.js");
  mkdirSync(worker.folder, { recursive: true });
  writeFileSync(script, await bundled(worker.entry));
  const options = unstable_getMiniflareWorkerOptions(join(ROOT, worker.config)).workerOptions as WorkerOptions;
  const services = Object.entries(worker.services).map(([binding, place]) => {
    const [name, entrypoint] = place.split("#");
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

/** The statements of all migrations, in order. */
export function migrationStatements(): string[] {
  const folder = join(ROOT, "migrations");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return files.toSorted().flatMap((file) => unstable_splitSqlQuery(readFileSync(join(folder, file), "utf8")));
}

/** Building takes longer than starting, and most tests start the same Worker. */
const built = new Map<string, Promise<string>>();

function bundled(entry: string): Promise<string> {
  const known = built.get(entry) ?? bundle(join(ROOT, entry));
  built.set(entry, known);
  return known;
}

/** As wrangler bundles: modules for workerd, the platform's own left out. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    format: "esm",
    target: "es2024",
    keepNames: true,
    external: ["cloudflare:*", "node:*"],
    // As the `alias` of wrangler.toml.
    alias: { "@modelcontextprotocol/client/_shims": join(ROOT, "src/agents/kit/mcp-shims.ts") },
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
