import { describe, expect, test } from "vitest";
import { blockOf } from "../../../src/agents/analyst/blocks.ts";
import { blockSchema, COMPONENT_TYPES, type ComponentType } from "../../../src/protocol/page.ts";
import { SCORES, stats } from "./classroom.ts";

const block = (componentType: ComponentType, data: unknown, props: Record<string, unknown> = {}, language = "en") =>
  blockSchema.parse(blockOf({ id: "b", componentType }, data, props, language));
const STATS = stats(SCORES);
const OTHER = stats([40, 60, 80, 90, 95]);
const COMPARISON = {
  group_a: STATS,
  group_b: OTHER,
  difference: { mean: 1.2, median: -8 },
  summary: { group_a_count: 5, group_b_count: 5 },
};
const ROWS = [
  { student_id: "s-1", student_name: "Ann", score: 58, submitted_at: "2026-11-02" },
  { student_id: "s-2", student_name: "Ben", score: 85, submitted_at: "2026-11-03" },
  { student_id: "s-3", student_name: "Cai", score: 72, submitted_at: null },
];

describe("[F112] kpi_grid", () => {
  test("shows the figures of a group, formatted, with the words of the language", () => {
    expect(block("kpi_grid", STATS)).toMatchObject({
      data: [
        { label: "Average", value: "74.2", status: "neutral", subtext: "" },
        { label: "Median", value: "72" },
        { label: "Highest", value: "91" },
        { label: "Lowest", value: "58" },
        { label: "Standard deviation", value: "13.7" },
        { label: "Count", value: "5" },
      ],
    });
    expect(block("kpi_grid", STATS, { metrics: ["median"] }, "zh-CN")).toMatchObject({
      data: [{ label: "中位数", value: "72" }],
    });
  });

  test("shows two groups and what lies between them", () => {
    const props = { groupNames: ["1A", "1B"] };
    expect(block("kpi_grid", COMPARISON, props)).toMatchObject({
      data: [
        { label: "1A · Average", value: "74.2", subtext: "n = 5" },
        { label: "1B · Average", value: "73" },
        { label: "Difference · Average", value: "1.2", status: "up" },
      ],
    });
  });

  test.each([
    [
      "items",
      [{ label: "Mean", value: 1234.5, unit: "%", status: "down", subtext: "of all" }],
      { label: "Mean", value: "1,234.5%", status: "down", subtext: "of all" },
    ],
    ["one number", 0.12345, { label: "", value: "0.123" }],
    ["one row", { columns: ["total_amount"], rows: [{ total_amount: 99 }] }, { label: "total_amount", value: "99" }],
    ["rows of names and numbers", [{ city: "Rome", n: 3 }], { label: "City", value: "Rome" }],
    ["a flat object", { 销售额: 12000 }, { label: "销售额", value: "12,000" }],
    ["a date", { date: "2026-11-21" }, { label: "Date", value: "Nov 21, 2026" }],
  ])("shows %s", (_, data, first) => {
    const shown = block("kpi_grid", data);
    expect(shown.type === "kpi_grid" && shown.data[0]).toMatchObject(first);
  });

  test("shows properties whose references were resolved", () => {
    const props = { items: [{ label: "Mean", value: 74.2 }] };
    expect(block("kpi_grid", null, props)).toMatchObject({ data: [{ label: "Mean", value: "74.2" }] });
  });
});

