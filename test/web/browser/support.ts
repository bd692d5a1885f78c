// Helpers for tests of the web application in a real browser against the complete runtime.

import { vi } from "vitest";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { findBrowser } from "../../../scripts/browser.ts";

const executablePath = findBrowser();

/** Whether a browser was found. If not, `npm test` prints a notice. */
export const hasBrowser = executablePath !== null;

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };
/** High enough to show a whole conversation without scrolling. */
export const TALL = { width: 1_000, height: 4_000 };

/** Maximum wait in milliseconds; long enough for a busy machine. */
const WAIT_TIMEOUT_MS = 20_000;

let browserPromise: Promise<Browser> | null = null;

/** Returns the browser that all tests of this process share. It ends with the process. */
async function getBrowser(): Promise<Browser> {
  if (executablePath === null) throw new Error("No browser was found.");
  browserPromise ??= chromium.launch({ executablePath, args: ["--no-sandbox"] });
  return browserPromise;
}

export type AppSession = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Script errors and console errors, such as violations of the content security policy. */
  readonly consoleErrors: readonly string[];
  readonly close: () => Promise<void>;
};

/** Opens the application in a new browser context without stored data. */
export async function openApp(url: string, options: BrowserContextOptions = {}): Promise<AppSession> {
  const context = await (
    await getBrowser()
  ).newContext({ locale: "en-US", viewport: DESKTOP, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  const tab = await openTab(context, url);
  return { ...tab, context, close: () => context.close() };
}

/** Opens another tab of the same browser context. */
export async function openTab(
  context: BrowserContext,
  url: string,
): Promise<Pick<AppSession, "page" | "consoleErrors">> {
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  page.on("pageerror", (error) => consoleErrors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") consoleErrors.push(message.text());
  });
  await page.goto(url);
  return { page, consoleErrors };
}

/** Removes the errors of connections that a test has closed. */
export function excludeConnectionErrors(consoleErrors: readonly string[]): string[] {
  return consoleErrors.filter((error) => !/net::ERR_|WebSocket connection to .* failed/.test(error));
}

export const composer = (page: Page) => page.getByRole("textbox", { name: /^(Message|消息)$/ });
export const transcript = (page: Page) => page.getByRole("log");
export const conversations = (page: Page) => page.getByRole("navigation", { name: /^(Conversations|对话)$/ });

/** Types a message and sends it with Enter. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/** Waits until `times` threads have a complete answer and none is running. */
export async function waitForAnswers(page: Page, times = 1): Promise<void> {
  const copyButtons = page.getByRole("button", { name: /^(Copy answer|复制回答)$/ });
  await copyButtons.nth(times - 1).waitFor();
  await page.getByRole("button", { name: /^(Stop|停止)$/ }).waitFor({ state: "detached" });
}

/** Waits until a conversation is open and returns its id. */
export async function getConversationId(page: Page): Promise<string> {
  await page.waitForURL(/\/c\//);
  return decodeURIComponent(new URL(page.url()).pathname.slice("/c/".length));
}

/** Returns numbered words, `w1 w2 …`, which reveal lost, repeated and reordered text. */
export function createWords(count: number, from = 1): string {
  return Array.from({ length: count }, (_, i) => `w${from + i}`).join(" ");
}

/** Returns the numbered words of a text, in order. */
export function extractWords(text: string): string {
  return (text.match(/w\d+/g) ?? []).join(" ");
}

/** Returns the numbered words that the transcript shows. */
export async function readShownWords(page: Page): Promise<string> {
  return extractWords(await transcript(page).innerText());
}

/** Repeats the check until it does not throw. */
export function waitUntil(check: () => Promise<void> | void): Promise<void> {
  return vi.waitFor(check, { timeout: WAIT_TIMEOUT_MS, interval: 50 });
}
