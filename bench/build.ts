// Builds Workers as a deploy would.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT, run } from "../scripts/tools.ts";

export type Built = { readonly script: string; readonly gzipBytes: number };

/** Builds `entry`, or the entry that the configuration names, into `folder`. */
export async function build(config: string, folder: string, options: { entry?: string; minify: boolean }): Promise<Built> {
  const args = ["deploy", ...(options.entry === undefined ? [] : [options.entry]), "--config", config, "--dry-run"];
  const { code, output } = await run("wrangler", [...args, ...(options.minify ? ["--minify"] : []), "--outdir", folder]);
  if (code !== 0) throw new Error(`The Worker could not be built:\n${output}`);
  const files = readdirSync(folder).filter((name) => /\.(js|mjs|wasm)$/.test(name));
  const [script] = files.filter((name) => /\.(js|mjs)$/.test(name));
  if (script === undefined) throw new Error(`Wrangler built nothing:\n${output}`);
  const gzipBytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).byteLength, 0);
  return { script: join(folder, script), gzipBytes };
}

export { ROOT };
