// The samples of docs/open-protocols.md, as they stand on the page, against the running system.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { ROOT } from "../../support/workers.ts";

const SAMPLE = /```(sh|js) run\n([\s\S]*?)```/g;
const PROMISE = /^(?:#|\/\/) → (.*)$/gm;
const WHERE = "http://localhost:8787";

const page = readFileSync(join(ROOT, "docs/open-protocols.md"), "utf8");
const samples = page.split(/^## /m).flatMap((section) => {
  const [title = ""] = section.split("\n");
  return [...section.matchAll(SAMPLE)].map(([, language = "", code = ""]) => ({ title, language, code }));
});

let runtime: Runtime;
let folder: string;
beforeAll(async () => {
  runtime = await startRuntime();
  folder = mkdtempSync(join(tmpdir(), "orrery-samples-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await runtime.stop();
});

const exec = promisify(execFile);

async function printedBy(language: string, code: string): Promise<string> {
  const here = code.replaceAll(WHERE, runtime.url);
  if (language === "sh") return (await exec("bash", ["-c", here], { timeout: 30_000 })).stdout;
  const file = join(folder, "sample.mjs");
  writeFileSync(file, here);
  return (await exec(process.execPath, [file], { timeout: 30_000 })).stdout;
}

test("every protocol has a sample for the shell and one for its client", () => {
  expect(samples.map(({ title, language }) => `${title} ${language}`)).toEqual(
    ["A2A", "AG-UI", "OpenAI", "MCP"].flatMap((title) => [`${title} sh`, `${title} js`]),
  );
});

test.each(samples)("$title, $language: prints what the page says", async ({ language, code }) => {
  const promised = [...code.matchAll(PROMISE)].map(([, words = ""]) => words);
  expect(promised).not.toEqual([]);
  const printed = await printedBy(language, code);
  for (const words of promised) expect(printed).toContain(words);
});
