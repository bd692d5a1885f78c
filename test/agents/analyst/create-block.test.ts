import { describe, expect, test } from "vitest";
import { COMPONENT_TYPES } from "../../../src/protocol/pages/page.ts";
import { SCORES } from "./classroom.ts";
import { createTestBlock, COMPARISON, ROWS, STATS } from "./test-blocks.ts";

describe("[F112] kpi_grid", () => {
  test("shows the statistics of a group, formatted, with labels in the language", () => {
    expect(createTestBlock("kpi_grid", STATS)).toMatchObject({
      data: [
        { label: "Average", value: "74.2", status: "neutral", subtext: "" },
        { label: "Median", value: "72" },
        { label: "Highest", value: "91" },
        { label: "Lowest", value: "58" },
        { label: "Standard deviation", value: "13.7" },
        { label: "Count", value: "5" },
      ],
    });
    expect(createTestBlock("kpi_grid", STATS, { metrics: ["median"] }, "zh-CN")).toMatchObject({
      data: [{ label: "中位数", value: "72" }],
    });
  });

  test("shows two groups and their differences", () => {
    const props = { groupNames: ["1A", "1B"] };
    expect(createTestBlock("kpi_grid", COMPARISON, props)).toMatchObject({
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
    const shown = createTestBlock("kpi_grid", data);
    expect(shown.type === "kpi_grid" && shown.data[0]).toMatchObject(first);
  });

  test("shows properties whose references were resolved", () => {
    const props = { items: [{ label: "Mean", value: 74.2 }] };
    expect(createTestBlock("kpi_grid", null, props)).toMatchObject({ data: [{ label: "Mean", value: "74.2" }] });
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
    expect(createTestBlock("chart", STATS, { title: "Scores" })).toMatchObject(expected);
    expect(createTestBlock("chart", STATS.distribution, { title: "Scores" })).toMatchObject(expected);
    expect(createTestBlock("chart", { "0-39": 0, "40-100": 5 })).toMatchObject({
      xAxis: ["0-39", "40-100"],
      series: [{ data: [0, 5] }],
    });
    expect(createTestBlock("chart", [{ from: 0, to: 10, count: 2 }])).toMatchObject({
      xAxis: ["0–10"],
      series: [{ data: [2] }],
    });
  });

  test("draws two groups as bars side by side", () => {
    expect(createTestBlock("chart", COMPARISON, { groupNames: { group_a: "1A", group_b: "1B" } })).toMatchObject({
      variant: "bar",
      xAxis: ["Average", "Median", "Lowest", "Highest"],
      series: [
        { name: "1A", data: [74.2, 72, 58, 91] },
        { name: "1B", data: [73, 80, 40, 95] },
      ],
    });
    expect(createTestBlock("chart", COMPARISON, { metrics: ["mean"] })).toMatchObject({ xAxis: ["Average"] });
  });

  test("draws the rows of a query result by the named fields, or by suitable ones", () => {
    expect(
      createTestBlock(
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
      createTestBlock(
        "chart",
        ROWS.map(({ submitted_at: _, ...row }) => row),
      ),
    ).toMatchObject({
      xAxis: ["Ann", "Ben", "Cai"],
      series: [{ name: "Score", data: [58, 85, 72] }],
    });
  });

  test("uses a column of years as its axis, and the row numbers where no column is suitable", () => {
    const answer = {
      columns: ["year", "total"],
      rows: [
        [2024, 10],
        [2025, 12],
      ],
    };
    expect(createTestBlock("chart", answer)).toMatchObject({
      xAxis: ["2024", "2025"],
      series: [{ name: "total", data: [10, 12] }],
    });
    const pairs = {
      columns: ["a", "b"],
      rows: [
        [1.5, 10],
        [1.5, 12],
      ],
    };
    expect(createTestBlock("chart", pairs)).toMatchObject({
      xAxis: ["1", "2"],
      series: [{ name: "a" }, { name: "b" }],
    });
  });

  test("draws dates as a line, gaps as null, and one series for each value of a column", () => {
    const rows = [
      { day: "2026-11-01", class: "1A", mean: 70 },
      { day: "2026-11-01", class: "1B", mean: 65 },
      { day: "2026-11-02", class: "1A", mean: 72 },
    ];
    expect(
      createTestBlock("chart", rows, { xField: "day", yFields: "mean", seriesField: "class" }, "zh"),
    ).toMatchObject({
      variant: "line",
      xAxis: ["2026年11月1日", "2026年11月2日"],
      series: [
        { name: "1A", data: [70, 72] },
        { name: "1B", data: [65, null] },
      ],
    });
  });

  test("keeps two points of one series at the same position", () => {
    const rows = [
      { at: "2026-11-01T08:30:10", kind: "a", n: 1 },
      { at: "2026-11-01T08:30:50", kind: "a", n: 2 },
      { at: "2026-11-01T08:30:50", kind: "b", n: 3 },
    ];
    expect(createTestBlock("chart", rows, { xField: "at", yFields: "n", seriesField: "kind" })).toMatchObject({
      series: [
        { name: "a", data: [1, 2] },
        { name: "b", data: [3, null] },
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
  ])("draws the variant %s as %s", (variant, taken) => {
    expect(createTestBlock("chart", STATS, { variant })).toMatchObject({ variant: taken });
  });

  test("draws one number as a gauge, a list of numbers by index, and ready chart data unchanged", () => {
    expect(createTestBlock("chart", 74.2, { title: "Mean" })).toMatchObject({
      variant: "gauge",
      xAxis: ["Mean"],
      series: [{ data: [74.2] }],
    });
    expect(createTestBlock("chart", SCORES)).toMatchObject({
      xAxis: ["1", "2", "3", "4", "5"],
      series: [{ data: SCORES }],
    });
    const drawn = { xAxis: ["a", "b"], series: [{ name: "s", data: [1, null] }] };
    expect(createTestBlock("chart", drawn)).toMatchObject(drawn);
  });

  test("shows at most 200 points and says so in its title", () => {
    const rows = Array.from({ length: 300 }, (_, i) => ({ name: `n${i}`, value: i }));
    const shown = createTestBlock("chart", rows, { title: "All" });
    expect(shown).toMatchObject({ title: "All (first 200 of 300)" });
    expect(shown.type === "chart" && [shown.xAxis.length, shown.series[0]?.data.length]).toEqual([200, 200]);
  });

  test("accepts a color and drops any other CSS value", () => {
    expect(createTestBlock("chart", SCORES, { colors: ["#ff0000"] })).toMatchObject({ series: [{ color: "#ff0000" }] });
    const shown = createTestBlock("chart", SCORES, { colors: ["url(javascript:alert(1))"] });
    expect(JSON.stringify(shown)).not.toContain("javascript");
  });
});

test.each(COMPONENT_TYPES)("a %s without data is a warning", (type) => {
  expect(createTestBlock(type, null)).toMatchObject({ type: "markdown", variant: "warning" });
  expect(createTestBlock(type, null, {}, "zh")).toMatchObject({
    content: expect.stringMatching(/[\u4e00-\u9fff]/) as string,
  });
});

test.each(COMPONENT_TYPES)("a %s accepts any data without throwing", (type) => {
  const values: unknown[] = [
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
  for (const data of values)
    for (const props of [
      {},
      { title: 3, columns: 4, colors: 1, headers: [null], highlightRules: "x", metrics: [1], yFields: {}, data: {} },
    ])
      createTestBlock(type, data, props);
});
