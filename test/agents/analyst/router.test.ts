// The router with a scripted model: what it is told, and what it gets wrong.

import { describe, expect, test } from "vitest";
import { AgentBudget } from "../../../src/agents/kit/agent-limits.ts";
import { routeMessage, type RouterInput } from "../../../src/agents/analyst/route-message.ts";
import { ANALYST_LIMITS } from "../../../src/agents/analyst/analyst-limits.ts";
import { scriptedModel } from "../fixtures/model.ts";

const QUESTION: RouterInput = {
  message: "Compare 1A and 1B",
  language: "zh",
  context: {},
  asked: undefined,
  page: null,
};
const PAGE = { name: "1A", description: "Scores", blocks: ["b1: chart"] };

type Replies = Parameters<typeof scriptedModel>[0];
const route = (args: object | string): { calls: [string, string][] } => ({
  calls: [["route", typeof args === "string" ? args : JSON.stringify(args)]],
});

async function decided(replies: Replies, question: Partial<RouterInput> = {}) {
  const model = scriptedModel(replies);
  const mind = { model, signal: new AbortController().signal, budget: new AgentBudget(ANALYST_LIMITS) };
  const deciding = routeMessage(mind, { ...QUESTION, ...question });
  for (;;) {
    const { done, value } = await deciding.next();
    if (done === true) return { decision: value, heard: model.heard };
  }
}

describe("the router", () => {
  test("[F104] asks under its role for one call, in the person's language", async () => {
    const { decision, heard } = await decided([
      route({ intent: "build_workflow", confidence: 0.7, should_build: true }),
    ]);
    expect(decision).toEqual({ action: "build_workflow" });
    expect(heard).toMatchObject([{ role: "router", tools: [{ name: "route" }] }]);
    const [system, user] = heard[0]?.messages ?? [];
    expect(system?.content).toContain("Language of the person: zh");
    expect(system?.content).toContain("build_workflow");
    expect(user?.content).toBe("Compare 1A and 1B");
  });

  test("tells the model the names of the arguments, and that two are needed", async () => {
    const { heard } = await decided([route({ intent: "chat_qa", confidence: 1 })]);
    const parameters = heard[0]?.tools[0]?.parameters as { properties: object; required: string[] };
    expect(Object.keys(parameters.properties)).toEqual([
      "intent",
      "confidence",
      "should_build",
      "clarifying_question",
      "route_hint",
    ]);
    expect(parameters.required).toEqual(["intent", "confidence"]);
  });

  test("[F105] with a page it is told of the page and of the other intents", async () => {
    const { decision, heard } = await decided([route({ intent: "refine", confidence: 0.1 })], { page: PAGE });
    expect(decision).toEqual({ action: "refine" });
    const [system, user] = heard[0]?.messages ?? [];
    expect(system?.content).not.toContain("build_workflow");
    expect(user?.content).toContain(`Page:\n\`\`\`json\n${JSON.stringify(PAGE)}\n\`\`\``);
  });

  test("what was asked back and what the client says are data beside the message", async () => {
    const asked = { request: "Compare", question: "Which?" };
    const { heard } = await decided([route({ intent: "chat_qa", confidence: 1 })], { asked, context: { a: 1 } });
    expect(heard[0]?.messages[1]?.content).toBe(
      `Compare 1A and 1B\n\nTheir earlier request, and what they were asked back:\n\`\`\`json\n${JSON.stringify(asked)}\n\`\`\`\n\nContext:\n\`\`\`json\n{"a":1}\n\`\`\``,
    );
  });
});

describe("a model that does not keep to the form", () => {
  test.each([
    ["no JSON", route("{")],
    ["no intent", route({ confidence: 1 })],
    ["another tool", { calls: [["build", "{}"]] as [string, string][] }],
    ["words", { text: "I would build it." }],
    ["nothing", {}],
  ])("gets a second chance after %s", async (_, bad) => {
    const { decision, heard } = await decided([bad, route({ intent: "build_workflow", confidence: 0.9 })]);
    expect(decision).toEqual({ action: "build_workflow" });
    expect(heard).toHaveLength(2);
    expect(heard[1]?.messages.length).toBe(4);
  });

  test("twice, and the message is talk", async () => {
    const { decision, heard } = await decided([
      route("{"),
      { text: "no" },
      route({ intent: "clarify", confidence: 1 }),
    ]);
    expect(decision).toEqual({ action: "chat_smalltalk" });
    expect(heard).toHaveLength(2);
    expect((await decided([{}, {}], { page: PAGE })).decision).toEqual({ action: "chat" });
  });
});
