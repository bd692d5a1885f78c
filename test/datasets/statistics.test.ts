// Statistics of numbers and scores.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  computeCorrelation,
  computeHistogram,
  computeLinearTrend,
  computeRanks,
  roundSignificant,
  summarizeNumbers,
} from "../../src/datasets/number-statistics.ts";
import { calculateStats, comparePerformance } from "../../src/datasets/score-statistics.ts";

describe("score statistics", () => {
  const a001 = [58, 85, 72, 91, 65];

  // Percentiles by R: quantile(c(58, 85, 72, 91, 65), c(.25, .5, .75, .9), type = 7)
  test("summarize the first assignment of the sample", () => {
    expect(calculateStats(a001)).toEqual({
      count: 5,
      mean: 74.2,
      median: 72,
      stddev: 13.7003649586,
      min: 58,
      max: 91,
      percentiles: { p25: 65, p50: 72, p75: 85, p90: 88.6 },
      distribution: {
        labels: ["0-39", "40-49", "50-59", "60-69", "70-79", "80-89", "90-100"],
        counts: [0, 0, 1, 1, 1, 1, 1],
      },
    });
  });

  test("use bands that include their lower end, the last one also 100", () => {
    const edges = [0, 39.9, 40, 49, 50, 60, 69.99, 70, 80, 89.5, 90, 100, -1, 100.5];
    expect(calculateStats(edges, ["distribution"]).distribution?.counts).toEqual([2, 2, 1, 2, 1, 2, 2]);
  });

  test("contain only the requested metrics", () => {
    expect(calculateStats(a001, ["max", "mean"])).toEqual({ count: 5, mean: 74.2, max: 91 });
  });

  test("compare two groups by subtracting the second from the first", () => {
    const other = [67, 74, 49, 82, 90, 55];
    const { group_a, group_b, difference, summary } = comparePerformance(a001, other);
    expect(group_a).toEqual(calculateStats(a001));
    expect(group_b).toEqual(calculateStats(other));
    expect(difference).toEqual({ mean: 4.7, median: 1.5, stddev: -2.0063215156, min: 9, max: 1 });
    expect(summary).toEqual({ group_a_count: 5, group_b_count: 6 });
    expect(comparePerformance(a001, [1], ["stddev", "mean"]).difference).toEqual({ mean: 73.2 });
  });

  test("accept as many values as a dataset has rows", () => {
    expect(calculateStats(Array.from({ length: 100_000 }, (_, i) => i % 101))).toMatchObject({ min: 0, max: 100 });
  });
});

describe("number statistics", () => {
  test("computeCorrelation() is between −1 and 1, and null without variance", () => {
    expect(computeCorrelation([1, 2, 3], [2, 4, 6])).toBe(1);
    expect(computeCorrelation([1, 2, 3], [6, 4, 2])).toBe(-1);
    expect(computeCorrelation([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(computeCorrelation([1], [1])).toBeNull();
    // Anscombe's first set.
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    expect(computeCorrelation(x, y)).toBeCloseTo(0.81642, 5);
    expect(computeLinearTrend(x, y)).toMatchObject({
      slope: expect.closeTo(0.50009, 5) as number,
      intercept: expect.closeTo(3.00009, 5) as number,
    });
  });

  test("computeLinearTrend() needs two different x values and has no r_squared for constant y", () => {
    expect(computeLinearTrend([1], [1])).toBeNull();
    expect(computeLinearTrend([2, 2], [1, 5])).toBeNull();
    expect(computeLinearTrend([1, 2, 3], [5, 5, 5])).toEqual({ slope: 0, intercept: 5, r_squared: null });
  });

  test("computeHistogram() counts every value once", () => {
    const data = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(data, fc.integer({ min: 1, max: 30 }), (values, bins) => {
        const found = computeHistogram(values, bins);
        expect(found.reduce((total, { count }) => total + count, 0)).toBe(values.length);
        expect(found[0]?.from === values.reduce((a, b) => Math.min(a, b))).toBe(true);
        expect(found.at(-1)?.to === values.reduce((a, b) => Math.max(a, b))).toBe(true);
      }),
    );
    expect(computeHistogram([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 3).map(({ count }) => count)).toEqual([3, 3, 4]);
    expect(computeHistogram([0, Number.MIN_VALUE], 3)).toEqual([{ from: 0, to: Number.MIN_VALUE, count: 2 }]);
    expect(computeHistogram([])).toEqual([]);
  });

  test("computeHistogram() puts a bin's upper limit into the next bin, despite binary fractions", () => {
    const tenths = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
    expect(computeHistogram(tenths, 10).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
  });

  test("roundSignificant() removes binary fraction errors and keeps the cents of billions", () => {
    expect(
      [0.1 + 0.2, 2.0000000000004, 2 / 3, 12_345_678_901.23, 99_999_999_999.99, -0.5].map(roundSignificant),
    ).toEqual([0.3, 2, 0.666666666667, 12_345_678_901.23, 99_999_999_999.99, -0.5]);
  });

  test("computeRanks() gives equal values the better rank", () => {
    expect(computeRanks([70, 90, 90, 50])).toEqual([3, 1, 1, 4]);
  });

  test("summarizeNumbers() keeps the digits of a small deviation around a large mean", () => {
    // NIST's reference dataset NumAcc4 (https://www.itl.nist.gov/div898/strd/): mean 10,000,000.2, deviation 0.1.
    const values = [
      10_000_000.2,
      ...Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? 10_000_000.1 : 10_000_000.3)),
    ];
    expect(summarizeNumbers(values)).toMatchObject({
      mean: 10_000_000.2,
      stddev: expect.closeTo(0.1, 8) as number,
      median: 10_000_000.2,
      min: 10_000_000.1,
    });
  });

  test("summarizeNumbers() interpolates percentiles and sums", () => {
    expect(summarizeNumbers([4, 1, 3, 2])).toMatchObject({
      sum: 10,
      percentiles: { p25: 1.75, p50: 2.5 },
      median: 2.5,
    });
    expect(summarizeNumbers([7])).toMatchObject({ percentiles: { p25: 7, p90: 7 }, stddev: null });
  });
});
