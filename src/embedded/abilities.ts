// The table of abilities of the stand-in model. The help text and the tests are made from it.

import type { LocalizedText } from "../language/detect-language.ts";

/** The outcome of a request that is sent to the built-in agents. */
export type Expectation =
  /** The assistant makes these calls, in this order. */
  | { readonly kind: "calls"; readonly calls: readonly ExpectedCall[] }
  /** The planner makes these tasks. */
  | { readonly kind: "plan"; readonly tasks: readonly ExpectedTask[] }
  /** Triage answers with a text that contains this one. */
  | { readonly kind: "says"; readonly text: string }
  /** Nothing runs; one sentence says that a real model is needed, or what to do instead. */
  | { readonly kind: "declines" };

export type ExpectedCall = readonly [tool: string, args: object];
/** `after` are the positions of the tasks that must finish first. */
export type ExpectedTask = {
  readonly query: string;
  readonly agent?: string;
  readonly after?: readonly number[];
  readonly schedule?: object;
};

export type AbilityExample<Expected = Expectation> = {
  readonly request: string;
  readonly expect: Expected;
  /** An earlier request and its answer. */
  readonly history?: readonly [request: string, answer: string];
};

export type Ability<Expected = Expectation> = {
  readonly name: string;
  /** Completes “I can …”. */
  readonly description: LocalizedText;
  /** The first example of each language is shown in the help text. */
  readonly examples: readonly AbilityExample<Expected>[];
};

const DECLINES: Expectation = { kind: "declines" };

const sums = (...rows: readonly (readonly [request: string, ...expressions: string[]])[]): AbilityExample[] =>
  rows.map(([request, ...expressions]) => ({
    request,
    expect: { kind: "calls", calls: expressions.map((expression) => ["calculate", { expression }] as const) },
  }));
const clocks = (...rows: readonly (readonly [request: string, ...zones: string[]])[]): AbilityExample[] =>
  rows.map(([request, ...zones]) => ({
    request,
    expect: { kind: "calls", calls: zones.map((timezone) => ["current_time", { timezone }] as const) },
  }));
const draws = (
  ...rows: readonly (readonly [request: string, min: number, max: number, count?: number])[]
): AbilityExample[] =>
  rows.map(([request, min, max, count = 1]) => ({
    request,
    expect: { kind: "calls", calls: Array.from({ length: count }, () => ["random_number", { min, max }] as const) },
  }));
const calls = (request: string, ...expected: readonly ExpectedCall[]): AbilityExample => ({
  request,
  expect: { kind: "calls", calls: expected },
});
const plan = (request: string, ...tasks: readonly ExpectedTask[]): AbilityExample => ({
  request,
  expect: { kind: "plan", tasks },
});
const says = (text: string, ...requests: readonly string[]): AbilityExample[] =>
  requests.map((request) => ({ request, expect: { kind: "says", text } }));
const declines = (...requests: readonly string[]): AbilityExample[] =>
  requests.map((request) => ({ request, expect: DECLINES }));
const follows = (
  before: readonly [string, string],
  request: string,
  ...expected: readonly ExpectedCall[]
): AbilityExample => ({ request, history: before, expect: { kind: "calls", calls: expected } });

const PRODUCT = ["678乘以8776", "678 × 8776 = 5950128"] as const;
const TOKYO = ["What time is it in Tokyo?", "Current time: 2026-11-21T17:00:00+09:00 (Asia/Tokyo)"] as const;

