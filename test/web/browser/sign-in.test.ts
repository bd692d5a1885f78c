// A server that wants to know who one is.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personAt } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { SECRET, signed } from "../../http/tokens.ts";
import {
  answered,
  buildAssets,
  composer,
  conversations,
  hasBrowser,
  idOn,
  open,
  say,
  transcript,
  until,
  visit,
} from "./support.ts";

describe.skipIf(!hasBrowser)("where a token is asked for", () => {
  let runtime: Runtime;
  beforeAll(async () => {
    await buildAssets();
    runtime = await startRuntime({ vars: { AUTH_SECRET: SECRET } });
  });
  afterAll(() => runtime.stop());

  test("a wrong one is refused, the right one lets in and answers over the socket; others' conversations do not exist", async () => {
    const token = await signed({ sub: "ada" });
    const eve = personAt(runtime.url, await signed({ sub: "eve" }));
    const { conversationId: hers } = await eve.say("What is 12 * 34?");

    const { page, complaints, close } = await visit(`${runtime.url}/c/${hers}`);
    const field = page.getByRole("textbox", { name: "Token" });
    const enter = page.getByRole("button", { name: "Sign in" });
    await field.fill(await signed({ sub: "ada" }, { secret: "another secret that is long enough too" }));
    await enter.click();
    await page.getByText("The server does not accept this token").waitFor();
    await field.fill(token);
    await enter.click();
    // Where one had wanted to go, which is not for this one to see.
    await page.getByText("This conversation is not here").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("12 * 34");

    await page.getByRole("link", { name: "New conversation" }).first().click();
    await say(page, "What is 6 * 7?");
    await answered(page);
    expect(await transcript(page).innerText()).toContain("42");
    const ours = await idOn(page);
    await conversations(page).getByRole("link", { name: "What is 6 * 7?" }).waitFor();
    expect(await conversations(page).getByRole("link").count()).toBe(1);
    expect((await eve.request("GET", `/api/v1/conversations/${ours}`)).status).toBe(404);

    await page.reload();
    await answered(page);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await field.waitFor();
    expect(await page.locator("body").innerText()).not.toContain("6 * 7");
    // Of a socket that is refused with 401 the browser says it in words.
    expect(complaints.filter((one) => !/40[14]|no valid credentials/.test(one))).toEqual([]);
    await close();
  });

  async function signIn(page: Page, user: string): Promise<void> {
    await page.getByRole("textbox", { name: "Token" }).fill(await signed({ sub: user }));
    await page.getByRole("button", { name: "Sign in" }).click();
    await composer(page).waitFor();
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("textbox", { name: "Token" }).waitFor();
  }

  test("what one has begun to write, or could not send, is not the next one's, and is there when they are back", async () => {
    const { page, close } = await visit(runtime.url);
    await signIn(page, "grace");
    const isCut = (url: URL) => url.pathname.endsWith("/messages");
    await page.route(isCut, (route) => route.abort());
    await say(page, "What is 6 * 7?");
    await transcript(page).getByText("Sending …").waitFor();
    await page.getByRole("link", { name: "New conversation" }).first().click();
    await composer(page).fill("Dear Ada");
    await signOut(page);
    await page.unroute(isCut);
    await signIn(page, "eve");
    expect(await composer(page).inputValue()).toBe("");
    await page.waitForTimeout(1_000);
    const eve = personAt(runtime.url, await signed({ sub: "eve" }));
    expect(JSON.stringify(await eve.get("/api/v1/conversations"))).not.toContain("6 * 7");
    await signOut(page);
    await signIn(page, "grace");
    expect(await composer(page).inputValue()).toBe("Dear Ada");
    const hers = personAt(runtime.url, await signed({ sub: "grace" }));
    await until(async () => {
      expect(JSON.stringify(await hers.get("/api/v1/conversations"))).toContain("What is 6 * 7?");
    });
    await close();
  });

  test("who signs out, or in again, does so in every tab", async () => {
    const { page, context, close } = await visit(runtime.url);
    await signIn(page, "lin");
    await say(page, "What is 6 * 7?");
    await answered(page);
    const other = await open(context, page.url());
    await answered(other.page);
    await signOut(page);
    await other.page.getByRole("textbox", { name: "Token" }).waitFor();
    expect(await other.page.locator("body").innerText()).not.toContain("6 * 7");
    await signIn(page, "lin");
    await conversations(other.page).getByRole("link", { name: "What is 6 * 7?" }).waitFor();
    await close();
  });
});
