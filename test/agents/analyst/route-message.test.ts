// The router with a scripted model: its prompt, and its handling of invalid replies.

import { describe, expect, test } from "vitest";
import { AgentBudget } from "../../../src/agents/kit/agent-limits.ts";
import { routeMessage, type RouterInput } from "../../../src/agents/analyst/talk/route-message.ts";
import { ANALYST_LIMITS } from "../../../src/agents/analyst/analyst-limits.ts";
import { scriptedModel } from "../fixtures/scripted-model.ts";

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
  test("[F104] calls the model once under its role, in the language of the user", async () => {
    const { decision, requests } = await runRouter([
      routeReply({ intent: "build_workflow", confidence: 0.7, should_build: true }),
    ]);
    expect(decision).toEqual({ action: "build_workflow" });
    expect(requests).toMatchObject([{ role: "router", tools: [{ name: "route" }] }]);
    const [system, user] = requests[0]?.messages ?? [];
    expect(system?.content).toContain("Language of the person: zh");
    expect(system?.content).toContain("build_workflow");
    expect(user?.content).toBe("Compare 1A and 1B");
  });

  test("lists the arguments to the model, and requires two of them", async () => {
    const { requests } = await runRouter([routeReply({ intent: "chat_qa", confidence: 1 })]);
    const parameters = requests[0]?.tools[0]?.parameters as { properties: object; required: string[] };
    expect(Object.keys(parameters.properties)).toEqual([
      "intent",
      "confidence",
      "should_build",
      "clarifying_question",
      "route_hint",
    ]);
    expect(parameters.required).toEqual(["intent", "confidence"]);
  });

  test("[F105] with a page describes the page and offers the follow-up intents", async () => {
    const { decision, requests } = await runRouter([routeReply({ intent: "refine", confidence: 0.1 })], { page: PAGE });
    expect(decision).toEqual({ action: "refine" });
    const [system, user] = requests[0]?.messages ?? [];
    expect(system?.content).not.toContain("build_workflow");
    expect(user?.content).toContain(`Page:\n\`\`\`json\n${JSON.stringify(PAGE)}\n\`\`\``);
  });

  test("adds an earlier question and the client's context as data after the message", async () => {
    const asked = { request: "Compare", question: "Which?" };
    const { requests } = await runRouter([routeReply({ intent: "chat_qa", confidence: 1 })], {
      asked,
      context: { a: 1 },
    });
    expect(requests[0]?.messages[1]?.content).toBe(
      `Compare 1A and 1B\n\nTheir earlier request, and what they were asked back:\n\`\`\`json\n${JSON.stringify(asked)}\n\`\`\`\n\nContext:\n\`\`\`json\n{"a":1}\n\`\`\``,
    );
  });
});

describe("an invalid reply to the router", () => {
  test.each([
    ["text that is not JSON", routeReply("{")],
    ["a missing intent", routeReply({ confidence: 1 })],
    ["another tool", { calls: [["build", "{}"]] as [string, string][] }],
    ["plain text", { text: "I would build it." }],
    ["an empty completion", {}],
  ])("is corrected once after %s", async (_, bad) => {
    const { decision, requests } = await runRouter([bad, routeReply({ intent: "build_workflow", confidence: 0.9 })]);
    expect(decision).toEqual({ action: "build_workflow" });
    expect(requests).toHaveLength(2);
    expect(requests[1]?.messages.length).toBe(4);
  });

  test("counts as chat after two failures", async () => {
    const { decision, requests } = await runRouter([
      routeReply("{"),
      { text: "no" },
      routeReply({ intent: "clarify", confidence: 1 }),
    ]);
    expect(decision).toEqual({ action: "chat_smalltalk" });
    expect(requests).toHaveLength(2);
    expect((await runRouter([{}, {}], { page: PAGE })).decision).toEqual({ action: "chat" });
  });
});
