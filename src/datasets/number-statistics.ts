// Statistics over plain numbers, mostly from `simple-statistics`. An undefined result is null, such as the mean of no
// values.

import {
  linearRegression,
  maxSorted,
  mean as meanOf,
  medianSorted,
  minSorted,
  rSquared,
  sampleCorrelation,
  sampleStandardDeviation,
  sum as sumOf,
} from "simple-statistics";

/** Returns the arithmetic mean; null for no values. */
export function computeMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : meanOf([...values]);
}

/** The statistics of one or more numbers, rounded (`roundSignificant`). */
export type NumberSummary = {
  readonly mean: number;
  readonly median: number;
  /** Standard deviation of a sample (n − 1); null for a single value. */
  readonly stddev: number | null;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly percentiles: { readonly p25: number; readonly p50: number; readonly p75: number; readonly p90: number };
};

/** Returns the statistics of the values. There must be at least one. */
export function summarizeNumbers(values: readonly number[]): NumberSummary {
  const all = [...values];
  const ranked = sortAscending(values);
  const percentileAt = (share: number) => roundSignificant(interpolatePercentile(ranked, share));
  return {
    mean: roundSignificant(meanOf(all)),
    median: roundSignificant(medianSorted(ranked)),
    stddev: all.length < 2 ? null : roundSignificant(sampleStandardDeviation(all)),
    min: minSorted(ranked),
    max: maxSorted(ranked),
    sum: roundSignificant(sumOf(all)),
    percentiles: {
      p25: percentileAt(0.25),
      p50: percentileAt(0.5),
      p75: percentileAt(0.75),
      p90: percentileAt(0.9),
    },
  };
}

/**
 * Returns the value below which the share (0 to 1) lies. Uses type 7 of Hyndman and Fan, linear between the two nearest
 * ranks, like PERCENTILE.INC in spreadsheets and the defaults of NumPy and R.
 */
function interpolatePercentile(ranked: readonly number[], share: number): number {
  const rank = (ranked.length - 1) * share;
  const below = ranked[Math.floor(rank)] ?? 0;
  const above = ranked[Math.ceil(rank)] ?? below;
  return below + (above - below) * (rank - Math.floor(rank));
}

/**
 * Returns Pearson's r; null for fewer than two pairs or if a list does not vary. The lists must have the same length.
 */
export function computeCorrelation(x: readonly number[], y: readonly number[]): number | null {
  if (x.length < 2 || measureSpread(x) === 0 || measureSpread(y) === 0) return null;
  return Math.max(-1, Math.min(1, sampleCorrelation([...x], [...y])));
}

export type LinearTrend = {
  readonly slope: number;
  readonly intercept: number;
  /** Share of the variation that the line explains, from 0 to 1; null if `y` does not vary. */
  readonly r_squared: number | null;
};

/** Returns the least-squares line; null for fewer than two different values of `x`. The lists must have one length. */
export function computeLinearTrend(x: readonly number[], y: readonly number[]): LinearTrend | null {
  if (x.length < 2 || measureSpread(x) === 0) return null;
  const points = x.map((at, i) => [at, y[i] ?? 0]);
  const { m: slope, b: intercept } = linearRegression(points);
  const isFlat = measureSpread(y) === 0;
  return { slope, intercept, r_squared: isFlat ? null : rSquared(points, (at) => slope * at + intercept) };
}

/** A bin from `from` up to, but not including, `to`. The last bin includes `to`. */
export type HistogramBin = { readonly from: number; readonly to: number; readonly count: number };

/**
 * Returns bins of equal width over the whole range; empty for no values. Equal values give one bin. `bins` is by
 * default computed from the number of values, at most 20.
 */
export function computeHistogram(values: readonly number[], bins = computeBinCount(values.length)): HistogramBin[] {
  const ranked = sortAscending(values);
  const [min, max] = [ranked[0], ranked.at(-1)];
  if (min === undefined || max === undefined) return [];
  const width = (max - min) / bins;
  // All values are equal, or so close that the width rounds to zero.
  if (width === 0) return [{ from: min, to: max, count: values.length }];
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor(roundSignificant((value - min) / width)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count, i) => ({
    from: min + i * width,
    to: i === bins - 1 ? max : min + (i + 1) * width,
    count,
  }));
}

/** Returns the number of bins by Sturges' rule, at most twenty. */
function computeBinCount(count: number): number {
  return Math.max(1, Math.min(20, Math.ceil(Math.log2(Math.max(1, count))) + 1));
}

/** Returns the rank of each value, 1 for the greatest. Equal values share the better rank: 1, 2, 2, 4. */
export function computeRanks(values: readonly number[]): number[] {
  const rankByValue = new Map<number, number>();
  for (const [i, value] of sortAscending(values).toReversed().entries())
    if (!rankByValue.has(value)) rankByValue.set(value, i + 1);
  return values.map((value) => rankByValue.get(value) ?? 0);
}

/**
 * Rounds to twelve significant digits, which hides binary rounding errors. Keeps thirteen if the value has no more
 * digits, such as cents of billions.
 */
export function roundSignificant(value: number): number {
  const fine = Number(value.toPrecision(13));
  return fine === Number(value.toPrecision(15)) ? fine : Number(value.toPrecision(12));
}

function sortAscending(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}

/** Returns 0 if all values are equal, else 1. */
function measureSpread(values: readonly number[]): number {
  const [first] = values;
  return values.every((value) => value === first) ? 0 : 1;
}
