// The scripts that a browser loads for the first screen.

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { build, type Rolldown } from "vite";
import { INITIAL_NAMESPACES } from "../../src/web/messages/initial-namespaces.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const LIMIT_KB = 150;

let initialChunks: readonly Rolldown.OutputChunk[] = [];
/** The ids of all modules of the application. */
let allModuleIds: readonly string[] = [];

beforeAll(async () => {
  // Vitest sets NODE_ENV to "test", which would include the development build of React.
  vi.stubEnv("NODE_ENV", "production");
  const bundle = (await build({
    configFile: join(ROOT, "vite.config.ts"),
    root: join(ROOT, "src", "web"),
    logLevel: "error",
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  const chunks = bundle.output.filter((part) => part.type === "chunk");
  allModuleIds = chunks.flatMap(({ moduleIds }) => moduleIds);
  const messages = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith("/zh.json-initial.js")));
  initialChunks = [
    ...new Set([
      ...collectImports("index.html", chunks),
      ...collectImports("features/conversations/chat.tsx", chunks),
      ...messages,
    ]),
  ];
  expect(messages).toHaveLength(1);
}, 120_000);
afterAll(() => vi.unstubAllEnvs());

test(`the script of the first screen is below ${LIMIT_KB} KB, gzipped`, () => {
  const sizes = initialChunks.map(({ fileName, code }) => [fileName, gzipSync(code).byteLength / 1_000] as const);
  const sum = sizes.reduce((total, [, size]) => total + size, 0);
  const list = sizes.map(([file, size]) => `${file}: ${size.toFixed(1)} KB`).join("\n");
  expect(sum, list).toBeGreaterThan(LIMIT_KB / 3);
  expect(sum, list).toBeLessThan(LIMIT_KB);
});

test.each(["react-markdown", "katex", "highlight.js", "recharts", "@radix-ui"])(
  "the first screen does not load %s",
  (name) => {
    const modules = initialChunks.flatMap(({ moduleIds }) => moduleIds);
    expect(modules.some((id) => id.includes("/node_modules/react-dom/"))).toBe(true);
    expect(modules.filter((id) => id.includes(`/node_modules/${name}/`))).toEqual([]);
  },
);

test("the application does not contain the message parser", () => {
  const parser = allModuleIds.filter((id) => id.includes("icu-messageformat-parser/"));
  expect(parser.map((id) => basename(id))).toEqual(["no-parser.js"]);
});

test("the first screen uses only messages that are loaded before the first render", () => {
  const sources = initialChunks
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => /\/src\/web\/.*\.tsx?$/.test(id))
    .map((id) => readFileSync(id, "utf8"));
  const namespaces = sources.flatMap((source) =>
    [...source.matchAll(/(?:useMessages\(|getMessages\([^;]*?, )"(\w+)"/g)].map(([, namespace = ""]) => namespace),
  );
  expect([...new Set(namespaces)].toSorted()).toEqual([...INITIAL_NAMESPACES].toSorted());
});

/** Returns the chunk whose entry is the file, with all chunks that it imports statically. */
function collectImports(file: string, chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const entryChunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/web/${file}`) === true);
  if (entryChunk === undefined) throw new Error(`The build has no chunk of ${file}.`);
  const collected = new Set([entryChunk]);
  for (const { imports } of collected) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) collected.add(chunk);
  }
  return [...collected];
}
