import { describe, expect, test } from "vitest";
import { CARDS } from "./test-cards.ts";
import { runTriage, type ChatMessageParam } from "./embedded-client.ts";

type HandoffArguments = { strategy: string; selected_agents: string[]; enriched_query: string };

async function runHandoff(text: string, history: readonly ChatMessageParam[] = []): Promise<HandoffArguments> {
  const { calls } = await runTriage(text, history);
  expect(calls.map(({ name }) => name)).toEqual(["handoff_to_planner"]);
  return calls[0]?.arguments as HandoffArguments;
}

const createTurn = (user: string, assistant: string): ChatMessageParam[] => [
  { role: "user", content: user },
  { role: "assistant", content: assistant },
];

describe("a direct answer", () => {
  test("[F06] greets in the language of the user, in several deltas", async () => {
    const chinese = await runTriage("你好");
    expect(chinese.text).toMatch(/^你好/);
    expect(chinese.deltas).toBeGreaterThan(2);
    expect(chinese.calls).toEqual([]);
    expect((await runTriage("hello!")).text).toMatch(/^Hello/);
  });

  test("describes the embedded model", async () => {
    expect((await runTriage("你是谁？")).text).toMatch(/规则.*OPENAI_API_KEY/s);
    expect((await runTriage("who are you?")).text).toMatch(/rule-based.*OPENAI_API_KEY/s);
  });

  test("lists the agents of the prompt with their abilities", async () => {
    const { text } = await runTriage("what can you do?");
    for (const { name, description } of CARDS) expect(text).toContain(`${name}: ${description}`);
  });

  test("refers to a real model for requests beyond the rules", async () => {
    const { text, calls } = await runTriage("write a poem about the sea");
    expect(calls).toEqual([]);
    expect(text).toMatch(/beyond.*OPENAI_API_KEY/s);
    expect((await runTriage("法国的首都是哪里？")).text).toMatch(/超出.*OPENAI_API_KEY/s);
  });

  test.each([
    ["明天上午10点掷骰子", /不能在以后某个时间只做一次/],
    ["明天提醒我开会", /不能在以后某个时间只做一次/],
    ["20分钟后报时", /不能在以后某个时间只做一次/],
    ["后天下午三点半生成一个随机数", /不能在以后某个时间只做一次/],
    ["tomorrow at 10 roll a die", /not once at a later time/],
    ["Roll a die tomorrow at 10.", /not once at a later time/],
    ["in 20 minutes tell me the time", /not once at a later time/],
    ["remind me tomorrow at 8 to call mum", /not once at a later time/],
    ["remind me in 10 minutes to stretch", /not once at a later time/],
    ["set a timer for 10 minutes", /not once at a later time/],
    ["please, tonight at 9pm calculate 3*4", /not once at a later time/],
  ])("refuses work for a later time: %s", async (request, words) => {
    const { text, calls } = await runTriage(request);
    expect(calls).toEqual([]);
    expect(text).toMatch(words);
  });

  test.each([
    "what time is it in 20 minutes",
    "明天几点日出，顺便掷骰子",
    "tell me the time every day at 10",
    'count the words in "see you tomorrow at 10"',
    "uppercase: see you tomorrow at 10",
    "北京时间明天上午10点是纽约几点",
  ])("does not take other requests as work for a later time: %s", async (request) => {
    expect((await runTriage(request)).text).not.toMatch(/later time|以后某个时间/);
  });

  test("repeats the last question", async () => {
    expect((await runTriage("我刚才问了什么？", createTurn("东京现在几点？", "15:00"))).text).toContain(
      "东京现在几点？",
    );
  });

  test("lists the known agents when an unknown agent is requested", async () => {
    const { text } = await runTriage("@nobody do something");
    expect(text).toContain("nobody");
    expect(text).toContain("chronos");
  });
});

describe("[F05] a handoff", () => {
  test.each([
    ["现在几点", "chronos"],
    ["What is 12 times 34?", "abacus"],
    ["掷骰子", "fortuna"],
    ["uppercase hello", "scribe"],
    ["will it rain in Paris", "tempest"],
  ])("[F08] of %s goes to %s alone with the unchanged request", async (text, agent) => {
    expect(await runHandoff(text)).toMatchObject({
      strategy: "single_agent",
      selected_agents: [agent],
      enriched_query: text,
    });
  });

  test("follows the cards, not the names", async () => {
    const names = CARDS.map(({ name }) => name);
    const renamed = CARDS.map((card, i) => ({ ...card, name: names[(i + 1) % names.length] ?? "" }));
    const { calls } = await runTriage("What is 12 times 34?", [], renamed);
    expect(calls[0]?.arguments).toMatchObject({ selected_agents: ["fortuna"] });
  });

  test.each([
    "5 km in miles",
    "70 kg in pounds",
    "how many feet are in a mile",
    "5 mi to km and 3 kg in pounds",
    "5公里等于多少英里",
    "1.5公里換成米",
    "100华氏度是多少摄氏度",
  ])("recognizes %s as a unit conversion without a keyword", async (text) => {
    const skill = { id: "units", name: "Conversions 换算", description: "", tags: ["convert", "换算"], examples: [] };
    const gauge = { name: "gauge", description: "", skills: [skill] };
    const { calls } = await runTriage(text, [], [...CARDS, gauge]);
    expect(calls[0]?.arguments).toMatchObject({ strategy: "single_agent", selected_agents: ["gauge"] });
    expect((await runTriage(text)).text).toMatch(/内置|built-in/);
  });

  test.each([
    ["ask the chronos agent what 1 + 1 is", "chronos", "what 1 + 1 is"],
    ["run the process chronos for Ann Lee", "chronos", "Ann Lee"],
    ["启动流程 chronos：李雷", "chronos", "李雷"],
    ["让 fortuna 计算1加1", "fortuna", "计算1加1"],
    ["@scribe tell me the time", "scribe", "tell me the time"],
    ["tempest: tell me the time", "tempest", "tell me the time"],
    ["用abacus告诉我时间", "abacus", "告诉我时间"],
  ])("[F17] of %s goes to the named agent", async (text, agent, query) => {
    expect(await runHandoff(text)).toMatchObject({
      strategy: "single_agent",
      selected_agents: [agent],
      enriched_query: query,
    });
  });

  test("[F09] goes to several agents after adjacent mentions", async () => {
    expect(await runHandoff("@chronos @tempest Tokyo")).toMatchObject({
      strategy: "multi_agent",
      selected_agents: ["chronos", "tempest"],
      enriched_query: "Tokyo",
    });
  });

  test("[F09] sends the same request to several named agents in parallel", async () => {
    expect(await runHandoff("ask chronos and tempest about Tokyo")).toMatchObject({
      strategy: "multi_agent",
      selected_agents: ["chronos", "tempest"],
    });
  });

  test.each([
    "首先查询现在时间然后计算678乘以8776的结果",
    "tell me the time, generate a random number and compute 123 plus 456",
    "every day at 9 tell me the time",
    "每天早上9点告诉我现在时间",
    "ask chronos every day at 9 for the time",
  ])("of %s requires planning and keeps the text", async (text) => {
    expect(await runHandoff(text)).toMatchObject({
      strategy: "needs_planning",
      selected_agents: [],
      enriched_query: text,
    });
  });
});

