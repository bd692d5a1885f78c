// Finds the browser for the tests of the web application: an installed one, or one from Debian or Playwright. Chromium
// without its user interface ("headless shell") opens a page in a third of the CPU time.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { ROOT } from "./tools.ts";

const SHELL_NAMES = ["chromium-headless-shell", "chrome-headless-shell"];
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

/** Returns the path of a Chromium: `CHROMIUM_PATH`, a headless shell, or the first one found. Null if there is none. */
export function findBrowser(): string | null {
  return findPreferred() ?? findFirst([...listOnPath(BROWSER_NAMES), ...BROWSER_PATHS, chromium.executablePath()]);
}

/** Finds or installs a browser, and prints a message if it installs one. Resolves with null if neither works. */
export async function ensureBrowser(): Promise<string | null> {
  const found = isRoot ? findPreferred() : findBrowser();
  if (found !== null) return found;
  console.error("Installing a headless Chromium for the tests of the web application …");
  for (const [command, args] of INSTALL_COMMANDS) {
    const options = { cwd: ROOT, timeout: INSTALL_TIMEOUT_MS, maxBuffer: Infinity };
    await execFileAsync(command, args, options).catch(() => {});
    const installed = findBrowser();
    if (installed !== null) return installed;
  }
  console.error(
    "Chromium could not be installed. The browser tests are skipped. Set CHROMIUM_PATH to use an existing browser.",
  );
  return null;
}

function findPreferred(): string | null {
  const configuredPath = process.env["CHROMIUM_PATH"];
  return findFirst([...(configuredPath === undefined ? [] : [configuredPath]), ...listOnPath(SHELL_NAMES)]);
}

function findFirst(paths: readonly string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null;
}

function listOnPath(names: readonly string[]): string[] {
  const folders = (process.env["PATH"] ?? "").split(process.platform === "win32" ? ";" : ":");
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

const isRoot = process.getuid?.() === 0;
const playwright = join(ROOT, "node_modules", "playwright-core", "cli.js");
const getDebianCommand = (name: string) =>
  ["sh", ["-c", `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${name}`]] as const;
const INSTALL_COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ...(isRoot ? ["chromium-headless-shell", "chromium"].map(getDebianCommand) : []),
  [process.execPath, [playwright, "install", "--no-shell", "chromium"]],
];
