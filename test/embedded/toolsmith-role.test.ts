import { describe, expect, test } from "vitest";
import { ALL_TEMPLATES } from "../../src/embedded/toolsmith/template-catalogue.ts";
import { askModel, type ChatMessageParam } from "./embedded-client.ts";
import {
  runRequest,
  chooseTool,
  askToolsmith,
  planSubtasks,
  writeAnswer,
  writeTool,
  type KeptTool,
  type JsonValues,
} from "./toolsmith-runner.ts";

const listDescriptions = (subtasks: ReturnType<typeof planSubtasks>) =>
  typeof subtasks === "string" ? subtasks : subtasks.map(({ description }) => description);

describe("the plan of subtasks", () => {
  test.each([
    ["你好", "你好！有什么可以帮你的吗？"],
    ["Hello!", "Hello! What can I do for you?"],
    ["谢谢", "不客气！"],
    ["how are you?", "All is well"],
  ])("[F90] is replaced with a direct answer: %s", (request, answer) => {
    expect(planSubtasks(request)).toContain(answer);
  });

  test("[F90] is replaced with a description of the model and its abilities", () => {
    expect(planSubtasks("你是谁？")).toContain("OPENAI_API_KEY");
    expect(planSubtasks("你能做什么")).toContain("统计");
    expect(planSubtasks("what can you do?")).toContain("statistics");
  });

  test("[F91] [F92] has ids in order, the words of the user and a category", () => {
    expect(planSubtasks("告诉我现在时间、生成一个随机数、计算123加456，然后反转“abc”，2024年是闰年吗")).toEqual([
      { id: "1", description: "告诉我现在时间", category: "datetime" },
      { id: "2", description: "生成一个随机数", category: "math" },
      { id: "3", description: "计算123加456", category: "math" },
      { id: "4", description: "反转“abc”", category: "text" },
      { id: "5", description: "2024年是闰年吗", category: "calendar" },
    ]);
  });

  test("[F99] contains impossible work among the possible", () => {
    expect(planSubtasks("tell me the time, then write a poem, then compute 3 + 4")).toMatchObject([
      { category: "datetime" },
      { description: "write a poem", category: "other" },
      { category: "math" },
    ]);
  });

  test("is refused for more than ten subtasks", () => {
    const many = Array.from({ length: 11 }, (_, i) => `计算${i + 1}加1`).join("；");
    expect(planSubtasks(many)).toContain("最多 10");
    expect(planSubtasks(many.slice(0, many.lastIndexOf("；")))).toHaveLength(10);
  });

  test("is refused for a text that is too long", () => {
    expect(planSubtasks(`统计“${"长".repeat(2_100)}”的字数`)).toContain("太长");
  });

  test("keeps the line breaks and spaces of a single subtask", () => {
    expect(listDescriptions(planSubtasks('count the lines of "a\n  b\nc"'))).toEqual([
      'count the lines of "a\n  b\nc"',
    ]);
  });

  test("may refer to results of earlier tasks", () => {
    expect(planSubtasks("再乘以2", [{ title: "求和", result: "7" }])).toMatchObject([{ category: "math" }]);
    expect(planSubtasks("再乘以2")).toContain("OPENAI_API_KEY");
  });
});

const NUMBER_SCHEMA = { type: "number" };
const STRING_SCHEMA = { type: "string" };
const createTool = (
  name: string,
  description: string,
  properties: JsonValues,
  required = Object.keys(properties),
): KeptTool => ({
  name,
  description,
  category: "math",
  parameters: { type: "object", properties, required },
});

/** Returns a tool as the embedded model writes it. */
function getOwnTool(name: string): KeptTool {
  const template = ALL_TEMPLATES.find((candidate) => candidate.name === name);
  if (template === undefined) throw new Error(name);
  return { ...template, parameters: { ...template.parameters } };
}

