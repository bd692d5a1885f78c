// Replaces the static files of a running server.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFiles } from "../../scripts/assets.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "orrery-assets-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes files into a new folder. Returns its path. */
function writeFiles(name: string, files: Readonly<Record<string, string>>): string {
  const target = join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), text);
  }
  return target;
}

test("replaceFiles replaces the files and keeps the folder itself", () => {
  const out = writeFiles("web", {
    "index.html": "old",
    "assets/old.js": "1",
    "assets/same.js": "2",
    "docs/index.html": "3",
  });
  const { ino } = statSync(join(out, "assets"));
  const next = writeFiles("next", {
    "index.html": "new",
    "assets/new.js": "4",
    "assets/same.js": "2",
    "docs/index.html": "5",
  });
  replaceFiles(next, out);
  expect(statSync(join(out, "assets")).ino).toBe(ino);
  expect(readdirSync(join(out, "assets")).toSorted()).toEqual(["new.js", "same.js"]);
  expect(readFileSync(join(out, "index.html"), "utf8")).toBe("new");
  expect(readFileSync(join(out, "docs/index.html"), "utf8")).toBe("5");
  expect(existsSync(next)).toBe(false);
});

test("replaceFiles creates a missing folder", () => {
  const out = join(folder, "dist", "web");
  replaceFiles(writeFiles("next", { "index.html": "new" }), out);
  expect(readdirSync(out)).toEqual(["index.html"]);
});
