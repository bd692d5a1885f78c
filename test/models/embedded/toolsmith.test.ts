import { describe, expect, test } from "vitest";
import { ALL_TEMPLATES } from "../../../src/models/embedded/toolsmith/template-catalogue.ts";
import { ask, type Message } from "./drive.ts";
import { carryOut, choose, said, split, worded, write, type Kept, type Values } from "./toolsmith-drive.ts";

const texts = (subtasks: ReturnType<typeof split>) =>
  typeof subtasks === "string" ? subtasks : subtasks.map(({ description }) => description);

describe("the first call: what there is to do", () => {
  test.each([
    ["你好", "你好！有什么可以帮你的吗？"],
    ["Hello!", "Hello! What can I do for you?"],
    ["谢谢", "不客气！"],
    ["how are you?", "All is well"],
  ])("[F90] %s is answered without a tool", (request, answer) => {
    expect(split(request)).toContain(answer);
  });

  test("[F90] who answers, and what it can do", () => {
    expect(split("你是谁？")).toContain("OPENAI_API_KEY");
    expect(split("你能做什么")).toContain("统计");
    expect(split("what can you do?")).toContain("statistics");
  });

  test("[F91] [F92] sub-tasks have ids in order, the person's words and a category", () => {
    expect(split("告诉我现在时间、生成一个随机数、计算123加456，然后反转“abc”，2024年是闰年吗")).toEqual([
      { id: "1", description: "告诉我现在时间", category: "datetime" },
      { id: "2", description: "生成一个随机数", category: "math" },
      { id: "3", description: "计算123加456", category: "math" },
      { id: "4", description: "反转“abc”", category: "text" },
      { id: "5", description: "2024年是闰年吗", category: "calendar" },
    ]);
  });

  test("[F99] what cannot be done stands among what can", () => {
    expect(split("tell me the time, then write a poem, then compute 3 + 4")).toMatchObject([
      { category: "datetime" },
      { description: "write a poem", category: "other" },
      { category: "math" },
    ]);
  });

  test("more than ten things are too many", () => {
    const many = Array.from({ length: 11 }, (_, i) => `计算${i + 1}加1`).join("；");
    expect(split(many)).toContain("最多 10");
    expect(split(many.slice(0, many.lastIndexOf("；")))).toHaveLength(10);
  });

  test("a text that is too long to be described is refused", () => {
    expect(split(`统计“${"长".repeat(2_100)}”的字数`)).toContain("太长");
  });

  test("a single sub-task keeps the line breaks and spaces of its text", () => {
    expect(texts(split('count the lines of "a\n  b\nc"'))).toEqual(['count the lines of "a\n  b\nc"']);
  });

  test("what tasks before this request have found can be pointed at", () => {
    expect(split("再乘以2", [{ title: "求和", result: "7" }])).toMatchObject([{ category: "math" }]);
    expect(split("再乘以2")).toContain("OPENAI_API_KEY");
  });
});

const number = { type: "number" };
const string = { type: "string" };
const tool = (name: string, description: string, properties: Values, required = Object.keys(properties)): Kept => ({
  name,
  description,
  category: "math",
  parameters: { type: "object", properties, required },
});

/** A tool as the embedded model writes it. */
function own(name: string): Kept {
  const template = ALL_TEMPLATES.find((one) => one.name === name);
  if (template === undefined) throw new Error(name);
  return { ...template, parameters: { ...template.parameters } };
}

