// Builds what is served as files: the web application, the pages of `public` and, from its package, the viewer of the
// HTTP description. `npm start` does this by itself; before a deploy: `npm run build`.

import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, "dist", "web");
const VIEWER = join(ROOT, "node_modules", "swagger-ui-dist");
const VIEWER_FILES = [
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "LICENSE",
  "NOTICE",
];

/** Takes about a second. */
export async function buildAssets(): Promise<void> {
  await build({ configFile: join(ROOT, "vite.config.ts"), root: join(ROOT, "src", "web"), logLevel: "warn" });
  mkdirSync(join(OUT, "docs", "viewer"), { recursive: true });
  for (const file of VIEWER_FILES) cpSync(join(VIEWER, file), join(OUT, "docs", "viewer", file));
}

if (import.meta.main) await buildAssets();