describe("the choice of an existing tool", () => {
  test("[F94] reuses an own tool with other values", () => {
    expect(chooseTool("12 times 34", [getOwnTool("add"), getOwnTool("multiply")])).toMatchObject({
      use_existing: true,
      tool_name: "multiply",
      arguments: { numbers: [12, 34] },
    });
  });

  test("does not take a tool for another operation, however similar its name", () => {
    expect(chooseTool("123加456", [getOwnTool("multiply")])).toMatchObject({ use_existing: false });
    expect(
      chooseTool("678乘以8776", [createTool("multiply_678_8776", "Computes 678 × 8776. 计算678乘以8776。", {})]),
    ).toMatchObject({
      use_existing: false,
    });
    expect(
      chooseTool("678乘以8776", [
        createTool("multiply_and_add", "a * b + c", { a: NUMBER_SCHEMA, b: NUMBER_SCHEMA, c: NUMBER_SCHEMA }),
      ]),
    ).toMatchObject({ use_existing: false });
    expect(
      chooseTool("678乘以8776", [
        createTool("sum_of_products", "Sums up products.", { a: NUMBER_SCHEMA, b: NUMBER_SCHEMA }),
      ]),
    ).toMatchObject({
      use_existing: false,
    });
    expect(
      chooseTool("1、2、3的和", [createTool("add_two", "Adds two numbers.", { a: NUMBER_SCHEMA, b: NUMBER_SCHEMA })]),
    ).toMatchObject({
      use_existing: false,
    });
    expect(chooseTool("2026-10-01是星期几", [getOwnTool("days_until"), getOwnTool("week_of_year")])).toMatchObject({
      use_existing: false,
    });
  });

  test.each<[string, KeptTool, JsonValues]>([
    [
      "678乘以8776",
      createTool("multiply_numbers", "Multiplies two numbers.", { x: NUMBER_SCHEMA, y: NUMBER_SCHEMA }),
      { x: 678, y: 8776 },
    ],
    ["1 + 2", createTool("addition", "两数相加", { num1: NUMBER_SCHEMA, num2: NUMBER_SCHEMA }), { num1: 1, num2: 2 }],
    ["100 minus 58", createTool("subtract", "a - b", { a: NUMBER_SCHEMA, b: NUMBER_SCHEMA }), { a: 100, b: 58 }],
    [
      "100除以8",
      createTool("div", "Divides.", { divisor: NUMBER_SCHEMA, dividend: NUMBER_SCHEMA }),
      { dividend: 100, divisor: 8 },
    ],
    [
      "(1+2)*3",
      createTool("calculator", "Evaluates arithmetic.", { expression: STRING_SCHEMA }),
      { expression: "(1 + 2) * 3" },
    ],
    [
      "12 x 34",
      createTool("arithmetic", "Adds, subtracts, multiplies or divides.", {
        a: NUMBER_SCHEMA,
        b: NUMBER_SCHEMA,
        op: { enum: ["add", "subtract", "multiply", "divide"] },
      }),
      { a: 12, b: 34, op: "multiply" },
    ],
    ["东京现在几点", createTool("get_current_time", "Current time.", { tz: STRING_SCHEMA }, []), { tz: "Asia/Tokyo" }],
    [
      "2的10次方",
      createTool("power_of", "Raises to a power.", { n: NUMBER_SCHEMA, exp: NUMBER_SCHEMA }),
      { n: 2, exp: 10 },
    ],
    ["reverse 'abc'", createTool("string_reverse", "Reverse a string.", { input: STRING_SCHEMA }), { input: "abc" }],
    [
      "days between 2026-01-01 and 2026-03-01",
      createTool("days_diff", "The number of days between two dates.", {
        start_date: STRING_SCHEMA,
        end_date: STRING_SCHEMA,
      }),
      { start_date: "2026-01-01", end_date: "2026-03-01" },
    ],
    [
      "average of 3, 5 and 9",
      createTool("average_list", "The mean of a list.", { values: { type: "array", items: NUMBER_SCHEMA } }),
      { values: [3, 5, 9] },
    ],
    [
      "生成一个1到6的随机数",
      createTool("rand", "Random integer.", { low: NUMBER_SCHEMA, high: NUMBER_SCHEMA }),
      { low: 1, high: 6 },
    ],
    ["2024年是闰年吗", createTool("leap", "Is it a leap year?", { year: NUMBER_SCHEMA }), { year: 2024 }],
  ])("takes a tool of another author when its parameters are unambiguous: %s", (text, existing, args) => {
    expect(chooseTool(text, [existing])).toMatchObject({
      use_existing: true,
      tool_name: existing.name,
      arguments: args,
    });
  });

  test("prefers the more specific of two matching tools", () => {
    expect(chooseTool("3加4", [getOwnTool("evaluate_expression"), getOwnTool("add")])).toMatchObject({
      tool_name: "add",
    });
    expect(chooseTool("3加4", [getOwnTool("evaluate_expression")])).toMatchObject({
      tool_name: "evaluate_expression",
      arguments: { expression: "3 + 4" },
    });
  });

  test("does not drop a place that the tool has no parameter for", () => {
    expect(chooseTool("东京现在几点", [createTool("now", "The current time.", {})])).toMatchObject({
      use_existing: false,
    });
  });

  test("fills in the earlier result that is meant", () => {
    const found = [
      { title: "生成一个随机数", result: "42" },
      { title: "告诉我现在时间", result: "2026-11-21 16:00:00 (Asia/Shanghai)" },
      { title: "计算3加4", result: "7" },
    ];
    expect(chooseTool("把结果乘以2", [getOwnTool("multiply")], found)).toMatchObject({
      arguments: { numbers: [7, 2] },
    });
    expect(chooseTool("把随机数乘以2", [getOwnTool("multiply")], found)).toMatchObject({
      arguments: { numbers: [42, 2] },
    });
    expect(
      chooseTool("求平均值", [getOwnTool("mean")], [{ title: "三个随机数", result: "[4,100,200]" }]),
    ).toMatchObject({
      arguments: { numbers: [4, 100, 200] },
    });
  });

  test("keeps digits that a number would lose", () => {
    expect(chooseTool("123456789012345678901乘以2", [getOwnTool("multiply")])).toMatchObject({
      arguments: { numbers: ["123456789012345678901", 2] },
    });
  });

  test("is not repeated after it failed", () => {
    const prompt = `Sub-task:\n\`\`\`json\n${JSON.stringify({ id: "1", description: "3加4", category: "math" })}\n\`\`\`\n\nTools that exist:\n\`\`\`json\n${JSON.stringify([getOwnTool("add")])}\n\`\`\``;
    expect(askToolsmith("choose_tool", prompt).call).toMatchObject({ use_existing: true });
    expect(
      askToolsmith("choose_tool", prompt, [[{ use_existing: true, tool_name: "add" }, "wrong arguments"]]).call,
    ).toMatchObject({
      use_existing: false,
    });
  });
});

