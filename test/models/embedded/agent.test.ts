import { describe, expect, test } from "vitest";
import { tool, work, type Message, type Tools } from "./drive.ts";

/** The arithmetic that the tests need, by hand: the model must not be the one who reckons. */
const KNOWN: Readonly<Record<string, string>> = {
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

const TOOLS: Tools = {
  current_time: {
    spec: tool("current_time", "The current date and time.", { timezone: { type: "string" } }, []),
    run: ({ timezone = "local" }: { timezone?: string }) => `08:00 ${timezone}`,
  },
  calculate: {
    spec: tool("calculate", "Works out an arithmetic expression.", { expression: { type: "string" } }),
    run: ({ expression }: { expression: string }) => KNOWN[expression] ?? `Error: unknown ${expression}`,
  },
  random_number: {
    spec: tool("random_number", "A random whole number.", { min: { type: "integer" }, max: { type: "integer" } }),
    run: () => "4",
  },
  text_statistics: {
    spec: tool("text_statistics", "Counts the characters and words of a text.", { text: { type: "string" } }),
    run: ({ text }: { text: string }) => `${text.length} characters, ${text.split(" ").length} words, 1 lines`,
  },
  transform_text: {
    spec: tool("transform_text", "Rewrites a text.", {
      text: { type: "string" },
      operation: { type: "string", enum: ["uppercase", "lowercase", "title_case", "reverse", "trim"] },
    }),
    run: ({ text, operation }: { text: string; operation: string }) => `${operation}(${text})`,
  },
};

const user = (content: string): Message[] => [{ role: "user", content }];
const made = (calls: readonly (readonly { name: string; arguments: unknown }[])[]) =>
  calls.map((wave) => wave.map(({ name, arguments: given }) => [name, given]));

describe("tools are chosen and filled from the text", () => {
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
  ])("%s", async (text, name, given, answer) => {
    const { text: said, calls } = await work(user(text), TOOLS);
    expect(made(calls)).toEqual([[[name, given]]]);
    expect(said).toContain(answer);
  });

  test("two places are two calls", async () => {
    const { calls } = await work(user("what time is it in Tokyo and London"), TOOLS);
    expect(made(calls)).toEqual([
      [
        ["current_time", { timezone: "Asia/Tokyo" }],
        ["current_time", { timezone: "Europe/London" }],
      ],
    ]);
  });

  test("a place that nobody knows is not silently another one", async () => {
    const { calls } = await work(user("what time is it in Gotham City?"), TOOLS);
    expect(made(calls)).toEqual([[["current_time", { timezone: "Gotham City" }]]]);
    for (const asked of ["火星现在几点", "现在火星几点"])
      expect(made((await work(user(asked), TOOLS)).calls)).toEqual([[["current_time", { timezone: "火星" }]]]);
  });

  test("[F45] the person's time zone is used where none is named", async () => {
    const system: Message = { role: "system", content: "You tell the time.\n\nTime zone of the person: Asia/Tokyo" };
    const { calls } = await work([system, ...user("现在几点")], TOOLS);
    expect(made(calls)).toEqual([[["current_time", { timezone: "Asia/Tokyo" }]]]);
  });

  test("tools of other names and shapes are understood by their schema", async () => {
    const others: Tools = {
      mul_div: {
        spec: tool("mul_div", "Arithmetic with two numbers.", {
          a: { type: "number" },
          b: { type: "number" },
          op: { enum: ["add", "subtract", "multiply", "divide"] },
        }),
        run: () => '{"a":6,"result":42}',
      },
      weather_report: {
        spec: tool("weather_report", "The weather in a city.", { city: { type: "string" } }),
        run: ({ city }: { city: string }) => `Sunny in ${city}.`,
      },
      days_between: {
        spec: tool("days_between", "Counts the days between two dates.", {
          from: { type: "string", format: "date" },
          to: { type: "string", format: "date" },
        }),
        run: () => "30",
      },
    };
    const product = await work(user("6 times 7"), others);
    expect(made(product.calls)).toEqual([[["mul_div", { a: 6, b: 7, op: "multiply" }]]]);
    expect(product.text).toContain("42");
    expect((await work(user("巴黎天气怎么样"), others)).text).toBe("Sunny in 巴黎.");
    const days = await work(user("how many days between 2026-11-21 and December 21, 2026"), others);
    expect(made(days.calls)).toEqual([[["days_between", { from: "2026-11-21", to: "2026-12-21" }]]]);
  });

  test("what is listed is sorted line by line, and one thing is no list", async () => {
    const sorting: Tools = {
      transform_text: {
        spec: tool("transform_text", "Sorts the lines of a text.", {
          text: { type: "string" },
          operation: { type: "string", enum: ["uppercase", "sort_lines"] },
        }),
        run: () => "sorted",
      },
    };
    const sorted = async (request: string) => made((await work(user(request), sorting)).calls);
    for (const request of [
      "sort these words: pear, apple and fig",
      "sort pear, apple, fig",
      "排序：pear、apple、fig",
    ]) {
      const given = { text: "pear\napple\nfig", operation: "sort_lines" };
      expect(await sorted(request)).toEqual([[["transform_text", given]]]);
    }
    expect(await sorted("sort: banana")).toEqual([]);
  });

  test("one of several texts is not worked on as if it were all of them", async () => {
    const request = `count the words in "a b" and the characters in "c d"`;
    expect((await work(user(request), TOOLS)).calls).toEqual([]);
  });

  test("replacing needs all three texts, and is not done by a tool that does something else with them", async () => {
    const text = { type: "string" };
    const replace: Tools = {
      text_statistics: TOOLS["text_statistics"] as Tools[string],
      replace_text: {
        spec: tool("replace_text", "Replaces words in a text.", { text, find: text, replacement: text }),
        run: () => "ok",
      },
    };
    const { calls } = await work(user("replace cat with dog in 'the cat sat'"), replace);
    expect(made(calls)).toEqual([[["replace_text", { text: "the cat sat", find: "cat", replacement: "dog" }]]]);
    const after = { text: "hello there", find: "hello", replacement: "world" };
    for (const request of ["将hello替换成world：hello there", "replace hello with world: hello there"]) {
      expect(made((await work(user(request), replace)).calls)).toEqual([[["replace_text", after]]]);
    }
    expect((await work(user("将“hello”替换掉"), replace)).calls).toEqual([]);
  });
});

