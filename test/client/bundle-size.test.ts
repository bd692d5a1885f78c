// The size of the code that a page loads before it can show a conversation, and of an agent in a Worker of its own.

import { build, type BuildOptions } from "esbuild";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** Bundles client modules for browsers. Returns the source files and the compressed size in bytes. */
function bundleModules(...names: string[]) {
  const contents = names.map((name) => `export * from "./${name}.ts";`).join("");
  return bundle({ stdin: { contents, resolveDir: "src/client" } });
}

async function bundle(input: Pick<BuildOptions, "stdin" | "entryPoints">) {
  const { metafile, outputFiles } = await build({
    ...input,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    // The modules of workerd.
    external: ["cloudflare:*"],
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

test("an agent without a model loads no model client, no message catalogue and no settings", async () => {
  const { files, size } = await bundle({ entryPoints: ["examples/clock-worker/clock.ts"] });
  expect(files).toContain("src/agents/kit/serve.ts");
  expect(files.filter((file) => /^src\/(models|embedded|core|settings)|language\/messages/.test(file))).toEqual([
    "src/language/messages/agent-en.json",
    "src/language/messages/agent-zh.json",
  ]);
  expect(size).toBeGreaterThan(20_000);
  expect(size).toBeLessThan(40_000);
});
