// Every view at its own address: unchanged after a reload, usable on a phone and accessible in both themes.

import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pickByLength } from "../../support/run-length.ts";
import { startSeededRuntime, type SeededRuntime, type ViewPaths } from "./seeded-runtime.ts";
import { type AppSession, composer, hasBrowser, PHONE, transcript, waitUntil, openApp } from "./support.ts";

/** Text that each view shows when it has loaded. */
const VIEW_TEXTS: Readonly<Record<keyof ViewPaths, RegExp>> = {
  welcome: /What would you like to get done/,
  conversation: /5950128/,
  question: /Shall I set it up/,
  approval: /exactly these/,
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
const NAMES = Object.keys(VIEW_TEXTS) as (keyof ViewPaths)[];
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const THEMES = ["light", "dark"] as const;
/** In the short form, axe examines each view in one theme, in turn. */
const chooseThemes = (name: keyof ViewPaths) => pickByLength([THEMES[NAMES.indexOf(name) % 2] ?? "light"], [...THEMES]);
const NARROW = { width: 360, height: 740 };
const MIN_TARGET_PX = 24;

describe.skipIf(!hasBrowser)("every view", () => {
  let seeded: SeededRuntime;
  /** A tab for the tests that change nothing: its cached scripts make each visit cheaper. */
  let tab: AppSession;
  beforeAll(async () => {
    seeded = await startSeededRuntime();
    tab = await openApp("about:blank", { bypassCSP: true });
  });
  afterAll(async () => {
    await tab?.close();
    await seeded?.runtime.stop();
  });
  const visit = async (url: string) => {
    const earlierErrors = tab.consoleErrors.length;
    await tab.page.goto(url);
    return { page: tab.page, getErrors: () => tab.consoleErrors.slice(earlierErrors) };
  };

  const getViewUrl = (name: keyof ViewPaths) => seeded.runtime.url + seeded.viewPaths[name];

  test.each(NAMES)("%s has no axe violations and is the same after a reload", async (name) => {
    const { page, getErrors } = await visit(getViewUrl(name));
    await waitForView(page, VIEW_TEXTS[name]);
    for (const theme of chooseThemes(name)) expect(await findViolations(page, theme), theme).toEqual([]);
    const [heading, title] = [await page.getByRole("heading", { level: 1 }).innerText(), await page.title()];
    expect(title).toMatch(/Orrery$/);
    await page.reload();
    await waitForView(page, VIEW_TEXTS[name]);
    await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    await page.waitForFunction((expected) => document.title === expected, title);
    expect(new URL(page.url()).pathname).toBe(seeded.viewPaths[name]);
    expect(getErrors()).toEqual([]);
  });

  test("prints column headers without buttons, because browsers do not repeat headers with buttons on each sheet", async () => {
    const { page, consoleErrors, close } = await openApp(getViewUrl("page"));
    await waitForView(page, VIEW_TEXTS.page);
    const names = page.locator("thead th");
    const before = await names.allInnerTexts();
    expect(before.length).toBeGreaterThan(0);
    expect(await names.getByRole("button").count()).toBeGreaterThan(0);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await waitUntil(async () => expect(await names.locator("button").count()).toBe(0));
    expect(await names.allInnerTexts()).toEqual(before);
    expect(await names.first().evaluate((name) => getComputedStyle(name).position)).toBe("static");
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("gives most of the screen to the transcript at 400 % zoom", async () => {
    const enlarged = { width: 320, height: 256 };
    const { page, consoleErrors, close } = await openApp(getViewUrl("conversation"), { viewport: enlarged });
    await waitForView(page, VIEW_TEXTS.conversation);
    const room = await transcript(page).evaluate((log) => log.clientHeight);
    expect(room).toBeGreaterThan(enlarged.height / 2);
    const box = await composer(page).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(enlarged.height);
    expect(box?.width).toBeGreaterThan(80);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(enlarged.width);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("has no axe violations on the text blocks of a page, in the settings and in the palette", async () => {
    const { page, consoleErrors, close } = await openApp(getViewUrl("page"), { bypassCSP: true });
    await page.getByRole("tab", { name: "Words" }).click();
    await page.getByText("Practise fractions").waitFor();
    for (const theme of THEMES) {
      expect(await findViolations(page, theme), `words ${theme}`).toEqual([]);
      await page.getByRole("button", { name: "Settings" }).click();
      await page
        .getByRole("dialog", { name: "Settings" })
        .getByText(/built-in rule-based model/)
        .first()
        .waitFor();
      expect(await findViolations(page, theme), `settings ${theme}`).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("option").first().waitFor();
      expect(await findViolations(page, theme), `palette ${theme}`).toEqual([]);
      await page.keyboard.press("Escape");
    }
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("fits a narrow phone and has touch targets of at least 24 px", async () => {
    const { page, consoleErrors, close } = await openApp(seeded.runtime.url, {
      viewport: NARROW,
      hasTouch: true,
      isMobile: true,
    });
    const wide: string[] = [];
    const small: string[] = [];
    for (const name of NAMES) {
      await page.goto(getViewUrl(name));
      await waitForView(page, VIEW_TEXTS[name]);
      wide.push(...(await findOverflow(page)).map((part) => `${name}: ${part}`));
      small.push(...(await findSmallTargets(page)).map((target) => `${name}: ${target}`));
    }
    expect(wide).toEqual([]);
    expect(small).toEqual([]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("has main buttons of at least 44 px on a phone", async () => {
    const { page, close } = await openApp(getViewUrl("question"), { viewport: PHONE, hasTouch: true, isMobile: true });
    const main = page.locator("#main");
    for (const [role, name] of [
      ["button", "Open sidebar"],
      ["button", "Reply"],
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
    ["/c/conv-nobody", "Conversation not found"],
    ["/agents/nobody", /nobody|not|no such/i],
    ["/schedules/task-nobody", /no |not /i],
    ["/tools/nobody", /no |not /i],
    ["/pages/page-nobody", /no |not /i],
    ["/plans/nobody", /no |not /i],
    ["/instances/inst-nobody", /no |not /i],
    ["/nowhere/at/all", "This page doesn’t exist"],
  ])("%s shows that it does not exist", async (path, words) => {
    const { page, getErrors } = await visit(seeded.runtime.url + path);
    await page.locator("#main").getByText(words).first().waitFor();
    expect(getErrors().filter((error) => !/status of 404|response code: 404/.test(error))).toEqual([]);
  });
});

/** Waits until the view shows the text and no part of it is loading. */
async function waitForView(page: Page, text: RegExp): Promise<void> {
  const main = page.locator("#main");
  await main.getByText(text).first().waitFor();
  await waitUntil(async () => expect(await main.getByText(/^Loading/).count()).toBe(0));
}

/** Returns the violations of WCAG 2.2 AA that axe finds, each with its first element. */
async function findViolations(page: Page, colorScheme: (typeof THEMES)[number]): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  // Colours during a theme transition do not count.
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => !(animation instanceof CSSTransition)),
  );
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (rules) => {
    const { axe: here } = window as unknown as { axe: typeof axe };
    const { violations: found } = await here.run(document, { runOnly: rules, resultTypes: ["violations"] });
    return found.map(
      ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.any[0]?.message ?? ""}`,
    );
  }, TAGS);
}

/** Returns the large elements whose content extends beyond the right edge of the screen. */
function findOverflow(page: Page): Promise<string[]> {
  // The layout viewport of a phone grows with wide content, so the width is passed in.
  return page.evaluate(({ width, height }) => {
    const main = document.getElementById("main");
    const parts = [document.documentElement, ...(main === null ? [] : [main, ...main.querySelectorAll("*")])];
    return parts.flatMap((part) => {
      // Content with its own scroll region may be wide, such as code and tables.
      const isFramed = part.closest("[role=region][tabindex]") !== null;
      const isLarge = !isFramed && (part === main || part.clientHeight > height / 2);
      const { right } = part.getBoundingClientRect();
      const isWide = part.scrollWidth > part.clientWidth + 1 || Math.max(right, part.scrollWidth) > width + 1;
      return isLarge && isWide ? [`${part.outerHTML.slice(0, 100)} ${part.scrollWidth} ${right}`] : [];
    });
  }, NARROW);
}

/** Returns the touch targets that are too small, except links within text. */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate((minSize) => {
    const targets = [
      ...document.querySelectorAll("#main :is(button, a[href], select, textarea, input, summary, [role=tab])"),
    ];
    return targets.flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      const label = target.closest("label")?.getBoundingClientRect();
      const [w, h] = [Math.max(width, label?.width ?? 0), Math.max(height, label?.height ?? 0)];
      const isInText = getComputedStyle(target).display === "inline" && target.closest("p, li, td, dd") !== null;
      const isHidden = !target.checkVisibility() || w === 0 || target.closest("[inert]") !== null || width <= 1;
      return isHidden || isInText || (w >= minSize && h >= minSize)
        ? []
        : [`${target.outerHTML.slice(0, 120)} ${w}×${h}`];
    });
  }, MIN_TARGET_PX);
}
