// Selection, scroll position and drafts are preserved while an answer is streamed.

import { beforeAll, describe, expect, test } from "vitest";
import { createHandoffReply } from "../../support/model-reply.ts";
import type { ModelServer } from "../../support/model-server.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import {
  waitForAnswers,
  composer,
  hasBrowser,
  getConversationId,
  sendMessage,
  transcript,
  waitUntil,
  openApp,
  createWords,
} from "./support.ts";

const WORD_COUNT = 400;
const PACE_MS = 25;

describe.skipIf(!hasBrowser)("transcript during an answer", () => {
  let model: ModelServer;
  let runtime: SharedRuntime;

  beforeAll(async () => {
    model = await shareModel();
    runtime = await shareRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  });

  /** Opens a page on a small screen that must scroll, with an answer in progress. */
  async function startLongAnswer() {
    const before = model.addScript({ triage: { text: `${createWords(60)}\n\n`.repeat(6) } });
    const mark = model.addScript({ triage: { text: createWords(WORD_COUNT, 1_001), paceMs: PACE_MS } });
    const session = await openApp(runtime.url, { viewport: { width: 900, height: 600 } });
    await sendMessage(session.page, `Begin ${before}`);
    await getConversationId(session.page);
    await waitForAnswers(session.page);
    await sendMessage(session.page, `Go on ${mark}`);
    await transcript(session.page).getByText("w1030").waitFor();
    return session;
  }

  test("keeps a text selection in the growing paragraph until the answer ends", async () => {
    const { page, consoleErrors, close } = await startLongAnswer();
    const from = await pressMouseAt("w1003");
    const to = await getWordPosition("w1006");
    for (let step = 1; step <= 10; step++) {
      await page.mouse.move(from.left + ((to.right - 1 - from.left) * step) / 10, to.middle);
      await page.waitForTimeout(PACE_MS * 2);
    }
    await page.mouse.up();
    const marked = () => page.evaluate(() => getSelection()?.toString().trim() ?? "");
    expect(await marked()).toBe("w1003 w1004 w1005 w1006");
    await waitForAnswers(page, 2);
    expect(await marked()).toBe("w1003 w1004 w1005 w1006");
    expect(consoleErrors).toEqual([]);
    await close();

    /** Presses the mouse at the start of a word; repeats if new text moved the word meanwhile. */
    async function pressMouseAt(word: string) {
      for (;;) {
        const position = await getWordPosition(word);
        await page.mouse.move(position.left + 1, position.middle);
        await page.mouse.down();
        if ((await getWordPosition(word)).middle === position.middle) return position;
        await page.mouse.up();
      }
    }

    /** Returns the position of a word on the screen. */
    function getWordPosition(word: string) {
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

  test("stops following after a small scroll up and returns to the end with a button", async () => {
    const { page, close } = await startLongAnswer();
    const offset = () => transcript(page).evaluate(({ scrollTop }) => scrollTop);
    await transcript(page).hover();
    await page.mouse.wheel(0, -20);
    await page.waitForTimeout(300);
    const left = await offset();
    await transcript(page).getByText("w1250").waitFor({ state: "attached" });
    expect(await offset()).toBe(left);
    await page.getByRole("button", { name: /^Jump to/ }).click();
    await waitUntil(async () => expect(await offset()).toBeGreaterThan(left));
    await close();
  });

  test("keeps the draft of an answer when its question is scrolled out of view", async () => {
    const ask = { calls: [{ name: "ask_user", arguments: { question: "How much?", options: ["10"] } }] };
    const questionMark = model.addScript({ triage: createHandoffReply("needs_planning"), planner: ask });
    const longMark = model.addScript({ triage: { text: `${createWords(200)}\n\n`.repeat(10) } });
    const { page, consoleErrors, close } = await openApp(runtime.url, { viewport: { width: 900, height: 600 } });
    await sendMessage(page, `Much ${longMark}`);
    await getConversationId(page);
    await waitForAnswers(page);
    await sendMessage(page, `Pay ${questionMark}`);
    const box = page.getByRole("textbox", { name: /own answer/ });
    await box.fill("Fifteen, I think");
    await transcript(page).evaluate((element) => (element.scrollTop = 0));
    await transcript(page).getByText(/^Much/).waitFor();
    await page.waitForTimeout(300);
    await page.getByRole("button", { name: /question needs/ }).click();
    expect(await box.inputValue()).toBe("Fifteen, I think");
    expect(await composer(page).inputValue()).toBe("");
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
