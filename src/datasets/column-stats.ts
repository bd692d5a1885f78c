// Statistics of one column.

import type { ColumnStats, ColumnProfile } from "../protocol/datasets/dataset.ts";
import {
  computeHistogram,
  computeMedian,
  computePercentile,
  roundSignificant,
  computeStandardDeviation,
  computeSum,
} from "./number-statistics.ts";

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
  const percentileAt = (p: number): number => roundSignificant(computePercentile(numbers ?? [], p) ?? 0);
  const values = numbers === null || numbers.length === 0 ? null : numbers;
  return {
    ...column,
    count: rows - column.gaps,
    median: values === null ? null : roundNullable(computeMedian(values)),
    stddev: values === null ? null : roundNullable(computeStandardDeviation(values)),
    sum: values === null ? null : roundSignificant(computeSum(values)),
    percentiles:
      values === null
        ? null
        : { p25: percentileAt(0.25), p50: percentileAt(0.5), p75: percentileAt(0.75), p90: percentileAt(0.9) },
    histogram: values === null ? null : computeHistogram(values),
    top: [...top],
  };
}

const roundNullable = (value: number | null): number | null => (value === null ? null : roundSignificant(value));
