// Files that a running server serves are built anew: it goes on serving them, and whole ones.

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
import { putInPlace } from "../../scripts/assets.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "orrery-assets-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes files into a folder of their own. */
function made(name: string, files: Readonly<Record<string, string>>): string {
  const place = join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), text);
  }
  return place;
}

test("the folder stays the same one, as whoever serves it watches it", () => {
  const out = made("web", { "index.html": "old", "assets/old.js": "1", "assets/same.js": "2", "docs/index.html": "3" });
  const { ino } = statSync(join(out, "assets"));
  const next = made("next", {
    "index.html": "new",
    "assets/new.js": "4",
    "assets/same.js": "2",
    "docs/index.html": "5",
  });
  putInPlace(next, out);
  expect(statSync(join(out, "assets")).ino).toBe(ino);
  expect(readdirSync(join(out, "assets")).toSorted()).toEqual(["new.js", "same.js"]);
  expect(readFileSync(join(out, "index.html"), "utf8")).toBe("new");
  expect(readFileSync(join(out, "docs/index.html"), "utf8")).toBe("5");
  expect(existsSync(next)).toBe(false);
});

test("where there is no folder yet, there is one", () => {
  const out = join(folder, "dist", "web");
  putInPlace(made("next", { "index.html": "new" }), out);
  expect(readdirSync(out)).toEqual(["index.html"]);
});