describe("a new tool", () => {
  test("[F98] has a name, a description in both languages, schemas, code and arguments", () => {
    const { call } = writeTool("计算678乘以8776");
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

  test("[F96] [F99] is refused with a reference to a real model when the work is impossible", () => {
    expect(writeTool("写一首诗").text).toMatch(/“写一首诗”需要真正的模型.*OPENAI_API_KEY/);
    expect(writeTool("write a poem").text).toMatch(/"Write a poem" needs a real model.*OPENAI_API_KEY/);
  });

  test("[F96] is replaced with another one after a rejection, and then given up", () => {
    const first = writeTool("3加4").call ?? {};
    const issue = "The safety check refused the code. Line 3: nobody likes it.";
    const second = writeTool("3加4", [], [[first, issue]]).call ?? {};
    expect([first["name"], second["name"]]).toEqual(["add", "evaluate_expression"]);
    expect(
      writeTool(
        "3加4",
        [],
        [
          [first, issue],
          [second, issue],
        ],
      ).text,
    ).toContain("nobody likes it");
  });

  test("[F96] is not written again for values that its code rejects", () => {
    const first = writeTool("5除以0").call ?? {};
    const problem = "Running it failed. Error: Nothing can be divided by zero. 除数不能为零。 (line 29)";
    expect(writeTool("5除以0", [], [[first, problem]]).text).toContain("除数不能为零");
  });
});

describe("the text of the answer", () => {
  test("[F101] contains every result literally, one line each", () => {
    const results = [
      { id: "1", description: "查询现在时间", result: "2026-11-21 16:00:00 (Asia/Shanghai)" },
      { id: "2", description: "计算678乘以8776的结果", result: "5950128" },
      { id: "3", description: "判断97是不是质数", result: "true" },
    ];
    expect(writeAnswer("首先查询现在时间……", results)).toBe(
      "现在时间：2026-11-21 16:00:00 (Asia/Shanghai)\n678 × 8776 = 5950128\n97是不是质数：是（true）",
    );
  });

  test("[F99] [F100] contains a failure with its reason", () => {
    const results = [
      { id: "1", description: "compute 3 plus 4", result: "7" },
      { id: "2", description: "divide 5 by 0", error: "Nothing can be divided by zero." },
    ];
    expect(writeAnswer("compute both", results, "en")).toBe(
      "3 + 4 = 7\nDivide 5 by 0: failed: Nothing can be divided by zero.",
    );
    const { answer } = runRequest("告诉我时间，然后写一首诗", []);
    expect(answer).toMatch(/^现在时间：.*\n“写一首诗”需要真正的模型/);
  });

  test("keeps a result of several lines unchanged", () => {
    const calendar = "2026-11\nMo Tu\n 2  3";
    expect(writeAnswer("calendar", [{ id: "1", description: "calendar", result: calendar }], "en")).toContain(calendar);
  });

  test("shows a result behind its calculation", () => {
    const results = [{ id: "1", description: "1,2,100,200的总和", result: "303" }];
    expect(writeAnswer("", results)).toBe("1 + 2 + 100 + 200 = 303");
  });
});

test("repeated and reworded requests in both languages write no second tool of a kind", () => {
  const tools: KeptTool[] = [];
  const runSteps = (request: string) => runRequest(request, tools).steps.map(({ source }) => source);
  expect(runSteps("首先查询现在时间然后计算678乘以8776(的结果)")).toEqual(["generate", "generate"]);
  expect(runSteps("告诉我现在时间、生成一个随机数、计算123加456")).toEqual(["use_existing", "generate", "generate"]);
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
    expect(new Set(runSteps(request))).toEqual(new Set(["use_existing"]));
  }
  expect(tools.map(({ name }) => name)).toEqual(["current_time", "multiply", "random_integer", "add"]);
});

test("the role is selected over HTTP as well", async () => {
  const messages: ChatMessageParam[] = [{ role: "user", content: "678乘以8776" }];
  const spec = { type: "function", function: { name: "plan_subtasks", parameters: {} } } as const;
  const { calls } = await askModel("agent:toolsmith", messages, [spec]);
  expect(calls).toMatchObject([{ name: "plan_subtasks", arguments: { tasks: [{ id: "1", category: "math" }] } }]);
});
