import { describe, expect, test } from "vitest";
import { createToolSpec, runAgentLoop, type ChatMessageParam, type TestTools } from "./embedded-client.ts";

/** Results of the expressions that the tests need, computed by hand: the model must not compute them itself. */
const KNOWN_RESULTS: Readonly<Record<string, string>> = {
  "678 * 8776": "5950128",
  "123 + 456": "579",
  "300 - 20": "280",
  "sqrt(2)": "1.4142135623731",
  "3 + 4": "7",
  "7 * 2": "14",
  "4 + 4": "8",
  "3 * 2": "6",
  "(15 / 100) * 80": "12",
  "10 / 3": "3.33333333333333",
  "(3 + 4) * 2": "14",
  "1.5 * 3e20": "4.5e+20",
  "123456789 * 987654321": "121932631112635269",
};

const TOOLS: TestTools = {
  current_time: {
    spec: createToolSpec("current_time", "The current date and time.", { timezone: { type: "string" } }, []),
    run: ({ timezone = "local" }: { timezone?: string }) => `08:00 ${timezone}`,
  },
  calculate: {
    spec: createToolSpec("calculate", "Works out an arithmetic expression.", { expression: { type: "string" } }),
    run: ({ expression }: { expression: string }) => KNOWN_RESULTS[expression] ?? `Error: unknown ${expression}`,
  },
  random_number: {
    spec: createToolSpec("random_number", "A random whole number.", {
      min: { type: "integer" },
      max: { type: "integer" },
    }),
    run: () => "4",
  },
  text_statistics: {
    spec: createToolSpec("text_statistics", "Counts the characters and words of a text.", { text: { type: "string" } }),
    run: ({ text }: { text: string }) => `${text.length} characters, ${text.split(" ").length} words, 1 lines`,
  },
  transform_text: {
    spec: createToolSpec("transform_text", "Rewrites a text.", {
      text: { type: "string" },
      operation: { type: "string", enum: ["uppercase", "lowercase", "title_case", "reverse", "trim"] },
    }),
    run: ({ text, operation }: { text: string; operation: string }) => `${operation}(${text})`,
  },
};

const createUserMessages = (content: string): ChatMessageParam[] => [{ role: "user", content }];
const listCalls = (calls: readonly (readonly { name: string; arguments: unknown }[])[]) =>
  calls.map((wave) => wave.map(({ name, arguments: args }) => [name, args]));

