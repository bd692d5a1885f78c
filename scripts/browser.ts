// The browser that the tests of the web application use: one that is there, or Debian's, or Playwright's own.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { ROOT } from "./tools.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "chrome"];
const ELSEWHERE = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
const INSTALL_TIMEOUT_MS = 240_000;

const install = promisify(execFile);

/** The path of a Chromium: `CHROMIUM_PATH`, or the first that is found. Null when there is none. */
export function findBrowser(): string | null {
  const folders = (process.env["PATH"] ?? "").split(process.platform === "win32" ? ";" : ":");
  const wanted = process.env["CHROMIUM_PATH"];
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const all = [...(wanted === undefined ? [] : [wanted]), ...onPath, ...ELSEWHERE, chromium.executablePath()];
  return all.find((path) => existsSync(path)) ?? null;
}

/** Finds a browser, or installs one and says so. Null, said as well, when neither works. */
export async function provideBrowser(): Promise<string | null> {
  const found = findBrowser();
  if (found !== null) return found;
  console.error("No Chromium here: installing one for the tests of the web application …");
  for (const [command, args] of WAYS) {
    const isDone = await install(command, args, { cwd: ROOT, timeout: INSTALL_TIMEOUT_MS, maxBuffer: Infinity }).then(
      () => true,
      () => false,
    );
    const installed = isDone ? findBrowser() : null;
    if (installed !== null) return installed;
  }
  console.error("Not possible: these tests are left out. CHROMIUM_PATH names one that is somewhere else.");
  return null;
}

const isRoot = process.getuid?.() === 0;
const playwright = join(ROOT, "node_modules", "playwright-core", "cli.js");
const WAYS: readonly (readonly [string, readonly string[]])[] = [
  ...(isRoot
    ? [["sh", ["-c", "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium"]] as const]
    : []),
  [process.execPath, [playwright, "install", "--no-shell", "chromium"]],
];
