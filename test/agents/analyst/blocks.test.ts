// The blocks of a page: figures, tables and texts from the results of the data tools, from other data, and from written text.

import { describe, expect, test } from "vitest";
import { createWrittenBlock, extractJson } from "../../../src/agents/analyst/compose/written-block.ts";
import { COMPONENT_TYPES, pageBlockSchema, type ComponentType } from "../../../src/protocol/pages/page.ts";
import { callTool, COMPARISON, PRICES, ROWS, SCORES, show, STATS, type Props } from "./block-data.ts";

const getSubmissions = (assignment_id: string) =>
  callTool("get_assignment_submissions", { teacher_id: "t-001", assignment_id });
const statuses = (...names: string[]) => ({ rows: names.map((status) => ({ status })) });

test.each<[string, unknown, Props, object[]]>([
  [
    "the statistics of a group",
    STATS,
    {},
    [
      { label: "Average", value: "74.2", status: "neutral", subtext: "" },
      { label: "Median", value: "72" },
      { label: "Highest", value: "91" },
      { label: "Lowest", value: "58" },
      { label: "Standard deviation", value: "13.7" },
      { label: "Count", value: "5" },
    ],
  ],
  ["the requested statistics", STATS, { metrics: ["median"] }, [{ label: "Median", value: "72" }]],
  [
    "two groups and their difference",
    COMPARISON,
    { groupNames: ["1A", "1B"] },
    [
      { label: "1A · Average", value: "74.2", subtext: "n = 5" },
      { label: "1B · Average", value: "69.5" },
      { label: "Difference · Average", value: "4.7", status: "up" },
    ],
  ],
  [
    "finished figures",
    [{ label: "Mean", value: 1234.5, unit: "%", status: "down", subtext: "of all" }],
    {},
    [{ label: "Mean", value: "1,234.5%", status: "down", subtext: "of all" }],
  ],
  ["one number", 0.12345, {}, [{ label: "", value: "0.123" }]],
  ["one row of a query", { columns: ["total_amount"], rows: [[99]] }, {}, [{ label: "total_amount", value: "99" }]],
  ["rows of names and numbers", [{ city: "Rome", n: 3 }], {}, [{ label: "City", value: "Rome" }, {}]],
  ["a flat object", { 销售额: 12000 }, {}, [{ label: "销售额", value: "12,000" }]],
  ["a date", { date: "2026-11-21" }, {}, [{ label: "Date", value: "Nov 21, 2026" }]],
  ["data in its properties", null, { items: [{ label: "Mean", value: 74.2 }] }, [{ label: "Mean", value: "74.2" }]],
])("[F112] kpi_grid shows %s", (_, data, props, expected) => {
  expect(show("kpi_grid", data, props)).toMatchObject({ data: expected });
});

test.each<[string, unknown, Props, object]>([
  [
    "rows, and marks low scores",
    { submissions: ROWS, scores: SCORES },
    {},
    {
      headers: ["Student ID", "Student", "Score", "Submitted"],
      rows: [
        { cells: ["s-1", "Ann", 58, "Nov 2, 2026"], status: "warning" },
        { cells: ["s-2", "Ben", 85, "Nov 3, 2026"], status: "success" },
        { cells: ["s-3", "Cai", null, null], status: "normal" },
      ],
    },
  ],
  ["a score of 59.9", [{ score: 59.9 }], {}, statuses("warning")],
  ["a score of 60", [{ score: 60 }], {}, statuses("normal")],
  ["a score of 79.9", [{ score: 79.9 }], {}, statuses("normal")],
  ["a score of 80", [{ score: 80 }], {}, statuses("success")],
  ["scores out of 50", await getSubmissions("a-002"), {}, statuses("normal", "success", "normal", "success", "normal")],
  ["scores with a given maximum", [{ score: 45 }, { score: 29 }], { maxScore: 50 }, statuses("success", "warning")],
  [
    "scores with their own maximum",
    [
      { score: 45, max_score: 50 },
      { score: 45, max_score: 100 },
    ],
    {},
    statuses("success", "warning"),
  ],
  ["prices", [{ price: 12 }], {}, statuses("normal")],
  ["maximum scores", [{ max_score: 50 }], {}, statuses("normal")],
  ["scores of a small scale", [{ score: 4 }, { score: 5 }], {}, statuses("normal", "normal")],
  ["Chinese scores", [{ 成绩: 30 }], {}, { headers: ["成绩"], ...statuses("warning") }],
  [
    "the named columns, and valid rules",
    ROWS,
    {
      columns: [{ key: "score", label: "Points" }, "student_name"],
      highlightRules: [
        { column: "score", condition: "lt", value: 60, style: "error" },
        { column: "nothing", condition: "lt", value: 1, style: "error" },
        { column: "score", condition: "resembles", value: 1, style: "error" },
      ],
    },
    {
      headers: ["Points", "Student"],
      rows: [{ cells: [58, "Ann"] }, {}, {}],
      highlightRules: [{ column: 0, condition: "lt", value: 60, style: "error" }],
    },
  ],
  [
    "a query under its own names",
    PRICES,
    {},
    { headers: ["month", "Avg. price"], rows: [{}, { cells: ["2026-10", null] }, {}] },
  ],
  [
    "statistics",
    STATS,
    {},
    { headers: ["Measure", "Value"], rows: [{ cells: ["Average", 74.2] }, {}, {}, {}, {}, {}] },
  ],
  ["a comparison", COMPARISON, {}, { headers: ["Measure", "Group A", "Group B", "Difference"] }],
  ["a ranking", await callTool("ranking", { labels: ["a"], values: [1] }), {}, { headers: ["Rank", "Name", "Value"] }],
  ["no rows", { columns: ["a"], rows: [] }, {}, { type: "table", headers: ["a"], rows: [] }],
  [
    "rows by a column, descending",
    ROWS,
    { sortBy: "score" },
    { rows: [{ cells: ["s-2", "Ben", 85, "Nov 3, 2026"] }, {}, {}] },
  ],
  [
    "rows by a column, ascending, gaps last",
    [{ n: null }, { n: "10" }, { n: 9 }],
    { sortBy: "n", sortDirection: "asc" },
    { rows: [{ cells: [9] }, { cells: ["10"] }, { cells: [null] }] },
  ],
  [
    "its own order for an unknown column",
    [{ n: 1 }, { n: 2 }],
    { sortBy: "x" },
    { rows: [{ cells: [1] }, { cells: [2] }] },
  ],
])("[F112] table shows %s", (_, data, props, expected) => {
  expect(show("table", data, props)).toMatchObject(expected);
});

