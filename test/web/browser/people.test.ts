// What the agents ask the person: answered by buttons, in words and after a reload, approved, changed and refused, and seen
// in every tab.

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withGuestbook } from "../../support/guestbook.ts";
import { eventsOf, personAt, textOf, type Person } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import {
  answered,
  buildAssets,
  composer,
  conversations,
  hasBrowser,
  idOn,
  open,
  say,
  TALL,
  transcript,
  until,
  visit,
} from "./support.ts";

const WISH = "Every day at 9 tell me the time";

describe.skipIf(!hasBrowser)("a person who is asked", () => {
  let runtime: Runtime;
  let person: Person;
  beforeAll(async () => {
    await buildAssets();
    runtime = await startRuntime(withGuestbook());
    person = personAt(runtime.url);
  });
  afterAll(() => runtime.stop());

  /** The question, while it is open. */
  const question = (page: Page) => transcript(page).getByRole("region", { name: /asks|提问|wants to use|请求使用/ });
  const mark = (page: Page) => conversations(page).getByText(/^(Waits for you|等你回答)$/);

  test("a question waits with a mark, over a reload, and an option answers it", async () => {
    const { page, complaints, close } = await visit(runtime.url);
    await say(page, WISH);
    await question(page).waitFor();
    const id = await idOn(page);
    // It goes by what was said, also where it is not open.
    await page.waitForFunction((wish) => document.title === `(1) ${wish} · Orrery`, WISH);
    await conversations(page).getByText(WISH, { exact: true }).waitFor();
    await mark(page).waitFor();
    await page.reload();
    await question(page).getByRole("group", { name: "Suggested answers" }).getByRole("button", { name: "yes" }).click();
    await answered(page);
    await question(page).getByText("You answered").waitFor();
    expect(await question(page).getByRole("button", { name: "yes" }).count()).toBe(0);
    await mark(page).waitFor({ state: "detached" });
    await page.waitForFunction(() => !document.title.startsWith("("));
    const answers = eventsOf(await person.history(id), "message").filter(({ role }) => role === "user");
    expect(answers.map(({ payload }) => payload.content)).toEqual(["yes"]);
    expect(complaints).toEqual([]);
    await close();
  });

  test("words of one's own answer a question, in its card and where messages are written", async () => {
    const { page, complaints, close } = await visit(runtime.url, { locale: "zh-CN", viewport: TALL });
    await say(page, "分析一下班级成绩");
    await question(page).getByRole("textbox", { name: "或用自己的话回答" }).fill("Form 1B");
    await question(page).getByRole("button", { name: "发送回答" }).click();
    await answered(page);
    await question(page)
      .getByText(/^[你您]的回答$/)
      .waitFor();
    await transcript(page)
      .getByText(/Form 1B/)
      .last()
      .waitFor();

    await page.getByRole("link", { name: "新对话", exact: true }).first().click();
    await say(page, "分析一下班级成绩");
    await question(page).getByRole("button", { name: "Form 1A" }).waitFor();
    await say(page, "Form 1A");
    await answered(page);
    const log = await person.history(await idOn(page));
    expect(eventsOf(log, "thread_started")).toHaveLength(1);
    expect(eventsOf(log, "message")[0]).toMatchObject({ role: "user", payload: { content: "Form 1A" } });
    expect(complaints).toEqual([]);
    await close();
  });

  test("a half written answer is there again after a reload", async () => {
    const { page, complaints, close } = await visit(runtime.url);
    await say(page, WISH);
    await question(page).getByRole("textbox").fill("yes, but at ten");
    await page.reload();
    await question(page).getByRole("textbox").waitFor();
    expect(await question(page).getByRole("textbox").inputValue()).toBe("yes, but at ten");
    await question(page).getByRole("button", { name: "no", exact: true }).click();
    await answered(page);
    expect(await composer(page).inputValue()).toBe("");
    expect(complaints).toEqual([]);
    await close();
  });

  test("of two answers at once, the one that was too late is told so and has its words back", async () => {
    const one = await visit(runtime.url);
    await say(one.page, WISH);
    await question(one.page).waitFor();
    const late = await visit("about:blank");
    await late.page.routeWebSocket(/\/ws/, (line) => {
      const server = line.connectToServer();
      line.onMessage((message) => {
        if (String(message).includes('"resume"')) setTimeout(() => server.send(message), 1_000);
        else server.send(message);
      });
    });
    await late.page.goto(one.page.url());
    await question(late.page).getByRole("textbox").fill("not before ten");
    await question(late.page).getByRole("textbox").press("Enter");
    await question(one.page).getByRole("button", { name: "no", exact: true }).click();
    await question(late.page).getByText("You answered").waitFor();
    await late.page.getByText("This was answered already").waitFor();
    expect(await composer(late.page).inputValue()).toBe("not before ten");
    expect([...one.complaints, ...late.complaints]).toEqual([]);
    await one.close();
    await late.close();
  });

  /** Somebody who is asked for leave to write this into the guestbook. */
  async function signing(text: string) {
    const visited = await visit(runtime.url);
    const { page } = visited;
    await page.getByRole("combobox", { name: "Who answers" }).selectOption("Guestbook");
    await say(page, `Sign the guestbook with '${text}'`);
    const asked = question(page);
    await asked.getByText("It will run with exactly this").waitFor();
    expect(await asked.getByRole("heading").innerText()).toContain("sign_guestbook");
    expect(await asked.getByRole("term").allInnerTexts()).toEqual(["text"]);
    expect(await asked.getByRole("definition").allInnerTexts()).toEqual([JSON.stringify(text)]);
    return { ...visited, asked };
  }

  test("an approval shows the exact arguments, and runs with those that were changed", async () => {
    const { page, asked, complaints, close } = await signing("Greetings from Oslo");
    const isFocused = (part: Locator) => part.evaluate((element) => element === document.activeElement);
    // Whoever uses the keyboard stays at the question, and is led to what is wrong.
    await asked.getByRole("button", { name: "Edit" }).press("Enter");
    await until(async () => expect(await isFocused(asked)).toBe(true));
    await asked.getByRole("button", { name: "As JSON" }).click();
    const json = asked.getByRole("textbox", { name: "All arguments as JSON" });
    await json.fill('{"text":');
    await asked.getByRole("button", { name: "Approve with these changes" }).press("Enter");
    await until(async () => expect(await isFocused(json)).toBe(true));
    await json.fill('{"text":""}');
    await asked.getByRole("button", { name: "As fields" }).click();
    await asked.getByRole("textbox", { name: "text" }).fill("Greetings from Bergen");
    await asked.getByRole("button", { name: "Approve with these changes" }).click();
    await answered(page);
    await asked.getByText("You approved this with changes").waitFor();
    await asked.getByText("What you changed it to").click();
    expect(await asked.getByRole("definition").allInnerTexts()).toEqual(['"Greetings from Bergen"']);
    expect(textOf(await person.history(await idOn(page)))).toContain("The guestbook now says: Greetings from Bergen");
    await transcript(page).getByText("The guestbook now says: Greetings from Bergen").last().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test("why words were no decision is said until there is one", async () => {
    const { page, asked, complaints, close } = await signing("Greetings from Turku");
    await composer(page).fill("what is that?");
    await composer(page).press("Enter");
    const why = page.getByText(/^Not answered/);
    await why.waitFor();
    await asked.getByRole("button", { name: "Approve" }).click();
    await answered(page);
    await why.waitFor({ state: "detached" });
    expect(await composer(page).inputValue()).toBe("what is that?");
    expect(complaints).toEqual([]);
    await close();
  });

  test("a refusal keeps the tool from running, and tells why", async () => {
    const { page, asked, complaints, close } = await signing("Never");
    await asked.getByRole("button", { name: "Refuse" }).click();
    await asked.getByRole("textbox", { name: "Reason (optional)" }).fill("not today");
    await asked.getByRole("button", { name: "Refuse" }).click();
    await answered(page);
    await asked.getByText("You refused this").waitFor();
    await asked.getByText("not today").waitFor();
    const book = await person.say("Read the guestbook", { agent: "guestbook" });
    expect(textOf(book.frames)).not.toContain("Never");
    expect(complaints).toEqual([]);
    await close();
  });

  test("a conversation that is deleted elsewhere leaves the list at once, as it leaves the screen", async () => {
    const { page, close } = await visit(runtime.url);
    await say(page, "What is 6 * 7?");
    await answered(page);
    const id = await idOn(page);
    const row = conversations(page).locator(`a[href="/c/${id}"]`);
    await row.waitFor();
    // The list has asked once more by then, as after every answer.
    await page.waitForTimeout(2_000);
    await fetch(`${runtime.url}/api/v1/conversations/${id}`, { method: "DELETE" });
    await page.getByText("This conversation is not here").waitFor();
    // Sooner than the list asks by itself.
    await row.waitFor({ state: "detached", timeout: 5_000 });
    await close();
  });

  test("a schedule that is deleted elsewhere is not shown as if it went on", async () => {
    const { conversation_id } = await person.tell(WISH);
    await until(async () => {
      const answer = { message: "yes" };
      const { status } = await person.request("POST", `/api/v1/conversations/${conversation_id}/resume`, answer);
      expect(status).toBe(202);
    });
    const schedules = async () => {
      const { schedules: all } = await person.get<{ schedules: { schedule_id: string }[] }>(
        "/api/v1/schedules?limit=1",
      );
      return all;
    };
    await until(async () => expect(await schedules()).toHaveLength(1));
    const [schedule] = await schedules();
    const { page, close } = await visit(`${runtime.url}/schedules/${schedule?.schedule_id}`);
    await page.getByText("Active").waitFor();
    await person.request("DELETE", `/api/v1/schedules/${schedule?.schedule_id}`);
    await page.getByText("Active").waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Run now" }).count()).toBe(0);
    await close();
  });

  test("two tabs show the same: what is said in one, and that a question was answered in the other", async () => {
    const one = await visit(runtime.url);
    await say(one.page, WISH);
    await question(one.page).waitFor();
    const other = await open(one.context, one.page.url());
    await question(other.page).getByRole("button", { name: "no", exact: true }).waitFor();
    await question(other.page).getByRole("textbox").fill("half an answer");
    await question(one.page).getByRole("button", { name: "no", exact: true }).click();
    await question(other.page).getByText("You answered").waitFor();
    await until(async () => expect(await composer(other.page).inputValue()).toBe("half an answer"));
    expect(await composer(one.page).inputValue()).toBe("");
    expect(await question(other.page).getByRole("button", { name: "no", exact: true }).count()).toBe(0);
    await answered(one.page);
    await say(other.page, "What is 6 * 7?");
    await until(async () => expect(await transcript(one.page).innerText()).toMatch(/What is 6 \* 7\?[^]*42/));
    await composer(one.page).waitFor();
    expect([...one.complaints, ...other.complaints]).toEqual([]);
    await one.close();
  });
});
