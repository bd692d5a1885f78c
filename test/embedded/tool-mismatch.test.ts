import { describe, expect, test } from "vitest";
import { runPlanner, createToolSpec, runAgentLoop, type ChatMessageParam, type TestTools } from "./embedded-client.ts";

const STRING_SCHEMA = { type: "string" };
const TOOLS: TestTools = {
  current_time: {
    spec: createToolSpec("current_time", "The current date and time.", { timezone: STRING_SCHEMA }, []),
    run: () => "08:00",
  },
  calculate: {
    spec: createToolSpec("calculate", "Works out an arithmetic expression.", { expression: STRING_SCHEMA }),
    run: () => "7",
  },
  random_number: {
    spec: createToolSpec("random_number", "A random whole number.", {
      min: { type: "integer" },
      max: { type: "integer" },
    }),
    run: () => "4",
  },
  text_statistics: {
    spec: createToolSpec("text_statistics", "Counts the characters and words of a text.", { text: STRING_SCHEMA }),
    run: () => "3 characters, 1 words",
  },
  transform_text: {
    spec: createToolSpec("transform_text", "Rewrites a text.", {
      text: STRING_SCHEMA,
      operation: { enum: ["uppercase", "reverse", "sort_lines"] },
    }),
    run: () => "done",
  },
};

const createUserMessages = (content: string): ChatMessageParam[] => [{ role: "user", content }];
const createWithResult = (query: string, result: string, title = "x") =>
  createUserMessages(`${query}\n\nResults so far:\n\`\`\`json\n${JSON.stringify([{ title, result }])}\n\`\`\``);
const listCalls = async (messages: readonly ChatMessageParam[], tools = TOOLS) => {
  const { calls } = await runAgentLoop(messages, tools);
  return calls.flatMap((wave) => wave.map(({ name, arguments: args }) => [name, args]));
};

describe("the selection of common tools", () => {
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
  ])("does not use a tool for work that only sounds similar: %s", async (request) => {
    const { calls, text: answer } = await runAgentLoop(createUserMessages(request), TOOLS);
    expect(calls).toEqual([]);
    expect(answer).toContain("OPENAI_API_KEY");
  });

  test("uses a tool whose description covers the work", async () => {
    const vowels = {
      spec: createToolSpec("count_vowels", "Counts the vowels of a text.", { text: STRING_SCHEMA }),
      run: () => "5",
    };
    expect(
      await listCalls(createUserMessages('count vowels in "education"'), { ...TOOLS, count_vowels: vowels }),
    ).toEqual([["count_vowels", { text: "education" }]]);
  });

  test.each([
    ["不超过50的随机数", "random_number", { min: 1, max: 50 }],
    ['count the words in "choose a random password"', "text_statistics", { text: "choose a random password" }],
    ["reverse the word hello", "transform_text", { text: "hello", operation: "reverse" }],
  ])("uses the matching tool: %s", async (request, name, args) => {
    expect(await listCalls(createUserMessages(request))).toEqual([[name, args]]);
  });
});

describe("an earlier result", () => {
  test.each([
    ["add them together", "3 × 4 = 12\n5 × 6 = 30", { expression: "12 + 30" }],
    ["再乘以2", "6 个字符，3 个词，1 句，1 行", { expression: "6 * 2" }, "统计“今天天气不错”的字数"],
    ["求和", "10以内的质数：[2,3,5,7]", { expression: "2 + 3 + 5 + 7" }],
    ["give me the average", "Random number: 4\nRandom number: 8", { expression: "(4 + 8) / 2" }],
  ])("is used for %s when it is %j", async (request, result, args, about = "x") => {
    expect(await listCalls(createWithResult(request, result, about))).toEqual([["calculate", args]]);
  });

  test.each([
    ["12 × 12 = 144", "144"],
    ["bbnbnb\n(3 replaced)", "bbnbnb"],
  ])("is used as text without its label: %j", async (result, value) => {
    expect(await listCalls(createWithResult("reverse the result", result))).toEqual([
      ["transform_text", { text: value, operation: "reverse" }],
    ]);
  });

  test("is counted as the text, not the word for its unit", async () => {
    expect(await listCalls(createWithResult("count the characters", "OLLEH"))).toEqual([
      ["text_statistics", { text: "OLLEH" }],
    ]);
  });

  test.each([["This did not work (5 ÷ 0): Nothing can be divided by zero."], ["没有做成（5 ÷ 0）：不能除以零。"]])(
    "is not used when it is an error that contains numbers: %s",
    async (errorText) => {
      expect(await listCalls(createWithResult("square it", errorText))).toEqual([]);
    },
  );

  test("is not used when it is a refusal that contains numbers", async () => {
    const refusal = "I could not do this: the weather in 20 cities. Set OPENAI_API_KEY for full understanding.";
    expect(await listCalls(createWithResult("square it", refusal))).toEqual([]);
  });
});

test.each([
  ["what time is it on Mars?", "Mars"],
  ["what time is it on the west coast?", "the west coast"],
  ["what time is it in gotham", "gotham"],
])("an unknown place is passed on and not replaced: %s", async (request, timezone) => {
  expect(await listCalls(createUserMessages(request))).toEqual([["current_time", { timezone }]]);
});

test.each(["what time is it now", "what's the time at the moment?", "what time is it in my time zone"])(
  "a request without a place uses no time zone: %s",
  async (request) => {
    expect(await listCalls(createUserMessages(request))).toEqual([["current_time", {}]]);
  },
);

type PlanArguments = { readonly tasks: readonly { query: string; agent_name: string; depends_on: string[] }[] };

describe("recurring work", () => {
  const listTasks = async (text: string) => {
    const { calls } = await runPlanner(text);
    const { tasks } = (calls[0]?.arguments ?? { tasks: [] }) as PlanArguments;
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
  ])("is one task without dependencies on earlier steps: %s", async (text, tasks) => {
    expect(await listTasks(text)).toEqual(tasks);
  });

  test("is a separate task when it has its own time", async () => {
    expect(await listTasks("every day at 9 compute 2+3, then at 10 compute 3*4")).toEqual([
      ["compute 2+3", "abacus", []],
      ["compute 3*4", "abacus", []],
    ]);
  });
});
