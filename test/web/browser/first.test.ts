// Somebody opens the application for the first time and talks, with nothing but what is built in.

import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApi } from "../../../src/client/api.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import {
  answered,
  buildAssets,
  composer,
  conversations,
  hasBrowser,
  idOn,
  say,
  transcript,
  until,
  visit,
} from "./support.ts";

const LIMIT_BYTES = 150_000;

describe.skipIf(!hasBrowser)("a first visit", () => {
  let runtime: Runtime;
  beforeAll(async () => {
    await buildAssets();
    runtime = await startRuntime();
  });
  afterAll(() => runtime.stop());

  test("shows the application without a complaint of the browser, and loads little for it", async () => {
    const { page, complaints, close } = await visit("about:blank");
    const scripts: Promise<number>[] = [];
    page.on("response", (response) => {
      const isScript = response.request().resourceType() === "script";
      if (isScript) scripts.push(response.body().then((body) => gzipSync(body).byteLength));
    });
    await page.goto(runtime.url, { waitUntil: "networkidle" });
    await page.getByRole("heading", { name: "What shall the agents do?" }).waitFor();
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(LIMIT_BYTES / 3);
    expect(bytes).toBeLessThan(LIMIT_BYTES);
    expect(complaints).toEqual([]);
    await close();
  });

  test.each([
    { locale: "en-US", message: "What is 12 * 34?", answer: "408", list: "Conversations" },
    { locale: "zh-CN", message: "12 × 34 等于多少", answer: "408", list: "对话" },
  ])("the first message is answered ($locale)", async ({ locale, message, answer, list }) => {
    const { page, complaints, close } = await visit(runtime.url, { locale });
    await say(page, message);
    expect(await page.locator("html").getAttribute("lang")).toBe(locale === "zh-CN" ? "zh-CN" : "en");
    await answered(page);
    expect(await transcript(page).innerText()).toContain(answer);
    const id = await idOn(page);
    const row = page.getByRole("navigation", { name: list, exact: true }).locator(`a[href="/c/${id}"]`);
    await row.getByText(message).waitFor();
    expect(await row.getAttribute("aria-current")).toBe("page");
    await page.waitForFunction((title) => document.title === title, `${message} · Orrery`);
    expect(complaints).toEqual([]);
    await close();
  });

  test("Shift and Enter break the line, and Enter belongs to an input method while it composes", async () => {
    const { page, complaints, close } = await visit(runtime.url);
    const box = composer(page);
    await box.fill("one");
    await box.press("Shift+Enter");
    await box.pressSequentially("two");
    expect(await box.inputValue()).toBe("one\ntwo");
    // As a browser tells it: first while composing, then, in some, by the code alone.
    await box.dispatchEvent("keydown", { key: "Enter", code: "Enter", isComposing: true, bubbles: true });
    await box.dispatchEvent("keydown", { key: "Enter", code: "Enter", keyCode: 229, bubbles: true });
    await box.pressSequentially(" three");
    await box.press("Enter");
    await idOn(page);
    await transcript(page).getByText("one\ntwo three", { exact: true }).waitFor();
    const place = page.url();
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox", { name: "Find a conversation or a place" });
    await search.fill("Pages");
    await search.dispatchEvent("keydown", { key: "Enter", code: "Enter", keyCode: 229, bubbles: true });
    expect(page.url()).toBe(place);
    await search.press("Enter");
    await page.waitForURL(/\/pages$/);
    const wish = page.getByRole("textbox", { name: "What do you want to see?" });
    await wish.fill("What tables are there?");
    await wish.dispatchEvent("keydown", { key: "Enter", code: "Enter", keyCode: 229, bubbles: true });
    expect(await wish.inputValue()).toBe("What tables are there?");
    await wish.press("Enter");
    await until(async () => expect(await wish.inputValue()).toBe(""));
    expect(complaints).toEqual([]);
    await close();
  });

  test("a line of a message runs from right to left if its first letter does", async () => {
    const { page, complaints, close } = await visit(runtime.url);
    await say(page, "مرحبا.\nhello.");
    const said = transcript(page).getByText("hello.").first();
    const [letter = 0, stop = 0, otherLetter = 0, otherStop = 0] = await said.evaluate((element) =>
      [0, 5, 7, 12].map((at) => {
        const range = document.createRange();
        range.setStart(element.firstChild ?? element, at);
        range.setEnd(element.firstChild ?? element, at + 1);
        return range.getBoundingClientRect().left;
      }),
    );
    expect(stop).toBeLessThan(letter);
    expect(otherStop).toBeGreaterThan(otherLetter);
    expect(complaints).toEqual([]);
    await close();
  });

  test.each([
    {
      locale: "en-US",
      message: "What time is it, and then compute 678 × 8776",
      tasks: [/time/i, /678/],
      done: "Done",
      plan: /^Plan/,
    },
    {
      locale: "zh-CN",
      message: "首先查询现在时间然后计算678乘以8776的结果",
      tasks: [/时间/, /678/],
      done: "已完成",
      plan: /^计划/,
    },
  ])("a plan shows its tasks in order, who does them and how they stand ($locale)", async (told) => {
    const { page, complaints, close } = await visit(runtime.url, { locale: told.locale });
    await say(page, told.message);
    await answered(page);
    await page.getByRole("heading", { name: told.plan }).waitFor();
    const rows = transcript(page).getByRole("region", { name: told.message }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(2);
    const shown = await rows.allInnerTexts();
    expect(shown).toHaveLength(2);
    for (const [i, task] of told.tasks.entries()) {
      expect(shown[i]).toMatch(task);
      expect(shown[i]).toContain("Assistant");
      expect(shown[i]).toContain(told.done);
    }
    expect(await transcript(page).innerText()).toContain("5950128");
    expect(complaints).toEqual([]);
    await close();
  });

  test("the work of one task of a plan can be read by itself, and is no place to say something", async () => {
    const { page, complaints, close } = await visit(runtime.url);
    await say(page, "What time is it, and then compute 678 × 8776");
    await answered(page);
    const whole = await idOn(page);
    const { conversations: all } = await createApi({ url: runtime.url }).listConversations();
    const part = all.find(({ parent_id, title }) => parent_id === whole && title?.includes("678") === true);
    await page.goto(`${runtime.url}/c/${part?.conversation_id}`);
    await transcript(page).getByText("5950128").last().waitFor();
    expect(await composer(page).count()).toBe(0);
    await page.getByRole("link", { name: "Go to the whole conversation" }).click();
    await page.waitForURL(`${runtime.url}/c/${whole}`);
    await composer(page).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test("whoever chooses an agent sees its own examples, and the general ones when they change their mind", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/?agent=toolsmith`);
    const examples = page.getByRole("list", { name: "Examples" });
    const general = examples.getByText("Every day at 9 tell me the time");
    await page.getByRole("heading", { name: "What shall Toolsmith do?" }).waitFor();
    await examples.getByText("What is the median of 3, 1, 4, 1, 5?").waitFor();
    expect(await general.count()).toBe(0);
    const whom = page.getByRole("combobox", { name: "Who answers" });
    await whom.selectOption({ label: "Automatic" });
    await general.waitFor();
    await whom.selectOption({ label: "Toolsmith" });
    await examples.getByText("What is the median of 3, 1, 4, 1, 5?").click();
    await answered(page);
    expect(await transcript(page).innerText()).toMatch(/Toolsmith[^]*3/);
    expect(complaints).toEqual([]);
    await close();
  });

  test("on a phone, the sidebar is a drawer, and a message is sent by touch", async () => {
    const { page, complaints, close } = await visit(runtime.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const drawer = page.getByRole("complementary", { name: "Sidebar" });
    await composer(page).tap();
    await composer(page).fill("What is 6 * 7?");
    await page.getByRole("button", { name: "Send", exact: true }).tap();
    await answered(page);
    expect(await transcript(page).innerText()).toContain("42");
    expect(await drawer.getByRole("link").count()).toBe(0);
    await page.getByRole("button", { name: "Open the sidebar" }).tap();
    await conversations(page).getByRole("link", { name: "What is 6 * 7?" }).waitFor();
    await drawer.getByRole("link", { name: "Schedules", exact: true }).tap();
    await page.getByRole("heading", { level: 1, name: "Schedules" }).waitFor();
    // Out of the way again: nothing of it can be reached.
    await expect.poll(() => drawer.getByRole("link").count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});
