// npm run size: builds the Worker as for a deployment and prints its size.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { runTool } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-size-"));
try {
  const { code, output } = await runTool("wrangler", ["deploy", "--dry-run", "--minify", "--outdir", folder]);
  if (code !== 0) throw new Error(output);
  for (const file of readdirSync(folder).filter((name) => /\.(js|mjs|wasm)$/.test(name))) {
    const bytes = readFileSync(join(folder, file));
    console.log(`${file}: ${formatKib(bytes.byteLength)} raw, ${formatKib(gzipSync(bytes).byteLength)} gzip`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function formatKib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
