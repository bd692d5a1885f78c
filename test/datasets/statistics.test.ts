// Compares statistics with certified values: the univariate sets of NIST's Statistical Reference Datasets
// (https://www.itl.nist.gov/div898/strd/) and its linear set Norris.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  computeCorrelation,
  computeHistogram,
  computeLinearTrend,
  computeMean,
  computeMedian,
  computePercentile,
  computeRanks,
  roundSignificant,
  computeStandardDeviation,
} from "../../src/datasets/number-statistics.ts";
import { calculateStats, comparePerformance } from "../../src/datasets/score-statistics.ts";

const createSymmetricData = (middle: number, half: number, pairs: number): number[] => [
  middle,
  ...Array.from({ length: pairs }, () => [
    Number((middle - half).toFixed(1)),
    Number((middle + half).toFixed(1)),
  ]).flat(),
];

const LEW = [
  -213, -564, -35, -15, 141, 115, -420, -360, 203, -338, -431, 194, -220, -513, 154, -125, -559, 92, -21, -579, -52, 99,
  -543, -175, 162, -457, -346, 204, -300, -474, 164, -107, -572, -8, 83, -541, -224, 180, -420, -374, 201, -236, -531,
  83, 27, -564, -112, 131, -507, -254, 199, -311, -495, 143, -46, -579, -90, 136, -472, -338, 202, -287, -477, 169,
  -124, -568, 17, 48, -568, -135, 162, -430, -422, 172, -74, -577, -13, 92, -534, -243, 194, -355, -465, 156, -81, -578,
  -64, 139, -449, -384, 193, -198, -538, 110, -44, -577, -6, 66, -552, -164, 161, -460, -344, 205, -281, -504, 134, -28,
  -576, -118, 156, -437, -381, 200, -220, -540, 83, 11, -568, -160, 172, -414, -408, 188, -125, -572, -32, 139, -492,
  -321, 205, -262, -504, 142, -83, -574, 0, 48, -571, -106, 137, -501, -266, 190, -391, -406, 194, -186, -553, 83, -13,
  -577, -49, 103, -515, -280, 201, 300, -506, 131, -45, -578, -80, 138, -462, -361, 201, -211, -554, 32, 74, -533, -235,
  187, -372, -442, 182, -147, -566, 25, 68, -535, -244, 194, -351, -463, 174, -125, -570, 15, 72, -550, -190, 172, -424,
  -385, 198, -218, -536, 96,
];
const MAVRO = [
  2.0018, 2.0017, 2.0018, 2.0019, 2.0018, 2.0017, 2.0015, 2.0014, 2.0015, 2.0015, 2.0017, 2.0018, 2.0018, 2.0019,
  2.0019, 2.0021, 2.002, 2.0016, 2.0014, 2.0013, 2.0013, 2.0015, 2.0015, 2.0016, 2.0015, 2.0014, 2.0013, 2.0014, 2.0015,
  2.0014, 2.0015, 2.0016, 2.0015, 2.0016, 2.0019, 2.002, 2.002, 2.0021, 2.0022, 2.0023, 2.0024, 2.0025, 2.0027, 2.0026,
  2.0026, 2.0026, 2.0027, 2.0026, 2.0025, 2.0024,
];
const MICHELSO = [
  299.85, 299.74, 299.9, 300.07, 299.93, 299.85, 299.95, 299.98, 299.98, 299.88, 300, 299.98, 299.93, 299.65, 299.76,
  299.81, 300, 300, 299.96, 299.96, 299.96, 299.94, 299.96, 299.94, 299.88, 299.8, 299.85, 299.88, 299.9, 299.84,
  299.83, 299.79, 299.81, 299.88, 299.88, 299.83, 299.8, 299.79, 299.76, 299.8, 299.88, 299.88, 299.88, 299.86, 299.72,
  299.72, 299.62, 299.86, 299.97, 299.95, 299.88, 299.91, 299.85, 299.87, 299.84, 299.84, 299.85, 299.84, 299.84,
  299.84, 299.89, 299.81, 299.81, 299.82, 299.8, 299.77, 299.76, 299.74, 299.75, 299.76, 299.91, 299.92, 299.89, 299.86,
  299.88, 299.72, 299.84, 299.85, 299.85, 299.78, 299.89, 299.84, 299.78, 299.81, 299.76, 299.81, 299.79, 299.81,
  299.82, 299.85, 299.87, 299.87, 299.81, 299.74, 299.81, 299.94, 299.95, 299.8, 299.81, 299.87,
];

/** Returns the number of correct digits: NIST's log relative error. */
function countDigits(value: number | null, certified: number): number {
  return value === certified ? 15 : -Math.log10(Math.abs((value ?? Number.NaN) - certified) / Math.abs(certified));
}

