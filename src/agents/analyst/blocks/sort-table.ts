// Sorts a table by the properties of its slot.

import { getTextProp } from "./slot-props.ts";
import { toNumber, type DataRow, type DataTable } from "./data-shapes.ts";

/**
 * Returns the table sorted by the properties `sortBy` and `sortDirection`, descending by default. Rows without a value
 * come last in both directions. Returns the table unchanged if `sortBy` is missing or names no column.
 */
export function sortTable(table: DataTable, props: Readonly<Record<string, unknown>>): DataTable {
  const by = getTextProp(props, "sortBy");
  if (by === undefined || !table.columns.includes(by)) return table;
  const sign = /^asc/i.test(getTextProp(props, "sortDirection") ?? "desc") ? 1 : -1;
  return { ...table, rows: table.rows.toSorted((a, b) => compareRows(a, b, by, sign)) };
}

/** Compares numerically if both values are numbers, else as texts. */
function compareRows(a: DataRow, b: DataRow, by: string, sign: number): number {
  const [left, right] = [a[by] ?? null, b[by] ?? null];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const [x, y] = [toNumber(left), toNumber(right)];
  return sign * (x !== null && y !== null ? x - y : String(left).localeCompare(String(right)));
}
