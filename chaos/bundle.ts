// The Worker as a deploy bundles it, and variants of it with a fault put in. A fault is a change of the source's
// text: production code knows nothing of it, and a change that finds nothing to change is an error.

import { build, type Plugin } from "esbuild";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../test/support/workers.ts";

/** In the file below the repository, the one place that reads `from` reads `to` instead. */
export type Patch = { readonly file: string; readonly from: string; readonly to: string };

/** Builds `entry` with the patches into `outfile`. Throws when one of them does not fit in exactly one place. */
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
  await build({
    entryPoints: [join(ROOT, entry)],
    outfile,
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
}

/** The source of one file with all its patches. Throws when one of them does not fit in exactly one place. */
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