export const ABILITIES: readonly Ability[] = [
  {
    name: "time",
    description: { en: "tell the time and date anywhere", zh: "查询各地的时间和日期" },
    examples: [
      ...clocks(
        ["what time is it in Tokyo?", "Asia/Tokyo"],
        ["东京现在几点", "Asia/Tokyo"],
        ["现在几点了", "UTC"],
        ["What day is it today?", "UTC"],
        ["今天星期几？", "UTC"],
        ["What's today's date?", "UTC"],
        ["what time is it in São Paulo and Sydney", "America/Sao_Paulo", "Australia/Sydney"],
        ["time in Zürich", "Europe/Zurich"],
        ["What time is it in Tokyo and in Europe/Paris?", "Asia/Tokyo", "Europe/Paris"],
        ["北京和伦敦现在几点", "Asia/Shanghai", "Europe/London"],
        ["告诉我纽约的时间", "America/New_York"],
        ["what time is it in Marseille", "Europe/Paris"],
        ["the time in Switzerland please", "Europe/Zurich"],
        ["现在GMT-3:30是几点", "-03:30"],
        // The tool refuses a place that nobody knows.
        ["what time is it in Gotham City?", "Gotham City"],
        ["what time is it in Springfield", "Springfield"],
        ["火星现在几点", "火星"],
      ),
      ...declines("how much time do I need to learn the piano", "给我几点建议"),
    ],
  },
  {
    name: "arithmetic",
    description: { en: "do arithmetic exactly", zh: "精确计算" },
    examples: [
      ...sums(
        ["what is 12 * 34?", "12 * 34"],
        ["计算678乘以8776的结果", "678 * 8776"],
        ["Compute 678 × 8776", "678 * 8776"],
        ["计算 128 除以 4 再加 6", "(128 / 4) + 6"],
        ["Calculate (12.5 + 7) / 3", "(12.5 + 7) / 3"],
        ["2 的 10 次方是多少？", "2 ^ 10"],
        ["twelve times twenty-one", "12 * 21"],
        ["一百二十三加四百五十六等于多少？", "123 + 456"],
        ["What is the square root of 2?", "sqrt(2)"],
        ["16的平方根", "sqrt(16)"],
        ["15% of 80", "(15 / 100) * 80"],
        ["200的20%是多少", "200 * (20 / 100)"],
        ["what is 250 minus 20%", "250 - 20%"],
        ["300打8折", "300 * 0.8"],
        ["20% off $59.99", "59.99 * (1 - 20 / 100)"],
        ["3 plus 4, all multiplied by 2", "(3 + 4) * 2"],
        ["the sum of 3 and 4", "3 + 4"],
        ["subtract 3 from 10", "10 - 3"],
        ["1、2、3的平均值", "(1 + 2 + 3) / 3"],
        ["10 / 3 rounded to 3 decimal places", "round(10 / 3, 3)"],
        ["10除以3保留两位小数", "round(10 / 3, 2)"],
        ["100除以7的余数", "100 % 7"],
        ["-3^2", "-3 ^ 2"],
        ["负5的平方", "(-5) ^ 2"],
        ["123456789 * 987654321", "123456789 * 987654321"],
        ["calculate 5/0", "5 / 0"],
        ["What is 12 times 34 and the square root of 2", "12 * 34", "sqrt(2)"],
        ["compute 3+4 then multiply it by 2", "3 + 4", "7 * 2"],
      ),
      ...declines("1+2+3+...+10", "3 apples plus a pear", "增加3个成员", "how many times did it rain"),
    ],
  },
  {
    name: "random",
    description: { en: "draw random numbers", zh: "生成随机数" },
    examples: [
      ...draws(
        ["Pick a random number between 1 and 100", 1, 100],
        ["给我一个 1 到 10 的随机数", 1, 10],
        ["generate a random number", 1, 100],
        ["Roll a die", 1, 6],
        ["掷两次骰子", 1, 6, 2],
        ["roll 2d6", 1, 6, 2],
        ["three random numbers between 5 and 9", 5, 9, 3],
        ["不超过50的随机数", 1, 50],
        ["a random number from minus five to 5", -5, 5],
        ["六位随机数", 100_000, 999_999],
      ),
      ...declines(
        "a random number bigger than 100",
        "generate 100 random numbers",
        "flip over the mattress",
        "五分钟后掷骰子",
      ),
    ],
  },
  {
    name: "text",
    description: { en: "count and rewrite text", zh: "统计和改写文本" },
    examples: [
      calls("How many words are in: the quick brown fox?", ["text_statistics", { text: "the quick brown fox?" }]),
      calls("统计这段话的字数：你好，世界", ["text_statistics", { text: "你好，世界" }]),
      calls("count the words in 'to be or not'", ["text_statistics", { text: "to be or not" }]),
      calls("Turn hello world into upper case", ["transform_text", { text: "hello world", operation: "uppercase" }]),
      calls("把 abc 反转", ["transform_text", { text: "abc", operation: "reverse" }]),
      calls("capitalize the old man", ["transform_text", { text: "the old man", operation: "titlecase" }]),
      calls("sort pear, apple and fig", ["transform_text", { text: "pear\napple\nfig", operation: "sort_lines" }]),
      calls(
        "把“Hello”转成小写并反转",
        ["transform_text", { text: "Hello", operation: "lowercase" }],
        ["transform_text", { text: "hello", operation: "reverse" }],
      ),
      calls("replace cat with dog in 'the cat sat'", [
        "replace_text",
        { text: "the cat sat", find: "cat", replacement: "dog" },
      ]),
      calls("将hello替换成world：hello there", [
        "replace_text",
        { text: "hello there", find: "hello", replacement: "world" },
      ]),
      ...declines("translate 'good morning' to French", "summarize this text"),
    ],
  },
  {
    name: "several",
    description: { en: "do several things in order or at once", zh: "依次或同时完成几件事" },
    examples: [
      plan(
        "First look up the current time, then calculate 678 times 8776.",
        { query: "look up the current time" },
        { query: "calculate 678 times 8776.", after: [0] },
      ),
      plan(
        "首先查询现在时间然后计算678乘以8776的结果",
        { query: "查询现在时间" },
        { query: "计算678乘以8776的结果", after: [0] },
      ),
      plan(
        "告诉我现在时间、生成一个随机数、计算123加456",
        { query: "告诉我现在时间" },
        { query: "生成一个随机数" },
        { query: "计算123加456" },
      ),
      plan(
        "Tell me the time, give me a random number, and compute 123 + 456",
        { query: "Tell me the time" },
        { query: "give me a random number" },
        { query: "compute 123 + 456" },
      ),
      plan(
        "What is 12 * 34, and what day is it today?",
        { query: "What is 12 * 34" },
        { query: "what day is it today?" },
      ),
      plan("计算3加4，再把结果乘以2", { query: "计算3加4" }, { query: "把结果乘以2", after: [0] }),
      plan(
        "roll two dice and multiply the results",
        { query: "roll two dice" },
        { query: "multiply the results", after: [0] },
      ),
      plan("1. tell me the time\n2. roll a die", { query: "tell me the time" }, { query: "roll a die" }),
      plan(
        "ask the assistant to roll a die, and the toolsmith to compute 2*3",
        { query: "roll a die" },
        { query: "compute 2*3", agent: "toolsmith" },
      ),
      // A part that nobody can do is left out and named.
      plan("tell me the time and write a poem", { query: "tell me the time" }),
    ],
  },
  {
    name: "verification",
    description: { en: "verify the work afterwards", zh: "完成后验证结果" },
    examples: [
      plan("What is 678 * 8776? Then verify the result.", { query: "What is 678 * 8776?" }),
      plan(
        "首先查询现在时间，然后计算678乘以8776，并验证结果",
        { query: "查询现在时间" },
        { query: "计算678乘以8776", after: [0] },
      ),
    ],
  },
  {
    name: "schedules",
    description: { en: "repeat work on a schedule", zh: "按时间重复工作" },
    examples: [
      plan("every day at 9 tell me the time", {
        query: "tell me the time",
        schedule: { daily_time: "09:00", timezone: "UTC" },
      }),
      plan("每天早上9点告诉我现在时间", {
        query: "告诉我现在时间",
        schedule: { daily_time: "09:00", timezone: "UTC" },
      }),
      plan("Every hour give me a random number", {
        query: "give me a random number",
        schedule: { interval_minutes: 60 },
      }),
      plan("weekdays at 18:30 compute 6 * 7", {
        query: "compute 6 * 7",
        schedule: { cron: "30 18 * * 1-5", timezone: "UTC" },
      }),
      plan("Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.", {
        query: "tell me what 6 * 7 is.",
        schedule: { interval_minutes: 5 },
      }),
      plan("cron */5 * * * * tell me the time", {
        query: "tell me the time",
        schedule: { cron: "*/5 * * * *", timezone: "UTC" },
      }),
      plan("every day at 9 compute 2+3 and then double it", {
        query: "compute 2+3, then double it",
        schedule: { daily_time: "09:00", timezone: "UTC" },
      }),
      plan(
        "每5分钟计算6*7，每天9点告诉我时间",
        { query: "计算6*7", schedule: { interval_minutes: 5 } },
        { query: "告诉我时间", schedule: { daily_time: "09:00", timezone: "UTC" } },
      ),
      plan("工作日18:30提醒我计算2+2", { query: "计算2+2", schedule: { cron: "30 18 * * 1-5", timezone: "UTC" } }),
      ...says("Your schedules are on the page", "stop the daily report", "what schedules do I have?"),
      ...says("定时任务都在“定时任务”页面上", "停止每天的报告", "取消所有定时任务"),
      ...says("not once at a later time", "tomorrow at 10 roll a die", "remind me in 10 minutes to stretch"),
      ...says("不能在以后某个时间只做一次", "明天上午10点掷骰子"),
      ...declines(
        "tell me the time every 5 minutes until 6pm",
        "every 30 seconds tell me the time",
        "每月最后一天9点告诉我时间",
        "every day at 9 write a poem",
      ),
    ],
  },
  {
    name: "agents",
    description: {
      en: "choose agents by their cards, or ask the one that you name",
      zh: "按名片选择智能体，或交给你点名的智能体",
    },
    examples: [
      plan("ask the assistant to compute 2*3", { query: "compute 2*3" }),
      plan("让 assistant 掷骰子", { query: "掷骰子" }),
      plan("@toolsmith 2^10", { query: "2^10", agent: "toolsmith" }),
      ...says('There is no agent called "nobody"', "@nobody do something"),
    ],
  },
  {
    name: "follow-ups",
    description: { en: "go on from the last answer", zh: "接着上一个回答继续" },
    examples: [
      follows(PRODUCT, "and times 2?", ["calculate", { expression: "5950128 * 2" }]),
      follows(PRODUCT, "再乘以2", ["calculate", { expression: "5950128 * 2" }]),
      follows(TOKYO, "what about Paris?", ["current_time", { timezone: "Europe/Paris" }]),
      follows(["东京现在几点？", "15:00"], "那上海呢", ["current_time", { timezone: "Asia/Shanghai" }]),
      follows(["roll a die", "4"], "again", ["random_number", { min: 1, max: 6 }]),
      follows(["把abc反转", "cba"], "再转大写", ["transform_text", { text: "cba", operation: "uppercase" }]),
    ],
  },
  {
    name: "conversation",
    description: { en: "greet you, and say who I am and what I can do", zh: "打招呼，并说明我是谁、能做什么" },
    examples: [
      ...says("rule-based", "who are you?", "Hi, are you an AI?"),
      ...says("规则模型", "你是谁？", "你叫什么名字"),
      ...says("Hello", "hello", "good morning 😀"),
      ...says("你好", "你好", "早上好"),
      ...says("These agents can work for you", "what can you do?", "help"),
      ...says("这些智能体可以为你工作", "你能做什么？"),
      ...says("You're welcome", "thank you for your help"),
      ...says("This is the first thing", "what did I just ask?"),
      ...declines(
        "write a poem about the sea",
        "法国的首都是哪里？",
        "tell me a joke",
        "讲个笑话",
        "verify it",
        "book a flight to Oslo",
      ),
    ],
  },
];
