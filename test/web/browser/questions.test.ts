// Questions and approvals: answered by button, by text and after a reload, approved, edited and rejected, in every tab.

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withGuestbook } from "../../support/guestbook.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../../support/api-user.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import {
  waitForAnswers,
  composer,
  conversations,
  hasBrowser,
  getConversationId,
  openTab,
  sendMessage,
  TALL,
  transcript,
  waitUntil,
  openApp,
} from "./support.ts";

const SCHEDULE_REQUEST = "Every day at 9 tell me the time";

describe.skipIf(!hasBrowser)("question in the browser", () => {
  let runtime: Runtime;
  let user: ApiUser;
  beforeAll(async () => {
    runtime = await startRuntime(withGuestbook());
    user = createApiUser(runtime.url);
  });
  afterAll(() => runtime.stop());

  /** Locates the card of the question. */
  const question = (page: Page) =>
    transcript(page).getByRole("region", { name: /Question from|提问|wants to use|请求使用/ });
  const inputMark = (page: Page) => conversations(page).getByText(/^(Needs your input|等待你回复)$/);

  test("marks the conversation, survives a reload and is answered by an option", async () => {
    const { page, consoleErrors, close } = await openApp(runtime.url);
    await sendMessage(page, SCHEDULE_REQUEST);
    await question(page).waitFor();
    const id = await getConversationId(page);
    // The document title and the list show the first message.
    await page.waitForFunction((wish) => document.title === `(1) ${wish} · Orrery`, SCHEDULE_REQUEST);
    await conversations(page).getByText(SCHEDULE_REQUEST, { exact: true }).waitFor();
    await inputMark(page).waitFor();
    await page.reload();
    await question(page).getByRole("group", { name: "Suggested answers" }).getByRole("button", { name: "yes" }).click();
    await waitForAnswers(page);
    await question(page).getByText("You answered").waitFor();
    expect(await question(page).getByRole("button", { name: "yes" }).count()).toBe(0);
    await inputMark(page).waitFor({ state: "detached" });
    await page.waitForFunction(() => !document.title.startsWith("("));
    const answers = filterEvents(await user.history(id), "message").filter(({ role }) => role === "user");
    expect(answers.map(({ payload }) => payload.content)).toEqual(["yes"]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("accepts a written answer in its card and in the composer", async () => {
    const { page, consoleErrors, close } = await openApp(runtime.url, { locale: "zh-CN", viewport: TALL });
    await sendMessage(page, "分析一下班级成绩");
    await question(page).getByRole("textbox", { name: "或输入你的回答" }).fill("Form 1B");
    await question(page).getByRole("button", { name: "发送回答" }).click();
    await waitForAnswers(page);
    await question(page)
      .getByText(/^[你您]的回答$/)
      .waitFor();
    await transcript(page)
      .getByText(/Form 1B/)
      .last()
      .waitFor();

    await page.getByRole("link", { name: "新对话", exact: true }).first().click();
    await sendMessage(page, "分析一下班级成绩");
    await question(page).getByRole("button", { name: "Form 1A" }).waitFor();
    await sendMessage(page, "Form 1A");
    await waitForAnswers(page);
    const log = await user.history(await getConversationId(page));
    expect(filterEvents(log, "thread_started")).toHaveLength(1);
    expect(filterEvents(log, "message")[0]).toMatchObject({ role: "user", payload: { content: "Form 1A" } });
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("restores the draft of an answer after a reload", async () => {
    const { page, consoleErrors, close } = await openApp(runtime.url);
    await sendMessage(page, SCHEDULE_REQUEST);
    await question(page).getByRole("textbox").fill("yes, but at ten");
    await page.reload();
    await question(page).getByRole("textbox").waitFor();
    expect(await question(page).getByRole("textbox").inputValue()).toBe("yes, but at ten");
    await question(page).getByRole("button", { name: "no", exact: true }).click();
    await waitForAnswers(page);
    expect(await composer(page).inputValue()).toBe("");
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("reports a late answer as already answered and returns its text to the composer", async () => {
    const firstTab = await openApp(runtime.url);
    await sendMessage(firstTab.page, SCHEDULE_REQUEST);
    await question(firstTab.page).waitFor();
    const lateTab = await openApp("about:blank");
    await lateTab.page.routeWebSocket(/\/ws/, (clientSocket) => {
      const server = clientSocket.connectToServer();
      clientSocket.onMessage((message) => {
        if (String(message).includes('"resume"')) setTimeout(() => server.send(message), 1_000);
        else server.send(message);
      });
    });
    await lateTab.page.goto(firstTab.page.url());
    await question(lateTab.page).getByRole("textbox").fill("not before ten");
    await question(lateTab.page).getByRole("textbox").press("Enter");
    await question(firstTab.page).getByRole("button", { name: "no", exact: true }).click();
    await question(lateTab.page).getByText("You answered").waitFor();
    await lateTab.page.getByText("This was already answered").waitFor();
    expect(await composer(lateTab.page).inputValue()).toBe("not before ten");
    expect([...firstTab.consoleErrors, ...lateTab.consoleErrors]).toEqual([]);
    await firstTab.close();
    await lateTab.close();
  });

  /** Opens a conversation in which the guestbook agent asks for approval to write the text. */
  async function startSigning(text: string) {
    const session = await openApp(runtime.url);
    const { page } = session;
    await page.getByRole("combobox", { name: "Choose an agent" }).selectOption("Guestbook");
    await sendMessage(page, `Sign the guestbook with '${text}'`);
    const approval = question(page);
    await approval.getByText("Will run with exactly these arguments").waitFor();
    expect(await approval.getByRole("heading").innerText()).toContain("sign_guestbook");
    expect(await approval.getByRole("term").allInnerTexts()).toEqual(["text"]);
    expect(await approval.getByRole("definition").allInnerTexts()).toEqual([JSON.stringify(text)]);
    return { ...session, approval };
  }

  test("shows the exact arguments of an approval and runs the tool with edited ones", async () => {
    const { page, approval, consoleErrors, close } = await startSigning("Greetings from Oslo");
    const isFocused = (part: Locator) => part.evaluate((element) => element === document.activeElement);
    // The keyboard focus stays in the question and moves to the invalid field.
    await approval.getByRole("button", { name: "Edit" }).press("Enter");
    await waitUntil(async () => expect(await isFocused(approval)).toBe(true));
    await approval.getByRole("button", { name: "JSON", exact: true }).click();
    const json = approval.getByRole("textbox", { name: "All arguments (JSON)" });
    await json.fill('{"text":');
    await approval.getByRole("button", { name: "Approve with changes" }).press("Enter");
    await waitUntil(async () => expect(await isFocused(json)).toBe(true));
    await json.fill('{"text":""}');
    await approval.getByRole("button", { name: "Form" }).click();
    await approval.getByRole("textbox", { name: "text" }).fill("Greetings from Bergen");
    await approval.getByRole("button", { name: "Approve with changes" }).click();
    await waitForAnswers(page);
    await approval.getByText("You approved this with changes").waitFor();
    await approval.getByText("Your changes").click();
    expect(await approval.getByRole("definition").allInnerTexts()).toEqual(['"Greetings from Bergen"']);
    expect(joinText(await user.history(await getConversationId(page)))).toContain(
      "The guestbook now says: Greetings from Bergen",
    );
    await transcript(page).getByText("The guestbook now says: Greetings from Bergen").last().waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("shows why a text was not accepted as a decision until the approval is decided", async () => {
    const { page, approval, consoleErrors, close } = await startSigning("Greetings from Turku");
    await composer(page).fill("what is that?");
    await composer(page).press("Enter");
    const notice = page.getByText(/^Reply not sent/);
    await notice.waitFor();
    await approval.getByRole("button", { name: "Approve" }).click();
    await waitForAnswers(page);
    await notice.waitFor({ state: "detached" });
    expect(await composer(page).inputValue()).toBe("what is that?");
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("does not run the tool after a rejection and shows the reason", async () => {
    const { page, approval, consoleErrors, close } = await startSigning("Never");
    await approval.getByRole("button", { name: "Reject" }).click();
    await approval.getByRole("textbox", { name: "Reason (optional)" }).fill("not today");
    await approval.getByRole("button", { name: "Reject" }).click();
    await waitForAnswers(page);
    await approval.getByText("You rejected this").waitFor();
    await approval.getByText("not today").waitFor();
    const book = await user.sendAndWait("Read the guestbook", { agent: "guestbook" });
    expect(joinText(book.frames)).not.toContain("Never");
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("removes a conversation from the view and the list when it is deleted elsewhere", async () => {
    const { page, close } = await openApp(runtime.url);
    await sendMessage(page, "What is 6 * 7?");
    await waitForAnswers(page);
    const id = await getConversationId(page);
    const row = conversations(page).locator(`a[href="/c/${id}"]`);
    await row.waitFor();
    // The list is fetched again after every answer. Wait for that request.
    await page.waitForTimeout(2_000);
    await fetch(`${runtime.url}/api/v1/conversations/${id}`, { method: "DELETE" });
    await page.getByText("Conversation not found").waitFor();
    // Sooner than the next periodic request of the list.
    await row.waitFor({ state: "detached", timeout: 5_000 });
    await close();
  });

  test("does not show a schedule as active after it is deleted elsewhere", async () => {
    const { conversation_id } = await user.send(SCHEDULE_REQUEST);
    await waitUntil(async () => {
      const answer = { message: "yes" };
      const { status } = await user.request("POST", `/api/v1/conversations/${conversation_id}/resume`, answer);
      expect(status).toBe(202);
    });
    const schedules = async () => {
      const { schedules: all } = await user.get<{ schedules: { schedule_id: string }[] }>("/api/v1/schedules?limit=1");
      return all;
    };
    await waitUntil(async () => expect(await schedules()).toHaveLength(1));
    const [schedule] = await schedules();
    const { page, close } = await openApp(`${runtime.url}/schedules/${schedule?.schedule_id}`);
    await page.getByText("Active").waitFor();
    await user.request("DELETE", `/api/v1/schedules/${schedule?.schedule_id}`);
    await page.getByText("Active").waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Run now" }).count()).toBe(0);
    await close();
  });

  test("updates two tabs with messages and with the answer to a question", async () => {
    const firstTab = await openApp(runtime.url);
    await sendMessage(firstTab.page, SCHEDULE_REQUEST);
    await question(firstTab.page).waitFor();
    const secondTab = await openTab(firstTab.context, firstTab.page.url());
    await question(secondTab.page).getByRole("button", { name: "no", exact: true }).waitFor();
    await question(secondTab.page).getByRole("textbox").fill("half an answer");
    await question(firstTab.page).getByRole("button", { name: "no", exact: true }).click();
    await question(secondTab.page).getByText("You answered").waitFor();
    await waitUntil(async () => expect(await composer(secondTab.page).inputValue()).toBe("half an answer"));
    expect(await composer(firstTab.page).inputValue()).toBe("");
    expect(await question(secondTab.page).getByRole("button", { name: "no", exact: true }).count()).toBe(0);
    await waitForAnswers(firstTab.page);
    await sendMessage(secondTab.page, "What is 6 * 7?");
    await waitUntil(async () => expect(await transcript(firstTab.page).innerText()).toMatch(/What is 6 \* 7\?[^]*42/));
    await composer(firstTab.page).waitFor();
    expect([...firstTab.consoleErrors, ...secondTab.consoleErrors]).toEqual([]);
    await firstTab.close();
  });
});