describe("results of earlier work", () => {
  const soFar = (query: string, ...results: { title: string; result: string }[]) =>
    user(`${query}\n\nResults so far:\n\`\`\`json\n${JSON.stringify(results)}\n\`\`\``);

  test("[F39] 'it' is the last result", async () => {
    const { calls, text } = await work(soFar("再把结果乘以2", { title: "求和", result: "3 + 4 = 7" }), TOOLS);
    expect(made(calls)).toEqual([[["calculate", { expression: "7 * 2" }]]]);
    expect(text).toBe("7 × 2 = 14");
  });

  test("of several numbers in a result the one asked for counts", async () => {
    const count = { title: "Count the words in 'a b c'", result: "5 characters, 3 words, 1 lines" };
    expect(made((await work(soFar("multiply it by 2", count), TOOLS)).calls)).toEqual([
      [["calculate", { expression: "3 * 2" }]],
    ]);
  });

  test("a text is a result without its label", async () => {
    const roman = { title: "Make a roman numeral of 2026", result: "Roman numeral of 2026: MMXXVI" };
    expect(made((await work(soFar("count its characters", roman), TOOLS)).calls)).toEqual([
      [["text_statistics", { text: "MMXXVI" }]],
    ]);
    const given = { title: "Uppercase 'note: a'", result: "NOTE: A" };
    expect(made((await work(soFar("reverse it", given), TOOLS)).calls)).toEqual([
      [["transform_text", { text: "NOTE: A", operation: "reverse" }]],
    ]);
  });

  test("both results are added", async () => {
    const [a, b] = [
      { title: "a", result: "随机数：4" },
      { title: "b", result: "Random number: 4" },
    ];
    expect(made((await work(soFar("把两个结果相加", a, b), TOOLS)).calls)).toEqual([
      [["calculate", { expression: "4 + 4" }]],
    ]);
  });

  test("a text is taken over whole", async () => {
    const { calls } = await work(soFar("count its words", { title: "x", result: "one two three" }), TOOLS);
    expect(made(calls)).toEqual([[["text_statistics", { text: "one two three" }]]]);
  });

  test("within one request the later call waits for the earlier", async () => {
    const { calls, text } = await work(user("compute 3+4 then multiply it by 2"), TOOLS);
    expect(made(calls)).toEqual([[["calculate", { expression: "3 + 4" }]], [["calculate", { expression: "7 * 2" }]]]);
    expect(text).toBe("3 + 4 = 7\n7 × 2 = 14");
  });

  test("three waves, and independent work beside them", async () => {
    const { calls } = await work(user("生成两个随机数，告诉我时间，然后把所有结果转成大写"), TOOLS);
    expect(calls.map((wave) => wave.map(({ name }) => name))).toEqual([
      ["random_number", "random_number", "current_time"],
      ["transform_text"],
    ]);
  });
});

