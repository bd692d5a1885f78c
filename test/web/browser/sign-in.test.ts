// A server that wants to know who one is.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personAt } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { SECRET, signed } from "../../http/tokens.ts";
import { answered, buildAssets, conversations, hasBrowser, idOn, say, transcript, visit } from "./support.ts";

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
});
