// Workers as a deploy makes them: bundled, with the bindings of their wrangler.toml.

import { build } from "esbuild";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig, unstable_splitSqlQuery } from "wrangler";

export const ROOT = join(import.meta.dirname, "..", "..");

export type Deployment = {
  /** Where the bundle goes. */
  readonly folder: string;
  /** Where it listens on the loopback address. */
  readonly port: number;
  readonly vars: Readonly<Record<string, string>>;
  /** Service bindings besides those of the configuration. */
  readonly services: readonly { readonly binding: string; readonly service: string }[];
};

/** Miniflare's options for a Worker; paths are relative to the repository. */
export async function workerOptions(
  { config: path, entry }: { readonly config: string; readonly entry: string },
  { folder, port, vars, services }: Deployment,
): Promise<Readonly<Record<string, unknown>>> {
  const script = join(folder, "worker.js");
  await bundle(join(ROOT, entry), script);
  const read = unstable_readConfig({ config: join(ROOT, path) });
  const config = { ...read, services: [...(read.services ?? []), ...services] };
  const { workerOptions: options } = unstable_getMiniflareWorkerOptions(config);
  return {
    ...options,
    name: config.name,
    modulesRoot: dirname(script),
    modules: [{ type: "ESModule", path: script }],
    bindings: { ...config.vars, ...vars },
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  };
}

/** The statements of all migrations, in order. */
export function migrationStatements(): string[] {
  const folder = join(ROOT, "migrations");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return files.toSorted().flatMap((file) => unstable_splitSqlQuery(readFileSync(join(folder, file), "utf8")));
}

/** As wrangler bundles: modules for workerd, the platform's own left out. */
async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    keepNames: true,
    external: ["cloudflare:*", "node:*"],
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
}