describe("the second call: a tool that is there", () => {
  test("[F94] its own tool serves other values", () => {
    expect(choose("12 times 34", [own("add"), own("multiply")])).toMatchObject({
      use_existing: true,
      tool_name: "multiply",
      arguments: { numbers: [12, 34] },
    });
  });

  test("a tool for another operation does not fit, however near its name", () => {
    expect(choose("123加456", [own("multiply")])).toMatchObject({ use_existing: false });
    expect(
      choose("678乘以8776", [tool("multiply_678_8776", "Computes 678 × 8776. 计算678乘以8776。", {})]),
    ).toMatchObject({
      use_existing: false,
    });
    expect(
      choose("678乘以8776", [tool("multiply_and_add", "a * b + c", { a: number, b: number, c: number })]),
    ).toMatchObject({ use_existing: false });
    expect(
      choose("678乘以8776", [tool("sum_of_products", "Sums up products.", { a: number, b: number })]),
    ).toMatchObject({
      use_existing: false,
    });
    expect(choose("1、2、3的和", [tool("add_two", "Adds two numbers.", { a: number, b: number })])).toMatchObject({
      use_existing: false,
    });
    expect(choose("2026-10-01是星期几", [own("days_until"), own("week_of_year")])).toMatchObject({
      use_existing: false,
    });
  });

  test.each<[string, Kept, Values]>([
    ["678乘以8776", tool("multiply_numbers", "Multiplies two numbers.", { x: number, y: number }), { x: 678, y: 8776 }],
    ["1 + 2", tool("addition", "两数相加", { num1: number, num2: number }), { num1: 1, num2: 2 }],
    ["100 minus 58", tool("subtract", "a - b", { a: number, b: number }), { a: 100, b: 58 }],
    ["100除以8", tool("div", "Divides.", { divisor: number, dividend: number }), { dividend: 100, divisor: 8 }],
    ["(1+2)*3", tool("calculator", "Evaluates arithmetic.", { expression: string }), { expression: "(1 + 2) * 3" }],
    [
      "12 x 34",
      tool("arithmetic", "Adds, subtracts, multiplies or divides.", {
        a: number,
        b: number,
        op: { enum: ["add", "subtract", "multiply", "divide"] },
      }),
      { a: 12, b: 34, op: "multiply" },
    ],
    ["东京现在几点", tool("get_current_time", "Current time.", { tz: string }, []), { tz: "Asia/Tokyo" }],
    ["2的10次方", tool("power_of", "Raises to a power.", { n: number, exp: number }), { n: 2, exp: 10 }],
    ["reverse 'abc'", tool("string_reverse", "Reverse a string.", { input: string }), { input: "abc" }],
    [
      "days between 2026-01-01 and 2026-03-01",
      tool("days_diff", "The number of days between two dates.", { start_date: string, end_date: string }),
      { start_date: "2026-01-01", end_date: "2026-03-01" },
    ],
    [
      "average of 3, 5 and 9",
      tool("average_list", "The mean of a list.", { values: { type: "array", items: number } }),
      { values: [3, 5, 9] },
    ],
    ["生成一个1到6的随机数", tool("rand", "Random integer.", { low: number, high: number }), { low: 1, high: 6 }],
    ["2024年是闰年吗", tool("leap", "Is it a leap year?", { year: number }), { year: 2024 }],
  ])("%s: a tool that somebody else wrote serves, if it is plain what its parameters are", (text, kept, args) => {
    expect(choose(text, [kept])).toMatchObject({ use_existing: true, tool_name: kept.name, arguments: args });
  });

  test("of two that fit, the one for this very thing is taken", () => {
    expect(choose("3加4", [own("evaluate_expression"), own("add")])).toMatchObject({ tool_name: "add" });
    expect(choose("3加4", [own("evaluate_expression")])).toMatchObject({
      tool_name: "evaluate_expression",
      arguments: { expression: "3 + 4" },
    });
  });

  test("a place that the tool cannot be told of is not dropped", () => {
    expect(choose("东京现在几点", [tool("now", "The current time.", {})])).toMatchObject({ use_existing: false });
  });

  test("earlier results are filled in, the one that is meant", () => {
    const found = [
      { title: "生成一个随机数", result: "42" },
      { title: "告诉我现在时间", result: "2026-11-21 16:00:00 (Asia/Shanghai)" },
      { title: "计算3加4", result: "7" },
    ];
    expect(choose("把结果乘以2", [own("multiply")], found)).toMatchObject({ arguments: { numbers: [7, 2] } });
    expect(choose("把随机数乘以2", [own("multiply")], found)).toMatchObject({ arguments: { numbers: [42, 2] } });
    expect(choose("求平均值", [own("mean")], [{ title: "三个随机数", result: "[4,100,200]" }])).toMatchObject({
      arguments: { numbers: [4, 100, 200] },
    });
  });

  test("digits that a number would lose are kept", () => {
    expect(choose("123456789012345678901乘以2", [own("multiply")])).toMatchObject({
      arguments: { numbers: ["123456789012345678901", 2] },
    });
  });

  test("a choice that did not work is not made again", () => {
    const prompt = `Sub-task:\n\`\`\`json\n${JSON.stringify({ id: "1", description: "3加4", category: "math" })}\n\`\`\`\n\nTools that exist:\n\`\`\`json\n${JSON.stringify([own("add")])}\n\`\`\``;
    expect(said("choose_tool", prompt).call).toMatchObject({ use_existing: true });
    expect(
      said("choose_tool", prompt, [[{ use_existing: true, tool_name: "add" }, "wrong arguments"]]).call,
    ).toMatchObject({
      use_existing: false,
    });
  });
});

