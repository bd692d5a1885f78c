// Chart data: positions, gaps, colours and values that a drawing cannot show.

import { describe, expect, test } from "vitest";
import {
  computeGauge,
  buildChartRows,
  selectShape,
  buildPieSlices,
  type ChartData,
  getSeriesColour,
  computeContrast,
  formatAxisNumber,
} from "../../src/web/features/pages/chart/chart-data.ts";

const chart = (more: Partial<ChartData>): ChartData => ({
  id: "c",
  type: "chart",
  variant: "bar",
  title: "Scores",
  xAxis: ["a", "b", "c"],
  series: [{ name: "x", data: [1, null, 3] }],
  ...more,
});
const createSeries = (...data: (number | null)[]) => [{ name: "x", data }];

describe("chart shape", () => {
  test.each([
    ["vertical bars", chart({}), "upright"],
    ["a distribution as vertical bars", chart({ variant: "distribution" }), "upright"],
    ["horizontal bars for long labels", chart({ xAxis: ["a label as long as this", "b", "c"] }), "sideways"],
    ["horizontal bars for long Chinese labels", chart({ xAxis: ["第二个很长很长的标签", "b", "c"] }), "sideways"],
    [
      "a vertical bar for a single long label",
      chart({ xAxis: ["a label as long as this"], series: createSeries(1) }),
      "upright",
    ],
    [
      "vertical bars for too many long labels",
      chart({ xAxis: Array.from({ length: 25 }, (_, i) => `a label as long as this ${i}`) }),
      "upright",
    ],
    [
      "vertical bars for a distribution with long labels",
      chart({ variant: "distribution", xAxis: ["a label as long as this", "b"] }),
      "upright",
    ],
    [
      "vertical bars for a radar chart of two points",
      chart({ variant: "radar", xAxis: ["a", "b"], series: createSeries(1, 2) }),
      "upright",
    ],
    ["a radar chart of three points", chart({ variant: "radar" }), "radar"],
    ["nothing for gaps only", chart({ series: createSeries(null, null) }), "nothing"],
    ["nothing without series", chart({ series: [] }), "nothing"],
    [
      "nothing for a pie without positive values",
      chart({ variant: "pie", series: createSeries(0, -2, null) }),
      "nothing",
    ],
    ["a gauge", chart({ variant: "gauge", series: createSeries(7) }), "gauge"],
  ])("is chosen for each chart: %s", (_, data, shape) => {
    expect(selectShape(data)).toBe(shape);
  });
});

describe("chart rows", () => {
  test("keep gaps and separate equal labels", () => {
    expect(buildChartRows(chart({ xAxis: ["a", "a", "c"] }))).toEqual([
      { at: 0, label: "a", values: [1] },
      { at: 1, label: "a", values: [null] },
      { at: 2, label: "c", values: [3] },
    ]);
  });

  test("are as many as the longest label list or series", () => {
    const rows = buildChartRows(chart({ xAxis: ["a"], series: [...createSeries(1), { name: "y", data: [1, 2] }] }));
    expect(rows).toEqual([
      { at: 0, label: "a", values: [1, 1] },
      { at: 1, label: "", values: [null, 2] },
    ]);
  });

  test("clamp extreme values", () => {
    const [row] = buildChartRows(
      chart({ xAxis: ["a"], series: [...createSeries(1e308), ...createSeries(-1e308), ...createSeries(1e-300)] }),
    );
    expect(row?.values).toEqual([1e100, -1e100, 0]);
  });
});

describe("pie slices", () => {
  test("are shares of the positive values, with the index of their label", () => {
    expect(buildPieSlices(chart({ variant: "pie", series: createSeries(1, -4, 3) }))).toEqual([
      { at: 0, value: 1, share: 0.25, count: 1 },
      { at: 2, value: 3, share: 0.75, count: 1 },
    ]);
  });

  test("merge the smallest values into one slice", () => {
    const data = Array.from({ length: 100 }, (_, i) => i + 1);
    const slices = buildPieSlices(chart({ variant: "pie", series: createSeries(...data) }));
    expect(slices).toHaveLength(12);
    expect(slices.slice(0, -1).map(({ value }) => value)).toEqual(data.slice(-11));
    expect(slices.at(-1)).toMatchObject({ at: null, count: 89, value: 4_005 });
    expect(slices.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });
});

describe("gauge", () => {
  test.each([
    [[83.3], { value: 83.3, min: 0, max: 100, from: 0, to: 0.833 }],
    [[null, 0], { value: 0, min: 0, max: 100, from: 0, to: 0 }],
    [[100], { min: 0, max: 100, from: 0, to: 1 }],
    [[250], { min: 0, max: 250, from: 0, to: 1 }],
    [[-12.5], { min: -12.5, max: 0, from: 0, to: 1 }],
  ])("of %j extends from zero to the value", (data, gauge) => {
    expect(computeGauge(chart({ variant: "gauge", series: createSeries(...data) }))).toMatchObject(gauge);
  });
});

describe("series colour", () => {
  test("is the given colour in each theme where its contrast suffices", () => {
    expect(getSeriesColour(0, "#7a7a7a")).toBe("#7a7a7a");
    expect(getSeriesColour(0, "#1e3a8a")).toBe("light-dark(#1e3a8a, var(--series-0))");
    expect(getSeriesColour(1, "#ff0")).toBe("light-dark(var(--series-1), #ff0)");
  });

  test("is a theme colour if the given one is invalid, and repeats after the last", () => {
    expect(getSeriesColour(2)).toBe("var(--series-2)");
    expect(getSeriesColour(9, "red;background:url(x)")).toBe("var(--series-1)");
  });

  test("uses the contrast ratio of WCAG", () => {
    expect(computeContrast("#000", "#ffffff")).toBe(21);
    expect(computeContrast("#767676", "#fff")).toBeCloseTo(4.54, 2);
  });
});

test("axis numbers are shortened", () => {
  expect([0.25, 12_500, 1_250_000, 3e20].map((value) => formatAxisNumber(value, "en"))).toEqual([
    "0.25",
    "12500",
    "1.3M",
    "3e+20",
  ]);
  expect(formatAxisNumber(1_250_000, "zh-CN")).toBe("125万");
});
