// Every view, at its own address: the same after a reload, fit for a phone, and readable for everybody in both themes.

import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { furnished, type Furnished, type Places } from "./furnished.ts";
import { buildAssets, composer, hasBrowser, PHONE, transcript, until, visit } from "./support.ts";

/** What each view has to show before it is looked at; on the page with every block, the last one of them. */
const SIGNS: Readonly<Record<keyof Places, RegExp>> = {
  welcome: /What shall the agents do/,
  conversation: /5950128/,
  question: /Shall I set it up/,
  approval: /exactly this/,
  agents: /Guestbook/,
  agent: /Assistant/,
  schedules: /6 \* 7/,
  schedule: /6 \* 7/,
  tools: /multiply/i,
  tool: /multiply/i,
  pages: /Every block/,
  page: /Every block/,
  analysis: /Form 1A/,
  plans: /Welcome/,
  template: /Welcome somebody/,
  instance: /Greeting/,
};
const NAMES = Object.keys(SIGNS) as (keyof Places)[];
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const THEMES = ["light", "dark"] as const;
const NARROW = { width: 360, height: 740 };
const LEAST_TARGET = 24;

describe.skipIf(!hasBrowser)("every view", () => {
  let stage: Furnished;
  beforeAll(async () => {
    await buildAssets();
    stage = await furnished();
  });
  afterAll(() => stage?.runtime.stop());

  const addressOf = (name: keyof Places) => stage.runtime.url + stage.places[name];

  test.each(NAMES)("%s: axe finds nothing, light or dark, and a reload shows the same", async (name) => {
    const { page, complaints, close } = await visit(addressOf(name), { bypassCSP: true });
    await settled(page, SIGNS[name]);
    for (const theme of THEMES) expect(await violations(page, theme), theme).toEqual([]);
    const [heading, title] = [await page.getByRole("heading", { level: 1 }).innerText(), await page.title()];
    expect(title).toMatch(/Orrery$/);
    await page.reload();
    await settled(page, SIGNS[name]);
    await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    await page.waitForFunction((said) => document.title === said, title);
    expect(new URL(page.url()).pathname).toBe(stage.places[name]);
    expect(complaints).toEqual([]);
    await close();
  });

  test("on paper, the names of columns are no buttons: those are not repeated on the next sheet", async () => {
    const { page, complaints, close } = await visit(addressOf("page"));
    await settled(page, SIGNS.page);
    const names = page.locator("thead th");
    const before = await names.allInnerTexts();
    expect(before.length).toBeGreaterThan(0);
    expect(await names.getByRole("button").count()).toBeGreaterThan(0);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await until(async () => expect(await names.locator("button").count()).toBe(0));
    expect(await names.allInnerTexts()).toEqual(before);
    expect(await names.first().evaluate((name) => getComputedStyle(name).position)).toBe("static");
    expect(complaints).toEqual([]);
    await close();
  });

  test("enlarged four times, most of the screen is what was said", async () => {
    const enlarged = { width: 320, height: 256 };
    const { page, complaints, close } = await visit(addressOf("conversation"), { viewport: enlarged });
    await settled(page, SIGNS.conversation);
    const room = await transcript(page).evaluate((log) => log.clientHeight);
    expect(room).toBeGreaterThan(enlarged.height / 2);
    const box = await composer(page).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(enlarged.height);
    expect(box?.width).toBeGreaterThan(80);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(enlarged.width);
    expect(complaints).toEqual([]);
    await close();
  });

  test("the words of a page with every block too, and what stands over the views", async () => {
    const { page, complaints, close } = await visit(addressOf("page"), { bypassCSP: true });
    await page.getByRole("tab", { name: "Words" }).click();
    await page.getByText("Practise fractions").waitFor();
    for (const theme of THEMES) {
      expect(await violations(page, theme), `words ${theme}`).toEqual([]);
      await page.getByRole("button", { name: "Settings" }).click();
      await page
        .getByRole("dialog", { name: "Settings" })
        .getByText(/embedded model/)
        .first()
        .waitFor();
      expect(await violations(page, theme), `settings ${theme}`).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("option").first().waitFor();
      expect(await violations(page, theme), `palette ${theme}`).toEqual([]);
      await page.keyboard.press("Escape");
    }
    expect(complaints).toEqual([]);
    await close();
  });

  test("on a narrow phone, nothing is wider than the screen, and fingers hit what they aim at", async () => {
    const { page, complaints, close } = await visit(stage.runtime.url, {
      viewport: NARROW,
      hasTouch: true,
      isMobile: true,
    });
    const wide: string[] = [];
    const small: string[] = [];
    for (const name of NAMES) {
      await page.goto(addressOf(name));
      await settled(page, SIGNS[name]);
      wide.push(...(await tooWide(page)).map((part) => `${name}: ${part}`));
      small.push(...(await smallTargets(page)).map((target) => `${name}: ${target}`));
    }
    expect(wide).toEqual([]);
    expect(small).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  test("on a phone, what is done most is as large as a fingertip", async () => {
    const { page, close } = await visit(addressOf("question"), { viewport: PHONE, hasTouch: true, isMobile: true });
    const main = page.locator("#main");
    for (const [role, name] of [
      ["button", "Open the sidebar"],
      ["button", "Answer"],
      ["button", "yes"],
      ["button", "no"],
      ["button", "Send answer"],
    ] as const) {
      const box = await main.getByRole(role, { name, exact: true }).first().boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44);
    }
    await close();
  });

  test.each([
    ["/c/conv-nobody", "This conversation is not here"],
    ["/agents/nobody", /nobody|not|no such/i],
    ["/schedules/task-nobody", /no |not /i],
    ["/tools/nobody", /no |not /i],
    ["/pages/page-nobody", /no |not /i],
    ["/plans/nobody", /no |not /i],
    ["/instances/inst-nobody", /no |not /i],
    ["/nowhere/at/all", "There is no such page"],
  ])("%s says that it is not there", async (path, words) => {
    const { page, complaints, close } = await visit(stage.runtime.url + path);
    await page.locator("#main").getByText(words).first().waitFor();
    expect(complaints.filter((one) => !/status of 404|response code: 404/.test(one))).toEqual([]);
    await close();
  });
});

/** Waits until the view is there and nothing of it is being loaded. */
async function settled(page: Page, sign: RegExp): Promise<void> {
  const main = page.locator("#main");
  await main.getByText(sign).first().waitFor();
  await until(async () => expect(await main.getByText(/^Loading/).count()).toBe(0));
}

/** What axe finds against WCAG 2.2 AA, with the first place of each. */
async function violations(page: Page, colorScheme: (typeof THEMES)[number]): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  // Colours on their way from one theme to the other are nobody's.
  await page.waitForFunction(() => document.getAnimations().every((one) => !(one instanceof CSSTransition)));
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (tags) => {
    const { axe: here } = window as unknown as { axe: typeof axe };
    const { violations: found } = await here.run(document, { runOnly: tags, resultTypes: ["violations"] });
    return found.map(
      ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.any[0]?.message ?? ""}`,
    );
  }, TAGS);
}

/** The page, its view, and what scrolls in it, where there is something to the right of the screen. */
function tooWide(page: Page): Promise<string[]> {
  // The window of a phone grows with what is too wide for it.
  return page.evaluate(({ width, height }) => {
    const main = document.getElementById("main");
    const parts = [document.documentElement, ...(main === null ? [] : [main, ...main.querySelectorAll("*")])];
    return parts.flatMap((part) => {
      // What has a frame of its own to scroll in may be wide: code, tables.
      const isFramed = part.closest("[role=region][tabindex]") !== null;
      const isLarge = !isFramed && (part === main || part.clientHeight > height / 2);
      const { right } = part.getBoundingClientRect();
      const isWide = part.scrollWidth > part.clientWidth + 1 || Math.max(right, part.scrollWidth) > width + 1;
      return isLarge && isWide ? [`${part.outerHTML.slice(0, 100)} ${part.scrollWidth} ${right}`] : [];
    });
  }, NARROW);
}

/** What is too small to be hit, apart from links within a text. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const targets = [
      ...document.querySelectorAll("#main :is(button, a[href], select, textarea, input, summary, [role=tab])"),
    ];
    return targets.flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      const label = target.closest("label")?.getBoundingClientRect();
      const [w, h] = [Math.max(width, label?.width ?? 0), Math.max(height, label?.height ?? 0)];
      const isInText = getComputedStyle(target).display === "inline" && target.closest("p, li, td, dd") !== null;
      const isHidden = !target.checkVisibility() || w === 0 || target.closest("[inert]") !== null || width <= 1;
      return isHidden || isInText || (w >= least && h >= least) ? [] : [`${target.outerHTML.slice(0, 120)} ${w}×${h}`];
    });
  }, LEAST_TARGET);
}
