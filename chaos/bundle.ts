// Bundles the Worker as a deployment does, optionally with a planted fault. A fault is a textual patch of the source,
// so production code contains no test hooks. A patch that does not fit in exactly one place is an error.

import { build, type Plugin } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../test/support/workers.ts";

/** Replaces the only occurrence of `from` in `file` with `to`. The path is relative to the repository. */
export type Patch = { readonly file: string; readonly from: string; readonly to: string };

/**
 * Bundles `entry` with the patches into `outfile`. Throws if a patch does not fit in exactly one place, or if its file
 * is not part of the bundle.
 */
export async function bundle(entry: string, outfile: string, patches: readonly Patch[] = []): Promise<void> {
  const files = Map.groupBy(patches, ({ file }) => join(ROOT, file));
  const used = new Set<string>();
  const patching: Plugin = {
    name: "patches",
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const mine = files.get(path);
        if (mine === undefined) return undefined;
        used.add(path);
        return { contents: patched(mine), loader: "ts" };
      });
    },
  };
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, entry)],
    outfile,
    // The process of esbuild could write after this program was ended and has removed its folder.
    write: false,
    bundle: true,
    format: "esm",
    target: "es2024",
    keepNames: true,
    external: ["cloudflare:*", "node:*"],
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
    plugins: [patching],
  });
  const unused = [...files.keys()].find((file) => !used.has(file));
  if (unused !== undefined) throw new Error(`${unused} is to be patched and is not part of the Worker.`);
  for (const { contents } of outputFiles) writeFileSync(outfile, contents);
}

/** Returns the source of one file with all its patches. Throws if a patch does not fit in exactly one place. */
export function patched(patches: readonly Patch[]): string {
  return patches.reduce(
    (source, { file, from, to }) => {
      const places = source.split(from).length - 1;
      if (places === 1) return source.replace(from, () => to);
      throw new Error(`The patch of ${file} fits in ${places} places instead of one:\n  ${from}`);
    },
    readFileSync(join(ROOT, patches[0]?.file ?? ""), "utf8"),
  );
}
