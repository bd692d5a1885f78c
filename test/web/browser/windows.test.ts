// What stands over the page: nothing that is said meanwhile is hidden behind it, and what is filled in there is sent.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApi } from "../../../src/client/api.ts";
import { personAt } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { buildAssets, hasBrowser, visit } from "./support.ts";

describe.skipIf(!hasBrowser)("a window over the page", () => {
  let runtime: Runtime;
  beforeAll(async () => {
    await buildAssets();
    runtime = await startRuntime();
  });
  afterAll(() => runtime.stop());

  test("what is said while it is open stands before it, and a link that is taken back is not offered", async () => {
    await personAt(runtime.url).say("Compare Form 1A and Form 1B on the last assignment");
    const { pages } = await createApi({ url: runtime.url }).listPages();
    const { page, complaints, close } = await visit(`${runtime.url}/pages/${pages[0]?.page_id}`);
    await page.getByRole("button", { name: "Share" }).click();
    const share = page.getByRole("dialog");
    await share.getByRole("button", { name: "Make a link" }).click();
    const address = share.getByRole("textbox");
    await address.waitFor();
    await share.getByRole("button", { name: "Revoke" }).click();
    const said = share.getByRole("status").getByText("leads nowhere");
    await said.waitFor();
    expect(
      await said.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) === element;
      }),
    ).toBe(true);
    await address.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await close();
  });

  test("that of the keys has those of the box for messages as well, also the one that stops the work", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/agents`);
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.waitFor();
    const keys = await list.locator("kbd").allInnerTexts();
    for (const key of ["Enter", "Esc", "↑"]) expect(keys).toContain(key);
    expect(complaints).toEqual([]);
    await close();
  });

  test("whoever is led elsewhere by it goes on there with the keyboard, not where they were", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/plans`);
    await page.getByRole("link", { name: "Plans", exact: true }).focus();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("sche");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/schedules$/);
    await page.waitForFunction(() => document.getElementById("main")?.contains(document.activeElement));
    expect(complaints).toEqual([]);
    await close();
  });

  test("an agent elsewhere is looked at and registered with its credentials, which are checked first", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/agents`);
    const agent = await (await fetch(`${runtime.url}/api/v1/agents/assistant`)).text();
    const sent: unknown[] = [];
    await page.route(/\/api\/v1\/agents(\/preview)?$/, (route) => {
      if (route.request().method() !== "POST") return route.continue();
      sent.push(route.request().postDataJSON());
      return route.fulfill({ contentType: "application/json", body: agent });
    });
    await page.getByRole("button", { name: "Add an agent" }).click();
    await page.getByRole("textbox", { name: "Address" }).fill("agents.example.com");
    await page.getByRole("combobox", { name: "Credentials" }).selectOption("Bearer token");
    const token = page.getByLabel("Bearer token", { exact: true });
    await token.fill("two words");
    const look = page.getByRole("button", { name: "Show its card" });
    await look.click();
    expect(await token.getAttribute("aria-invalid")).toBe("true");
    expect(sent).toEqual([]);
    await token.fill("s3cret");
    await look.click();
    const register = page.getByRole("button", { name: "Register" });
    await register.waitFor();
    await token.fill("another");
    await register.waitFor({ state: "detached" });
    await look.click();
    await register.click();
    await page.waitForURL(/\/agents\/assistant$/);
    const to = (secret: string) => ({
      url: "https://agents.example.com",
      credentials: { type: "bearer", token: secret },
    });
    expect(sent).toEqual([to("s3cret"), to("another"), to("another")]);
    expect(complaints).toEqual([]);
    await close();
  });
});
