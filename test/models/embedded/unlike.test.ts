import { describe, expect, test } from "vitest";
import { plan, tool, work, type Message, type Tools } from "./drive.ts";

const text = { type: "string" };
const TOOLS: Tools = {
  current_time: {
    spec: tool("current_time", "The current date and time.", { timezone: text }, []),
    run: () => "08:00",
  },
  calculate: {
    spec: tool("calculate", "Works out an arithmetic expression.", { expression: text }),
    run: () => "7",
  },
  random_number: {
    spec: tool("random_number", "A random whole number.", { min: { type: "integer" }, max: { type: "integer" } }),
    run: () => "4",
  },
  text_statistics: {
    spec: tool("text_statistics", "Counts the characters and words of a text.", { text }),
    run: () => "3 characters, 1 words",
  },
  transform_text: {
    spec: tool("transform_text", "Rewrites a text.", {
      text,
      operation: { enum: ["uppercase", "reverse", "sort_lines"] },
    }),
    run: () => "done",
  },
};

const user = (content: string): Message[] => [{ role: "user", content }];
const soFar = (query: string, result: string, title = "x") =>
  user(`${query}\n\nResults so far:\n\`\`\`json\n${JSON.stringify([{ title, result }])}\n\`\`\``);
const made = async (messages: readonly Message[], tools = TOOLS) => {
  const { calls } = await work(messages, tools);
  return calls.flatMap((wave) => wave.map(({ name, arguments: given }) => [name, given]));
};

describe("a usual tool is not given what only sounds like its work", () => {
  test.each([
    "random decimal between 0 and 1",
    "generate a random password",
    "随机选一个：苹果、香蕉、橙子",
    "随机生成一个偶数",
    "a random number bigger than 100",
    "三个不重复的随机数",
    'count vowels in "education"',
    'reverse the words in "one two three"',
    "sort pear, apple, fig descending",
    "把 12*12 的结果转成罗马数字",
    "if it is even, tell me the time",
    "如果结果大于3就告诉我时间",
    "in an hour, roll a die",
    "5分钟后掷骰子",
    "random number over 9000",
    "how many words are in this sentence?",
    "what weekday is that",
    "3天后是星期几",
    "十天前是星期几",
    "两周后星期几",
    "下个月今天是星期几",
    "what is the date in 3 weeks",
    "what date is 90 days from today",
    "圣诞节是星期几",
    "what day is Christmas?",
  ])("%s", async (request) => {
    const { calls, text: said } = await work(user(request), TOOLS);
    expect(calls).toEqual([]);
    expect(said).toContain("OPENAI_API_KEY");
  });

  test("a tool that says that it does it is", async () => {
    const vowels = { spec: tool("count_vowels", "Counts the vowels of a text.", { text }), run: () => "5" };
    expect(await made(user('count vowels in "education"'), { ...TOOLS, count_vowels: vowels })).toEqual([
      ["count_vowels", { text: "education" }],
    ]);
  });

  test.each([
    ["不超过50的随机数", "random_number", { min: 1, max: 50 }],
    ['count the words in "choose a random password"', "text_statistics", { text: "choose a random password" }],
    ["reverse the word hello", "transform_text", { text: "hello", operation: "reverse" }],
  ])("%s is its work", async (request, name, given) => {
    expect(await made(user(request))).toEqual([[name, given]]);
  });
});

describe("what was found before", () => {
  test.each([
    ["add them together", "3 × 4 = 12\n5 × 6 = 30", { expression: "12 + 30" }],
    ["再乘以2", "6 个字符，3 个词，1 句，1 行", { expression: "6 * 2" }, "统计“今天天气不错”的字数"],
    ["求和", "10以内的质数：[2,3,5,7]", { expression: "2 + 3 + 5 + 7" }],
    ["give me the average", "Random number: 4\nRandom number: 8", { expression: "(4 + 8) / 2" }],
  ])("%s: of what %j is about", async (request, result, given, about = "x") => {
    expect(await made(soFar(request, result, about))).toEqual([["calculate", given]]);
  });

  test.each([
    ["12 × 12 = 144", "144"],
    ["bbnbnb\n(3 replaced)", "bbnbnb"],
  ])("the text of %j is its value", async (result, value) => {
    expect(await made(soFar("reverse the result", result))).toEqual([
      ["transform_text", { text: value, operation: "reverse" }],
    ]);
  });

  test("what is to be counted is no text", async () => {
    expect(await made(soFar("count the characters", "OLLEH"))).toEqual([["text_statistics", { text: "OLLEH" }]]);
  });

  test.each([["This did not work (5 ÷ 0): Nothing can be divided by zero."], ["没有做成（5 ÷ 0）：不能除以零。"]])(
    "what did not work is no result, whatever numbers stand in it: %s",
    async (told) => {
      expect(await made(soFar("square it", told))).toEqual([]);
    },
  );

  test("a refusal is no result, whatever numbers stand in it", async () => {
    const refusal = "I could not do this: the weather in 20 cities. Set OPENAI_API_KEY for full understanding.";
    expect(await made(soFar("square it", refusal))).toEqual([]);
  });
});

test.each([
  ["what time is it on Mars?", "Mars"],
  ["what time is it on the west coast?", "the west coast"],
  ["what time is it in gotham", "gotham"],
])("a place that nobody knows is not silently another one: %s", async (request, timezone) => {
  expect(await made(user(request))).toEqual([["current_time", { timezone }]]);
});

test.each(["what time is it now", "what's the time at the moment?", "what time is it in my time zone"])(
  "%s names no place",
  async (request) => {
    expect(await made(user(request))).toEqual([["current_time", {}]]);
  },
);

type Planned = { readonly tasks: readonly { query: string; agent_name: string; depends_on: string[] }[] };

describe("work that recurs waits for nothing", () => {
  const planned = async (text: string) => {
    const { calls } = await plan(text);
    const { tasks } = (calls[0]?.arguments ?? { tasks: [] }) as Planned;
    return tasks.map(({ query, agent_name, depends_on }) => [query, agent_name, depends_on]);
  };

  test.each([
    ["every day at 9 compute 2+3 and then double it", [["compute 2+3, then double it", "abacus", []]]],
    ["每天9点计算2+3，再乘以2，再减1", [["计算2+3，然后乘以2，然后减1", "abacus", []]]],
    [
      "every day at 9 tell me the time, then roll a die",
      [
        ["tell me the time", "chronos", []],
        ["roll a die", "fortuna", []],
      ],
    ],
  ])("%s", async (text, tasks) => {
    expect(await planned(text)).toEqual(tasks);
  });

  test("what has its own time is a task of its own", async () => {
    expect(await planned("every day at 9 compute 2+3, then at 10 compute 3*4")).toEqual([
      ["compute 2+3", "abacus", []],
      ["compute 3*4", "abacus", []],
    ]);
  });
});
