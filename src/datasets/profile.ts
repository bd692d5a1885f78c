// Describes the values of a column.

import type { Cell, Column, DescribedColumn } from "../protocol/dataset.ts";
import { mean } from "./statistics.ts";

/**
 * Returns the column with its gaps, distinct values, range and mean. The values must already have the type of the
 * column.
 */
export function described(column: Column, values: readonly Cell[]): DescribedColumn {
  const there = values.filter((value) => value !== null);
  const gaps = values.length - there.length;
  return {
    ...column,
    gaps,
    gap_share: values.length === 0 ? 0 : Number((gaps / values.length).toFixed(4)),
    distinct: new Set(there).size,
    min: extreme(there, (a, b) => a < b),
    max: extreme(there, (a, b) => a > b),
    mean: isNumeric(column.type) ? mean(there as readonly number[]) : null,
  };
}

/** True for integers and numbers. */
export function isNumeric(type: Column["type"]): boolean {
  return type === "integer" || type === "number";
}

/** Returns the value that wins every comparison, texts limited to 200 characters; null if there are no values. */
function extreme(values: readonly (string | number | boolean)[], wins: (a: Cell & {}, b: Cell & {}) => boolean): Cell {
  let [found = null] = values as readonly Cell[];
  for (const value of values) if (found !== null && wins(value, found)) found = value;
  return typeof found === "string" ? found.slice(0, 200) : found;
}