describe("the selection of tools and their arguments", () => {
  test.each<[string, string, object, string]>([
    ["678乘以8776", "calculate", { expression: "678 * 8776" }, "678 × 8776 = 5950128"],
    ["计算123加456", "calculate", { expression: "123 + 456" }, "123 + 456 = 579"],
    ["三百减二十", "calculate", { expression: "300 - 20" }, "300 - 20 = 280"],
    ["What is the square root of 2?", "calculate", { expression: "sqrt(2)" }, "sqrt(2) ≈ 1.4142135623731"],
    ["15% of 80", "calculate", { expression: "(15 / 100) * 80" }, "(15 ÷ 100) × 80 = 12"],
    ["3 plus 4, all multiplied by 2", "calculate", { expression: "(3 + 4) * 2" }, "(3 + 4) × 2 = 14"],
    ["10 divided by 3", "calculate", { expression: "10 / 3" }, "10 ÷ 3 ≈ 3.33333333333333"],
    ["1.5乘以3e20", "calculate", { expression: "1.5 * 3e20" }, "1.5 × 3e20 ≈ 4.5e+20"],
    [
      "123456789 * 987654321",
      "calculate",
      { expression: "123456789 * 987654321" },
      "123456789 × 987654321 = 121932631112635269",
    ],
    ["现在几点", "current_time", {}, "当前时间：08:00 local"],
    ["what time is it in New York?", "current_time", { timezone: "America/New_York" }, "08:00 America/New_York"],
    ["random number between 1 and 6", "random_number", { min: 1, max: 6 }, "Random number: 4"],
    ["1到50之间的随机数", "random_number", { min: 1, max: 50 }, "随机数：4"],
    ["生成一个随机数", "random_number", { min: 1, max: 100 }, "随机数：4"],
    ["count the words in 'a b c'", "text_statistics", { text: "a b c" }, "5 characters, 3 words"],
    [
      "把hello world转成大写",
      "transform_text",
      { text: "hello world", operation: "uppercase" },
      "uppercase(hello world)",
    ],
    ["reverse abc", "transform_text", { text: "abc", operation: "reverse" }, "reverse(abc)"],
    ["title case 'the sea'", "transform_text", { text: "the sea", operation: "title_case" }, "title_case(the sea)"],
  ])("follows the request: %s", async (text, name, args, answer) => {
    const { text: reply, calls } = await runAgentLoop(createUserMessages(text), TOOLS);
    expect(listCalls(calls)).toEqual([[[name, args]]]);
    expect(reply).toContain(answer);
  });

  test("makes two calls for two places", async () => {
    const { calls } = await runAgentLoop(createUserMessages("what time is it in Tokyo and London"), TOOLS);
    expect(listCalls(calls)).toEqual([
      [
        ["current_time", { timezone: "Asia/Tokyo" }],
        ["current_time", { timezone: "Europe/London" }],
      ],
    ]);
  });

  test("passes an unknown place on instead of replacing it", async () => {
    const { calls } = await runAgentLoop(createUserMessages("what time is it in Gotham City?"), TOOLS);
    expect(listCalls(calls)).toEqual([[["current_time", { timezone: "Gotham City" }]]]);
    for (const request of ["火星现在几点", "现在火星几点"])
      expect(listCalls((await runAgentLoop(createUserMessages(request), TOOLS)).calls)).toEqual([
        [["current_time", { timezone: "火星" }]],
      ]);
  });

  test("[F45] uses the time zone of the user where the request names none", async () => {
    const system: ChatMessageParam = {
      role: "system",
      content: "You tell the time.\n\nTime zone of the person: Asia/Tokyo",
    };
    const { calls } = await runAgentLoop([system, ...createUserMessages("现在几点")], TOOLS);
    expect(listCalls(calls)).toEqual([[["current_time", { timezone: "Asia/Tokyo" }]]]);
  });

  test("understands tools with other names and parameters by their schemas", async () => {
    const otherTools: TestTools = {
      mul_div: {
        spec: createToolSpec("mul_div", "Arithmetic with two numbers.", {
          a: { type: "number" },
          b: { type: "number" },
          op: { enum: ["add", "subtract", "multiply", "divide"] },
        }),
        run: () => '{"a":6,"result":42}',
      },
      weather_report: {
        spec: createToolSpec("weather_report", "The weather in a city.", { city: { type: "string" } }),
        run: ({ city }: { city: string }) => `Sunny in ${city}.`,
      },
      days_between: {
        spec: createToolSpec("days_between", "Counts the days between two dates.", {
          from: { type: "string", format: "date" },
          to: { type: "string", format: "date" },
        }),
        run: () => "30",
      },
    };
    const product = await runAgentLoop(createUserMessages("6 times 7"), otherTools);
    expect(listCalls(product.calls)).toEqual([[["mul_div", { a: 6, b: 7, op: "multiply" }]]]);
    expect(product.text).toContain("42");
    expect((await runAgentLoop(createUserMessages("巴黎天气怎么样"), otherTools)).text).toBe("Sunny in 巴黎.");
    const days = await runAgentLoop(
      createUserMessages("how many days between 2026-11-21 and December 21, 2026"),
      otherTools,
    );
    expect(listCalls(days.calls)).toEqual([[["days_between", { from: "2026-11-21", to: "2026-12-21" }]]]);
  });

  test("sorts a list line by line, and does not treat one item as a list", async () => {
    const sorting: TestTools = {
      transform_text: {
        spec: createToolSpec("transform_text", "Sorts the lines of a text.", {
          text: { type: "string" },
          operation: { type: "string", enum: ["uppercase", "sort_lines"] },
        }),
        run: () => "sorted",
      },
    };
    const sortCalls = async (request: string) =>
      listCalls((await runAgentLoop(createUserMessages(request), sorting)).calls);
    for (const request of [
      "sort these words: pear, apple and fig",
      "sort pear, apple, fig",
      "排序：pear、apple、fig",
    ]) {
      const args = { text: "pear\napple\nfig", operation: "sort_lines" };
      expect(await sortCalls(request)).toEqual([[["transform_text", args]]]);
    }
    expect(await sortCalls("sort: banana")).toEqual([]);
  });

  test("calls nothing when one of several texts would be treated as all of them", async () => {
    const request = `count the words in "a b" and the characters in "c d"`;
    expect((await runAgentLoop(createUserMessages(request), TOOLS)).calls).toEqual([]);
  });

  test("needs all three texts for a replacement, and does not use a tool with another purpose", async () => {
    const text = { type: "string" };
    const replace: TestTools = {
      text_statistics: TOOLS["text_statistics"] as TestTools[string],
      replace_text: {
        spec: createToolSpec("replace_text", "Replaces words in a text.", { text, find: text, replacement: text }),
        run: () => "ok",
      },
    };
    const { calls } = await runAgentLoop(createUserMessages("replace cat with dog in 'the cat sat'"), replace);
    expect(listCalls(calls)).toEqual([[["replace_text", { text: "the cat sat", find: "cat", replacement: "dog" }]]]);
    const args = { text: "hello there", find: "hello", replacement: "world" };
    for (const request of ["将hello替换成world：hello there", "replace hello with world: hello there"]) {
      expect(listCalls((await runAgentLoop(createUserMessages(request), replace)).calls)).toEqual([
        [["replace_text", args]],
      ]);
    }
    expect((await runAgentLoop(createUserMessages("将“hello”替换掉"), replace)).calls).toEqual([]);
  });
});

