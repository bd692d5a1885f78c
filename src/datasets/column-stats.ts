// Statistics of one column.

import type { ColumnStats, ColumnProfile } from "../protocol/datasets/dataset.ts";
import { computeHistogram, summarizeNumbers } from "./number-statistics.ts";

/**
 * Returns the statistics of a column with `rows` rows. `numbers` are all its values if it is numeric, else null; `top`
 * are its most frequent values. Numeric statistics are null if there are no numbers.
 */
export function computeColumnStats(
  column: ColumnProfile,
  rows: number,
  numbers: readonly number[] | null,
  top: ColumnStats["top"],
): ColumnStats {
  const values = numbers ?? [];
  const { median, stddev, sum, percentiles } = values.length === 0 ? NO_NUMBERS : summarizeNumbers(values);
  const histogram = values.length === 0 ? null : computeHistogram(values);
  return { ...column, count: rows - column.gaps, median, stddev, sum, percentiles, histogram, top: [...top] };
}

const NO_NUMBERS = { median: null, stddev: null, sum: null, percentiles: null };
