// The analyst as an agent of the runtime: its events, its stored state, and how it continues after a crash or an
// answer.

import { describe, expect, test } from "vitest";
import type { AgentRunEvent } from "../../../src/agents/kit/agent.ts";
import type { PageSpec } from "../../../src/protocol/pages/page.ts";
import { createBlueprint } from "../../support/analysis-script.ts";
import { CONVERSATION_KEY, runAnalyst, createPageLibrary } from "../fixtures/run-analyst.ts";
import { scriptedModel } from "../fixtures/scripted-model.ts";

const toolCallReply = (name: string, args: object): { calls: [string, string][] } => ({
  calls: [[name, JSON.stringify(args)]],
});
const routeReply = (intent: string, more: object = {}) => toolCallReply("route", { intent, confidence: 0.9, ...more });
const blueprintReply = (options?: Parameters<typeof createBlueprint>[1]) =>
  toolCallReply("create_blueprint", createBlueprint("", options));
const TEXT = { text: "The mean is 74.2." };

const filterByType = <Type extends AgentRunEvent["type"]>(events: readonly AgentRunEvent[], type: Type) =>
  events.filter((event): event is Extract<AgentRunEvent, { type: Type }> => event.type === type);
const listPages = (events: readonly AgentRunEvent[]) =>
  filterByType(events, "component").map(
    ({ content }) => JSON.parse(content) as { page_id: string | null; page: PageSpec },
  );
const joinText = (events: readonly AgentRunEvent[]) =>
  filterByType(events, "text")
    .map(({ text }) => text)
    .join("");

describe("[X9] a page in a conversation", () => {
  test("is one component that grows, after the tool calls that produce it", async () => {
    const library = createPageLibrary();
    const events = await runAnalyst(
      scriptedModel([routeReply("build_workflow"), blueprintReply(), TEXT]),
      library,
      "a-001?",
    );
    expect(
      new Set(
        filterByType(events, "component").map(({ component_id, component_type }) =>
          [component_type, component_id].join(),
        ),
      ),
    ).toEqual(new Set([`page,task-${CONVERSATION_KEY}${"0".repeat(16)}/page`]));
    expect(listPages(events).map(({ page }) => page.tabs[0]?.blocks.length)).toEqual([1, 2, 3, 4, 4]);
    expect(listPages(events).map(({ page_id }) => page_id === null)).toEqual([true, true, true, true, false]);
    expect(filterByType(events, "tool_started").map(({ tool }) => tool)).toEqual([
      "get_assignment_submissions",
      "calculate_stats",
    ]);
    expect(filterByType(events, "tool_completed").map(({ call_id }) => call_id)).toEqual(
      filterByType(events, "tool_started").map(({ call_id }) => call_id),
    );
    expect(filterByType(events, "notification")).toHaveLength(3);
    // One call each for the router, the blueprint and the texts of the page.
    expect(filterByType(events, "usage").map(({ usage }) => usage.model_calls)).toEqual([1, 1, 1]);
    expect(events.at(-1)).toMatchObject({ type: "text" });
    const stored = library.store.getPage(listPages(events).at(-1)?.page_id ?? "");
    expect(stored.page).toEqual(listPages(events).at(-1)?.page);
    expect(library.store.getDialogState(CONVERSATION_KEY)).toMatchObject({
      page_id: stored.page_id,
      setup: { teacher_id: "t-001" },
    });
  });

  test("[F116] about an unknown assignment is a text with the nearest names, not a failure", async () => {
    const events = await runAnalyst(
      scriptedModel([routeReply("build_workflow"), blueprintReply({ assignment: "a-01" })]),
      createPageLibrary(),
      "a-01?",
    );
    expect(listPages(events)).toEqual([]);
    expect(joinText(events)).toContain("a-001");
    expect(filterByType(events, "failed")).toEqual([]);
  });

  test("fails with a reason when the model never writes a valid blueprint", async () => {
    const bad = toolCallReply("create_blueprint", { name: "x" });
    const events = await runAnalyst(
      scriptedModel([routeReply("build_workflow"), bad, bad, bad]),
      createPageLibrary(),
      "x",
    );
    expect(events.at(-1)).toMatchObject({ type: "failed", reason: expect.stringMatching(/blueprint|plan/i) as string });
  });

  test("asks whose data to analyse when the request has no user", async () => {
    const events = await runAnalyst(scriptedModel([]), createPageLibrary(), "看看成绩", { metadata: {} });
    expect(joinText(events)).toContain("请登录后再分析数据");
  });
});

