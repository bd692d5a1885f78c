// Triage and planner beyond the table of abilities: cards, answers to the planner's questions, verification.

import { describe, expect, test } from "vitest";
import { CARDS } from "./test-cards.ts";
import { createToolSpec, runPlanner, runTriage, stringWith, type ChatMessageParam } from "./embedded-client.ts";

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

  test("follows the cards, not the names", async () => {
    const names = CARDS.map(({ name }) => name);
    const renamed = CARDS.map((card, i) => ({ ...card, name: names[(i + 1) % names.length] ?? "" }));
    expect((await runTriage("What is 12 times 34?", [], renamed)).calls[0]?.arguments).toMatchObject({
      selected_agents: ["fortuna"],
    });
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

  test("[F06] answers small talk in several deltas, and repeats the last question", async () => {
    expect((await runTriage("你好")).deltas).toBeGreaterThan(2);
    const history: ChatMessageParam[] = [
      { role: "user", content: "东京现在几点？" },
      { role: "assistant", content: "15:00" },
    ];
    expect((await runTriage("我刚才问了什么？", history)).text).toContain("东京现在几点？");
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
    const { tasks, guidance_message } = await createPlan("write a poem, then count its words, and tell me the time");
    expect(tasks.map(({ query }) => query)).toEqual(["tell me the time"]);
    expect(guidance_message).toContain("Count its words");
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

  test("ignores the name of an agent inside quotes, and keeps titles short", async () => {
    const { tasks } = await createPlan(
      'uppercase "ask tempest to do it" and compute 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11',
    );
    expect(tasks.map(({ agent_name }) => agent_name)).toEqual(["scribe", "abacus"]);
    expect(tasks[1]?.title.split(" ").length).toBeLessThanOrEqual(10);
  });

  test.each([
    ["every day at 25:00 tell me the time", "25:00"],
    ["tell me the time daily at 9 Gotham time", "Gotham"],
    ["cron * * * tell me the time", "five fields"],
    ["每-5分钟告诉我时间", "过于频繁"],
    ["every day tell me the time", "what time"],
  ])("[F54] rejects %s with a reason", async (text, words) => {
    expect(await createPlan(text)).toMatchObject({ tasks: [], adequate: false, guidance_message: stringWith(words) });
  });

  test.each([
    ["compute 3*4 and verify it", true],
    ["掷骰子，然后检查任务是否成功完成。", true],
    ["tell me the time, then compute 2*3, and verify everything", true],
    ['uppercase "sign up and verify it"', false],
    ["把“做完后验证”反转", false],
  ])("finds the wish for verification in %s: %s", async (text, isWished) => {
    expect("verify" in (await createPlan(text))).toBe(isWished);
  });
});

const ASK_USER = createToolSpec("ask_user", "Asks the person.", { question: { type: "string" } });

function createReply(tool: string, args: unknown, content: string): ChatMessageParam[] {
  const call = { id: "call", type: "function" as const, function: { name: tool, arguments: JSON.stringify(args) } };
  return [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call", content },
  ];
}

describe("[F26] the planner's question for a time of day", () => {
  test.each([
    ["every evening tell me the time", "8", "20:00"],
    ["every evening tell me the time", "8am", "08:00"],
    ["每天晚上告诉我时间", "8点半", "20:30"],
    ["每天下午告诉我时间", "三点", "15:00"],
    ["每天告诉我时间", "8点", "08:00"],
  ])("is asked for %s and answered with %s", async (request, answer, daily_time) => {
    expect((await runPlanner(request, [], [ASK_USER])).calls).toMatchObject([{ name: "ask_user" }]);
    const { calls } = await runPlanner(request, createReply("ask_user", {}, answer), [ASK_USER]);
    expect(calls).toMatchObject([{ name: "create_plan", arguments: { tasks: [{ schedule_config: { daily_time } }] } }]);
  });

  test.each([
    ["early", "ask_user", "At what time"],
    ["25:00", "ask_user", "At what time"],
    ["no", "create_plan", "nothing was scheduled"],
    ["不用了", "create_plan", "nothing was scheduled"],
  ])("is followed, after the answer %s, by %s", async (answer, tool, words) => {
    const { calls } = await runPlanner("every morning tell me the time", createReply("ask_user", {}, answer), [
      ASK_USER,
    ]);
    expect(calls).toMatchObject([{ name: tool }]);
    expect(JSON.stringify(calls)).toContain(words);
  });
});

test.each(["make it 10", "改成10点", "what is 2+2?"])("schedules nothing after the answer %s", async (answer) => {
  const text = "every day at 9 tell me the time";
  const { calls } = await runPlanner(text, createReply("create_plan", await createPlan(text), answer));
  expect(calls).toMatchObject([{ arguments: { tasks: [], guidance_message: stringWith("whole request again") } }]);
});
