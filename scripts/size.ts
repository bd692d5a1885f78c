// npm run size: builds the Worker as a deploy would and prints how large it is.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { run } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-size-"));
try {
  const { code, output } = await run("wrangler", ["deploy", "--dry-run", "--minify", "--outdir", folder]);
  if (code !== 0) throw new Error(output);
  for (const file of readdirSync(folder).filter((name) => /\.(js|mjs|wasm)$/.test(name))) {
    const bytes = readFileSync(join(folder, file));
    console.log(`${file}: ${kib(bytes.byteLength)} raw, ${kib(gzipSync(bytes).byteLength)} gzip`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
