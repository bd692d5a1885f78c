// A conversation of ten thousand events: opened in bounded time, with a page that holds what is on the screen.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { personAt, type Person } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { answered, buildAssets, composer, hasBrowser, say, transcript, visit, words } from "./support.ts";

const EVENTS = 10_000;
const OPENED_MS = 15_000;
const NODES = 6_000;
const FRAMES = 120;
/** The longest that nothing may move while one scrolls, in milliseconds; generous, for busy machines. */
const FRAME_MS = 1_000;

describe.skipIf(!hasBrowser)(`a conversation of ${EVENTS} events`, () => {
  let model: ModelServer;
  let runtime: Runtime;
  let person: Person;
  let id: string;
  let mark: string;

  beforeAll(async () => {
    await buildAssets();
    model = await startModelServer();
    runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
    person = personAt(runtime.url);
    mark = model.act({ triage: { text: `**Some** words: ${words(40)}.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n` } });
    id = (await person.say(`Begin ${mark}`)).conversationId;
    let count = 0;
    while (count < EVENTS) {
      await Promise.all(Array.from({ length: 25 }, () => person.say(`Go on ${mark}`, { in: id })));
      count = (await person.history(id)).length;
    }
  }, 240_000);
  afterAll(async () => {
    await runtime.stop();
    await model.close();
  });

  test("opens, scrolls and goes on", async () => {
    const { page, complaints, close } = await visit(runtime.url);
    await composer(page).waitFor();
    const startedAt = performance.now();
    await page.goto(`${runtime.url}/c/${id}`);
    await transcript(page).getByText("w40").last().waitFor();
    const opened = performance.now() - startedAt;
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    const { frames, way } = await scrolled(page);
    const last = `Once more ${mark}`;
    await say(page, last);
    await transcript(page).getByText(last).waitFor();
    await answered(page);
    const longest = Math.max(...frames);
    const measured = `open after ${opened.toFixed(0)} ms, ${nodes} nodes, longest frame ${longest.toFixed(1)} ms`;
    expect(opened, measured).toBeLessThan(OPENED_MS);
    expect(nodes, measured).toBeLessThan(NODES);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(NODES);
    expect(way).toBeGreaterThan(FRAMES * 100);
    expect(longest, measured).toBeLessThan(FRAME_MS);
    expect(complaints).toEqual([]);
    await close();
  });
});

/** Scrolls from the end upwards, a quarter of a screen per frame: how long each frame took, and how far that was. */
function scrolled(page: Page): Promise<{ readonly frames: number[]; readonly way: number }> {
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
          else resolve({ frames, way: from - log.scrollTop });
        };
        requestAnimationFrame(step);
      }),
    FRAMES,
  );
}
