// What a teacher asks about scores: one group, and one group against another.

import * as z from "zod";
import { mean, median, percentile, rounded, standardDeviation } from "./statistics.ts";

export const METRICS = ["mean", "median", "stddev", "min", "max", "percentiles", "distribution"] as const;
export const metricsSchema = z.array(z.enum(METRICS)).min(1);
export type Metric = (typeof METRICS)[number];

/** Those that are one number, and so have a difference. */
const SINGLE = ["mean", "median", "stddev", "min", "max"] as const;

/** The lower ends; each holds up to the next one, the last one 100 as well. */
const BANDS = [0, 40, 50, 60, 70, 80, 90] as const;
const LABELS = BANDS.map((from, i) => `${from}-${i === BANDS.length - 1 ? 100 : (BANDS[i + 1] ?? 0) - 1}`);

export type Stats = {
  readonly count: number;
  readonly mean?: number | null;
  readonly median?: number | null;
  /** Of a sample; null for a single value. */
  readonly stddev?: number | null;
  readonly min?: number;
  readonly max?: number;
  /** By Hyndman and Fan's type 7. */
  readonly percentiles?: { readonly p25: number; readonly p50: number; readonly p75: number; readonly p90: number };
  /** How many scores each band holds. What is below 0 or above 100 is in none. */
  readonly distribution?: { readonly labels: readonly string[]; readonly counts: readonly number[] };
};

export type Comparison = {
  readonly group_a: Stats;
  readonly group_b: Stats;
  /** The first group's less the second's. */
  readonly difference: Readonly<Record<string, number>>;
  readonly summary: { readonly group_a_count: number; readonly group_b_count: number };
};

/** There is at least one score. */
export function calculateStats(data: readonly number[], metrics: readonly Metric[] = METRICS): Stats {
  const all = {
    mean: () => round(mean(data)),
    median: () => round(median(data)),
    stddev: () => round(standardDeviation(data)),
    min: () => data.reduce((a, b) => Math.min(a, b)),
    max: () => data.reduce((a, b) => Math.max(a, b)),
    percentiles: () => ({ p25: at(data, 0.25), p50: at(data, 0.5), p75: at(data, 0.75), p90: at(data, 0.9) }),
    distribution: () => distribution(data),
  };
  const wanted = METRICS.filter((metric) => metrics.includes(metric)).map((metric) => [metric, all[metric]()] as const);
  return { count: data.length, ...Object.fromEntries(wanted) };
}

export function comparePerformance(
  a: readonly number[],
  b: readonly number[],
  metrics: readonly Metric[] = METRICS,
): Comparison {
  const [statsA, statsB] = [calculateStats(a, metrics), calculateStats(b, metrics)];
  const difference = SINGLE.flatMap((metric) => {
    const [first, second] = [statsA[metric], statsB[metric]];
    return typeof first === "number" && typeof second === "number" ? [[metric, rounded(first - second)] as const] : [];
  });
  return {
    group_a: statsA,
    group_b: statsB,
    difference: Object.fromEntries(difference),
    summary: { group_a_count: a.length, group_b_count: b.length },
  };
}

function distribution(data: readonly number[]): { labels: string[]; counts: number[] } {
  const counts = BANDS.map((from, i) => {
    const isLast = i === BANDS.length - 1;
    const to = BANDS[i + 1] ?? 100;
    return data.filter((score) => score >= from && (isLast ? score <= 100 : score < to)).length;
  });
  return { labels: [...LABELS], counts };
}

const round = (value: number | null): number | null => (value === null ? null : rounded(value));
const at = (data: readonly number[], p: number): number => rounded(percentile(data, p) ?? 0);
