// Takes the screenshots of the README: starts the runtime with the embedded model, creates content and opens it in a
// browser. Writes docs/images/*.png.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions } from "playwright-core";
import { startSeededRuntime, type ViewPaths } from "../test/web/browser/seeded-runtime.ts";
import { buildAssets } from "./assets.ts";
import { ensureBrowser } from "./browser.ts";
import { ROOT } from "./tools.ts";

const FOLDER = join(ROOT, "docs", "images");
const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

type Screenshot = {
  readonly name: string;
  readonly view: keyof ViewPaths;
  /** Text that is visible when the view has loaded. */
  readonly readyText: RegExp;
  readonly contextOptions: BrowserContextOptions;
};

const SCREENSHOTS: readonly Screenshot[] = [
  { name: "conversation", view: "conversation", readyText: /5950128/, contextOptions: DESKTOP },
  {
    name: "conversation-dark",
    view: "conversation",
    readyText: /5950128/,
    contextOptions: { ...DESKTOP, colorScheme: "dark" },
  },
  { name: "approval", view: "approval", readyText: /exactly these/, contextOptions: DESKTOP },
  { name: "page", view: "analysis", readyText: /Form 1A/, contextOptions: DESKTOP },
  { name: "schedules", view: "schedules", readyText: /6 \* 7/, contextOptions: DESKTOP },
  { name: "phone", view: "question", readyText: /Shall I set it up/, contextOptions: PHONE },
];

const executablePath = await ensureBrowser();
if (executablePath === null) process.exit(1);
mkdirSync(FOLDER, { recursive: true });
await buildAssets();
const { runtime, viewPaths } = await startSeededRuntime();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  for (const screenshot of SCREENSHOTS)
    await takeScreenshot(browser, screenshot, runtime.url + viewPaths[screenshot.view]);
} finally {
  await browser.close();
  await runtime.stop();
}

async function takeScreenshot(
  from: Browser,
  { name, readyText, contextOptions }: Screenshot,
  url: string,
): Promise<void> {
  const context = await from.newContext({
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...contextOptions,
  });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle" });
  await page.locator("#main").getByText(readyText).first().waitFor();
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: "detached" });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled", caret: "hide" });
  await context.close();
}
