// A first visit with the embedded model and without stored data.

import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { createApi } from "../../../src/client/api.ts";
import { shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import {
  waitForAnswers,
  composer,
  conversations,
  hasBrowser,
  getConversationId,
  sendMessage,
  transcript,
  waitUntil,
  openApp,
} from "./support.ts";

const LIMIT_BYTES = 150_000;

describe.skipIf(!hasBrowser)("first visit", () => {
  let runtime: SharedRuntime;
  beforeAll(async () => {
    runtime = await shareRuntime();
  });

  test("loads the application without console errors and below the script size limit", async () => {
    const { page, consoleErrors, close } = await openApp("about:blank");
    const scripts: Promise<number>[] = [];
    page.on("response", (response) => {
      const isScript = response.request().resourceType() === "script";
      if (isScript) scripts.push(response.body().then((body) => gzipSync(body).byteLength));
    });
    await page.goto(runtime.url, { waitUntil: "networkidle" });
    await page.getByRole("heading", { name: "What would you like to get done?" }).waitFor();
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(LIMIT_BYTES / 3);
    expect(bytes).toBeLessThan(LIMIT_BYTES);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test.each([
    { locale: "en-US", message: "What is 12 * 34?", answer: "408", list: "Conversations" },
    { locale: "zh-CN", message: "12 × 34 等于多少", answer: "408", list: "对话" },
  ])("answers the first message ($locale)", async ({ locale, message, answer, list }) => {
    const { page, consoleErrors, close } = await openApp(runtime.url, { locale });
    await sendMessage(page, message);
    expect(await page.locator("html").getAttribute("lang")).toBe(locale === "zh-CN" ? "zh-CN" : "en");
    await waitForAnswers(page);
    expect(await transcript(page).innerText()).toContain(answer);
    const id = await getConversationId(page);
    const row = page.getByRole("navigation", { name: list, exact: true }).locator(`a[href="/c/${id}"]`);
    await row.getByText(message).waitFor();
    expect(await row.getAttribute("aria-current")).toBe("page");
    await page.waitForFunction((title) => document.title === title, `${message} · Orrery`);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("inserts a line break with Shift+Enter and leaves Enter to the input method during composition", async () => {
    const { page, consoleErrors, close } = await openApp(runtime.url);
    const box = composer(page);
    await box.fill("one");
    await box.press("Shift+Enter");
    await box.pressSequentially("two");
    expect(await box.inputValue()).toBe("one\ntwo");
    // Browsers report composition by isComposing or, at its end, only by the key code 229.
    await box.dispatchEvent("keydown", { key: "Enter", code: "Enter", isComposing: true, bubbles: true });
    await box.dispatchEvent("keydown", { key: "Enter", code: "Enter", keyCode: 229, bubbles: true });
    await box.pressSequentially(" three");
    await box.press("Enter");
    await getConversationId(page);
    await transcript(page).getByText("one\ntwo three", { exact: true }).waitFor();
    const url = page.url();
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox", { name: "Search" });
    await search.fill("Pages");
    await search.dispatchEvent("keydown", { key: "Enter", code: "Enter", keyCode: 229, bubbles: true });
    expect(page.url()).toBe(url);
    await search.press("Enter");
    await page.waitForURL(/\/pages$/);
    const promptBox = page.getByRole("textbox", { name: "What do you want to see?" });
    await promptBox.fill("What tables are there?");
    await promptBox.dispatchEvent("keydown", { key: "Enter", code: "Enter", keyCode: 229, bubbles: true });
    expect(await promptBox.inputValue()).toBe("What tables are there?");
    await promptBox.press("Enter");
    await waitUntil(async () => expect(await promptBox.inputValue()).toBe(""));
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("sets the direction of each line of a message by its first letter", async () => {
    const { page, consoleErrors, close } = await openApp(runtime.url);
    await sendMessage(page, "مرحبا.\nhello.");
    const paragraph = transcript(page).getByText("hello.").first();
    const [letter = 0, stop = 0, otherLetter = 0, otherStop = 0] = await paragraph.evaluate((element) =>
      [0, 5, 7, 12].map((at) => {
        const range = document.createRange();
        range.setStart(element.firstChild ?? element, at);
        range.setEnd(element.firstChild ?? element, at + 1);
        return range.getBoundingClientRect().left;
      }),
    );
    expect(stop).toBeLessThan(letter);
    expect(otherStop).toBeGreaterThan(otherLetter);
    expect(consoleErrors).toEqual([]);
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
  ])("shows the tasks of a plan in order with agent and status ($locale)", async (scenario) => {
    const { page, consoleErrors, close } = await openApp(runtime.url, { locale: scenario.locale });
    await sendMessage(page, scenario.message);
    await waitForAnswers(page);
    await page.getByRole("heading", { name: scenario.plan }).waitFor();
    const rows = transcript(page).getByRole("region", { name: scenario.message }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(2);
    const rowTexts = await rows.allInnerTexts();
    expect(rowTexts).toHaveLength(2);
    for (const [i, task] of scenario.tasks.entries()) {
      expect(rowTexts[i]).toMatch(task);
      expect(rowTexts[i]).toContain("Assistant");
      expect(rowTexts[i]).toContain(scenario.done);
    }
    expect(await transcript(page).innerText()).toContain("5950128");
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("shows the conversation of one task without a composer", async () => {
    const { page, consoleErrors, close } = await openApp(runtime.url);
    await sendMessage(page, "What time is it, and then compute 678 × 8776");
    await waitForAnswers(page);
    const parentId = await getConversationId(page);
    const { conversations: conversationList } = await createApi({ url: runtime.url }).listConversations();
    const taskConversation = conversationList.find(
      ({ parent_id, title }) => parent_id === parentId && title?.includes("678") === true,
    );
    await page.goto(`${runtime.url}/c/${taskConversation?.conversation_id}`);
    await transcript(page).getByText("5950128").last().waitFor();
    expect(await composer(page).count()).toBe(0);
    await page.getByRole("link", { name: "Back to full conversation" }).click();
    await page.waitForURL(`${runtime.url}/c/${parentId}`);
    await composer(page).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("shows the examples of the selected agent, and the general ones without a selection", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/?agent=toolsmith`);
    const examples = page.getByRole("list", { name: "Examples" });
    const general = examples.getByText("Tell me the time every day at 9:00");
    await page.getByRole("heading", { name: "What would you like Toolsmith to do?" }).waitFor();
    await examples.getByText("What is the median of 3, 1, 4, 1, 5?").waitFor();
    expect(await general.count()).toBe(0);
    const agentSelect = page.getByRole("combobox", { name: "Choose an agent" });
    await agentSelect.selectOption({ label: "Auto" });
    await general.waitFor();
    await agentSelect.selectOption({ label: "Toolsmith" });
    await examples.getByText("What is the median of 3, 1, 4, 1, 5?").click();
    await waitForAnswers(page);
    expect(await transcript(page).innerText()).toMatch(/Toolsmith[^]*3/);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("shows the sidebar as a drawer on a phone and sends a message by touch", async () => {
    const { page, consoleErrors, close } = await openApp(runtime.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const drawer = page.getByRole("complementary", { name: "Sidebar" });
    await composer(page).tap();
    await composer(page).fill("What is 6 * 7?");
    await page.getByRole("button", { name: "Send", exact: true }).tap();
    await waitForAnswers(page);
    expect(await transcript(page).innerText()).toContain("42");
    expect(await drawer.getByRole("link").count()).toBe(0);
    await page.getByRole("button", { name: "Open sidebar" }).tap();
    await conversations(page).getByRole("link", { name: "What is 6 * 7?" }).waitFor();
    await drawer.getByRole("link", { name: "Schedules", exact: true }).tap();
    await page.getByRole("heading", { level: 1, name: "Schedules" }).waitFor();
    // Links of the closed drawer must not be reachable.
    await expect.poll(() => drawer.getByRole("link").count()).toBe(0);
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
