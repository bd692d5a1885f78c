// Takes the pictures of the README: starts the runtime with its embedded model, lets things happen in it and looks at
// them in a browser. Writes docs/images/*.png.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions } from "playwright-core";
import { furnished, type Places } from "../test/web/browser/furnished.ts";
import { buildAssets } from "./assets.ts";
import { provideBrowser } from "./browser.ts";
import { ROOT } from "./tools.ts";

const FOLDER = join(ROOT, "docs", "images");
const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

type Picture = {
  readonly name: string;
  readonly place: keyof Places;
  /** Words that are there once the view is. */
  readonly sign: RegExp;
  readonly how: BrowserContextOptions;
};

const PICTURES: readonly Picture[] = [
  { name: "conversation", place: "conversation", sign: /5950128/, how: DESK },
  { name: "conversation-dark", place: "conversation", sign: /5950128/, how: { ...DESK, colorScheme: "dark" } },
  { name: "approval", place: "approval", sign: /exactly this/, how: DESK },
  { name: "page", place: "analysis", sign: /Form 1A/, how: DESK },
  { name: "schedules", place: "schedules", sign: /6 \* 7/, how: DESK },
  { name: "phone", place: "question", sign: /Shall I set it up/, how: PHONE },
];

const executablePath = await provideBrowser();
if (executablePath === null) process.exit(1);
mkdirSync(FOLDER, { recursive: true });
await buildAssets();
const { runtime, places } = await furnished();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  for (const picture of PICTURES) await take(browser, picture, runtime.url + places[picture.place]);
} finally {
  await browser.close();
  await runtime.stop();
}

async function take(from: Browser, { name, sign, how }: Picture, address: string): Promise<void> {
  const context = await from.newContext({ locale: "en-US", timezoneId: "UTC", reducedMotion: "reduce", ...how });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "networkidle" });
  await page.locator("#main").getByText(sign).first().waitFor();
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: "detached" });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled", caret: "hide" });
  await context.close();
}
