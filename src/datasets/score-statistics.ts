// Statistics of scores: of one group, and of two groups compared.

import * as z from "zod";
import { roundSignificant, summarizeNumbers, type NumberSummary } from "./number-statistics.ts";

export const SCORE_METRICS = ["mean", "median", "stddev", "min", "max", "percentiles", "distribution"] as const;
export const metricsSchema = z.array(z.enum(SCORE_METRICS)).min(1);
export type ScoreMetric = (typeof SCORE_METRICS)[number];

/** Metrics that are one number, so that their difference is defined. */
const SINGLE_NUMBER_METRICS = ["mean", "median", "stddev", "min", "max"] as const;

/** Lower bounds of the bands. Each band ends before the next one; the last one includes 100. */
const BANDS = [0, 40, 50, 60, 70, 80, 90] as const;
const LABELS = BANDS.map((from, i) => `${from}-${i === BANDS.length - 1 ? 100 : (BANDS[i + 1] ?? 0) - 1}`);

/** The number of scores and their requested statistics. The keys are the tool's wire format. */
export type ScoreStats = { readonly count: number } & Partial<Omit<NumberSummary, "sum">> & {
    /** Number of scores per band. Scores below 0 or above 100 are in no band. */
    readonly distribution?: { readonly labels: readonly string[]; readonly counts: readonly number[] };
  };

export type ScoreComparison = {
  readonly group_a: ScoreStats;
  readonly group_b: ScoreStats;
  /** The metrics that are one number in both groups: those of the first group minus those of the second. */
  readonly difference: Readonly<Record<string, number>>;
  readonly summary: { readonly group_a_count: number; readonly group_b_count: number };
};

/** Returns the count and the requested metrics, all by default. The list must contain at least one score. */
export function calculateStats(data: readonly number[], metrics: readonly ScoreMetric[] = SCORE_METRICS): ScoreStats {
  const all = { ...summarizeNumbers(data), distribution: countBands(data) };
  const requested = SCORE_METRICS.filter((metric) => metrics.includes(metric));
  return { count: data.length, ...Object.fromEntries(requested.map((metric) => [metric, all[metric]])) };
}

/** Returns the statistics of two groups and their differences. Both lists must contain at least one score. */
export function comparePerformance(
  a: readonly number[],
  b: readonly number[],
  metrics: readonly ScoreMetric[] = SCORE_METRICS,
): ScoreComparison {
  const [statsA, statsB] = [calculateStats(a, metrics), calculateStats(b, metrics)];
  const difference = SINGLE_NUMBER_METRICS.flatMap((metric) => {
    const [first, second] = [statsA[metric], statsB[metric]];
    return typeof first === "number" && typeof second === "number"
      ? [[metric, roundSignificant(first - second)] as const]
      : [];
  });
  return {
    group_a: statsA,
    group_b: statsB,
    difference: Object.fromEntries(difference),
    summary: { group_a_count: a.length, group_b_count: b.length },
  };
}

/** Counts the scores per band. */
function countBands(data: readonly number[]): { labels: string[]; counts: number[] } {
  const counts = BANDS.map((from, i) => {
    const isLast = i === BANDS.length - 1;
    const to = BANDS[i + 1] ?? 100;
    return data.filter((score) => score >= from && (isLast ? score <= 100 : score < to)).length;
  });
  return { labels: [...LABELS], counts };
}
