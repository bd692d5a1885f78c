// Builds the Workers as for a deployment, each on its first use.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT, runTool } from "../scripts/tools.ts";
import type { BySide, Side } from "./figure.ts";

/** `counted`: with a storage meter. `seeded`: with routes that create schedules and tools, only for the runtime. */
export type Variant = "plain" | "counted" | "seeded";
export type BuiltWorker = { readonly config: string; readonly script: string; readonly gzipBytes: number };

const CONFIGS: BySide<string> = {
  orrery: join(ROOT, "wrangler.toml"),
  bare: join(import.meta.dirname, "bare", "wrangler.toml"),
};

export function createWorkerBuilder(
  folder: string,
  options: { minify: boolean },
): (side: Side, variant: Variant) => Promise<BuiltWorker> {
  const builds = new Map<string, Promise<BuiltWorker>>();
  return (side, variant) => {
    const name = `${side}-${variant}`;
    const entry = variant === "plain" ? [] : [join(import.meta.dirname, variant, `${side}.ts`)];
    const building =
      builds.get(name) ?? build(CONFIGS[side], join(folder, name), [...entry, ...(options.minify ? ["--minify"] : [])]);
    builds.set(name, building);
    return building;
  };
}

async function build(config: string, folder: string, args: readonly string[]): Promise<BuiltWorker> {
  const { code, output } = await runTool("wrangler", [
    "deploy",
    ...args,
    "--config",
    config,
    "--dry-run",
    "--outdir",
    folder,
  ]);
  if (code !== 0) throw new Error(`Building the Worker failed:\n${output}`);
  const files = readdirSync(folder).filter((name) => /\.(js|mjs|wasm)$/.test(name));
  const script = files.find((name) => !name.endsWith(".wasm"));
  if (script === undefined) throw new Error(`Wrangler built nothing:\n${output}`);
  const gzipBytes = files.reduce(
    (total, name) => total + gzipSync(readFileSync(join(folder, name)), { level: 9 }).byteLength,
    0,
  );
  return { config, script: join(folder, script), gzipBytes };
}