describe("results of earlier work", () => {
  const createWithResults = (query: string, ...results: { title: string; result: string }[]) =>
    createUserMessages(`${query}\n\nResults so far:\n\`\`\`json\n${JSON.stringify(results)}\n\`\`\``);

  test("[F39] 'it' is the last result", async () => {
    const { calls, text } = await runAgentLoop(
      createWithResults("再把结果乘以2", { title: "求和", result: "3 + 4 = 7" }),
      TOOLS,
    );
    expect(listCalls(calls)).toEqual([[["calculate", { expression: "7 * 2" }]]]);
    expect(text).toBe("7 × 2 = 14");
  });

  test("the requested number of a result is used", async () => {
    const count = { title: "Count the words in 'a b c'", result: "5 characters, 3 words, 1 lines" };
    expect(listCalls((await runAgentLoop(createWithResults("multiply it by 2", count), TOOLS)).calls)).toEqual([
      [["calculate", { expression: "3 * 2" }]],
    ]);
  });

  test("a text result is used without its label", async () => {
    const roman = { title: "Make a roman numeral of 2026", result: "Roman numeral of 2026: MMXXVI" };
    expect(listCalls((await runAgentLoop(createWithResults("count its characters", roman), TOOLS)).calls)).toEqual([
      [["text_statistics", { text: "MMXXVI" }]],
    ]);
    const args = { title: "Uppercase 'note: a'", result: "NOTE: A" };
    expect(listCalls((await runAgentLoop(createWithResults("reverse it", args), TOOLS)).calls)).toEqual([
      [["transform_text", { text: "NOTE: A", operation: "reverse" }]],
    ]);
  });

  test("both results can be added", async () => {
    const [a, b] = [
      { title: "a", result: "随机数：4" },
      { title: "b", result: "Random number: 4" },
    ];
    expect(listCalls((await runAgentLoop(createWithResults("把两个结果相加", a, b), TOOLS)).calls)).toEqual([
      [["calculate", { expression: "4 + 4" }]],
    ]);
  });

  test("a text result is used completely", async () => {
    const { calls } = await runAgentLoop(
      createWithResults("count its words", { title: "x", result: "one two three" }),
      TOOLS,
    );
    expect(listCalls(calls)).toEqual([[["text_statistics", { text: "one two three" }]]]);
  });

  test("a later call of one request waits for the earlier", async () => {
    const { calls, text } = await runAgentLoop(createUserMessages("compute 3+4 then multiply it by 2"), TOOLS);
    expect(listCalls(calls)).toEqual([
      [["calculate", { expression: "3 + 4" }]],
      [["calculate", { expression: "7 * 2" }]],
    ]);
    expect(text).toBe("3 + 4 = 7\n7 × 2 = 14");
  });

  test("calls run in three waves, with independent work in parallel", async () => {
    const { calls } = await runAgentLoop(
      createUserMessages("生成两个随机数，告诉我时间，然后把所有结果转成大写"),
      TOOLS,
    );
    expect(calls.map((wave) => wave.map(({ name }) => name))).toEqual([
      ["random_number", "random_number", "current_time"],
      ["transform_text"],
    ]);
  });
});

