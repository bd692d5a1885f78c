// Finds the browser for the tests of the web application: an installed one, or one from Debian or Playwright.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { ROOT } from "./tools.ts";

const BROWSER_NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
  "chrome",
];
const BROWSER_PATHS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
const INSTALL_TIMEOUT_MS = 240_000;

const execFileAsync = promisify(execFile);

/** Returns the path of a Chromium: `CHROMIUM_PATH`, or the first one found. Null if there is none. */
export function findBrowser(): string | null {
  const folders = (process.env["PATH"] ?? "").split(process.platform === "win32" ? ";" : ":");
  const configuredPath = process.env["CHROMIUM_PATH"];
  const onPath = BROWSER_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const all = [
    ...(configuredPath === undefined ? [] : [configuredPath]),
    ...onPath,
    ...BROWSER_PATHS,
    chromium.executablePath(),
  ];
  return all.find((path) => existsSync(path)) ?? null;
}

/** Finds or installs a browser, and prints a message if it installs one. Resolves with null if neither works. */
export async function ensureBrowser(): Promise<string | null> {
  const found = findBrowser();
  if (found !== null) return found;
  console.error("Chromium was not found. Installing it for the tests of the web application …");
  for (const [command, args] of INSTALL_COMMANDS) {
    const isDone = await execFileAsync(command, args, {
      cwd: ROOT,
      timeout: INSTALL_TIMEOUT_MS,
      maxBuffer: Infinity,
    }).then(
      () => true,
      () => false,
    );
    const installed = isDone ? findBrowser() : null;
    if (installed !== null) return installed;
  }
  console.error(
    "Chromium could not be installed. The browser tests are skipped. Set CHROMIUM_PATH to use an existing browser.",
  );
  return null;
}

const isRoot = process.getuid?.() === 0;
const playwright = join(ROOT, "node_modules", "playwright-core", "cli.js");
const INSTALL_COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ...(isRoot
    ? [["sh", ["-c", "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium"]] as const]
    : []),
  [process.execPath, [playwright, "install", "--no-shell", "chromium"]],
];
