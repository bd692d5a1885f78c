// Puts together what is served as files: the pages of `public` and, from its package, the viewer of the HTTP
// description. `npm start` does this by itself; before a deploy: `node scripts/assets.mjs`.

import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, "dist", "web");
const VIEWER = join(ROOT, "node_modules", "swagger-ui-dist");

cpSync(join(ROOT, "public"), OUT, { recursive: true });
mkdirSync(join(OUT, "docs", "viewer"), { recursive: true });
for (const file of [
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "LICENSE",
  "NOTICE",
]) {
  cpSync(join(VIEWER, file), join(OUT, "docs", "viewer", file));
}
