// npm test: types, lint and every test. The last line is `N passed, N failed`.
// With arguments (`npm test -- test/client`) it runs only the tests that they select.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { provideBrowser } from "./browser.ts";
import { LINT, runChecks, TYPES, WEB_TYPES } from "./checks.ts";
import { exitOf, start } from "./tools.ts";

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.unknown()) })),
});

type Outcome = { readonly passed: number; readonly failed: number; readonly isGreen: boolean };

const selection = process.argv.slice(2);
const isWhole = selection.length === 0;
const [failedChecks] = await Promise.all([
  isWhole ? runChecks([TYPES, WEB_TYPES, LINT]) : [],
  isWhole ? provideBrowser() : null,
]);
const { passed, failed, isGreen } = await runTests(selection);

if (failedChecks.length > 0) console.log(`\nThese checks failed, see above: ${failedChecks.join(", ")}`);
// A name with a typo must not look green.
if (passed + failed === 0) console.log("\nNo test was run: none has such a name.");
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = isGreen && passed > 0 && failedChecks.length === 0 ? 0 : 1;

async function runTests(args: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-test-"));
  const report = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const code = await exitOf(start("vitest", ["run", ...reporters, ...args]));
    return outcomeOf(report, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file that could not even be loaded, or a run that broke off, counts as one failure: it must not look green. */
function outcomeOf(report: string, code: number): Outcome {
  const parsed = reportSchema.safeParse(readReport(report));
  if (!parsed.success) return { passed: 0, failed: 1, isGreen: false };
  const { numPassedTests: passedTests, numFailedTests, testResults } = parsed.data;
  const unloaded = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  const known = numFailedTests + unloaded;
  return { passed: passedTests, failed: code !== 0 && known === 0 ? 1 : known, isGreen: code === 0 };
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