describe("[F12] a follow-up", () => {
  const product = createTurn("678乘以8776", "678 × 8776 = 5950128");
  const london = createTurn("What time is it in London?", "Current time (Europe/London): 08:00");

  test.each<[string, ChatMessageParam[], string]>([
    ["再乘以2", product, "5950128 × 2"],
    ["and times 2?", product, "5950128 × 2?"],
    ["它的平方根是多少", product, "sqrt(5950128)是多少"],
    [
      "再加两个小时呢",
      createTurn("现在几点", "2026-11-22T04:15:33+00:00 (2026年11月22日星期日 04:15:33, UTC)"),
      "再加两个小时呢",
    ],
    ["what about in Tokyo?", london, "What time is it in Tokyo?"],
    ["sorry, I meant Tokyo", london, "What time is it in Tokyo?"],
    ["不对，我是说上海", createTurn("东京现在几点？", "15:00"), "上海现在几点？"],
    ["那上海呢", createTurn("东京现在几点？", "15:00"), "上海现在几点？"],
    ["上海呢？", createTurn("现在几点？", "15:00"), "上海现在几点？"],
    ["and in Paris?", [...london, ...createTurn("and Tokyo?", "17:00")], "What time is it in Paris?"],
    ["what about 10?", createTurn("square root of 2", "sqrt(2) = 1.414"), "square root of 10"],
    ["再来一次", createTurn("生成一个随机数", "随机数：5"), "生成一个随机数"],
    ["again", createTurn("roll a die", "4"), "roll a die"],
    ["count the words of that", createTurn("hi", "one two three"), 'count the words of "one two three"'],
    ["那后天呢", createTurn("明天周几", "明天周几：星期日"), "后天周几"],
    ["and tomorrow?", createTurn("what day is today", "Saturday"), "what day is tomorrow"],
    ["再打八折", product, "5950128 × 0.8"],
    ["再转大写", createTurn("把abc反转", "cba"), '再转大写: "cba"'],
    [
      "and the day after tomorrow?",
      createTurn("what weekday is it tomorrow", "Sunday"),
      "what weekday is it day after tomorrow",
    ],
    ["再乘以3", createTurn("统计“今天天气”的字数", "4 个字符，2 个词，1 句，1 行"), "4 × 3"],
    ["那里是星期几", createTurn("东京现在几点", "15:00"), "东京是星期几"],
    ["what day is it there", london, "what day is it in London"],
    ["再加1", [...product, ...createTurn("谢谢", "不客气！")], "5950128 + 1"],
    ["how many letters does it have", createTurn("reverse hello", "olleh"), 'how many letters does "olleh" have'],
    ["把它转成大写", createTurn("你好", "abc def"), '把"abc def"转成大写'],
  ])("is completed from the history: %s", async (text, history, query) => {
    expect((await runHandoff(text, history)).enriched_query).toBe(query);
  });

  test("that is a complete request stays unchanged", async () => {
    expect((await runHandoff("what time is it in Paris?", product)).enriched_query).toBe("what time is it in Paris?");
  });
});

describe("a request to verify", () => {
  test.each([
    ["compute 3*4 and verify it", "compute 3*4 and verify it"],
    ["@abacus compute 3*4, and double-check the result", "@abacus compute 3*4, and double-check the result"],
    ["计算3乘以4，并验证结果", "计算3乘以4，并验证结果"],
  ])("goes to the planner with its text: %s", async (text, query) => {
    expect(await runHandoff(text, createTurn("roll a die", "4"))).toMatchObject({
      strategy: "needs_planning",
      selected_agents: [],
      enriched_query: query,
    });
  });

  test("refers to the requested work with “it”, not to the earlier answer", async () => {
    const { enriched_query } = await runHandoff("and times 2, and verify it", createTurn("compute 3*4", "12"));
    expect(enriched_query).toMatch(/^12 ?[×*] ?2, and verify it$/);
  });

  test("alone is no work", async () => {
    expect((await runTriage("verify it")).calls).toEqual([]);
  });
});