describe("honesty", () => {
  test("nothing fits", async () => {
    const { text, calls } = await work(user("write a poem"), TOOLS);
    expect(calls).toEqual([]);
    expect(text).toMatch(/could not.*write a poem.*OPENAI_API_KEY/s);
  });

  test("one part fits: it is done, the other admitted", async () => {
    const { text } = await work(user("告诉我现在时间，然后写一首诗"), TOOLS);
    expect(text).toContain("08:00 local");
    expect(text).toMatch(/做不到：写一首诗/);
  });

  test.each([
    "what time will it be in 3 hours?",
    "三个小时后是几点",
    "what time was it twenty minutes ago",
    "半小时前几点",
  ])("nor about another hour: %s", async (request) => {
    expect((await work(user(request), TOOLS)).calls).toEqual([]);
  });

  test("more calls than may be made at once are not begun", async () => {
    expect((await work(user("generate 10 random numbers"), TOOLS)).calls.flat()).toHaveLength(10);
    const { text, calls } = await work(user("generate 100 random numbers"), TOOLS);
    expect(calls).toEqual([]);
    expect(text).toMatch(/could not.*generate 100 random numbers/s);
  });

  test("the clock is not asked about another day", async () => {
    for (const request of [
      "what is the date tomorrow?",
      "what's 3 o'clock Beijing time in London",
      "what time is it in London when it is 3pm in Tokyo?",
      "北京时间下午三点是伦敦几点",
      "what's the time difference between Tokyo and London",
    ]) {
      expect((await work(user(request), TOOLS)).calls).toEqual([]);
    }
    expect((await work(user("现在几点，快一点"), TOOLS)).calls).toHaveLength(1);
    expect((await work(user("明天星期几"), TOOLS)).text).toMatch(/做不到/);
  });

  test("a tool's error is told", async () => {
    expect((await work(user("compute 9 * 9"), TOOLS)).text).toBe("This did not work (9 × 9): unknown 9 * 9");
    expect((await work(user("计算9乘9"), TOOLS)).text).toBe("没有做成（9 × 9）：unknown 9 * 9");
  });
});

describe("what the person decided about a call", () => {
  const answering = (content: string): Tools => ({ calculate: { ...must(TOOLS["calculate"]), run: () => content } });
  const refusal = "The person refused this call, so it was not carried out. Do not repeat it unless they ask for it.";

  test.each([
    ["What is 3 + 4?", "calculate was not carried out: you refused it."],
    ["3加4等于几", "calculate 没有执行：你没有同意。"],
  ])("%s: a refusal is told as one, and not tried again", async (text, told) => {
    const { text: said, calls } = await work(user(text), answering(refusal));
    expect(calls).toHaveLength(1);
    expect(said).toBe(told);
  });

  test("a changed call is told as it was made", async () => {
    const { text } = await work(
      user("What is 3 + 4?"),
      answering('The person changed the arguments to {"expression":"3 + 5"}.\n8'),
    );
    expect(text).toBe("3 + 5 = 8");
  });

  test("the tool to ask with is left alone", async () => {
    const asking: Tools = {
      ask_user: { spec: tool("ask_user", "Asks.", { question: { type: "string" } }), run: () => "?" },
    };
    const { calls } = await work(user("Which one do you mean?"), asking);
    expect(calls).toEqual([]);
  });
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("missing");
  return value;
}
