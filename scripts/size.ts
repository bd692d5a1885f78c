// npm run size: builds the Worker as for a deployment and prints its size.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { runTool } from "./tools.ts";

const folder = createTemporaryFolder("orrery-size-");
const { code, output } = await runTool("wrangler", ["deploy", "--dry-run", "--minify", "--outdir", folder]);
if (code !== 0) throw new Error(output);
for (const file of readdirSync(folder).filter((name) => /\.(js|mjs|wasm)$/.test(name))) {
  const bytes = readFileSync(join(folder, file));
  console.log(`${file}: ${formatKib(bytes.byteLength)} raw, ${formatKib(gzipSync(bytes).byteLength)} gzip`);
}

function formatKib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
