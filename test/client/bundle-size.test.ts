// The size of the code that a page loads before it can show a conversation.

import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** Bundles client modules for browsers. Returns the source files and the compressed size in bytes. */
async function bundleModules(...names: string[]) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: names.map((name) => `export * from "./${name}.ts";`).join(""), resolveDir: "src/client" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    metafile: true,
    write: false,
  });
  const files = Object.keys(metafile.inputs).filter((file) => file.startsWith("src/"));
  return { files, size: outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0) };
}

test("a conversation loads no code of other pages", async () => {
  const { files, size } = await bundleModules("connect", "conversations");
  const otherModules =
    /((schedule|tool|dataset|page|workflow)-endpoints|api|datasets|pages|dataset|page|blueprint-schema|workflow-template|workflow-instance)\.ts$/;
  expect(files.filter((file) => otherModules.test(file))).toEqual([]);
  expect(size).toBeLessThan(38 * 1024);
});

test("each other module is small, and all of them are in the complete client", async () => {
  const small = await bundleModules("connect", "conversations");
  const complete = await bundleModules("connect", "api");
  for (const kind of ["agent-setup", "schedule", "tool", "dataset", "workflow", "page"]) {
    expect(complete.files).toContain(`src/protocol/api/${kind}-endpoints.ts`);
    const { size } = await bundleModules("connect", "conversations", `../protocol/api/${kind}-endpoints`);
    expect(size, kind).toBeGreaterThan(small.size);
    expect(size, kind).toBeLessThan(small.size + 6 * 1024);
  }
});
