// The analyst as an agent of the runtime: what it says, what it keeps, and how it goes on after a crash or an answer.

import { describe, expect, test } from "vitest";
import type { AgentRunEvent } from "../../../src/agents/kit/agent.ts";
import type { PageSpec } from "../../../src/protocol/pages/page.ts";
import { blueprintFor } from "../../support/analysis.ts";
import { KEY, runAnalyst, shelf } from "../fixtures/desk.ts";
import { scriptedModel } from "../fixtures/model.ts";

const call = (name: string, args: object): { calls: [string, string][] } => ({ calls: [[name, JSON.stringify(args)]] });
const route = (intent: string, more: object = {}) => call("route", { intent, confidence: 0.9, ...more });
const wrote = (options?: Parameters<typeof blueprintFor>[1]) => call("create_blueprint", blueprintFor("", options));
const TEXT = { text: "The mean is 74.2." };

const of = <Type extends AgentRunEvent["type"]>(said: readonly AgentRunEvent[], type: Type) =>
  said.filter((one): one is Extract<AgentRunEvent, { type: Type }> => one.type === type);
const pagesIn = (said: readonly AgentRunEvent[]) =>
  of(said, "component").map(({ content }) => JSON.parse(content) as { page_id: string | null; page: PageSpec });
const wordsOf = (said: readonly AgentRunEvent[]) =>
  of(said, "text")
    .map(({ text }) => text)
    .join("");

describe("[X9] a page in a conversation", () => {
  test("is one component that grows, after the tool calls that it is made of", async () => {
    const library = shelf();
    const said = await runAnalyst(scriptedModel([route("build_workflow"), wrote(), TEXT]), library, "a-001?");
    expect(
      new Set(of(said, "component").map(({ component_id, component_type }) => [component_type, component_id].join())),
    ).toEqual(new Set([`page,task-${KEY}${"0".repeat(16)}/page`]));
    expect(pagesIn(said).map(({ page }) => page.tabs[0]?.blocks.length)).toEqual([1, 2, 3, 4, 4]);
    expect(pagesIn(said).map(({ page_id }) => page_id === null)).toEqual([true, true, true, true, false]);
    expect(of(said, "tool_started").map(({ tool }) => tool)).toEqual(["get_assignment_submissions", "calculate_stats"]);
    expect(of(said, "tool_completed").map(({ call_id }) => call_id)).toEqual(
      of(said, "tool_started").map(({ call_id }) => call_id),
    );
    expect(of(said, "notification")).toHaveLength(3);
    // One for the router, one for the blueprint, one for the texts of the page.
    expect(of(said, "usage").map(({ usage }) => usage.model_calls)).toEqual([1, 1, 1]);
    expect(said.at(-1)).toMatchObject({ type: "text" });
    const kept = library.store.getPage(pagesIn(said).at(-1)?.page_id ?? "");
    expect(kept.page).toEqual(pagesIn(said).at(-1)?.page);
    expect(library.store.getDialogState(KEY)).toMatchObject({ page_id: kept.page_id, setup: { teacher_id: "t-001" } });
  });

  test("[F116] of what does not exist is words with the nearest names, and no failure", async () => {
    const said = await runAnalyst(
      scriptedModel([route("build_workflow"), wrote({ assignment: "a-01" })]),
      shelf(),
      "a-01?",
    );
    expect(pagesIn(said)).toEqual([]);
    expect(wordsOf(said)).toContain("a-001");
    expect(of(said, "failed")).toEqual([]);
  });

  test("a plan that cannot be carried out fails with words", async () => {
    const bad = call("create_blueprint", { name: "x" });
    const said = await runAnalyst(scriptedModel([route("build_workflow"), bad, bad, bad]), shelf(), "x");
    expect(said.at(-1)).toMatchObject({ type: "failed", reason: expect.stringMatching(/blueprint|plan/i) as string });
  });

  test("nobody's data is nothing to analyse", async () => {
    const said = await runAnalyst(scriptedModel([]), shelf(), "看看成绩", { metadata: {} });
    expect(wordsOf(said)).toContain("不知道要分析谁的数据");
  });
});

