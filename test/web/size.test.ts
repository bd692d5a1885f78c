// What a browser loads before anything is done on the first screen.

import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { build, type Rolldown } from "vite";

const ROOT = join(import.meta.dirname, "..", "..");
const LIMIT_KB = 150;

let first: readonly Rolldown.OutputChunk[] = [];

beforeAll(async () => {
  // A test is no place for the development build of React.
  vi.stubEnv("NODE_ENV", "production");
  const built = (await build({
    configFile: join(ROOT, "vite.config.ts"),
    root: join(ROOT, "src", "web"),
    logLevel: "error",
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  const chunks = built.output.filter((part) => part.type === "chunk");
  first = [...new Set([...closureOf("index.html", chunks), ...closureOf("chat/chat.tsx", chunks)])];
}, 120_000);
afterAll(() => vi.unstubAllEnvs());

test(`the script of the first screen is below ${LIMIT_KB} KB, gzipped`, () => {
  const sizes = first.map(({ fileName, code }) => [fileName, gzipSync(code).byteLength / 1_000] as const);
  const sum = sizes.reduce((total, [, size]) => total + size, 0);
  const list = sizes.map(([file, size]) => `${file}: ${size.toFixed(1)} KB`).join("\n");
  expect(sum, list).toBeGreaterThan(LIMIT_KB / 3);
  expect(sum, list).toBeLessThan(LIMIT_KB);
});

test.each(["react-markdown", "katex", "highlight.js", "recharts", "@radix-ui"])(
  "%s waits until it is needed",
  (name) => {
    const modules = first.flatMap(({ moduleIds }) => moduleIds);
    expect(modules.some((id) => id.includes("/node_modules/react-dom/"))).toBe(true);
    expect(modules.filter((id) => id.includes(`/node_modules/${name}/`))).toEqual([]);
  },
);

/** The chunk that a file begins, with everything that it imports before it runs. */
function closureOf(file: string, chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const begun = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/web/${file}`) === true);
  if (begun === undefined) throw new Error(`The build has no chunk of ${file}.`);
  const found = new Set([begun]);
  for (const { imports } of found) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk);
  }
  return [...found];
}
