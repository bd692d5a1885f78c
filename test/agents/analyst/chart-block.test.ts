import { expect, test } from "vitest";
import { callTool, COMPARISON, PRICES, ROWS, SCORES, show, STATS, type Props } from "./block-data.ts";

test.each<[string, unknown, Props, object]>([
  [
    "the distribution of a group",
    STATS,
    { title: "Scores" },
    {
      variant: "distribution",
      title: "Scores",
      xAxis: ["0-39", "40-49", "50-59", "60-69", "70-79", "80-89", "90-100"],
      series: [{ name: "Count", data: [0, 0, 1, 1, 1, 1, 1] }],
    },
  ],
  [
    "a histogram",
    await callTool("histogram", { data: [0, 1, 10], bins: 2 }),
    {},
    { variant: "distribution", xAxis: ["0–5", "5–10"], series: [{ data: [2, 1] }] },
  ],
  ["bins", [{ from: 0, to: 10, count: 2 }], {}, { xAxis: ["0–10"], series: [{ data: [2] }] }],
  [
    "two groups side by side",
    COMPARISON,
    { groupNames: { group_a: "1A", group_b: "1B" } },
    {
      variant: "bar",
      xAxis: ["Average", "Median", "Lowest", "Highest"],
      series: [
        { name: "1A", data: [74.2, 72, 58, 91] },
        { name: "1B", data: [69.5, 70.5, 49, 90] },
      ],
    },
  ],
  ["requested metrics", COMPARISON, { metrics: ["max"] }, { xAxis: ["Highest"], series: [{ data: [91] }, {}] }],
  [
    "the named columns",
    ROWS,
    { xField: "student_name", yFields: ["score"] },
    { variant: "bar", xAxis: ["Ann", "Ben", "Cai"], series: [{ name: "Score", data: [58, 85, null] }] },
  ],
  [
    "suitable columns, and months as a line",
    PRICES,
    {},
    {
      variant: "line",
      xAxis: ["2026-09", "2026-10", "2026-11"],
      series: [{ name: "Avg. price", data: [10.5, null, 12] }],
    },
  ],
  ["names rather than ids", ROWS.map(({ submitted_at: _, ...row }) => row), {}, { xAxis: ["Ann", "Ben", "Cai"] }],
  [
    "numbers over years",
    {
      columns: ["year", "total"],
      rows: [
        [2024, 10],
        [2025, 12],
      ],
    },
    {},
    { xAxis: ["2024", "2025"], series: [{ name: "total", data: [10, 12] }] },
  ],
  [
    "numbers over row numbers where no column is suitable",
    {
      columns: ["a", "b"],
      rows: [
        [1.5, 10],
        [1.5, 12],
      ],
    },
    {},
    { xAxis: ["1", "2"], series: [{ name: "a" }, { name: "b" }] },
  ],
  [
    "one series for each value of a column, with gaps and repeated points",
    [
      { day: "2026-11-01", class: "1A", mean: 70 },
      { day: "2026-11-02", class: "1A", mean: 72 },
      { day: "2026-11-02", class: "1A", mean: 73 },
      { day: "2026-11-01", class: "1B", mean: 65 },
    ],
    { xField: "day", yFields: "mean", seriesField: "class" },
    {
      variant: "line",
      xAxis: ["Nov 1, 2026", "Nov 2, 2026", "Nov 2, 2026"],
      series: [
        { name: "1A", data: [70, 72, 73] },
        { name: "1B", data: [65, null, null] },
      ],
    },
  ],
  ["one number", 74.2, { title: "Mean" }, { variant: "gauge", xAxis: ["Mean"], series: [{ data: [74.2] }] }],
  ["a list of numbers", SCORES, {}, { xAxis: ["1", "2", "3", "4", "5"], series: [{ data: SCORES }] }],
  [
    "finished series",
    { xAxis: ["a", "b"], series: [{ name: "s", data: [1, null] }] },
    {},
    { xAxis: ["a", "b"], series: [{ name: "s", data: [1, null] }] },
  ],
  [
    "a ranking",
    await callTool("ranking", { labels: ["a", "b"], values: [1, 3] }),
    {},
    { variant: "bar", xAxis: ["b", "a"], series: [{ data: [3, 1] }] },
  ],
  [
    "a trend",
    await callTool("linear_trend", { y: [10, 11, 12] }),
    {},
    { variant: "line", series: [{ name: "Trend", data: [10, 11, 12] }] },
  ],
  ["the requested variant", STATS, { variant: "Radar" }, { variant: "radar" }],
  ["its own variant for an unknown one", STATS, { variant: "hologram" }, { variant: "distribution" }],
  ["bars for a pie of negative values", [-1, 2], { variant: "pie" }, { variant: "bar" }],
  ["a color", SCORES, { colors: ["#ff0000"] }, { series: [{ color: "#ff0000" }] }],
])("[F112] chart draws %s", (_, data, props, expected) => {
  expect(show("chart", data, props)).toMatchObject(expected);
});

test("[F112] a chart drops a color that is other CSS", () => {
  expect(JSON.stringify(show("chart", SCORES, { colors: ["url(javascript:alert(1))"] }))).not.toContain("javascript");
});
