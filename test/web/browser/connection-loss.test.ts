// Lost connections, server crashes, cancellation and reloads during an answer: no text is lost or repeated.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startUnreliableProxy, type UnreliableProxy } from "../../support/unreliable-proxy.ts";
import type { ModelServer } from "../../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../../support/api-user.ts";
import { randomBetween, createRandom } from "../../support/random.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import {
  waitForAnswers,
  excludeConnectionErrors,
  composer,
  conversations,
  hasBrowser,
  getConversationId,
  sendMessage,
  TALL,
  transcript,
  waitUntil,
  openApp,
  createWords,
  extractWords,
  readShownWords,
  type AppSession,
} from "./support.ts";
import { pickByLength } from "../../support/run-length.ts";

const WORD_COUNT = 60;
const PACE_MS = 40;
const SEED = 20_261_121;
const TURNS = pickByLength(4, 10);

describe.skipIf(!hasBrowser)("conversation during an answer", () => {
  let model: ModelServer;
  let runtime: SharedRuntime;
  let user: ApiUser;
  let proxy: UnreliableProxy;

  beforeAll(async () => {
    model = await shareModel();
    runtime = await shareRuntime({ vars: { OPENAI_BASE_URL: model.url } });
    user = createApiUser(runtime.url);
    proxy = await startUnreliableProxy(runtime.url, () => null);
  });
  afterAll(async () => {
    await proxy.close();
  });

  /** Opens a conversation and waits for the first words of a slow answer. */
  async function startAnswer(url = runtime.url): Promise<AppSession & { readonly id: string }> {
    const mark = model.addScript({ triage: { text: createWords(WORD_COUNT), paceMs: PACE_MS } });
    const session = await openApp(url);
    await sendMessage(session.page, `Count ${mark}`);
    const id = await getConversationId(session.page);
    await waitForWords(session, 8);
    return { ...session, id };
  }

  const waitForWords = ({ page }: Pick<AppSession, "page">, count: number) =>
    waitUntil(async () => expect((await readShownWords(page)).split(" ").length).toBeGreaterThanOrEqual(count));

  /** Checks that the page shows the complete answer, equal to the event log. */
  async function expectCompleteAnswer({ page }: Pick<AppSession, "page">, id: string): Promise<void> {
    await waitForAnswers(page);
    expect(await readShownWords(page)).toBe(createWords(WORD_COUNT));
    expect(extractWords(joinText(await user.history(id)))).toBe(createWords(WORD_COUNT));
  }

  test.each(["en-US", "zh-CN"])(
    "shows the placeholder of the composer on one line on a narrow screen (%s)",
    async (locale) => {
      const { page, consoleErrors, close } = await openApp(runtime.url, {
        locale,
        viewport: { width: 320, height: 640 },
      });
      const box = composer(page);
      const hint = () => box.getAttribute("placeholder");
      const first = await hint();
      expect(await box.evaluate(measureLines)).toEqual({ visible: 1, required: 1 });
      await sendMessage(
        page,
        `Begin ${model.addScript({ triage: { text: createWords(WORD_COUNT), paceMs: PACE_MS } })}`,
      );
      await waitUntil(async () => expect(await hint()).not.toBe(first));
      expect(await box.evaluate(measureLines)).toEqual({ visible: 1, required: 1 });
      expect(consoleErrors).toEqual([]);
      await close();
    },
  );

  test("keeps the received text when it is stopped and accepts the next message", async () => {
    const session = await startAnswer();
    const { page, id, consoleErrors, close } = session;
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await transcript(page).getByText("Stopped", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^Stop/ }).count()).toBe(0);
    const log = await user.history(id);
    expect(log.at(-1)?.event).toBe("done");
    const shownWords = extractWords(joinText(log));
    expect(shownWords.split(" ").length).toBeLessThan(WORD_COUNT);
    expect(await readShownWords(page)).toBe(shownWords);
    await sendMessage(page, `Go on ${model.addScript({ triage: { text: createWords(3, 1_000) } })}`);
    await waitUntil(async () => expect(await readShownWords(page)).toBe(`${shownWords} ${createWords(3, 1_000)}`));
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("is listed under its first message while it has no title yet", async () => {
    const mark = model.addScript({ triage: { text: createWords(10 * WORD_COUNT), paceMs: PACE_MS } });
    const { page, consoleErrors, close } = await openApp(runtime.url);
    await sendMessage(page, `Count ${mark}`);
    const row = conversations(page).locator(`a[href="/c/${await getConversationId(page)}"]`);
    await row.waitFor();
    expect(await row.innerText()).toContain(`Count ${mark}`);
    await page.reload();
    await row.getByText(`Count ${mark}`).waitFor();
    await waitUntil(async () => expect(await page.title()).toBe(`Count ${mark} · Orrery`));
    expect(await page.getByRole("button", { name: "Stop", exact: true }).count()).toBe(1);
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
    expect(await row.innerText()).toContain(`Count ${mark}`);
    await row.click();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("retries a stopped message once after a double click", async () => {
    const { page, id, consoleErrors, close } = await startAnswer();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Retry" }).dblclick();
    await waitForAnswers(page, 2);
    expect(filterEvents(await user.history(id), "thread_started")).toHaveLength(2);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("[T4] continues the answer after a reload", async () => {
    const session = await startAnswer();
    const { page, id, consoleErrors, close } = session;
    await page.reload();
    await waitForWords(session, 8);
    await expectCompleteAnswer(session, id);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("[T4] reconnects by itself after a lost connection", async () => {
    const session = await startAnswer(proxy.url);
    proxy.resetAll();
    await expectCompleteAnswer(session, session.id);
    expect(excludeConnectionErrors(session.consoleErrors)).toEqual([]);
    await session.close();
  });

  test("shows a banner while the network is offline and continues the answer afterwards", async () => {
    const session = await startAnswer(proxy.url);
    const { page, context, id, consoleErrors, close } = session;
    const banner = page.getByText(/You’re offline/);
    await context.setOffline(true);
    proxy.resetAll();
    const loggedWords = extractWords(joinText(await user.history(id)));
    await banner.waitFor();
    const before = await readShownWords(page);
    await waitUntil(async () => expect((await user.history(id)).at(-1)?.event).toBe("done"));
    const shownWords = await readShownWords(page);
    expect(shownWords.startsWith(before)).toBe(true);
    expect(loggedWords.startsWith(shownWords)).toBe(true);
    expect(loggedWords.split(" ").length).toBeLessThan(WORD_COUNT);
    await context.setOffline(false);
    await banner.waitFor({ state: "detached" });
    await expectCompleteAnswer(session, id);
    expect(excludeConnectionErrors(consoleErrors)).toEqual([]);
    await close();
  });

  test.each<[string, (session: AppSession) => Promise<void>]>([
    [
      "the network is back",
      async ({ context }) => {
        await context.setOffline(true);
        await context.setOffline(false);
      },
    ],
    [
      "the page becomes visible",
      ({ page }) => page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange"))),
    ],
  ])("reconnects as soon as %s", async (_, reconnect) => {
    const session = await startAnswer(proxy.url);
    const { page, id, consoleErrors, close } = session;
    // The clock of the page stands still, so the page cannot reconnect by a timer.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    proxy.resetAll();
    await waitUntil(async () => expect((await user.history(id)).at(-1)?.event).toBe("done"));
    const newSocket = page.waitForEvent("websocket");
    await reconnect(session);
    await newSocket;
    await page.clock.resume();
    await expectCompleteAnswer(session, id);
    expect(excludeConnectionErrors(consoleErrors)).toEqual([]);
    await close();
  });

  test("[T1] sends a message of an offline page once when the network is back", async () => {
    const mark = model.addScript({ triage: { text: "Heard." } });
    const { page, context, consoleErrors, close } = await openApp(runtime.url);
    await sendMessage(page, `First ${mark}`);
    await waitForAnswers(page);
    const id = await getConversationId(page);
    await context.setOffline(true);
    await page.getByText(/You’re offline/).waitFor();
    await sendMessage(page, `Second ${mark}`);
    await transcript(page).getByText("Sending…").waitFor();
    expect(filterEvents(await user.history(id), "thread_started")).toHaveLength(1);
    await context.setOffline(false);
    await waitForAnswers(page, 2);
    const queries = filterEvents(await user.history(id), "thread_started").map(({ payload }) => payload.content);
    expect(queries).toEqual([`First ${mark}`, `Second ${mark}`]);
    expect(await transcript(page).getByText(`Second ${mark}`).count()).toBe(1);
    expect(excludeConnectionErrors(consoleErrors)).toEqual([]);
    await close();
  });

  test("[T4] completes the answer after the server crashed and restarted", async () => {
    const session = await startAnswer();
    const { page, id, consoleErrors, close } = session;
    await runtime.kill();
    await page.getByText(/Connection lost|Can’t reach the server/).waitFor();
    await runtime.restart();
    await expectCompleteAnswer(session, id);
    expect(await page.getByText(/Connection lost|Can’t reach the server/).count()).toBe(0);
    expect(excludeConnectionErrors(consoleErrors)).toEqual([]);
    await close();
  });

  test(`shows the same text as the log after ${TURNS} turns over an unreliable connection (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    let breaksConnections = false;
    const unreliableProxy = await startUnreliableProxy(runtime.url, () =>
      breaksConnections ? { bytes: Infinity, ms: randomBetween(random, 200, 1_200) } : null,
    );
    const count = 20;
    const { page, consoleErrors, close } = await openApp(unreliableProxy.url, { viewport: TALL });
    await sendMessage(page, `Begin ${model.addScript({ triage: { text: "Begun." } })}`);
    await waitForAnswers(page);
    const id = await getConversationId(page);
    // The application has loaded. From here on the connections of the conversation break.
    breaksConnections = true;
    unreliableProxy.resetAll();
    for (let turn = 0; turn < TURNS; turn++) {
      const from = 1 + turn * count;
      const mark = model.addScript({ triage: { text: createWords(count, from), paceMs: 20 } });
      await sendMessage(page, `Go on ${mark}`);
      await waitForWords({ page }, from);
    }
    await waitForAnswers(page, TURNS + 1);
    expect(await readShownWords(page)).toBe(createWords(TURNS * count));
    const log = await user.history(id);
    expect(filterEvents(log, "thread_started")).toHaveLength(TURNS + 1);
    expect(extractWords(joinText(log))).toBe(createWords(TURNS * count));
    expect(excludeConnectionErrors(consoleErrors)).toEqual([]);
    await unreliableProxy.close();
    await close();
  });
});

/** Measures how many lines a text box shows and how many lines its placeholder takes. */
function measureLines(box: HTMLElement): { readonly visible: number; readonly required: number } {
  const style = getComputedStyle(box);
  const canvasContext = document.createElement("canvas").getContext("2d");
  if (canvasContext === null) throw new Error("The browser has no 2d canvas context.");
  canvasContext.font = style.font;
  const width = box.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
  const height = box.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
  const needed = canvasContext.measureText(box.getAttribute("placeholder") ?? "").width;
  return { visible: Math.round(height / Number.parseFloat(style.lineHeight)), required: Math.ceil(needed / width) };
}
