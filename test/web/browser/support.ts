// The web application in a real browser, on the whole runtime.

import { vi } from "vitest";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
export { buildAssets } from "../../../scripts/assets.ts";
import { findBrowser } from "../../../scripts/browser.ts";

const executablePath = findBrowser();

/** Whether these tests can run here; `npm test` has said so if not. */
export const hasBrowser = executablePath !== null;

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1440, height: 900 };
/** So high that all of a conversation is on the screen. */
export const TALL = { width: 1_000, height: 4_000 };

/** What is waited for comes within this, also on a machine that does other things beside. In milliseconds. */
const PATIENCE_MS = 20_000;

let running: Promise<Browser> | null = null;

/** One browser for all tests; it ends with the process that runs them. */
async function browser(): Promise<Browser> {
  if (executablePath === null) throw new Error("There is no browser here.");
  running ??= chromium.launch({ executablePath, args: ["--no-sandbox"] });
  return running;
}

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser has complained about: errors of scripts, refusals of the policy. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
};

/** Opens the application as somebody who has never been there. */
export async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await browser()).newContext({ locale: "en-US", viewport: DESK, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const opened = await open(context, url);
  return { ...opened, context, close: () => context.close() };
}

/** Another tab of the same browser. */
export async function open(context: BrowserContext, url: string): Promise<Pick<Visit, "page" | "complaints">> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints };
}

/** Without those of a line that a test has cut. */
export function apartFromTheLine(complaints: readonly string[]): string[] {
  return complaints.filter((one) => !/net::ERR_|WebSocket connection to .* failed/.test(one));
}

export const composer = (page: Page) => page.getByRole("textbox", { name: /^(Message|消息)$/ });
export const transcript = (page: Page) => page.getByRole("log");
export const conversations = (page: Page) => page.getByRole("navigation", { name: /^(Conversations|对话)$/ });

/** Writes a message and sends it with Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/** Waits until so many threads have been answered to their end. */
export async function answered(page: Page, times = 1): Promise<void> {
  const copies = page.getByRole("button", { name: /^(Copy answer|复制回答)$/ });
  await copies.nth(times - 1).waitFor();
  await page.getByRole("button", { name: /^(Stop|停止)$/ }).waitFor({ state: "detached" });
}

/** The conversation that is open, once it is. */
export async function idOn(page: Page): Promise<string> {
  await page.waitForURL(/\/c\//);
  return decodeURIComponent(new URL(page.url()).pathname.slice("/c/".length));
}

/** Words that can be told apart, `w1 w2 …`, so that what is lost, doubled or out of order can be seen. */
export function words(count: number, from = 1): string {
  return Array.from({ length: count }, (_, i) => `w${from + i}`).join(" ");
}

/** Those of them that a text has, in its order. */
export function wordsIn(text: string): string {
  return (text.match(/w\d+/g) ?? []).join(" ");
}

/** Those of them that the conversation shows. */
export async function wordsOn(page: Page): Promise<string> {
  return wordsIn(await transcript(page).innerText());
}

/** Waits until something holds. */
export function until(check: () => Promise<void> | void): Promise<void> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 });
}
