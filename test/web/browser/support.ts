// The web application in a real browser, on the whole runtime.

import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { buildAssets } from "../../../scripts/assets.ts";
import { findBrowser } from "../../../scripts/browser.ts";

const executablePath = findBrowser();

/** Whether these tests can run here; `npm test` has said so if not. */
export const hasBrowser = executablePath !== null;

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1440, height: 900 };

let running: Promise<Browser> | null = null;
let built: Promise<void> | null = null;

/** One browser for all tests; it ends with the process that runs them. */
async function browser(): Promise<Browser> {
  if (executablePath === null) throw new Error("There is no browser here.");
  running ??= chromium.launch({ executablePath, args: ["--no-sandbox"] });
  return running;
}

/** Builds the application once. */
export function builtApp(): Promise<void> {
  return (built ??= buildAssets());
}

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser has complained about: errors of scripts, refusals of the policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
};

/** Opens the application as somebody who has never been there. */
export async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await browser()).newContext({ locale: "en-US", viewport: DESK, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(url);
  return { page, context, complaints, close: () => context.close() };
}
