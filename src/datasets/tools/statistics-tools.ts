// Tools that compute statistics over numbers from other tools.

import * as z from "zod";
import type { DataFailure } from "../../protocol/datasets/dataset.ts";
import { calculateStats, comparePerformance, metricsSchema } from "../score-statistics.ts";
import {
  computeCorrelation,
  computeHistogram,
  computeLinearTrend,
  computeRanks,
  roundSignificant,
} from "../number-statistics.ts";
import { createDataFailure } from "../query-refusal.ts";
import { createMessage } from "../../language/messages.ts";
import { createDataTool } from "./data-tool.ts";

/** Gaps are null and left out of the statistics. */
const numbers = z.array(z.number().nullable()).max(100_000);
const metrics = metricsSchema.optional().describe("Which ones; all if it is left out");

export const calculateStatsTool = createDataTool({
  name: "calculate_stats",
  description:
    "Count, mean, median, sample standard deviation, least, greatest, percentiles and distribution of numbers such as scores.",
  parameters: z.object({ data: numbers, metrics }),
  run: ({ data, metrics: requestedMetrics }) => {
    const presentValues = removeGaps(data);
    return presentValues.length === 0
      ? createTooFewNumbersError("data")
      : calculateStats(presentValues, requestedMetrics);
  },
});

export const comparePerformanceTool = createDataTool({
  name: "compare_performance",
  description: "The statistics of two groups of numbers, and the first group's less the second's.",
  parameters: z.object({ group_a: numbers, group_b: numbers, metrics }),
  run: ({ group_a, group_b, metrics: requestedMetrics }) => {
    const [a, b] = [removeGaps(group_a), removeGaps(group_b)];
    if (a.length === 0) return createTooFewNumbersError("group_a");
    return b.length === 0 ? createTooFewNumbersError("group_b") : comparePerformance(a, b, requestedMetrics);
  },
});

export const correlationTool = createDataTool({
  name: "correlation",
  description: "Pearson's correlation of two lists of numbers, pair by pair; pairs with a gap are left out.",
  parameters: z.object({ x: numbers, y: numbers }),
  run: ({ x, y }) => {
    const [left, right] = removeGapPairs(x, y);
    const r = computeCorrelation(left, right);
    return {
      count: left.length,
      r: r === null ? null : roundSignificant(r),
      r_squared: r === null ? null : roundSignificant(r * r),
    };
  },
});

export const linearTrendTool = createDataTool({
  name: "linear_trend",
  description:
    "The straight line of least squares through numbers in their order, or over `x`; null for fewer than two.",
  parameters: z.object({ y: numbers, x: numbers.optional().describe("1, 2, 3 … if it is left out") }),
  run: ({ y, x = y.map((_, i) => i + 1) }) => {
    const [xValues, yValues] = removeGapPairs(x, y);
    const trend = computeLinearTrend(xValues, yValues);
    const count = yValues.length;
    // A single point has no line. The result has null members instead of being an error.
    const none = { slope: null, intercept: null, r_squared: null, direction: null, fitted: y.map(() => null) };
    if (trend === null) return { count, ...none };
    const { slope, intercept, r_squared } = trend;
    const at = (xValue: number | null | undefined) => (typeof xValue === "number" ? slope * xValue + intercept : null);
    return {
      count,
      slope: roundSignificant(slope),
      intercept: roundSignificant(intercept),
      r_squared: r_squared === null ? null : roundSignificant(r_squared),
      direction: slope === 0 ? "flat" : slope > 0 ? "up" : "down",
      // One value per `y`, also for gaps, so that both series fit in one chart.
      fitted: y.map((_, i) => at(x[i])).map((value) => (value === null ? null : roundSignificant(value))),
    };
  },
});

export const histogramTool = createDataTool({
  name: "histogram",
  description: "How many of the numbers fall into each of some ranges of one width.",
  parameters: z.object({ data: numbers, bins: z.int().min(1).max(100).optional() }),
  run: ({ data, bins }) => {
    const presentValues = removeGaps(data);
    if (presentValues.length === 0) return createTooFewNumbersError("data");
    const found = computeHistogram(presentValues, bins).map(({ from, to, count }) => ({
      from: roundSignificant(from),
      to: roundSignificant(to),
      count,
    }));
    return {
      bins: found,
      labels: found.map(({ from, to }) => `${Number(from.toPrecision(6))}–${Number(to.toPrecision(6))}`),
      counts: found.map(({ count }) => count),
    };
  },
});

export const rankingTool = createDataTool({
  name: "ranking",
  description: "Names with their numbers, the greatest first; equal numbers share a rank.",
  parameters: z.object({
    labels: z.array(z.union([z.string(), z.number(), z.boolean()]).nullable()).max(100_000),
    values: numbers,
    limit: z.int().min(1).max(1_000).optional(),
  }),
  run: ({ labels, values, limit = 1_000 }) => {
    const rows = values.flatMap((value, i) => (value === null ? [] : [{ label: labels[i] ?? null, value }]));
    const ranks = computeRanks(rows.map(({ value }) => value));
    const ranked = rows
      .map((row, i) => ({ rank: ranks[i] ?? 0, ...row }))
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, limit);
    return { ranking: ranked, labels: ranked.map(({ label }) => label), values: ranked.map(({ value }) => value) };
  },
});

/** Returns the values without gaps. */
const removeGaps = (data: readonly (number | null)[]): number[] => data.filter((value) => value !== null);

/** Returns the two lists without the positions at which one of them has a gap. */
function removeGapPairs(x: readonly (number | null)[], y: readonly (number | null)[]): [number[], number[]] {
  const [left, right]: [number[], number[]] = [[], []];
  for (const [i, first] of x.entries()) {
    const second = y[i] ?? null;
    if (first === null || second === null) continue;
    left.push(first);
    right.push(second);
  }
  return [left, right];
}

/** Returns the `{error}` value for an argument with too few numbers. */
function createTooFewNumbersError(argument: string): DataFailure {
  return createDataFailure("data", createMessage("dataTool.tooFewNumbers", { argument }));
}
