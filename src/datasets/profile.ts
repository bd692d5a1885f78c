// What is in a column.

import type { Cell, Column, DescribedColumn } from "../protocol/dataset.ts";
import { mean } from "./statistics.ts";

/** Describes a column by its values, whose type is the column's. */
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

/** True for what can be reckoned with. */
export function isNumeric(type: Column["type"]): boolean {
  return type === "integer" || type === "number";
}

function extreme(values: readonly (string | number | boolean)[], wins: (a: Cell & {}, b: Cell & {}) => boolean): Cell {
  let [found = null] = values as readonly Cell[];
  for (const value of values) if (found !== null && wins(value, found)) found = value;
  return typeof found === "string" ? found.slice(0, 200) : found;
}
