// Golden files: public interfaces as they were when somebody last reviewed them. `UPDATE_GOLDEN=1 npm test --
// test/golden test/e2e/old-state` updates them. Review the difference before you commit it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";

const COMMAND = "UPDATE_GOLDEN=1 npm test -- test/golden test/e2e/old-state";
const isUpdating = process.env["UPDATE_GOLDEN"] === "1";

/** Compares text with a golden file byte by byte. The path is relative to `test/golden`. */
export function expectGolden(path: string, text: string): void {
  const file = join(import.meta.dirname, path);
  if (isUpdating) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const stored = existsSync(file) ? readFileSync(file, "utf8") : "";
  expect(text, `test/golden/${path} differs. If the change is wanted: ${COMMAND}`).toBe(stored);
}

/** Prints a value for a golden file. The order of members is kept, since clients see it too. */
export function printJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
