// Sign-in with an access token.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiUser } from "../../support/api-user.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { SECRET, signToken } from "../../http/tokens.ts";
import {
  waitForAnswers,
  composer,
  conversations,
  hasBrowser,
  getConversationId,
  openTab,
  sendMessage,
  transcript,
  waitUntil,
  openApp,
} from "./support.ts";

describe.skipIf(!hasBrowser)("sign-in", () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ vars: { AUTH_SECRET: SECRET } });
  });
  afterAll(() => runtime.stop());

  test("rejects a wrong token, accepts a valid one and hides conversations of other users", async () => {
    const token = await signToken({ sub: "ada" });
    const eve = createApiUser(runtime.url, await signToken({ sub: "eve" }));
    const { conversationId: eveConversationId } = await eve.sendAndWait("What is 12 * 34?");

    const { page, consoleErrors, close } = await openApp(`${runtime.url}/c/${eveConversationId}`);
    const field = page.getByRole("textbox", { name: "Access token" });
    const signInButton = page.getByRole("button", { name: "Sign in" });
    await field.fill(await signToken({ sub: "ada" }, { secret: "another secret that is long enough too" }));
    await signInButton.click();
    await page.getByText("This access token wasn’t accepted").waitFor();
    await field.fill(token);
    await signInButton.click();
    // The requested conversation belongs to another user.
    await page.getByText("Conversation not found").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("12 * 34");

    await page.getByRole("link", { name: "New conversation" }).first().click();
    await sendMessage(page, "What is 6 * 7?");
    await waitForAnswers(page);
    expect(await transcript(page).innerText()).toContain("42");
    const conversationId = await getConversationId(page);
    await conversations(page).getByRole("link", { name: "What is 6 * 7?" }).waitFor();
    expect(await conversations(page).getByRole("link").count()).toBe(1);
    expect((await eve.request("GET", `/api/v1/conversations/${conversationId}`)).status).toBe(404);

    await page.reload();
    await waitForAnswers(page);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await field.waitFor();
    expect(await page.locator("body").innerText()).not.toContain("6 * 7");
    // Chromium reports a socket that is refused with 401 as "no valid credentials".
    expect(consoleErrors.filter((error) => !/40[14]|no valid credentials/.test(error))).toEqual([]);
    await close();
  });

  async function signIn(page: Page, user: string): Promise<void> {
    await page.getByRole("textbox", { name: "Access token" }).fill(await signToken({ sub: user }));
    await page.getByRole("button", { name: "Sign in" }).click();
    await composer(page).waitFor();
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("textbox", { name: "Access token" }).waitFor();
  }

  test("keeps drafts and unsent messages of a user from the next user and restores them", async () => {
    const { page, close } = await openApp(runtime.url);
    await signIn(page, "grace");
    const isMessageRequest = (url: URL) => url.pathname.endsWith("/messages");
    await page.route(isMessageRequest, (route) => route.abort());
    await sendMessage(page, "What is 6 * 7?");
    await transcript(page).getByText("Sending…").waitFor();
    await page.getByRole("link", { name: "New conversation" }).first().click();
    await composer(page).fill("Dear Ada");
    await signOut(page);
    await page.unroute(isMessageRequest);
    await signIn(page, "eve");
    expect(await composer(page).inputValue()).toBe("");
    await page.waitForTimeout(1_000);
    const eve = createApiUser(runtime.url, await signToken({ sub: "eve" }));
    expect(JSON.stringify(await eve.get("/api/v1/conversations"))).not.toContain("6 * 7");
    await signOut(page);
    await signIn(page, "grace");
    expect(await composer(page).inputValue()).toBe("Dear Ada");
    const grace = createApiUser(runtime.url, await signToken({ sub: "grace" }));
    await waitUntil(async () => {
      expect(JSON.stringify(await grace.get("/api/v1/conversations"))).toContain("What is 6 * 7?");
    });
    await close();
  });

  test("signs in and out in every tab", async () => {
    const { page, context, close } = await openApp(runtime.url);
    await signIn(page, "lin");
    await sendMessage(page, "What is 6 * 7?");
    await waitForAnswers(page);
    const other = await openTab(context, page.url());
    await waitForAnswers(other.page);
    await signOut(page);
    await other.page.getByRole("textbox", { name: "Access token" }).waitFor();
    expect(await other.page.locator("body").innerText()).not.toContain("6 * 7");
    await signIn(page, "lin");
    await conversations(other.page).getByRole("link", { name: "What is 6 * 7?" }).waitFor();
    await close();
  });
});
