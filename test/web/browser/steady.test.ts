// Things change or fail while somebody is at work: what they have before them, and what they have begun, stays.

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personAt, type Person } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { buildAssets, hasBrowser, until, visit } from "./support.ts";

/** Longer than it takes to draw what has come. */
/** How long what was read counts as new, and a little more. */
const FRESH_MS = 5_500;
const A_MOMENT_MS = 300;
const BROKEN = {
  status: 500,
  contentType: "application/problem+json",
  body: JSON.stringify({ type: "about:blank", title: "Broken", status: 500, code: "internal", detail: "Broken." }),
};

describe.skipIf(!hasBrowser)("somebody at work", () => {
  let runtime: Runtime;
  let person: Person;
  beforeAll(async () => {
    await buildAssets();
    runtime = await startRuntime();
    person = personAt(runtime.url);
  });
  afterAll(() => runtime.stop());

  test("an example of a page looks as if it can be pressed, and is asked for once however often it is", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/pages`);
    const asked: string[] = [];
    let think = () => {};
    const thought = new Promise<void>((resolve) => (think = resolve));
    await page.route("**/api/conversation", async (route) => {
      asked.push(route.request().url());
      await thought;
      await route.continue();
    });
    const example = page.getByRole("button", { name: /^Compare Form 1A/ });
    const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).color);
    expect(await colourOf(example)).toBe(await colourOf(page.getByRole("link", { name: "Ask in a conversation" })));
    await example.click();
    await page.getByText(/Thinking about/).waitFor();
    await example.click();
    think();
    await page.waitForURL(/\/pages\/page-/);
    expect(asked).toHaveLength(1);
    expect(complaints).toEqual([]);
    await close();
  });

  test.each(["one", "all"])("pages that were read stay when they cannot be read again (%s)", async (which) => {
    await person.say("Compare Form 1A and Form 1B on the last assignment");
    const { page, context, close } = await visit(`${runtime.url}/pages`);
    const shown = page.locator("#main").getByText(/Form 1A and Form 1B/);
    await shown.first().waitFor();
    if (which === "one")
      await page
        .getByRole("link", { name: /^Form 1A and Form 1B/ })
        .first()
        .click();
    if (which === "one") await page.getByText("Average").first().waitFor();
    // What was read a moment ago is not asked for again.
    await page.waitForTimeout(FRESH_MS);
    await page.route(/\/api\/v1\/pages/, (route) => route.fulfill(BROKEN));
    const refused = page.waitForResponse((response) => response.status() === BROKEN.status);
    await context.setOffline(true);
    await page.getByText(/You are offline/).waitFor();
    await context.setOffline(false);
    await refused;
    await page.waitForTimeout(A_MOMENT_MS);
    expect(await page.locator("#main").getByText("This could not be loaded").count()).toBe(0);
    expect(await shown.count()).toBeGreaterThan(0);
    await close();
  });

  test("a view whose script cannot be had says so beside all else, and comes with the server", async () => {
    const { page, close } = await visit(`${runtime.url}/schedules`);
    await page.getByText("Nothing is scheduled yet").waitFor();
    await runtime.kill();
    await page.getByRole("link", { name: "Plans", exact: true }).click();
    await page.getByText("A part of the application could not be loaded").waitFor();
    await page.getByText("The server cannot be reached").first().waitFor();
    expect(await page.getByRole("link", { name: "Schedules", exact: true }).count()).toBe(1);
    await runtime.restart();
    await page.getByText("No plan has been started yet").waitFor();
    await close();
  });

  test("a text that is marked beyond the edge of a window leaves it open; a click beside it closes it", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/agents`);
    await page.getByRole("button", { name: "Add an agent" }).click();
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
    expect(complaints).toEqual([]);
    await close();
  });

  test("what was written of a new agent is there after a look at the other way to add one", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/agents`);
    await page.getByRole("button", { name: "Add an agent" }).click();
    const asApp = page.getByRole("tab", { name: "As an app" });
    await asApp.click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("helper");
    await page.getByRole("tab", { name: "By URL" }).click();
    await page.getByRole("textbox", { name: "Address" }).fill("agents.example.com");
    await asApp.click();
    expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("helper");
    expect(complaints).toEqual([]);
    await close();
  });

  test("why an agent was not registered is not said of another address", async () => {
    const { page, close } = await visit(`${runtime.url}/agents`);
    const agent = await (await fetch(`${runtime.url}/api/v1/agents/assistant`)).text();
    await page.route("**/api/v1/agents/preview", (route) => route.fulfill({ ...BROKEN, status: 200, body: agent }));
    await page.route("**/api/v1/agents", (route) =>
      route.request().method() === "POST" ? route.fulfill(BROKEN) : route.continue(),
    );
    await page.getByRole("button", { name: "Add an agent" }).click();
    const address = page.getByRole("textbox", { name: "Address" });
    await address.fill("one.example.com");
    await page.getByRole("button", { name: "Show its card" }).click();
    await page.getByRole("button", { name: "Register" }).click();
    const refusal = page.getByRole("dialog").getByText("The agent was not registered.");
    await refusal.waitFor();
    await address.fill("two.example.com");
    await refusal.waitFor({ state: "detached" });
    await close();
  });

  test("a table that was replaced is shown with its new rows", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/pages`);
    const upload = async (rows: string) => {
      const file = { name: "fruit.csv", mimeType: "text/csv", buffer: Buffer.from(rows) };
      await page.locator("input[type=file]").setInputFiles(file);
    };
    const rows = () => page.getByRole("dialog").getByRole("row");
    await page.getByText("Data", { exact: true }).click();
    await upload("name,kg\npear,1\n");
    await page.getByRole("button", { name: "Show rows: fruit" }).click();
    await rows().getByText("pear").waitFor();
    await page.keyboard.press("Escape");
    await upload("name,kg\nplum,0.14285714\n");
    const replaced = page.waitForResponse((response) => response.request().method() === "POST" && response.ok());
    await page.getByRole("button", { name: "Replace the one of this name" }).click();
    await replaced;
    await page.getByRole("button", { name: "Show rows: fruit" }).click();
    await until(async () => expect(await rows().allInnerTexts()).toEqual([expect.anything(), "plum\t0.14285714"]));
    expect(complaints.filter((one) => !/status of 409/.test(one))).toEqual([]);
    await close();
  });

  test("of several files, each becomes a table or is said why not", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/pages`);
    await page.getByText("Data", { exact: true }).click();
    const file = (name: string, rows: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(rows) });
    await page
      .locator("input[type=file]")
      .setInputFiles([file("roots.csv", "a,b\n1,2\n"), file("ragged.csv", "a\n1,2\n"), file("leaves.csv", "a\n1\n")]);
    await page.getByRole("button", { name: "Show rows: leaves" }).waitFor();
    await page.getByRole("button", { name: "Show rows: roots" }).waitFor();
    await page
      .getByRole("alert")
      .getByText(/^ragged\.csv: Line 2/)
      .waitFor();
    expect(complaints.filter((one) => !/status of 422/.test(one))).toEqual([]);
    await close();
  });

  test("whoever has gone elsewhere while the analyst thinks stays there", async () => {
    const { page, complaints, close } = await visit(`${runtime.url}/pages`);
    const making: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/page/generate")) making.push(request.url());
    });
    let think = () => {};
    const thought = new Promise<void>((resolve) => (think = resolve));
    await page.route("**/api/conversation", async (route) => {
      await thought;
      await route.continue();
    });
    await page.getByRole("textbox", { name: /What do you want to see/ }).fill("Compare Form 1A and Form 1B");
    await page.getByRole("button", { name: "Show me" }).click();
    await page.getByText(/Thinking about/).waitFor();
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.getByRole("heading", { name: "Toolsmith" }).waitFor();
    const answer = page.waitForResponse("**/api/conversation");
    think();
    await (await answer).finished();
    await page.waitForTimeout(A_MOMENT_MS);
    expect(making).toEqual([]);
    expect(new URL(page.url()).pathname).toBe("/agents");
    expect(complaints).toEqual([]);
    await close();
  });

  test("why something was not deleted is said where it was asked for, and the keyboard stays there", async () => {
    const { conversationId } = await person.say("What is 6 * 7?");
    const { page, close } = await visit(`${runtime.url}/c/${conversationId}`);
    await page.route(`**/api/v1/conversations/${conversationId}`, (route) =>
      route.request().method() === "DELETE" ? route.fulfill(BROKEN) : route.continue(),
    );
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const asked = page.getByRole("dialog");
    await asked.getByRole("button", { name: "Delete" }).press("Enter");
    await asked.getByRole("alert").getByText("Broken.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Delete");
    await page.unroute(`**/api/v1/conversations/${conversationId}`);
    await page.keyboard.press("Enter");
    await asked.waitFor({ state: "detached" });
    await page.waitForURL(/\/$/);
    await close();
  });

  test("what follows in a list is not asked for over and over while that fails", async () => {
    await person.say("What is 6 * 7?");
    const { page, close } = await visit("about:blank");
    let asked = 0;
    await page.route(/\/api\/v1\/conversations\?/, async (route) => {
      const isNext = new URL(route.request().url()).searchParams.has("cursor");
      if (isNext) asked += 1;
      if (isNext) return route.fulfill(BROKEN);
      const response = await route.fetch();
      const list = (await response.json()) as object;
      return route.fulfill({ response, json: { ...list, next_cursor: "next" } });
    });
    await page.goto(`${runtime.url}/agents`);
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.waitForTimeout(A_MOMENT_MS);
    expect(asked).toBe(1);
    await again.click();
    await until(() => expect(asked).toBe(2));
    await close();
  });
});
