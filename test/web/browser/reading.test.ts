// Somebody reads while more is being said: what they marked, wrote and looked at stays as they left it.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handoff } from "../../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { answered, buildAssets, composer, hasBrowser, idOn, say, transcript, until, visit, words } from "./support.ts";

const MANY = 400;
const PACE_MS = 25;

describe.skipIf(!hasBrowser)("reading while an answer grows", () => {
  let model: ModelServer;
  let runtime: Runtime;

  beforeAll(async () => {
    await buildAssets();
    model = await startModelServer();
    runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  });
  afterAll(async () => {
    await runtime.stop();
    await model.close();
  });

  /** A page in which an answer has begun, on so low a screen that it has to scroll. */
  async function listening() {
    const before = model.act({ triage: { text: `${words(60)}\n\n`.repeat(6) } });
    const mark = model.act({ triage: { text: words(MANY, 1_001), paceMs: PACE_MS } });
    const visited = await visit(runtime.url, { viewport: { width: 900, height: 600 } });
    await say(visited.page, `Begin ${before}`);
    await idOn(visited.page);
    await answered(visited.page);
    await say(visited.page, `Go on ${mark}`);
    await transcript(visited.page).getByText("w1030").waitFor();
    return visited;
  }

  test("what is marked with the mouse in the growing paragraph stays marked to its end", async () => {
    const { page, complaints, close } = await listening();
    const from = await pressed("w1003");
    const to = await spotOf("w1006");
    for (let step = 1; step <= 10; step++) {
      await page.mouse.move(from.left + ((to.right - 1 - from.left) * step) / 10, to.middle);
      await page.waitForTimeout(PACE_MS * 2);
    }
    await page.mouse.up();
    const marked = () => page.evaluate(() => getSelection()?.toString().trim() ?? "");
    expect(await marked()).toBe("w1003 w1004 w1005 w1006");
    await answered(page, 2);
    expect(await marked()).toBe("w1003 w1004 w1005 w1006");
    expect(complaints).toEqual([]);
    await close();

    /** Presses the mouse where a word begins; a line that came meanwhile may have carried it away. */
    async function pressed(word: string) {
      for (;;) {
        const spot = await spotOf(word);
        await page.mouse.move(spot.left + 1, spot.middle);
        await page.mouse.down();
        if ((await spotOf(word)).middle === spot.middle) return spot;
        await page.mouse.up();
      }
    }

    /** Where a word stands on the screen. */
    function spotOf(word: string) {
      return page.evaluate((wanted) => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
          const at = node.nodeValue?.indexOf(wanted) ?? -1;
          if (at === -1) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          const { left, right, top, height } = range.getBoundingClientRect();
          return { left, right, middle: top + height / 2 };
        }
        throw new Error(`${wanted} is not in the page.`);
      }, word);
    }
  });

  test("who scrolls up, however little, is not pulled down, and finds the way back", async () => {
    const { page, close } = await listening();
    const offset = () => transcript(page).evaluate(({ scrollTop }) => scrollTop);
    await transcript(page).hover();
    await page.mouse.wheel(0, -20);
    await page.waitForTimeout(300);
    const left = await offset();
    await transcript(page).getByText("w1250").waitFor({ state: "attached" });
    expect(await offset()).toBe(left);
    await page.getByRole("button", { name: /^Jump to/ }).click();
    await until(async () => expect(await offset()).toBeGreaterThan(left));
    await close();
  });

  test("an answer that was begun is there again after scrolling elsewhere", async () => {
    const ask = { calls: [{ name: "ask_user", arguments: { question: "How much?", options: ["10"] } }] };
    const asking = model.act({ triage: handoff("needs_planning"), planner: ask });
    const much = model.act({ triage: { text: `${words(200)}\n\n`.repeat(10) } });
    const { page, complaints, close } = await visit(runtime.url, { viewport: { width: 900, height: 600 } });
    await say(page, `Much ${much}`);
    await idOn(page);
    await answered(page);
    await say(page, `Pay ${asking}`);
    const box = page.getByRole("textbox", { name: /own words/ });
    await box.fill("Fifteen, I think");
    await transcript(page).evaluate((element) => (element.scrollTop = 0));
    await transcript(page).getByText(/^Much/).waitFor();
    await page.waitForTimeout(300);
    await page.getByRole("button", { name: /question waits/ }).click();
    expect(await box.inputValue()).toBe("Fifteen, I think");
    expect(await composer(page).inputValue()).toBe("");
    expect(complaints).toEqual([]);
    await close();
  });
});
