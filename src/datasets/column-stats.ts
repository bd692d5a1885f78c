// Statistics of one column.

import type { ColumnStats, DescribedColumn } from "../protocol/dataset.ts";
import { histogram, median, percentile, rounded, standardDeviation, sum } from "./statistics.ts";

/**
 * Returns the statistics of a column with `rows` rows. `numbers` are all its values if it is numeric, else null; `top`
 * are its most frequent values. Numeric statistics are null if there are no numbers.
 */
export function columnStats(
  column: DescribedColumn,
  rows: number,
  numbers: readonly number[] | null,
  top: ColumnStats["top"],
): ColumnStats {
  const at = (p: number): number => rounded(percentile(numbers ?? [], p) ?? 0);
  const some = numbers === null || numbers.length === 0 ? null : numbers;
  return {
    ...column,
    count: rows - column.gaps,
    median: some === null ? null : nullable(median(some)),
    stddev: some === null ? null : nullable(standardDeviation(some)),
    sum: some === null ? null : rounded(sum(some)),
    percentiles: some === null ? null : { p25: at(0.25), p50: at(0.5), p75: at(0.75), p90: at(0.9) },
    histogram: some === null ? null : histogram(some),
    top: [...top],
  };
}

const nullable = (value: number | null): number | null => (value === null ? null : rounded(value));