describe("[T4] after a crash", () => {
  test("a plan that stood is carried out without being made again, into the same page", async () => {
    const library = shelf();
    const first = await runAnalyst(scriptedModel([route("build_workflow"), wrote(), TEXT]), library, "a-001?");
    const checkpoint = of(first, "checkpoint").at(-1)?.state ?? "";
    const model = scriptedModel([TEXT]);
    const again = await runAnalyst(model, library, "a-001?", { checkpoint });
    expect(model.heard.map(({ role }) => role)).toEqual(["compose"]);
    expect(pagesIn(again).at(-1)?.page_id).toBe(pagesIn(first).at(-1)?.page_id);
    expect(library.store.listPages(10, null)).toHaveLength(1);
  });

  test("a state that is none is refused", async () => {
    const said = await runAnalyst(scriptedModel([]), shelf(), "x", { checkpoint: '{"stage":"other"}' });
    expect(said).toMatchObject([{ type: "failed" }]);
  });
});

describe("questions", () => {
  test("[F107] offer the classes by name, and the answer completes the request", async () => {
    const library = shelf();
    const clarify = route("clarify", { clarifying_question: "Which class?", route_hint: "needClassId" });
    const asked = await runAnalyst(scriptedModel([clarify]), library, "How was the last assignment?");
    const question = of(asked, "input_required")[0];
    expect(question).toMatchObject({ prompt: "Which class?", options: ["Form 1A", "Form 1B"] });
    const model = scriptedModel([route("build_workflow"), wrote(), TEXT]);
    const reply = {
      answer: { message: "Form 1A" },
      ...(question?.state === undefined ? {} : { state: question.state }),
    };
    const said = await runAnalyst(model, library, "How was the last assignment?", { reply });
    expect(pagesIn(said).at(-1)?.page_id).toMatch(/^page-/);
    expect(model.heard[1]?.messages.at(-1)?.content).toContain("How was the last assignment?\\nForm 1A");
    expect(model.heard[1]?.messages.at(-1)?.content).toContain("class-hk-f1a");
  });

  test.each([
    ["yes", 2],
    ["no", 1],
  ])("[F115] %s to another analysis leaves %i pages", async (message, pages) => {
    const library = shelf();
    await runAnalyst(scriptedModel([route("build_workflow"), wrote(), TEXT]), library, "a-001?", { message_id: "m1" });
    const asked = await runAnalyst(scriptedModel([route("rebuild"), wrote({ name: "Other" })]), library, "Other", {
      message_id: "m2",
    });
    const [question] = of(asked, "input_required");
    expect(question).toMatchObject({ options: ["Yes", "No"], prompt: expect.stringContaining("Other") as string });
    const reply = { answer: { message }, ...(question?.state === undefined ? {} : { state: question.state }) };
    const said = await runAnalyst(scriptedModel([TEXT]), library, "Other", { reply, message_id: "m3" });
    expect(library.store.listPages(10, null)).toHaveLength(pages);
    expect(pagesIn(said).length > 0).toBe(message === "yes");
    const { blueprint } = library.store.getDialogState(KEY);
    expect(blueprint?.name).toBe(message === "yes" ? "Other" : "Assignment");
  });

  test("an answer that is neither is a message of its own", async () => {
    const library = shelf();
    await runAnalyst(scriptedModel([route("build_workflow"), wrote(), TEXT]), library, "a-001?");
    const asked = await runAnalyst(scriptedModel([route("rebuild"), wrote({ name: "Other" })]), library, "Other");
    const state = of(asked, "input_required")[0]?.state ?? "";
    const model = scriptedModel([route("chat"), { text: "It is 74.2." }]);
    const said = await runAnalyst(model, library, "Other", {
      reply: { answer: { message: "what is the mean?" }, state },
    });
    expect(model.heard.map(({ role }) => role)).toEqual(["router", "page_chat"]);
    expect(wordsOf(said)).toBe("It is 74.2.");
    expect(library.store.getDialogState(KEY).proposed).toBeUndefined();
  });
});

test("[F55] a schedule asks anew every time, and every run makes a page of its own", async () => {
  const library = shelf();
  const metadata = (due_at: number) => ({ user_id: "ada", schedule: { schedule_id: "task-1", due_at } });
  for (const due of [1, 2, 2]) {
    const model = scriptedModel([route("build_workflow"), wrote(), TEXT]);
    await runAnalyst(model, library, "a-001?", { metadata: metadata(due) });
    expect(model.heard[0]?.messages.at(-1)?.content).toMatch(/^a-001\?\n\nData that exists:/);
    expect(model.heard[0]?.messages.at(-1)?.content).not.toContain("Page:");
  }
  // The same run twice is one.
  expect(library.store.listPages(10, null)).toHaveLength(2);
});
