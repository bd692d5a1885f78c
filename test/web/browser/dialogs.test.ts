// Dialogs: notices above them, focus after navigation, and the data that they send.

import { beforeAll, describe, expect, test } from "vitest";
import { createApi } from "../../../src/client/api.ts";
import { createApiUser } from "../../support/api-user.ts";
import { shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import { excludeConnectionErrors, hasBrowser, openApp, openTab } from "./support.ts";

describe.skipIf(!hasBrowser)("dialog", () => {
  let runtime: SharedRuntime;
  beforeAll(async () => {
    runtime = await shareRuntime();
  });

  test("shows notices above itself and removes a revoked link", async () => {
    await createApiUser(runtime.url).sendAndWait("Compare Form 1A and Form 1B on the last assignment");
    const { pages } = await createApi({ url: runtime.url }).listPages();
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/pages/${pages[0]?.page_id}`);
    await page.getByRole("button", { name: "Share" }).click();
    const share = page.getByRole("dialog");
    await share.getByRole("button", { name: "Create link" }).click();
    const address = share.getByRole("textbox");
    await address.waitFor();
    await share.getByRole("button", { name: "Revoke" }).click();
    const notice = share.getByRole("status").getByText("Link revoked");
    await notice.waitFor();
    expect(
      await notice.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) === element;
      }),
    ).toBe(true);
    await address.waitFor({ state: "detached" });
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("switches the language in every tab, loads only the shown language, and keeps it without a connection", async () => {
    const { page, context, consoleErrors, close } = await openApp(runtime.url);
    const catalogues: string[] = [];
    context.on("request", (request) => catalogues.push(...(/(en|zh)\.json/.exec(request.url())?.slice(1) ?? [])));
    const language = (name: string) => page.getByRole("radio", { name });
    const tab = await openTab(context, `${runtime.url}/schedules`);
    await tab.page.getByRole("heading", { level: 1, name: "Schedules" }).waitFor();
    await page.getByRole("button", { name: "Settings" }).click();
    await language("中文").waitFor();
    expect([...new Set(catalogues)]).toEqual(["en"]);
    await context.setOffline(true);
    await language("中文").click();
    await page.getByText("Can’t reach the server.").first().waitFor();
    expect(await language("English").isChecked()).toBe(true);
    await context.setOffline(false);
    await language("中文").click();
    await page.getByRole("heading", { name: "设置" }).waitFor();
    await tab.page.getByRole("heading", { level: 1, name: "定时任务" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN");
    expect(excludeConnectionErrors([...consoleErrors, ...tab.consoleErrors])).toEqual([]);
    await close();
  });

  test("lists the shortcuts of the composer, including the key that stops an answer", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/agents`);
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.waitFor();
    const keys = await list.locator("kbd").allInnerTexts();
    for (const key of ["Enter", "Esc", "↑"]) expect(keys).toContain(key);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("moves the keyboard focus to the new view after a navigation from the palette", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/plans`);
    await page.getByRole("link", { name: "Workflows", exact: true }).focus();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("sche");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/schedules$/);
    await page.waitForFunction(() => document.getElementById("main")?.contains(document.activeElement));
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("validates the credentials of a remote agent and sends them for the preview and the registration", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/agents`);
    const agent = await (await fetch(`${runtime.url}/api/v1/agents/assistant`)).text();
    const sent: unknown[] = [];
    await page.route(/\/api\/v1\/agents(\/preview)?$/, (route) => {
      if (route.request().method() !== "POST") return route.continue();
      sent.push(route.request().postDataJSON());
      return route.fulfill({ contentType: "application/json", body: agent });
    });
    await page.getByRole("button", { name: "Add agent" }).click();
    await page.getByRole("textbox", { name: "URL", exact: true }).fill("agents.example.com");
    await page.getByRole("combobox", { name: "Credentials" }).selectOption("Bearer token");
    const token = page.getByLabel("Bearer token", { exact: true });
    await token.fill("two words");
    const previewButton = page.getByRole("button", { name: "Preview" });
    await previewButton.click();
    expect(await token.getAttribute("aria-invalid")).toBe("true");
    expect(sent).toEqual([]);
    await token.fill("s3cret");
    await previewButton.click();
    const register = page.getByRole("button", { name: "Add", exact: true });
    await register.waitFor();
    await token.fill("another");
    await register.waitFor({ state: "detached" });
    await previewButton.click();
    await register.click();
    await page.waitForURL(/\/agents\/assistant$/);
    const createRequest = (secret: string) => ({
      url: "https://agents.example.com",
      credentials: { type: "bearer", token: secret },
    });
    expect(sent).toEqual([createRequest("s3cret"), createRequest("another"), createRequest("another")]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("sends the chosen policy about untrusted input with an app", async () => {
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/agents`);
    const agent = await (await fetch(`${runtime.url}/api/v1/agents/assistant`)).text();
    const sent: unknown[] = [];
    await page.route(/\/api\/v1\/agents$/, (route) => {
      if (route.request().method() !== "POST") return route.continue();
      sent.push(route.request().postDataJSON());
      return route.fulfill({ contentType: "application/json", body: agent });
    });
    await page.getByRole("button", { name: "Add agent" }).click();
    await page.getByRole("tab", { name: "As an app" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("people");
    await page.getByRole("textbox", { name: "Description" }).fill("Keeps profiles");
    await page.getByRole("textbox", { name: "MCP server URL" }).fill("https://mcp.example.com/mcp");
    const policy = page.getByRole("combobox", { name: "Actions with outside content" });
    expect(await policy.inputValue()).toBe("ask");
    await policy.selectOption("Block");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.waitForURL(/\/agents\/assistant$/);
    expect(sent).toMatchObject([{ name: "people", untrusted_input: "never" }]);
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
