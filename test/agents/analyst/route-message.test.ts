// The router: the action for every intent around every threshold, its prompt, and its handling of invalid replies.

import { describe, expect, test } from "vitest";
import { formatUntrusted } from "../../../src/protocol/provenance/untrusted-block.ts";
import { AgentBudget } from "../../../src/agents/kit/agent-limits.ts";
import { decideAction, type RouterMode } from "../../../src/agents/analyst/talk/route-decision.ts";
import { routeMessage, type RouterInput } from "../../../src/agents/analyst/talk/route-message.ts";
import { ANALYST_LIMITS } from "../../../src/agents/analyst/analyst-limits.ts";
import { FOLLOW_UP_INTENTS, INITIAL_INTENTS } from "../../../src/protocol/pages/analysis-api.ts";
import { scriptedModel } from "../fixtures/scripted-model.ts";

const getAction = (mode: RouterMode, intent: string, confidence: number | string): string =>
  decideAction(mode, { intent, confidence }).action;

describe("[F106] [X21] the action without a page", () => {
  test.each<[number | string, build: string, clarify: string]>([
    [1, "build_workflow", "clarify"],
    [0.7, "build_workflow", "clarify"],
    [0.69, "clarify", "clarify"],
    [0.4, "clarify", "clarify"],
    [0.39, "chat_smalltalk", "chat_smalltalk"],
    [Number.NaN, "chat_smalltalk", "chat_smalltalk"],
    [-3, "chat_smalltalk", "chat_smalltalk"],
    [85, "build_workflow", "clarify"],
    ["0.7", "build_workflow", "clarify"],
    [" 0.69 ", "clarify", "clarify"],
    ["high", "chat_smalltalk", "chat_smalltalk"],
    ["", "chat_smalltalk", "chat_smalltalk"],
  ])("follows the intent at a confidence of %j; chat stays chat", (confidence, build, clarify) => {
    const actions = INITIAL_INTENTS.map((intent) => getAction("initial", intent, confidence));
    expect(actions).toEqual(["chat_smalltalk", "chat_qa", build, clarify]);
  });

  test.each(["", "BUILD", "refine", "chat", "__proto__"])("is chat for the unknown intent %j", (intent) => {
    expect(getAction("initial", intent, 1)).toBe("chat_smalltalk");
  });
});

test.each([0, 0.39, 0.69, 1, Number.NaN, "x"])(
  "[F105] the action with a page ignores a confidence of %s",
  (confidence) => {
    for (const intent of FOLLOW_UP_INTENTS) expect(getAction("follow_up", intent, confidence)).toBe(intent);
    for (const intent of [...INITIAL_INTENTS, "x"]) expect(getAction("follow_up", intent, confidence)).toBe("chat");
  },
);

const QUESTION: RouterInput = {
  message: "Compare 1A and 1B",
  language: "zh",
  context: {},
  asked: undefined,
  page: null,
};
const PAGE = { name: "1A", description: "Scores", blocks: ["b1: chart"] };

type ScriptedReplies = Parameters<typeof scriptedModel>[0];
const routeReply = (args: object | string): { calls: [string, string][] } => ({
  calls: [["route", typeof args === "string" ? args : JSON.stringify(args)]],
});

async function runRouter(replies: ScriptedReplies, question: Partial<RouterInput> = {}) {
  const model = scriptedModel(replies);
  const modelContext = { model, signal: new AbortController().signal, budget: new AgentBudget(ANALYST_LIMITS) };
  const decision = routeMessage(modelContext, { ...QUESTION, ...question });
  for (;;) {
    const { done, value } = await decision.next();
    if (done === true) return { decision: value, requests: model.requests };
  }
}

describe("the router", () => {
  test("[F104] calls the model once under its role, in the language of the user, and returns the question", async () => {
    const reply = { intent: "clarify", confidence: 0.5, clarifying_question: " Which? ", route_hint: "needSubject" };
    const { decision, requests } = await runRouter([routeReply(reply)]);
    expect(decision).toEqual({ action: "clarify", question: "Which?", hint: "needSubject" });
    expect(requests).toMatchObject([{ role: "router", tools: [{ name: "route" }] }]);
    const [system, user] = requests[0]?.messages ?? [];
    expect(system?.content).toContain("Language of the person: zh");
    expect(system?.content).toContain("build_workflow");
    expect(user?.content).toBe("Compare 1A and 1B");
  });

  test("[F105] with a page describes the page and offers the follow-up intents", async () => {
    const { decision, requests } = await runRouter([routeReply({ intent: "refine", confidence: 0.1 })], { page: PAGE });
    expect(decision).toEqual({ action: "refine" });
    const [system, user] = requests[0]?.messages ?? [];
    expect(system?.content).not.toContain("build_workflow");
    expect(user?.content).toContain(formatUntrusted("Page", PAGE));
  });

  test("adds an earlier question and the client's context as data after the message", async () => {
    const asked = { request: "Compare", question: "Which?" };
    const reply = routeReply({ intent: "chat_qa", confidence: 1 });
    const { requests } = await runRouter([reply], { asked, context: { a: 1 } });
    expect(requests[0]?.messages[1]?.content).toBe(
      `Compare 1A and 1B\n\nTheir earlier request, and what they were asked back:\n\`\`\`json\n${JSON.stringify(asked)}\n\`\`\`\n\n${formatUntrusted("Context", { a: 1 })}`,
    );
  });

  test.each([
    ["text that is not JSON", routeReply("{")],
    ["a missing intent", routeReply({ confidence: 1 })],
    ["a missing confidence", routeReply({ intent: "chat_qa", confidence: null })],
    ["another tool", { calls: [["build", "{}"]] as [string, string][] }],
    ["plain text", { text: "I would build it." }],
    ["an empty completion", {}],
  ])("corrects the model once after %s", async (_, bad) => {
    const good = routeReply({ intent: "clarify", confidence: 0.9, should_build: "yes", route_hint: "needMoney" });
    const { decision, requests } = await runRouter([bad, good]);
    expect(decision).toEqual({ action: "clarify", question: "", hint: null });
    expect(requests).toHaveLength(2);
    expect(requests[1]?.messages.length).toBe(4);
  });

  test("accepts JSON within text, and takes two invalid replies for chat", async () => {
    const json = { text: 'So:\n```json\n{"intent": "build_workflow", "confidence": 0.9}\n```' };
    expect((await runRouter([json])).decision).toEqual({ action: "build_workflow" });
    expect((await runRouter([routeReply("{"), { text: "no" }])).decision).toEqual({ action: "chat_smalltalk" });
    expect((await runRouter([{}, {}], { page: PAGE })).decision).toEqual({ action: "chat" });
  });
});
