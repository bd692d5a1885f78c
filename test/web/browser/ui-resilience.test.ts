// Failed requests and changes elsewhere do not remove content or input from the screen.

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiUser, type ApiUser } from "../../support/api-user.ts";
import { pickByLength } from "../../support/run-length.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { hasBrowser, waitUntil, openApp } from "./support.ts";

/** Longer than query results count as fresh. */
const STALE_AFTER_MS = 5_500;
/** Long enough to render a response. */
const RENDER_DELAY_MS = 300;
const BROKEN = {
  status: 500,
  contentType: "application/problem+json",
  body: JSON.stringify({ type: "about:blank", title: "Broken", status: 500, code: "internal", detail: "Broken." }),
};

describe.skipIf(!hasBrowser)("user interface", () => {
  let runtime: Runtime;
  let user: ApiUser;
  beforeAll(async () => {
    runtime = await startRuntime();
    user = createApiUser(runtime.url);
  });
  afterAll(() => runtime.stop());

  test("styles a page example as a link and sends one request after repeated clicks", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/pages`);
    const requests: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/api/conversation", async (route) => {
      requests.push(route.request().url());
      await released;
      await route.continue();
    });
    const example = page.getByRole("button", { name: /^Compare Form 1A/ });
    const getColour = (part: Locator) => part.evaluate((element) => getComputedStyle(element).color);
    expect(await getColour(example)).toBe(await getColour(page.getByRole("link", { name: "Ask in chat" })));
    await example.click();
    await page.getByText(/^Thinking…/).waitFor();
    await example.click();
    release();
    await page.waitForURL(/\/pages\/page-/);
    expect(requests).toHaveLength(1);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test.each(pickByLength(["all"], ["one", "all"]))(
    "keeps loaded pages visible when they cannot be fetched again (%s)",
    async (which) => {
      await user.sendAndWait("Compare Form 1A and Form 1B on the last assignment");
      const { page, context, close } = await openApp(`${runtime.url}/pages`);
      const pageLinks = page.locator("#main").getByText(/Form 1A and Form 1B/);
      await pageLinks.first().waitFor();
      if (which === "one")
        await page
          .getByRole("link", { name: /^Form 1A and Form 1B/ })
          .first()
          .click();
      if (which === "one") await page.getByText("Average").first().waitFor();
      // Fresh results are not fetched again.
      await page.waitForTimeout(STALE_AFTER_MS);
      await page.route(/\/api\/v1\/pages/, (route) => route.fulfill(BROKEN));
      const refused = page.waitForResponse((response) => response.status() === BROKEN.status);
      await context.setOffline(true);
      await page.getByText(/You’re offline/).waitFor();
      await context.setOffline(false);
      await refused;
      await page.waitForTimeout(RENDER_DELAY_MS);
      expect(await page.locator("#main").getByText("Couldn’t load").count()).toBe(0);
      expect(await pageLinks.count()).toBeGreaterThan(0);
      await close();
    },
  );

  test("reports a view whose script cannot be loaded and shows it once the server is back", async () => {
    const { page, close } = await openApp(`${runtime.url}/schedules`);
    await page.getByText("No schedules yet").waitFor();
    await runtime.kill();
    await page.getByRole("link", { name: "Workflows", exact: true }).click();
    await page.getByText("Part of the app couldn’t be loaded").waitFor();
    await page.getByText("Can’t reach the server").first().waitFor();
    expect(await page.getByRole("link", { name: "Schedules", exact: true }).count()).toBe(1);
    await runtime.restart();
    await page.getByText("No runs yet").waitFor();
    await close();
  });

  test("keeps a dialog open after a selection that ends outside it, and closes it after a click outside", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/agents`);
    await page.getByRole("button", { name: "Add agent" }).click();
    const field = page.getByRole("dialog").getByRole("textbox");
    await field.fill("agents.example.com");
    const { x = 0, y = 0 } = (await field.boundingBox()) ?? {};
    await page.mouse.move(x + 40, y + 10);
    await page.mouse.down();
    await page.mouse.move(20, y + 10, { steps: 3 });
    await page.mouse.up();
    expect(await field.inputValue()).toBe("agents.example.com");
    await page.mouse.click(20, y + 10);
    await field.waitFor({ state: "detached" });
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("keeps the fields of a new agent when the tab of the dialog changes", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/agents`);
    await page.getByRole("button", { name: "Add agent" }).click();
    const asApp = page.getByRole("tab", { name: "As an app" });
    await asApp.click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("helper");
    await page.getByRole("tab", { name: "By URL" }).click();
    await page.getByRole("textbox", { name: "URL", exact: true }).fill("agents.example.com");
    await asApp.click();
    expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("helper");
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("removes the registration error when the URL changes", async () => {
    const { page, close } = await openApp(`${runtime.url}/agents`);
    const agent = await (await fetch(`${runtime.url}/api/v1/agents/assistant`)).text();
    await page.route("**/api/v1/agents/preview", (route) => route.fulfill({ ...BROKEN, status: 200, body: agent }));
    await page.route("**/api/v1/agents", (route) =>
      route.request().method() === "POST" ? route.fulfill(BROKEN) : route.continue(),
    );
    await page.getByRole("button", { name: "Add agent" }).click();
    const address = page.getByRole("textbox", { name: "URL", exact: true });
    await address.fill("one.example.com");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const refusal = page.getByRole("dialog").getByText("Couldn’t add the agent.");
    await refusal.waitFor();
    await address.fill("two.example.com");
    await refusal.waitFor({ state: "detached" });
    await close();
  });

  test("shows the new rows of a replaced table", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/pages`);
    const upload = async (rows: string) => {
      const file = { name: "fruit.csv", mimeType: "text/csv", buffer: Buffer.from(rows) };
      await page.locator("input[type=file]").setInputFiles(file);
    };
    const rows = () => page.getByRole("dialog").getByRole("row");
    await page.getByText("Data", { exact: true }).click();
    await upload("name,kg\npear,1\n");
    await page.getByRole("button", { name: "View rows of fruit" }).click();
    await rows().getByText("pear").waitFor();
    await page.keyboard.press("Escape");
    await upload("name,kg\nplum,0.14285714\n");
    const replaced = page.waitForResponse((response) => response.request().method() === "POST" && response.ok());
    await page.getByRole("button", { name: "Replace existing dataset" }).click();
    await replaced;
    await page.getByRole("button", { name: "View rows of fruit" }).click();
    await waitUntil(async () => expect(await rows().allInnerTexts()).toEqual([expect.anything(), "plum\t0.14285714"]));
    expect(consoleErrors.filter((error) => !/status of 409/.test(error))).toEqual([]);
    await close();
  });

  test("uploads each of several files or shows why it failed", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/pages`);
    await page.getByText("Data", { exact: true }).click();
    const file = (name: string, rows: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(rows) });
    await page
      .locator("input[type=file]")
      .setInputFiles([file("roots.csv", "a,b\n1,2\n"), file("ragged.csv", "a\n1,2\n"), file("leaves.csv", "a\n1\n")]);
    await page.getByRole("button", { name: "View rows of leaves" }).waitFor();
    await page.getByRole("button", { name: "View rows of roots" }).waitFor();
    await page
      .getByRole("alert")
      .getByText(/^ragged\.csv: Line 2/)
      .waitFor();
    expect(consoleErrors.filter((error) => !/status of 422/.test(error))).toEqual([]);
    await close();
  });

  test("stays on the current view when the analyst answers after a navigation", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/pages`);
    const generateRequests: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/page/generate")) generateRequests.push(request.url());
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/api/conversation", async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole("textbox", { name: /What do you want to see/ }).fill("Compare Form 1A and Form 1B");
    await page.getByRole("button", { name: "Create page" }).click();
    await page.getByText(/^Thinking…/).waitFor();
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.getByRole("heading", { name: "Toolsmith" }).waitFor();
    const answer = page.waitForResponse("**/api/conversation");
    release();
    await (await answer).finished();
    await page.waitForTimeout(RENDER_DELAY_MS);
    expect(generateRequests).toEqual([]);
    expect(new URL(page.url()).pathname).toBe("/agents");
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("shows a failed deletion in its dialog and keeps the keyboard focus", async () => {
    const { conversationId } = await user.sendAndWait("What is 6 * 7?");
    const { page, close } = await openApp(`${runtime.url}/c/${conversationId}`);
    await page.route(`**/api/v1/conversations/${conversationId}`, (route) =>
      route.request().method() === "DELETE" ? route.fulfill(BROKEN) : route.continue(),
    );
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const deleteDialog = page.getByRole("dialog");
    await deleteDialog.getByRole("button", { name: "Delete" }).press("Enter");
    await deleteDialog.getByRole("alert").getByText("Broken.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Delete");
    await page.unroute(`**/api/v1/conversations/${conversationId}`);
    await page.keyboard.press("Enter");
    await deleteDialog.waitFor({ state: "detached" });
    await page.waitForURL(/\/$/);
    await close();
  });

  test("does not repeat a failed request for the next list page without user input", async () => {
    await user.sendAndWait("What is 6 * 7?");
    const { page, close } = await openApp("about:blank");
    let nextPageRequests = 0;
    await page.route(/\/api\/v1\/conversations\?/, async (route) => {
      const isNext = new URL(route.request().url()).searchParams.has("cursor");
      if (isNext) nextPageRequests += 1;
      if (isNext) return route.fulfill(BROKEN);
      const response = await route.fetch();
      const list = (await response.json()) as object;
      return route.fulfill({ response, json: { ...list, next_cursor: "next" } });
    });
    await page.goto(`${runtime.url}/agents`);
    const again = page.getByRole("button", { name: "Retry" });
    await again.waitFor();
    await page.waitForTimeout(RENDER_DELAY_MS);
    expect(nextPageRequests).toBe(1);
    await again.click();
    await waitUntil(() => expect(nextPageRequests).toBe(2));
    await close();
  });
});
