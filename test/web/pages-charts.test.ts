// What charts draw: every number in its place, gaps as gaps, and nothing that would break a drawing.

import { describe, expect, test } from "vitest";
import { formatAxisNumber } from "../../src/web/pages/chart/format-axis-number.ts";
import { getSeriesColour, computeContrast } from "../../src/web/pages/chart/series-colours.ts";
import {
  computeGauge,
  buildChartRows,
  selectShape,
  buildPieSlices,
  type ChartData,
} from "../../src/web/pages/chart/chart-data.ts";

const chart = (more: Partial<ChartData>): ChartData => ({
  id: "c",
  type: "chart",
  variant: "bar",
  title: "Scores",
  xAxis: ["a", "b", "c"],
  series: [{ name: "x", data: [1, null, 3] }],
  ...more,
});
const of = (...data: (number | null)[]) => [{ name: "x", data }];

describe("the shape of a chart", () => {
  test.each([
    ["bars stand", chart({}), "upright"],
    ["a distribution is bars", chart({ variant: "distribution" }), "upright"],
    ["long labels lay bars down", chart({ xAxis: ["a label as long as this", "b", "c"] }), "sideways"],
    ["long labels in Chinese too", chart({ xAxis: ["第二个很长很长的标签", "b", "c"] }), "sideways"],
    ["a single bar stands", chart({ xAxis: ["a label as long as this"], series: of(1) }), "upright"],
    [
      "too many long labels do not",
      chart({ xAxis: Array.from({ length: 25 }, (_, i) => `a label as long as this ${i}`) }),
      "upright",
    ],
    [
      "a distribution never lies",
      chart({ variant: "distribution", xAxis: ["a label as long as this", "b"] }),
      "upright",
    ],
    ["two points make no surface", chart({ variant: "radar", xAxis: ["a", "b"], series: of(1, 2) }), "upright"],
    ["three do", chart({ variant: "radar" }), "radar"],
    ["gaps alone are nothing", chart({ series: of(null, null) }), "nothing"],
    ["no series are nothing", chart({ series: [] }), "nothing"],
    ["a pie of nothing above zero is nothing", chart({ variant: "pie", series: of(0, -2, null) }), "nothing"],
    ["a gauge", chart({ variant: "gauge", series: of(7) }), "gauge"],
  ])("%s", (_, given, shape) => {
    expect(selectShape(given)).toBe(shape);
  });
});

describe("the rows of a chart", () => {
  test("keep gaps, and tell labels of the same name apart", () => {
    expect(buildChartRows(chart({ xAxis: ["a", "a", "c"] }))).toEqual([
      { at: 0, label: "a", values: [1] },
      { at: 1, label: "a", values: [null] },
      { at: 2, label: "c", values: [3] },
    ]);
  });

  test("are as many as the longest of labels and series", () => {
    const rows = buildChartRows(chart({ xAxis: ["a"], series: [...of(1), { name: "y", data: [1, 2] }] }));
    expect(rows).toEqual([
      { at: 0, label: "a", values: [1, 1] },
      { at: 1, label: "", values: [null, 2] },
    ]);
  });

  test("have no value that leaves no room for others", () => {
    const [row] = buildChartRows(chart({ xAxis: ["a"], series: [...of(1e308), ...of(-1e308), ...of(1e-300)] }));
    expect(row?.values).toEqual([1e100, -1e100, 0]);
  });
});

describe("the slices of a pie", () => {
  test("are shares of what is above zero, by the place of their label", () => {
    expect(buildPieSlices(chart({ variant: "pie", series: of(1, -4, 3) }))).toEqual([
      { at: 0, value: 1, share: 0.25, of: 1 },
      { at: 2, value: 3, share: 0.75, of: 1 },
    ]);
  });

  test("of many, the smallest are one", () => {
    const data = Array.from({ length: 100 }, (_, i) => i + 1);
    const slices = buildPieSlices(chart({ variant: "pie", series: of(...data) }));
    expect(slices).toHaveLength(12);
    expect(slices.slice(0, -1).map(({ value }) => value)).toEqual(data.slice(-11));
    expect(slices.at(-1)).toMatchObject({ at: null, of: 89, value: 4_005 });
    expect(slices.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });
});

describe("a gauge", () => {
  test.each([
    [[83.3], { value: 83.3, min: 0, max: 100, from: 0, to: 0.833 }],
    [[null, 0], { value: 0, min: 0, max: 100, from: 0, to: 0 }],
    [[100], { min: 0, max: 100, from: 0, to: 1 }],
    [[250], { min: 0, max: 250, from: 0, to: 1 }],
    [[-12.5], { min: -12.5, max: 0, from: 0, to: 1 }],
  ])("of %j goes from zero to the value", (data, gauge) => {
    expect(computeGauge(chart({ variant: "gauge", series: of(...data) }))).toMatchObject(gauge);
  });
});

describe("the colour of a series", () => {
  test("is its own where it can be told from the paper", () => {
    expect(getSeriesColour(0, "#7a7a7a")).toBe("#7a7a7a");
    expect(getSeriesColour(0, "#1e3a8a")).toBe("light-dark(#1e3a8a, var(--series-0))");
    expect(getSeriesColour(1, "#ff0")).toBe("light-dark(var(--series-1), #ff0)");
  });

  test("is one of the theme for what is no colour, and begins anew after the last", () => {
    expect(getSeriesColour(2)).toBe("var(--series-2)");
    expect(getSeriesColour(9, "red;background:url(x)")).toBe("var(--series-1)");
  });

  test("contrast is WCAG's", () => {
    expect(computeContrast("#000", "#ffffff")).toBe(21);
    expect(computeContrast("#767676", "#fff")).toBeCloseTo(4.54, 2);
  });
});

test("numbers beside an axis are short", () => {
  expect([0.25, 12_500, 1_250_000, 3e20].map((value) => formatAxisNumber(value, "en"))).toEqual([
    "0.25",
    "12500",
    "1.3M",
    "3e+20",
  ]);
  expect(formatAxisNumber(1_250_000, "zh-CN")).toBe("125万");
});
