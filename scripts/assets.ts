// Builds what is served as files: the web application, the pages of `public` and, from its package, the viewer of the
// HTTP description. `npm start` does this by itself; before a deploy: `npm run build`.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, "dist", "web");
const PAGE = "index.html";
const VIEWER = join(ROOT, "node_modules", "swagger-ui-dist");
const VIEWER_FILES = [
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "LICENSE",
  "NOTICE",
];

/** Names what the files were built from. Beside them, so that nobody is served it. */
const STAMP = join(ROOT, "dist", "web.stamp");
const SOURCES = ["src/web", "src/client", "src/protocol", "public", "scripts/sentences.ts", "scripts/assets.ts"];
const SETUP = ["vite.config.ts", "package-lock.json"];

/** Takes about two seconds, and nothing when it was done before. Whoever serves the files never sees half of them. */
export async function buildAssets(): Promise<void> {
  const wanted = fingerprint();
  if (existsSync(join(OUT, PAGE)) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  const made = `${OUT}-${process.pid}`;
  await inProduction(() =>
    build({
      configFile: join(ROOT, "vite.config.ts"),
      root: join(ROOT, "src", "web"),
      logLevel: "warn",
      build: { outDir: made },
    }),
  );
  mkdirSync(join(made, "docs", "viewer"), { recursive: true });
  for (const file of VIEWER_FILES) cpSync(join(VIEWER, file), join(made, "docs", "viewer", file));
  putInPlace(made, OUT);
  writeFileSync(STAMP, wanted);
}

/**
 * Moves what was made into the folder that is served. It stays the same folder: a server that runs watches it, and would
 * miss another. New files are there before the page that names them, old ones until it is gone.
 */
export function putInPlace(made: string, out: string): void {
  const files = filesIn(made);
  const [pages, others] = [files.filter((file) => file === PAGE), files.filter((file) => file !== PAGE)];
  for (const file of [...others, ...pages]) {
    mkdirSync(dirname(join(out, file)), { recursive: true });
    renameSync(join(made, file), join(out, file));
  }
  for (const file of filesIn(out)) if (!files.includes(file)) rmSync(join(out, file), { force: true });
  rmSync(made, { recursive: true });
}

/** A runner of tests says otherwise, and would get the development build of React. */
async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const said = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    return await work();
  } finally {
    if (said === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = said;
  }
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of [...SOURCES.flatMap(sourcesAt), ...SETUP])
    hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

function sourcesAt(place: string): string[] {
  if (place.endsWith(".ts")) return [place];
  return filesIn(join(ROOT, place)).map((file) => join(place, file));
}

/** All files under a folder, as they are called from there. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

if (import.meta.main) await buildAssets();
