// Bundles the code of the sandbox isolate into a string in `src/sandbox/isolate.gen.ts`, because the host passes it to the
// isolate as text. Run it after a change in `src/sandbox/isolate`: `node scripts/run.mjs scripts/isolate.ts`. A test fails
// if the bundle is out of date.

import { build } from "esbuild";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const GENERATED = join(ROOT, "src", "sandbox", "isolate.gen.ts");

export async function buildIsolateModule(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "src", "sandbox", "isolate", "main.ts")],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    write: false,
  });
  const text = outputFiles[0]?.text.trim() ?? "";
  return `// Made by scripts/isolate.ts from src/sandbox/isolate. Not to be edited.\n\n// prettier-ignore\nexport const ISOLATE =\n  ${JSON.stringify(text)};\n`;
}

if (process.argv.some((given) => given.endsWith("isolate.ts"))) writeFileSync(GENERATED, await buildIsolateModule());