describe("[F112] chart", () => {
  test("draws the distribution of a group", () => {
    const expected = {
      variant: "distribution",
      title: "Scores",
      xAxis: ["0-39", "40-49", "50-59", "60-69", "70-79", "80-89", "90-100"],
      series: [{ name: "Count", data: [0, 0, 1, 1, 1, 1, 1] }],
    };
    expect(block("chart", STATS, { title: "Scores" })).toMatchObject(expected);
    expect(block("chart", STATS.distribution, { title: "Scores" })).toMatchObject(expected);
    expect(block("chart", { "0-39": 0, "40-100": 5 })).toMatchObject({
      xAxis: ["0-39", "40-100"],
      series: [{ data: [0, 5] }],
    });
    expect(block("chart", [{ from: 0, to: 10, count: 2 }])).toMatchObject({ xAxis: ["0–10"], series: [{ data: [2] }] });
  });

  test("draws two groups as bars side by side", () => {
    expect(block("chart", COMPARISON, { groupNames: { group_a: "1A", group_b: "1B" } })).toMatchObject({
      variant: "bar",
      xAxis: ["Average", "Median", "Lowest", "Highest"],
      series: [
        { name: "1A", data: [74.2, 72, 58, 91] },
        { name: "1B", data: [73, 80, 40, 95] },
      ],
    });
    expect(block("chart", COMPARISON, { metrics: ["mean"] })).toMatchObject({ xAxis: ["Average"] });
  });

  test("draws the rows of an answer by the fields that are named, or by those that suit", () => {
    expect(
      block(
        "chart",
        { rows: ROWS, columns: ["student_id", "student_name", "score"] },
        { xField: "student_name", yFields: ["score"] },
      ),
    ).toMatchObject({
      variant: "bar",
      xAxis: ["Ann", "Ben", "Cai"],
      series: [{ name: "score", data: [58, 85, 72] }],
    });
    expect(
      block(
        "chart",
        ROWS.map(({ submitted_at: _, ...row }) => row),
      ),
    ).toMatchObject({
      xAxis: ["Ann", "Ben", "Cai"],
      series: [{ name: "Score", data: [58, 85, 72] }],
    });
  });

  test("draws dates as a line, gaps as null, and one series for every value of a column", () => {
    const rows = [
      { day: "2026-11-01", class: "1A", mean: 70 },
      { day: "2026-11-01", class: "1B", mean: 65 },
      { day: "2026-11-02", class: "1A", mean: 72 },
    ];
    expect(block("chart", rows, { xField: "day", yFields: "mean", seriesField: "class" }, "zh")).toMatchObject({
      variant: "line",
      xAxis: ["2026年11月1日", "2026年11月2日"],
      series: [
        { name: "1A", data: [70, 72] },
        { name: "1B", data: [65, null] },
      ],
    });
  });

  test.each([
    ["column", "bar"],
    ["Area", "line"],
    ["donut", "pie"],
    ["histogram", "distribution"],
    ["radar", "radar"],
    ["hologram", "distribution"],
  ])("takes %s for %s", (variant, taken) => {
    expect(block("chart", STATS, { variant })).toMatchObject({ variant: taken });
  });

  test("draws one number as a gauge, a list of numbers by their places, and what is drawn already", () => {
    expect(block("chart", 74.2, { title: "Mean" })).toMatchObject({
      variant: "gauge",
      xAxis: ["Mean"],
      series: [{ data: [74.2] }],
    });
    expect(block("chart", SCORES)).toMatchObject({ xAxis: ["1", "2", "3", "4", "5"], series: [{ data: SCORES }] });
    const drawn = { xAxis: ["a", "b"], series: [{ name: "s", data: [1, null] }] };
    expect(block("chart", drawn)).toMatchObject(drawn);
  });

  test("shows two hundred points at most, and says so", () => {
    const rows = Array.from({ length: 300 }, (_, i) => ({ name: `n${i}`, value: i }));
    const shown = block("chart", rows, { title: "All" });
    expect(shown).toMatchObject({ title: "All (first 200 of 300)" });
    expect(shown.type === "chart" && [shown.xAxis.length, shown.series[0]?.data.length]).toEqual([200, 200]);
  });

  test("takes a color, and nothing that could be more", () => {
    expect(block("chart", SCORES, { colors: ["#ff0000"] })).toMatchObject({ series: [{ color: "#ff0000" }] });
    const shown = block("chart", SCORES, { colors: ["url(javascript:alert(1))"] });
    expect(JSON.stringify(shown)).not.toContain("javascript");
  });
});

