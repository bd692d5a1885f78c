// A conversation of ten thousand events opens in bounded time and renders only the visible part.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { ModelServer } from "../../support/model-server.ts";
import { createApiUser, type ApiUser } from "../../support/api-user.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import { waitForAnswers, composer, hasBrowser, sendMessage, transcript, openApp, createWords } from "./support.ts";
import { pickByLength } from "../../support/run-length.ts";

const EVENT_COUNT = pickByLength(2_000, 10_000);
const MAX_OPEN_MS = 15_000;
const MAX_NODES = 6_000;
const FRAME_COUNT = 120;
/** Maximum duration of a frame while scrolling, in milliseconds; generous for busy machines. */
const MAX_FRAME_MS = 1_000;

describe.skipIf(!hasBrowser)(`conversation of ${EVENT_COUNT} events`, () => {
  let model: ModelServer;
  let runtime: SharedRuntime;
  let user: ApiUser;
  let id: string;
  let mark: string;

  beforeAll(async () => {
    model = await shareModel();
    runtime = await shareRuntime({ vars: { OPENAI_BASE_URL: model.url } });
    user = createApiUser(runtime.url);
    mark = model.addScript({
      triage: { text: `**Some** words: ${createWords(40)}.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n` },
    });
    id = (await user.sendAndWait(`Begin ${mark}`)).conversationId;
    let count = 0;
    while (count < EVENT_COUNT) {
      await Promise.all(Array.from({ length: 25 }, () => user.sendAndWait(`Go on ${mark}`, { conversation: id })));
      count = (await user.history(id)).length;
    }
  }, 240_000);

  test("opens, scrolls and answers within its limits", async () => {
    const { page, consoleErrors, close } = await openApp(runtime.url);
    await composer(page).waitFor();
    const startedAt = performance.now();
    await page.goto(`${runtime.url}/c/${id}`);
    await transcript(page).getByText("w40").last().waitFor();
    const opened = performance.now() - startedAt;
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    const { frames, distance: way } = await scrollUp(page);
    const last = `Once more ${mark}`;
    await sendMessage(page, last);
    await transcript(page).getByText(last).waitFor();
    await waitForAnswers(page);
    const longest = Math.max(...frames);
    const measured = `open after ${opened.toFixed(0)} ms, ${nodes} nodes, longest frame ${longest.toFixed(1)} ms`;
    expect(opened, measured).toBeLessThan(MAX_OPEN_MS);
    expect(nodes, measured).toBeLessThan(MAX_NODES);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(MAX_NODES);
    expect(way).toBeGreaterThan(FRAME_COUNT * 100);
    expect(longest, measured).toBeLessThan(MAX_FRAME_MS);
    expect(consoleErrors).toEqual([]);
    await close();
  });
});

/** Scrolls up from the end, a quarter of a screen per frame. Returns the frame durations (ms) and the distance (px). */
function scrollUp(page: Page): Promise<{ readonly frames: number[]; readonly distance: number }> {
  return transcript(page).evaluate(
    (log, count) =>
      new Promise((resolve) => {
        const frames: number[] = [];
        const from = log.scrollTop;
        let before = performance.now();
        const step = (now: number) => {
          frames.push(now - before);
          before = now;
          log.scrollTop -= log.clientHeight / 4;
          if (frames.length < count) requestAnimationFrame(step);
          else resolve({ frames, distance: from - log.scrollTop });
        };
        requestAnimationFrame(step);
      }),
    FRAME_COUNT,
  );
}