describe("the third call: a new tool", () => {
  test("[F98] has a name, a description in both languages, schemas, code and the arguments", () => {
    const { call } = write("计算678乘以8776");
    expect(call).toMatchObject({
      name: "multiply",
      category: "math",
      parameters: { type: "object", required: ["numbers"] },
      arguments: { numbers: [678, 8776] },
    });
    expect(call?.["description"]).toMatch(/[A-Z].*乘/);
    expect(call?.["code"]).toContain("function run({ numbers })");
    expect(call?.["code"]).not.toMatch(/678|8776/);
  });

  test("[F96] [F99] what cannot be done says that a real model is needed, in the person's language", () => {
    expect(write("写一首诗").text).toMatch(/“写一首诗”需要真正的模型.*OPENAI_API_KEY/);
    expect(write("write a poem").text).toMatch(/"Write a poem" needs a real model.*OPENAI_API_KEY/);
  });

  test("[F96] when the first tool is refused, another way is tried, and then it is said", () => {
    const first = write("3加4").call ?? {};
    const issue = "The safety check refused the code. Line 3: nobody likes it.";
    const second = write("3加4", [], [[first, issue]]).call ?? {};
    expect([first["name"], second["name"]]).toEqual(["add", "evaluate_expression"]);
    expect(
      write(
        "3加4",
        [],
        [
          [first, issue],
          [second, issue],
        ],
      ).text,
    ).toContain("nobody likes it");
  });

  test("[F96] values that the code itself refuses are not tried again", () => {
    const first = write("5除以0").call ?? {};
    const problem = "Running it failed. Error: Nothing can be divided by zero. 除数不能为零。 (line 29)";
    expect(write("5除以0", [], [[first, problem]]).text).toContain("除数不能为零");
  });
});

describe("the last call: the wording", () => {
  test("[F101] every result to the letter, a line each", () => {
    const results = [
      { id: "1", description: "查询现在时间", result: "2026-11-21 16:00:00 (Asia/Shanghai)" },
      { id: "2", description: "计算678乘以8776的结果", result: "5950128" },
      { id: "3", description: "判断97是不是质数", result: "true" },
    ];
    expect(worded("首先查询现在时间……", results)).toBe(
      "现在时间：2026-11-21 16:00:00 (Asia/Shanghai)\n678 × 8776 = 5950128\n97是不是质数：是（true）",
    );
  });

  test("[F99] [F100] a failure is told with its reason", () => {
    const results = [
      { id: "1", description: "compute 3 plus 4", result: "7" },
      { id: "2", description: "divide 5 by 0", error: "Nothing can be divided by zero." },
    ];
    expect(worded("compute both", results, "en")).toBe(
      "3 + 4 = 7\nDivide 5 by 0: failed: Nothing can be divided by zero.",
    );
    const { answer } = carryOut("告诉我时间，然后写一首诗", []);
    expect(answer).toMatch(/^现在时间：.*\n“写一首诗”需要真正的模型/);
  });

  test("results of several lines stay as they are", () => {
    const calendar = "2026-11\nMo Tu\n 2  3";
    expect(worded("calendar", [{ id: "1", description: "calendar", result: calendar }], "en")).toContain(calendar);
  });

  test("a result that has nothing to do with its sum is not put behind one", () => {
    const results = [{ id: "1", description: "1,2,100,200的总和", result: "303" }];
    expect(worded("", results)).toBe("1 + 2 + 100 + 200 = 303");
  });
});

test("the seed's requests again and in other words, in both languages, write no second tool of a kind", () => {
  const kept: Kept[] = [];
  const ways = (request: string) => carryOut(request, kept).steps.map(({ way }) => way);
  expect(ways("首先查询现在时间然后计算678乘以8776(的结果)")).toEqual(["generate", "generate"]);
  expect(ways("告诉我现在时间、生成一个随机数、计算123加456")).toEqual(["use_existing", "generate", "generate"]);
  for (const request of [
    "现在几点了",
    "What time is it?",
    "计算12乘以34",
    "what is 99 times 101?",
    "告诉我现在时间、生成一个随机数、计算123加456",
    "First tell me the current time, then calculate 12 * 34",
    "Tell me the time, generate a random number and add 7 and 8",
    "一百二十三加四百五十六等于多少",
  ]) {
    expect(new Set(ways(request))).toEqual(new Set(["use_existing"]));
  }
  expect(kept.map(({ name }) => name)).toEqual(["current_time", "multiply", "random_integer", "add"]);
});

test("the role is told apart through the wire as well", async () => {
  const messages: Message[] = [{ role: "user", content: "678乘以8776" }];
  const spec = { type: "function", function: { name: "plan_subtasks", parameters: {} } } as const;
  const { calls } = await ask("agent:toolsmith", messages, [spec]);
  expect(calls).toMatchObject([{ name: "plan_subtasks", arguments: { tasks: [{ id: "1", category: "math" }] } }]);
});