describe("[T4] the analyst after a crash", () => {
  test("executes the stored blueprint without a second planning call, into the same page", async () => {
    const library = createPageLibrary();
    const first = await runAnalyst(
      scriptedModel([routeReply("build_workflow"), blueprintReply(), TEXT]),
      library,
      "a-001?",
    );
    const checkpoint = filterByType(first, "checkpoint").at(-1)?.state ?? "";
    const model = scriptedModel([TEXT]);
    const again = await runAnalyst(model, library, "a-001?", { checkpoint });
    expect(model.requests.map(({ role }) => role)).toEqual(["compose"]);
    expect(listPages(again).at(-1)?.page_id).toBe(listPages(first).at(-1)?.page_id);
    expect(library.store.listPages(10, null)).toHaveLength(1);
  });

  test("fails on an unknown checkpoint state", async () => {
    const events = await runAnalyst(scriptedModel([]), createPageLibrary(), "x", { checkpoint: '{"stage":"other"}' });
    expect(events).toMatchObject([{ type: "failed" }]);
  });
});

describe("questions of the analyst", () => {
  test("[F107] offer the classes by name and complete the request with the answer", async () => {
    const library = createPageLibrary();
    const clarify = routeReply("clarify", { clarifying_question: "Which class?", route_hint: "needClassId" });
    const firstEvents = await runAnalyst(scriptedModel([clarify]), library, "How was the last assignment?");
    const question = filterByType(firstEvents, "input_required")[0];
    expect(question).toMatchObject({ prompt: "Which class?", options: ["Form 1A", "Form 1B"] });
    const model = scriptedModel([routeReply("build_workflow"), blueprintReply(), TEXT]);
    const reply = {
      answer: { message: "Form 1A" },
      ...(question?.state === undefined ? {} : { state: question.state }),
    };
    const events = await runAnalyst(model, library, "How was the last assignment?", { reply });
    expect(listPages(events).at(-1)?.page_id).toMatch(/^page-/);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("How was the last assignment?\\nForm 1A");
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("class-hk-f1a");
  });

  test.each([
    ["yes", 2],
    ["no", 1],
  ])("[F115] the answer %s to a proposed second analysis leaves %i pages", async (message, pages) => {
    const library = createPageLibrary();
    await runAnalyst(scriptedModel([routeReply("build_workflow"), blueprintReply(), TEXT]), library, "a-001?", {
      message_id: "m1",
    });
    const firstEvents = await runAnalyst(
      scriptedModel([routeReply("rebuild"), blueprintReply({ name: "Other" })]),
      library,
      "Other",
      {
        message_id: "m2",
      },
    );
    const [question] = filterByType(firstEvents, "input_required");
    expect(question).toMatchObject({ options: ["Yes", "No"], prompt: expect.stringContaining("Other") as string });
    const reply = { answer: { message }, ...(question?.state === undefined ? {} : { state: question.state }) };
    const events = await runAnalyst(scriptedModel([TEXT]), library, "Other", { reply, message_id: "m3" });
    expect(library.store.listPages(10, null)).toHaveLength(pages);
    expect(listPages(events).length > 0).toBe(message === "yes");
    const { blueprint } = library.store.getDialogState(CONVERSATION_KEY);
    expect(blueprint?.name).toBe(message === "yes" ? "Other" : "Assignment");
  });

  test("treat an answer that is neither yes nor no as a new message", async () => {
    const library = createPageLibrary();
    await runAnalyst(scriptedModel([routeReply("build_workflow"), blueprintReply(), TEXT]), library, "a-001?");
    const firstEvents = await runAnalyst(
      scriptedModel([routeReply("rebuild"), blueprintReply({ name: "Other" })]),
      library,
      "Other",
    );
    const state = filterByType(firstEvents, "input_required")[0]?.state ?? "";
    const model = scriptedModel([routeReply("chat"), { text: "It is 74.2." }]);
    const events = await runAnalyst(model, library, "Other", {
      reply: { answer: { message: "what is the mean?" }, state },
    });
    expect(model.requests.map(({ role }) => role)).toEqual(["router", "page_chat"]);
    expect(joinText(events)).toBe("It is 74.2.");
    expect(library.store.getDialogState(CONVERSATION_KEY).proposed).toBeUndefined();
  });
});

test("[F55] each run of a schedule plans from the original message and stores its own page", async () => {
  const library = createPageLibrary();
  const metadata = (due_at: number) => ({ user_id: "ada", schedule: { schedule_id: "task-1", due_at } });
  for (const due of [1, 2, 2]) {
    const model = scriptedModel([routeReply("build_workflow"), blueprintReply(), TEXT]);
    await runAnalyst(model, library, "a-001?", { metadata: metadata(due) });
    expect(model.requests[0]?.messages.at(-1)?.content).toMatch(/^a-001\?\n\n<untrusted source="Data that exists">/);
    expect(model.requests[0]?.messages.at(-1)?.content).not.toContain('source="Page"');
  }
  // The same run executed twice stores one page.
  expect(library.store.listPages(10, null)).toHaveLength(2);
});
