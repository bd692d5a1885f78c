// Triage and planner beyond the table of abilities: cards, answers to the planner's questions, verification.

import { describe, expect, test } from "vitest";
import { CARDS } from "./test-cards.ts";
import { runPlanner, runTriage, stringWith, type ChatMessageParam } from "./embedded-client.ts";

describe("[F08] triage", () => {
  test.each([
    ["现在几点", "chronos"],
    ["What is 12 times 34?", "abacus"],
    ["掷骰子", "fortuna"],
    ["uppercase hello", "scribe"],
    ["tell me the weather in Paris", "tempest"],
    ["Sign the guestbook with “Hi”", "keeper"],
  ])("sends %s to the agent whose card fits", async (text, agent) => {
    const { calls } = await runTriage(text);
    expect(calls).toMatchObject([
      {
        name: "handoff_to_planner",
        arguments: { strategy: "single_agent", selected_agents: [agent], enriched_query: text },
      },
    ]);
  });

  test.each([
    ["ask the chronos agent what 1 + 1 is", "single_agent", ["chronos"], "what 1 + 1 is"],
    ["启动流程 chronos：李雷", "single_agent", ["chronos"], "李雷"],
    ["tempest: tell me the time", "single_agent", ["tempest"], "tell me the time"],
    ["@chronos @tempest Tokyo", "multi_agent", ["chronos", "tempest"], "Tokyo"],
    ["ask chronos every day at 9 for the time", "needs_planning", [], "ask chronos every day at 9 for the time"],
  ])("[F09] [F17] of %s is a handoff with the strategy %s", async (text, strategy, agents, query) => {
    const { calls } = await runTriage(text);
    expect(calls[0]?.arguments).toMatchObject({ strategy, selected_agents: agents, enriched_query: query });
  });

  test("[F06] answers small talk in several deltas", async () => {
    expect((await runTriage("你好")).deltas).toBeGreaterThan(2);
  });

  test("lists the agents of the prompt in its help", async () => {
    const { text } = await runTriage("what can you do?");
    for (const { name, description } of CARDS) expect(text).toContain(`${name}: ${description}`);
  });
});

type CreatedPlan = {
  tasks: {
    id: string;
    query: string;
    title: string;
    agent_name: string;
    depends_on: string[];
    schedule_config?: unknown;
  }[];
  verify?: boolean;
  guidance_message?: string;
};

async function createPlan(text: string): Promise<CreatedPlan> {
  const { calls } = await runPlanner(text);
  expect(calls.map(({ name }) => name)).toEqual(["create_plan"]);
  return calls[0]?.arguments as CreatedPlan;
}

describe("the planner", () => {
  test("names the parts that nobody can do, and omits what depends on their results", async () => {
    const { tasks, guidance_message } = await createPlan("write a poem, then double it, and tell me the time");
    expect(tasks.map(({ query }) => query)).toEqual(["tell me the time"]);
    expect(guidance_message).toContain("Double it");
    expect(await createPlan("写一首诗")).toMatchObject({
      tasks: [],
      adequate: false,
      guidance_message: stringWith("写一首诗"),
    });
  });

  test("creates one task for each agent that is asked for the same work", async () => {
    const { tasks } = await createPlan("let tempest and scribe compute 2*3, then multiply the result by 2");
    expect(tasks.map(({ id, depends_on }) => [id, depends_on])).toEqual([
      ["1", []],
      ["1-2", []],
      ["2", ["1", "1-2"]],
    ]);
  });

  test.each([
    ["every day at 25:00 tell me the time", "25:00"],
    ["每-5分钟告诉我时间", "过于频繁"],
    ["every day tell me the time", "what time"],
  ])("[F54] rejects %s with a reason", async (text, words) => {
    expect(await createPlan(text)).toMatchObject({ tasks: [], adequate: false, guidance_message: stringWith(words) });
  });

  test.each([
    ["compute 3*4 and verify it", true],
    ["掷骰子，然后检查任务是否成功完成。", true],
    ['uppercase "sign up and verify it"', false],
    ["把“做完后验证”反转", false],
  ])("finds the wish for verification in %s: %s", async (text, isWished) => {
    expect("verify" in (await createPlan(text))).toBe(isWished);
  });
});

function createReply(tool: string, args: unknown, content: string): ChatMessageParam[] {
  const call = { id: "call", type: "function" as const, function: { name: tool, arguments: JSON.stringify(args) } };
  return [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call", content },
  ];
}

test.each(["make it 10", "改成10点", "what is 2+2?"])("schedules nothing after the answer %s", async (answer) => {
  const text = "every day at 9 tell me the time";
  const { calls } = await runPlanner(text, createReply("create_plan", await createPlan(text), answer));
  expect(calls).toMatchObject([{ arguments: { tasks: [], guidance_message: stringWith("whole request again") } }]);
});