describe("[F112] table", () => {
  test("marks scores below 60 and from 80 on, and leaves numbers numbers", () => {
    expect(block("table", { submissions: ROWS, scores: SCORES })).toMatchObject({
      headers: ["Student id", "Student", "Score", "Submitted"],
      rows: [
        { cells: ["s-1", "Ann", 58, "Nov 2, 2026"], status: "warning" },
        { cells: ["s-2", "Ben", 85, "Nov 3, 2026"], status: "success" },
        { cells: ["s-3", "Cai", 72, null], status: "normal" },
      ],
    });
  });

  test.each([
    [59.9, "warning"],
    [60, "normal"],
    [79.9, "normal"],
    [80, "success"],
  ])("a score of %d is %s", (score, status) => {
    expect(block("table", [{ score }])).toMatchObject({ rows: [{ status }] });
  });

  test("takes a score for a share of what it is out of", () => {
    const submissions = [{ score: 45 }, { score: 29 }];
    const marked = { rows: [{ status: "success" }, { status: "warning" }] };
    expect(block("table", { max_score: 50, submissions })).toMatchObject(marked);
    expect(block("table", submissions, { maxScore: 50 })).toMatchObject(marked);
    expect(
      block("table", [
        { score: 45, max_score: 50 },
        { score: 45, max_score: 100 },
      ]),
    ).toMatchObject(marked);
  });

  test("does not take every number for a score", () => {
    expect(block("table", [{ price: 12 }])).toMatchObject({ rows: [{ status: "normal" }] });
    expect(block("table", [{ max_score: 50 }])).toMatchObject({ rows: [{ status: "normal" }] });
    expect(block("table", [{ score: 4 }, { score: 5 }])).toMatchObject({
      rows: [{ status: "normal" }, { status: "normal" }],
    });
    expect(block("table", [{ 成绩: 30 }], {}, "zh")).toMatchObject({
      headers: ["成绩"],
      rows: [{ status: "warning" }],
    });
  });

  test("shows the columns that are named, under their titles, and highlights by rule", () => {
    const props = {
      columns: [{ key: "score", label: "Points" }, "student_name"],
      highlightRules: [
        { column: "score", condition: "<", value: 60, style: "danger" },
        { column: "nothing", condition: "lt", value: 1, style: "error" },
        { column: "score", condition: "resembles", value: 1, style: "error" },
      ],
    };
    expect(block("table", ROWS, props)).toMatchObject({
      headers: ["Points", "Student"],
      rows: [{ cells: [58, "Ann"] }, {}, {}],
      highlightRules: [{ column: 0, condition: "lt", value: 60, style: "error" }],
    });
  });

  test("shows columns and rows as a query gives them, figures of a group, and two groups", () => {
    expect(block("table", { columns: [{ name: "城市" }, { name: "n" }], rows: [["北京", 3]] })).toMatchObject({
      headers: ["城市", "n"],
      rows: [{ cells: ["北京", 3] }],
    });
    expect(block("table", STATS)).toMatchObject({
      headers: ["Measure", "Value"],
      rows: [{ cells: ["Average", STATS.mean] }, {}, {}, {}, {}, {}],
    });
    expect(block("table", COMPARISON)).toMatchObject({ headers: ["Measure", "Group A", "Group B", "Difference"] });
  });

  test("shows five hundred rows at most, and says so", () => {
    const rows = Array.from({ length: 501 }, (_, i) => ({ i }));
    const shown = block("table", rows, { title: "All" }, "zh");
    expect(shown).toMatchObject({ title: "All (前500项，共501项)" });
    expect(shown.type === "table" && shown.rows.length).toBe(500);
  });

  test("says that an answer was cut where nobody would know", () => {
    const answer = (count: number) => ({
      columns: ["n"],
      rows: Array.from({ length: count }, (_, n) => [n]),
      is_truncated: true,
    });
    expect(block("table", answer(100), { title: "All" })).toMatchObject({ title: "All (first 100, there are more)" });
    expect(block("chart", answer(100))).toMatchObject({ title: "(first 100, there are more)" });
    expect(block("table", answer(10), { title: "Top ten" })).toMatchObject({ title: "Top ten" });
  });

  test("an empty answer is an empty table", () => {
    expect(block("table", { columns: ["a"], rows: [] })).toMatchObject({ type: "table", headers: ["a"], rows: [] });
  });
});

test.each(COMPONENT_TYPES)("a %s without data says so", (type) => {
  expect(block(type, null)).toMatchObject({ type: "markdown", variant: "warning" });
  expect(block(type, null, {}, "zh")).toMatchObject({ content: expect.stringMatching(/[\u4e00-\u9fff]/) as string });
});

test.each(COMPONENT_TYPES)("a %s takes any data without falling over", (type) => {
  const odd: unknown[] = [
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
    { a: { b: {} } },
    { labels: [1], counts: ["x"] },
    { mean: "high" },
    { series: [1], xAxis: [1] },
    [{ a: Number.NaN }],
    { distribution: null },
  ];
  for (const data of odd)
    for (const props of [
      {},
      { title: 3, columns: 4, colors: 1, headers: [null], highlightRules: "x", metrics: [1], yFields: {}, data: {} },
    ])
      block(type, data, props);
});
