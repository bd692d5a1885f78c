// Builds the Workers as a deploy would, each when it is first asked for.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT, run } from "../scripts/tools.ts";
import type { BySide, Side } from "./figure.ts";

/** `counted`: with a meter on the object's storage. `seeded`: with doors that make schedules and tools, for the runtime alone. */
export type Variant = "plain" | "counted" | "seeded";
export type Built = { readonly config: string; readonly script: string; readonly gzipBytes: number };

const CONFIGS: BySide<string> = {
  orrery: join(ROOT, "wrangler.toml"),
  bare: join(import.meta.dirname, "bare", "wrangler.toml"),
};

export function workersIn(
  folder: string,
  options: { minify: boolean },
): (side: Side, variant: Variant) => Promise<Built> {
  const builds = new Map<string, Promise<Built>>();
  return (side, variant) => {
    const name = `${side}-${variant}`;
    const entry = variant === "plain" ? [] : [join(import.meta.dirname, variant, `${side}.ts`)];
    const building =
      builds.get(name) ?? build(CONFIGS[side], join(folder, name), [...entry, ...(options.minify ? ["--minify"] : [])]);
    builds.set(name, building);
    return building;
  };
}

async function build(config: string, folder: string, args: readonly string[]): Promise<Built> {
  const { code, output } = await run("wrangler", [
    "deploy",
    ...args,
    "--config",
    config,
    "--dry-run",
    "--outdir",
    folder,
  ]);
  if (code !== 0) throw new Error(`The Worker could not be built:\n${output}`);
  const files = readdirSync(folder).filter((name) => /\.(js|mjs|wasm)$/.test(name));
  const script = files.find((name) => !name.endsWith(".wasm"));
  if (script === undefined) throw new Error(`Wrangler built nothing:\n${output}`);
  const gzipBytes = files.reduce(
    (total, name) => total + gzipSync(readFileSync(join(folder, name)), { level: 9 }).byteLength,
    0,
  );
  return { config, script: join(folder, script), gzipBytes };
}
