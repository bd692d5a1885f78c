// What a page has to load before it can show a conversation.

import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** The files of a bundle for browsers, and its compressed size in bytes. */
async function bundle(...names: string[]) {
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

test("a conversation loads nothing of what other pages read", async () => {
  const { files, size } = await bundle("connect", "conversations", "agents");
  const others = /(api|schedules|tools|datasets|\/plans|pages|dataset|page|blueprint-schema|workflow-template|workflow-instance)\.ts$/;
  expect(files.filter((file) => others.test(file))).toEqual([]);
  expect(size).toBeLessThan(38 * 1024);
});

test("each other kind of call brings little by itself, and all of them are in the whole", async () => {
  const light = await bundle("connect", "conversations", "agents");
  const whole = await bundle("connect", "api");
  for (const kind of ["schedules", "tools", "datasets", "plans", "pages"]) {
    expect(whole.files).toContain(`src/client/${kind}.ts`);
    const { size } = await bundle("connect", "conversations", "agents", kind);
    expect(size, kind).toBeGreaterThan(light.size);
    expect(size, kind).toBeLessThan(light.size + 6 * 1024);
  }
});
