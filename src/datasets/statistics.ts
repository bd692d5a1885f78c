// Statistics over plain numbers. Where there is none, the answer is null: the mean of nothing, the spread of one value.

import {
  linearRegression,
  mean as meanOf,
  medianSorted,
  rSquared,
  sampleCorrelation,
  sampleStandardDeviation,
  sum as sumOf,
} from "simple-statistics";

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : meanOf([...values]);
}

export function sum(values: readonly number[]): number {
  return sumOf([...values]);
}

export function median(values: readonly number[]): number | null {
  return values.length === 0 ? null : medianSorted(sorted(values));
}

/** Of a sample: the squares are divided by n − 1. */
export function standardDeviation(values: readonly number[]): number | null {
  return values.length < 2 ? null : sampleStandardDeviation([...values]);
}

/**
 * The value below which the share `p` lies, by Hyndman and Fan's type 7: linear between the two nearest ranks, as
 * PERCENTILE.INC of spreadsheets and the defaults of NumPy and R have it.
 */
export function percentile(values: readonly number[], p: number): number | null {
  const ranked = sorted(values);
  const rank = (ranked.length - 1) * p;
  const [below, above] = [ranked[Math.floor(rank)], ranked[Math.ceil(rank)]];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (rank - Math.floor(rank));
}

/** Pearson's r; null where one of them does not vary. Both have the same length. */
export function correlation(x: readonly number[], y: readonly number[]): number | null {
  if (x.length < 2 || spread(x) === 0 || spread(y) === 0) return null;
  return Math.max(-1, Math.min(1, sampleCorrelation([...x], [...y])));
}

export type Trend = {
  readonly slope: number;
  readonly intercept: number;
  /** How much of the variation the line explains, from 0 to 1; null where nothing varies. */
  readonly r_squared: number | null;
};

/** The line of least squares; null for fewer than two different places. */
export function linearTrend(x: readonly number[], y: readonly number[]): Trend | null {
  if (x.length < 2 || spread(x) === 0) return null;
  const points = x.map((at, i) => [at, y[i] ?? 0]);
  const { m: slope, b: intercept } = linearRegression(points);
  const isFlat = spread(y) === 0;
  return { slope, intercept, r_squared: isFlat ? null : rSquared(points, (at) => slope * at + intercept) };
}

export type Bin = { readonly from: number; readonly to: number; readonly count: number };

/** Bins of one width over the whole range. Each holds its lower end, the last one its upper end as well. */
export function histogram(values: readonly number[], bins = binsFor(values.length)): Bin[] {
  const ranked = sorted(values);
  const [least, most] = [ranked[0], ranked.at(-1)];
  if (least === undefined || most === undefined) return [];
  const width = (most - least) / bins;
  // All are the same, or so near to each other that there is nothing in between.
  if (width === 0) return [{ from: least, to: most, count: values.length }];
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor(rounded((value - least) / width)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count, i) => ({
    from: least + i * width,
    to: i === bins - 1 ? most : least + (i + 1) * width,
    count,
  }));
}

/** By Sturges, and never more than twenty. */
function binsFor(count: number): number {
  return Math.max(1, Math.min(20, Math.ceil(Math.log2(Math.max(1, count))) + 1));
}

/** Ranks from 1 for the greatest; equal values share the better one: 1, 2, 2, 4. */
export function ranks(values: readonly number[]): number[] {
  const places = new Map<number, number>();
  for (const [i, value] of sorted(values).toReversed().entries()) if (!places.has(value)) places.set(value, i + 1);
  return values.map((value) => places.get(value) ?? 0);
}

/** Twelve digits, which hides what binary fractions leave behind; thirteen where there are no more: cents of billions. */
export function rounded(value: number): number {
  const fine = Number(value.toPrecision(13));
  return fine === Number(value.toPrecision(15)) ? fine : Number(value.toPrecision(12));
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}

function spread(values: readonly number[]): number {
  const [first] = values;
  return values.every((value) => value === first) ? 0 : 1;
}
