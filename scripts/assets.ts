// Builds the static files: the web application, the pages of `public`, and the Swagger UI from its package.
// `npm start` runs this build. Before a deployment, run `npm run build`.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, "dist", "web");
const INDEX_PAGE = "index.html";
const VIEWER_DIR = join(ROOT, "node_modules", "swagger-ui-dist");
const VIEWER_FILES = [
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "LICENSE",
  "NOTICE",
];

/** Contains the fingerprint of the sources. It is outside of the folder, so that it is not served. */
const STAMP = join(ROOT, "dist", "web.stamp");
const SOURCES = [
  "src/web",
  "src/client",
  "src/protocol",
  "public",
  "scripts/precompile-messages.ts",
  "scripts/assets.ts",
];
const CONFIG_FILES = ["vite.config.ts", "package-lock.json"];

/** Builds the files if the sources have changed (about two seconds). A running server never serves a partial build. */
export async function buildAssets(): Promise<void> {
  const fingerprint = computeFingerprint();
  if (existsSync(join(OUT, INDEX_PAGE)) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint) return;
  const buildDir = `${OUT}-${process.pid}`;
  await withProductionEnv(() =>
    build({
      configFile: join(ROOT, "vite.config.ts"),
      root: join(ROOT, "src", "web"),
      logLevel: "warn",
      build: { outDir: buildDir },
    }),
  );
  mkdirSync(join(buildDir, "docs", "viewer"), { recursive: true });
  for (const file of VIEWER_FILES) cpSync(join(VIEWER_DIR, file), join(buildDir, "docs", "viewer", file));
  replaceFiles(buildDir, OUT);
  writeFileSync(STAMP, fingerprint);
}

/**
 * Moves a build into the served folder. The folder itself stays, because a running server watches it. New files arrive
 * before the page that refers to them, and old files are deleted after the page is replaced.
 */
export function replaceFiles(buildDir: string, out: string): void {
  const files = listFiles(buildDir);
  const [pages, others] = [files.filter((file) => file === INDEX_PAGE), files.filter((file) => file !== INDEX_PAGE)];
  for (const file of [...others, ...pages]) {
    mkdirSync(dirname(join(out, file)), { recursive: true });
    renameSync(join(buildDir, file), join(out, file));
  }
  for (const file of listFiles(out)) if (!files.includes(file)) rmSync(join(out, file), { force: true });
  rmSync(buildDir, { recursive: true });
}

/** Sets NODE_ENV, because under a test runner the build would contain the development build of React. */
async function withProductionEnv<T>(action: () => Promise<T>): Promise<T> {
  const previous = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    return await action();
  } finally {
    if (previous === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = previous;
  }
}

function computeFingerprint(): string {
  const hash = createHash("sha256");
  for (const file of [...SOURCES.flatMap(listSources), ...CONFIG_FILES])
    hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

function listSources(source: string): string[] {
  if (source.endsWith(".ts")) return [source];
  return listFiles(join(ROOT, source)).map((file) => join(source, file));
}

/** Returns the paths of all files in a folder, relative to it. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

if (import.meta.main) await buildAssets();