test("[F112] a block limits its members and says so in its title, unless the title limits them", () => {
  const query = (count: number) => ({
    columns: ["n"],
    rows: Array.from({ length: count }, (_, n) => [n]),
    is_truncated: true,
  });
  const chart = show(
    "chart",
    Array.from({ length: 300 }, (_, value) => ({ name: `n${value}`, value })),
    { title: "All" },
  );
  expect(chart).toMatchObject({ title: "All (first 200 of 300)" });
  expect(chart.type === "chart" && [chart.xAxis.length, chart.series[0]?.data.length]).toEqual([200, 200]);
  const table = show("table", query(501), { title: "All" }, "zh");
  expect(table).toMatchObject({ title: "All (前 500 项，共 501 项)" });
  expect(table.type === "table" && table.rows.length).toBe(500);
  for (const type of ["table", "chart"] as const) {
    expect(show(type, query(100))).toMatchObject({ title: "(first 100 of more)" });
    expect(show(type, query(10), { title: "Top ten" })).toMatchObject({ title: "Top ten" });
  }
});

test("[F119] blocks show numbers, dates and names in the language of the reader", () => {
  expect(show("kpi_grid", STATS, { metrics: ["median"] }, "zh-CN")).toMatchObject({ data: [{ label: "中位数" }] });
  expect(show("kpi_grid", { date: "2026-11-01" }, {}, "zh")).toMatchObject({ data: [{ value: "2026年11月1日" }] });
});

describe.each(COMPONENT_TYPES)("%s", (type) => {
  test("is a warning without data", () => {
    expect(show(type, null)).toMatchObject({ type: "markdown", variant: "warning" });
    expect(show(type, null, {}, "zh")).toMatchObject({ content: expect.stringMatching(/[\u4e00-\u9fff]/) as string });
  });

  test("accepts any data without throwing", () => {
    const values = [
      0,
      "",
      "x",
      true,
      [],
      {},
      [[]],
      [null],
      [1, "a", null],
      { rows: 3 },
      { columns: [], rows: [] },
      [{}],
    ];
    const nested = [{ a: { b: {} } }, { labels: [1], counts: ["x"] }, { mean: "high" }, { series: [1], xAxis: [1] }];
    const wrong = { title: 3, columns: 4, colors: 1, highlightRules: "x", metrics: [1], yFields: {}, data: {} };
    for (const data of [...values, ...nested, [{ a: Number.NaN }], { distribution: null }])
      for (const props of [{}, wrong]) show(type, data, props);
  });
});

describe("[F112] a block of written text", () => {
  const write = (componentType: ComponentType, text: string, props = {}) =>
    pageBlockSchema.parse(createWrittenBlock({ id: "b", componentType }, text, props, "en"));

  test("reads suggestions from JSON inside other text", () => {
    const item = '{"title": "Retest", "description": "Unit 5", "priority": "HIGH", "category": "class"}';
    const text = `Here you are:\n\`\`\`json\n{"title": "Next", "items": [${item}, "Praise Dan"]}\n\`\`\``;
    expect(write("suggestion_list", text)).toEqual({
      id: "b",
      type: "suggestion_list",
      title: "Next",
      items: [
        { title: "Retest", description: "Unit 5", priority: "high", category: "class" },
        { title: "Praise Dan", description: "", priority: "medium", category: "" },
      ],
    });
  });

  test("reads exercises from JSON", () => {
    const choice = '{"question": "2+2?", "options": [3, 4], "answer": 4, "difficulty": "easy"}';
    const text = `{"questions": [${choice}, {"question": "Blue?", "type": "true_false", "answer": true}, {"answer": "x"}]}`;
    expect(write("question_generator", text, { title: "Practice", knowledgePoint: "sums" })).toMatchObject({
      title: "Practice",
      knowledgePoint: "sums",
      questions: [
        { id: "q1", order: 1, type: "multiple_choice", options: ["3", "4"], answer: "4", difficulty: "easy" },
        { id: "q2", order: 2, type: "true_false", question: "Blue?", answer: "true", difficulty: "medium" },
      ],
    });
  });

  test.each(["suggestion_list", "question_generator"] as const)("is markdown without JSON in a %s", (type) => {
    expect(write(type, "- Retest [soon]\n- Praise {all}")).toMatchObject({ type: "markdown" });
  });

  test("finds JSON behind unrelated brackets", () => {
    expect(extractJson('see [here] and {"a": [1, 2]} there')).toEqual({ a: [1, 2] });
    expect(extractJson("[".repeat(10_000))).toBeNull();
  });
});
