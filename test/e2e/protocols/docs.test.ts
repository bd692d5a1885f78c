// Runs the samples of docs/open-protocols.md unchanged against the running system.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import { ROOT } from "../../support/workers.ts";

const SAMPLE = /```(sh|js) run\n([\s\S]*?)```/g;
const EXPECTED_OUTPUT = /^(?:#|\/\/) → (.*)$/gm;
const DEFAULT_URL = "http://localhost:8787";

const document = readFileSync(join(ROOT, "docs/open-protocols.md"), "utf8");
const samples = document.split(/^## /m).flatMap((section) => {
  const [title = ""] = section.split("\n");
  return [...section.matchAll(SAMPLE)].map(([, language = "", code = ""]) => ({ title, language, code }));
});

let runtime: SharedRuntime;
let folder: string;
beforeAll(async () => {
  runtime = await shareRuntime();
  folder = mkdtempSync(join(tmpdir(), "orrery-samples-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const exec = promisify(execFile);

async function runSample(language: string, code: string): Promise<string> {
  const sample = code.replaceAll(DEFAULT_URL, runtime.url);
  if (language === "sh") return (await exec("bash", ["-c", sample], { timeout: 30_000 })).stdout;
  const file = join(folder, "sample.mjs");
  writeFileSync(file, sample);
  return (await exec(process.execPath, [file], { timeout: 30_000 })).stdout;
}

test("docs/open-protocols.md contains a shell sample and a client sample for every protocol", () => {
  expect([...new Set(samples.map(({ title, language }) => `${title} ${language}`))]).toEqual(
    ["A2A", "AG-UI", "OpenAI", "MCP"].flatMap((title) => [`${title} sh`, `${title} js`]),
  );
});

test.each(samples)("the $title sample in $language prints the documented output", async ({ language, code }) => {
  const expectedLines = [...code.matchAll(EXPECTED_OUTPUT)].map(([, line = ""]) => line);
  expect(expectedLines).not.toEqual([]);
  const output = await runSample(language, code);
  for (const line of expectedLines) expect(output).toContain(line);
});