describe("NIST reference dataset", () => {
  test.each<[string, number[], number, number, number]>([
    ["Lew", LEW, -177.435, 277.332168044316, 14],
    ["Mavro", MAVRO, 2.001856, 0.000429123454003053, 12],
    ["Michelso", MICHELSO, 299.8524, 0.0790105478190518, 13],
    ["NumAcc1", [10_000_001, 10_000_003, 10_000_002], 10_000_002, 1, 15],
    ["NumAcc2", createSymmetricData(1.2, 0.1, 500), 1.2, 0.1, 13],
    ["NumAcc3", createSymmetricData(1_000_000.2, 0.1, 500), 1_000_000.2, 0.1, 9],
    // The numbers represent their tenths only to about one ten-millionth.
    ["NumAcc4", createSymmetricData(10_000_000.2, 0.1, 500), 10_000_000.2, 0.1, 8],
  ])(
    "%s: mean and standard deviation match the certified values",
    (_, data, certifiedMean, certifiedDeviation, least) => {
      expect(countDigits(computeMean(data), certifiedMean)).toBeGreaterThanOrEqual(14);
      expect(countDigits(computeStandardDeviation(data), certifiedDeviation)).toBeGreaterThanOrEqual(least);
    },
  );

  test("Lew and Mavro: medians match the certified values", () => {
    expect(computeMedian(LEW)).toBe(-162);
    expect(computeMedian(MAVRO)).toBe(2.0018);
  });

  test("Norris: the least squares line matches the certified values", () => {
    const points = [
      [0.2, 0.1],
      [337.4, 338.8],
      [118.2, 118.1],
      [884.6, 888],
      [10.1, 9.2],
      [226.5, 228.1],
      [666.3, 668.5],
      [996.3, 998.5],
      [448.6, 449.1],
      [777, 778.9],
      [558.2, 559.2],
      [0.4, 0.3],
      [0.6, 0.1],
      [775.5, 778.1],
      [666.9, 668.8],
      [338, 339.3],
      [447.5, 448.9],
      [11.6, 10.8],
      [556, 557.7],
      [228.1, 228.3],
      [995.8, 998],
      [887.6, 888.8],
      [120.2, 119.6],
      [0.3, 0.3],
      [0.3, 0.6],
      [556.8, 557.6],
      [339.1, 339.3],
      [887.2, 888],
      [999, 998.5],
      [779, 778.9],
      [11.1, 10.2],
      [118.3, 117.6],
      [229.2, 228.9],
      [669.1, 668.4],
      [448.9, 449.2],
      [0.5, 0.2],
    ];
    const [x, y] = [points.map(([at = 0]) => at), points.map(([, value = 0]) => value)];
    const trend = computeLinearTrend(x, y);
    expect(countDigits(trend?.slope ?? null, 1.00211681802045)).toBeGreaterThanOrEqual(11);
    expect(countDigits(trend?.intercept ?? null, -0.262323073774029)).toBeGreaterThanOrEqual(9);
    expect(countDigits(trend?.r_squared ?? null, 0.999993745883712)).toBeGreaterThanOrEqual(12);
    expect(countDigits(computeCorrelation(x, y), Math.sqrt(0.999993745883712))).toBeGreaterThanOrEqual(12);
  });
});

describe("computePercentile()", () => {
  // R: quantile(c(58, 85, 72, 91, 65), c(.25, .5, .75, .9), type = 7)
  test("returns the values of R (Hyndman and Fan, type 7)", () => {
    const scores = [58, 85, 72, 91, 65];
    expect([0.25, 0.5, 0.75, 0.9].map((p) => computePercentile(scores, p))).toEqual([65, 72, 85, 88.6]);
    expect([0, 1].map((p) => computePercentile(scores, p))).toEqual([58, 91]);
    expect(computePercentile([1, 2, 3, 4], 0.25)).toBe(1.75);
    expect(computePercentile([7], 0.9)).toBe(7);
    expect(computePercentile([], 0.5)).toBeNull();
  });

  test("returns the median for 0.5", () => {
    const data = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 });
    fc.assert(
      fc.property(data, (values) => {
        expect(computePercentile(values, 0.5)).toBeCloseTo(computeMedian(values) ?? Number.NaN, 6);
      }),
    );
  });
});

describe("score statistics", () => {
  const a001 = [58, 85, 72, 91, 65];

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

  test("have no standard deviation for one value", () => {
    expect(calculateStats([80])).toMatchObject({ count: 1, mean: 80, stddev: null, min: 80, max: 80 });
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

  test("mean, median and standard deviation of no values are null", () => {
    expect([computeMean([]), computeMedian([]), computeStandardDeviation([]), computeStandardDeviation([1])]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
