// Lines that break, hosts that die and people who stop or reload, all in mid-sentence: nothing is lost or told twice.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { frailLineTo, type FrailLine } from "../../support/frail-line.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../../support/person.ts";
import { between, randomFrom } from "../../support/random.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import {
  answered,
  apartFromTheLine,
  buildAssets,
  composer,
  conversations,
  hasBrowser,
  idOn,
  say,
  TALL,
  transcript,
  until,
  visit,
  words,
  wordsIn,
  wordsOn,
  type Visit,
} from "./support.ts";

const SOME = 60;
const PACE_MS = 40;
const SEED = 20_261_121;

describe.skipIf(!hasBrowser)("a conversation in mid-sentence", () => {
  let model: ModelServer;
  let runtime: Runtime;
  let person: Person;
  let line: FrailLine;

  beforeAll(async () => {
    await buildAssets();
    model = await startModelServer();
    runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
    person = personAt(runtime.url);
    line = await frailLineTo(runtime.url, () => null);
  });
  afterAll(async () => {
    await line.close();
    await runtime.stop();
    await model.close();
  });

  /** Somebody who hears the beginning of a slow answer. */
  async function hearing(url = runtime.url): Promise<Visit & { readonly id: string }> {
    const mark = model.act({ triage: { text: words(SOME), paceMs: PACE_MS } });
    const visited = await visit(url);
    await say(visited.page, `Count ${mark}`);
    const id = await idOn(visited.page);
    await untilHeard(visited, 8);
    return { ...visited, id };
  }

  const untilHeard = ({ page }: Pick<Visit, "page">, count: number) =>
    until(async () => expect((await wordsOn(page)).split(" ").length).toBeGreaterThanOrEqual(count));

  /** The whole answer, shown as it stands in the log. */
  async function isWhole({ page }: Pick<Visit, "page">, id: string): Promise<void> {
    await answered(page);
    expect(await wordsOn(page)).toBe(words(SOME));
    expect(wordsIn(textOf(await person.history(id)))).toBe(words(SOME));
  }

  test.each(["en-US", "zh-CN"])("what the box asks for can be read on the narrowest screen (%s)", async (locale) => {
    const { page, complaints, close } = await visit(runtime.url, { locale, viewport: { width: 320, height: 640 } });
    const box = composer(page);
    const hint = () => box.getAttribute("placeholder");
    const first = await hint();
    expect(await box.evaluate(linesOf)).toEqual({ has: 1, needs: 1 });
    await say(page, `Begin ${model.act({ triage: { text: words(SOME), paceMs: PACE_MS } })}`);
    await until(async () => expect(await hint()).not.toBe(first));
    expect(await box.evaluate(linesOf)).toEqual({ has: 1, needs: 1 });
    expect(complaints).toEqual([]);
    await close();
  });

  test("stopping keeps what was said and lets the person go on", async () => {
    const visited = await hearing();
    const { page, id, complaints, close } = visited;
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await transcript(page).getByText("Stopped", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^Stop/ }).count()).toBe(0);
    const log = await person.history(id);
    expect(log.at(-1)?.event).toBe("done");
    const said = wordsIn(textOf(log));
    expect(said.split(" ").length).toBeLessThan(SOME);
    expect(await wordsOn(page)).toBe(said);
    await say(page, `Go on ${model.act({ triage: { text: words(3, 1_000) } })}`);
    await until(async () => expect(await wordsOn(page)).toBe(`${said} ${words(3, 1_000)}`));
    expect(complaints).toEqual([]);
    await close();
  });

  test("the list and the tab call it by what was said first, until the answer has given it a title", async () => {
    const mark = model.act({ triage: { text: words(10 * SOME), paceMs: PACE_MS } });
    const { page, complaints, close } = await visit(runtime.url);
    await say(page, `Count ${mark}`);
    const row = conversations(page).locator(`a[href="/c/${await idOn(page)}"]`);
    await row.waitFor();
    expect(await row.innerText()).toContain(`Count ${mark}`);
    await page.reload();
    await row.getByText(`Count ${mark}`).waitFor();
    await until(async () => expect(await page.title()).toBe(`Count ${mark} · Orrery`));
    expect(await page.getByRole("button", { name: "Stop", exact: true }).count()).toBe(1);
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
    expect(await row.innerText()).toContain(`Count ${mark}`);
    await row.click();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    expect(complaints).toEqual([]);
    await close();
  });

  test("a double click asks once more for what was stopped, and not twice", async () => {
    const { page, id, complaints, close } = await hearing();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Try again" }).dblclick();
    await answered(page, 2);
    expect(eventsOf(await person.history(id), "thread_started")).toHaveLength(2);
    expect(complaints).toEqual([]);
    await close();
  });

  test("[T4] after a reload, the text goes on", async () => {
    const visited = await hearing();
    const { page, id, complaints, close } = visited;
    await page.reload();
    await untilHeard(visited, 8);
    await isWhole(visited, id);
    expect(complaints).toEqual([]);
    await close();
  });

  test("[T4] a line that was cut comes back by itself", async () => {
    const visited = await hearing(line.url);
    line.breakAll();
    await isWhole(visited, visited.id);
    expect(apartFromTheLine(visited.complaints)).toEqual([]);
    await visited.close();
  });

  test("without a network there is a banner, which goes by itself once there is one", async () => {
    const visited = await hearing(line.url);
    const { page, context, id, complaints, close } = visited;
    const banner = page.getByText(/You are offline/);
    await context.setOffline(true);
    line.breakAll();
    const onTheWay = wordsIn(textOf(await person.history(id)));
    await banner.waitFor();
    const before = await wordsOn(page);
    await until(async () => expect((await person.history(id)).at(-1)?.event).toBe("done"));
    const shown = await wordsOn(page);
    expect(shown.startsWith(before)).toBe(true);
    expect(onTheWay.startsWith(shown)).toBe(true);
    expect(onTheWay.split(" ").length).toBeLessThan(SOME);
    await context.setOffline(false);
    await banner.waitFor({ state: "detached" });
    await isWhole(visited, id);
    expect(apartFromTheLine(complaints)).toEqual([]);
    await close();
  });

  test.each<[string, (visited: Visit) => Promise<void>]>([
    [
      "the network is back",
      async ({ context }) => {
        await context.setOffline(true);
        await context.setOffline(false);
      },
    ],
    [
      "the page is looked at again",
      ({ page }) => page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange"))),
    ],
  ])("a line that was lost is taken up again as soon as %s", async (_, back) => {
    const visited = await hearing(line.url);
    const { page, id, complaints, close } = visited;
    // From here on no time passes for the page: what it would wait for does not come.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    line.breakAll();
    await until(async () => expect((await person.history(id)).at(-1)?.event).toBe("done"));
    const again = page.waitForEvent("websocket");
    await back(visited);
    await again;
    await page.clock.resume();
    await isWhole(visited, id);
    expect(apartFromTheLine(complaints)).toEqual([]);
    await close();
  });

  test("[T1] what is said without a network is sent once, when there is one", async () => {
    const mark = model.act({ triage: { text: "Heard." } });
    const { page, context, complaints, close } = await visit(runtime.url);
    await say(page, `First ${mark}`);
    await answered(page);
    const id = await idOn(page);
    await context.setOffline(true);
    await page.getByText(/You are offline/).waitFor();
    await say(page, `Second ${mark}`);
    await transcript(page).getByText("Sending …").waitFor();
    expect(eventsOf(await person.history(id), "thread_started")).toHaveLength(1);
    await context.setOffline(false);
    await answered(page, 2);
    const queries = eventsOf(await person.history(id), "thread_started").map(({ payload }) => payload.content);
    expect(queries).toEqual([`First ${mark}`, `Second ${mark}`]);
    expect(await transcript(page).getByText(`Second ${mark}`).count()).toBe(1);
    expect(apartFromTheLine(complaints)).toEqual([]);
    await close();
  });

  test("[T4] when the server dies and comes back, the answer is told to its end", async () => {
    const visited = await hearing();
    const { page, id, complaints, close } = visited;
    await runtime.kill();
    await page.getByText(/The connection is lost|The server cannot be reached/).waitFor();
    await runtime.restart();
    await isWhole(visited, id);
    expect(await page.getByText(/The connection is lost|The server cannot be reached/).count()).toBe(0);
    expect(apartFromTheLine(complaints)).toEqual([]);
    await close();
  });

  test(`ten turns over a line that breaks at random look like the log (seed ${SEED})`, async () => {
    const random = randomFrom(SEED);
    let isFrail = false;
    const frail = await frailLineTo(runtime.url, () =>
      isFrail ? { bytes: Infinity, ms: between(random, 200, 1_200) } : null,
    );
    const count = 20;
    const { page, complaints, close } = await visit(frail.url, { viewport: TALL });
    await say(page, `Begin ${model.act({ triage: { text: "Begun." } })}`);
    await answered(page);
    const id = await idOn(page);
    // The application itself is there: what breaks from here on is the conversation.
    isFrail = true;
    frail.breakAll();
    for (let turn = 0; turn < 10; turn++) {
      const from = 1 + turn * count;
      const mark = model.act({ triage: { text: words(count, from), paceMs: 20 } });
      await say(page, `Go on ${mark}`);
      await untilHeard({ page }, from);
    }
    await answered(page, 11);
    expect(await wordsOn(page)).toBe(words(10 * count));
    const log = await person.history(id);
    expect(eventsOf(log, "thread_started")).toHaveLength(11);
    expect(wordsIn(textOf(log))).toBe(words(10 * count));
    expect(apartFromTheLine(complaints)).toEqual([]);
    await frail.close();
    await close();
  });
});

/** How many lines a box is high, and how many its hint takes by its width. */
function linesOf(box: HTMLElement): { readonly has: number; readonly needs: number } {
  const style = getComputedStyle(box);
  const pen = document.createElement("canvas").getContext("2d");
  if (pen === null) throw new Error("Nothing can be measured.");
  pen.font = style.font;
  const width = box.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
  const height = box.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
  const needed = pen.measureText(box.getAttribute("placeholder") ?? "").width;
  return { has: Math.round(height / Number.parseFloat(style.lineHeight)), needs: Math.ceil(needed / width) };
}
