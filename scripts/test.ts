// npm test: runs type checks, lint and all tests. The last line is `N passed, N failed`.
// Arguments (`npm test -- test/client`) select tests; then only these run.
// npm run test:long (`--long`): runs the long form of all tests, and then `npm run chaos`.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ensureBrowser } from "./browser.ts";
import { LINT, runChecks, TYPE_CHECK, WEB_TYPE_CHECK } from "./checks.ts";
import { killProcessTree } from "./process-tree.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { ROOT, waitForExit, startTool } from "./tools.ts";

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.unknown()) })),
});

type TestOutcome = { readonly passed: number; readonly failed: number; readonly isGreen: boolean };

const selection = process.argv.slice(2).filter((argument) => argument !== "--long");
const isLongRun = process.argv.includes("--long");
const isFullRun = selection.length === 0;
const [failedChecks] = await Promise.all([
  isFullRun ? runChecks([TYPE_CHECK, WEB_TYPE_CHECK, LINT]) : [],
  isFullRun ? ensureBrowser() : null,
]);
const { passed, failed, isGreen } = await runTests(selection);
const failedParts = [...failedChecks, ...(isFullRun && isLongRun && !(await runChaos()) ? ["chaos"] : [])];

if (failedParts.length > 0) console.log(`\nFailed checks (see above): ${failedParts.join(", ")}`);
// A mistyped name must not count as success.
if (passed + failed === 0) console.log("\nNo test matches the selection.");
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = isGreen && passed > 0 && failedParts.length === 0 ? 0 : 1;

async function runTests(args: readonly string[]): Promise<TestOutcome> {
  // All temporary files of the tests are in this folder, so none remains, also after a signal.
  const folder = createTemporaryFolder("orrery-test-");
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const env = { TEST_LENGTH: isLongRun ? "long" : "short", TMPDIR: folder };
  const child = startTool("vitest", ["run", ...reporters, ...args], { env });
  process.prependOnceListener("exit", () => killProcessTree(child));
  return readOutcome(report, await waitForExit(child));
}

/** Runs all parts of the chaos program in their long form. Resolves with whether no invariant was violated. */
async function runChaos(): Promise<boolean> {
  const program = join(ROOT, "chaos", "main.ts");
  return (await waitForExit(spawn(process.execPath, ["--no-warnings", program], { stdio: "inherit" }))) === 0;
}

/** Reads the numbers of the report. A file that did not load and an aborted run count as one failure each. */
function readOutcome(report: string, code: number): TestOutcome {
  const parsed = reportSchema.safeParse(readReport(report));
  if (!parsed.success) return { passed: 0, failed: 1, isGreen: false };
  const { numPassedTests: passedTests, numFailedTests, testResults } = parsed.data;
  const unloadedFiles = testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  const failures = numFailedTests + unloadedFiles;
  return { passed: passedTests, failed: code !== 0 && failures === 0 ? 1 : failures, isGreen: code === 0 };
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