describe("requests beyond the tools", () => {
  test("are refused with a hint when no tool fits", async () => {
    const { text, calls } = await runAgentLoop(createUserMessages("write a poem"), TOOLS);
    expect(calls).toEqual([]);
    expect(text).toMatch(/could not.*write a poem.*OPENAI_API_KEY/s);
  });

  test("are answered in part when some of the work fits, and the rest is named", async () => {
    const { text } = await runAgentLoop(createUserMessages("告诉我现在时间，然后写一首诗"), TOOLS);
    expect(text).toContain("08:00 local");
    expect(text).toMatch(/做不到：写一首诗/);
  });

  test.each([
    "what time will it be in 3 hours?",
    "三个小时后是几点",
    "what time was it twenty minutes ago",
    "半小时前几点",
  ])("about another hour are not answered with the current time: %s", async (request) => {
    expect((await runAgentLoop(createUserMessages(request), TOOLS)).calls).toEqual([]);
  });

  test("are refused when they need more calls than allowed at once", async () => {
    expect((await runAgentLoop(createUserMessages("generate 10 random numbers"), TOOLS)).calls.flat()).toHaveLength(10);
    const { text, calls } = await runAgentLoop(createUserMessages("generate 100 random numbers"), TOOLS);
    expect(calls).toEqual([]);
    expect(text).toMatch(/could not.*generate 100 random numbers/s);
  });

  test("about another day or a time difference do not call the clock", async () => {
    for (const request of [
      "what is the date tomorrow?",
      "what's 3 o'clock Beijing time in London",
      "what time is it in London when it is 3pm in Tokyo?",
      "北京时间下午三点是伦敦几点",
      "what's the time difference between Tokyo and London",
    ]) {
      expect((await runAgentLoop(createUserMessages(request), TOOLS)).calls).toEqual([]);
    }
    expect((await runAgentLoop(createUserMessages("现在几点，快一点"), TOOLS)).calls).toHaveLength(1);
    expect((await runAgentLoop(createUserMessages("明天星期几"), TOOLS)).text).toMatch(/做不到/);
  });

  test("report the error of a tool", async () => {
    expect((await runAgentLoop(createUserMessages("compute 9 * 9"), TOOLS)).text).toBe(
      "This did not work (9 × 9): unknown 9 * 9",
    );
    expect((await runAgentLoop(createUserMessages("计算9乘9"), TOOLS)).text).toBe("没有做成（9 × 9）：unknown 9 * 9");
  });
});

describe("the decision of the user about a call", () => {
  const createCalculate = (content: string): TestTools => ({
    calculate: { ...assertDefined(TOOLS["calculate"]), run: () => content },
  });
  const refusal = "The person refused this call, so it was not carried out. Do not repeat it unless they ask for it.";

  test.each([
    ["What is 3 + 4?", "calculate was not carried out: you refused it."],
    ["3加4等于几", "calculate 没有执行：你没有同意。"],
  ])("is reported as a refusal and not retried: %s", async (text, expected) => {
    const { text: reply, calls } = await runAgentLoop(createUserMessages(text), createCalculate(refusal));
    expect(calls).toHaveLength(1);
    expect(reply).toBe(expected);
  });

  test("is reported with the edited arguments", async () => {
    const { text } = await runAgentLoop(
      createUserMessages("What is 3 + 4?"),
      createCalculate('The person changed the arguments to {"expression":"3 + 5"}.\n8'),
    );
    expect(text).toBe("3 + 5 = 8");
  });

  test("never calls the tool that asks the user", async () => {
    const asking: TestTools = {
      ask_user: { spec: createToolSpec("ask_user", "Asks.", { question: { type: "string" } }), run: () => "?" },
    };
    const { calls } = await runAgentLoop(createUserMessages("Which one do you mean?"), asking);
    expect(calls).toEqual([]);
  });
});

function assertDefined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("missing");
  return value;
}
