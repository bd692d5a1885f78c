// Sorts a table by the properties of its slot.

import { textIn } from "./props.ts";
import { numberOf, type Row, type Table } from "./shapes.ts";

/**
 * Returns the table sorted by `sortBy` and `sortDirection`, descending by default. Rows without a value come last.
 * Returns the table unchanged if the column is unknown.
 */
export function inOrder(table: Table, props: Readonly<Record<string, unknown>>): Table {
  const by = textIn(props, "sortBy", "orderBy");
  if (by === undefined || !table.columns.includes(by)) return table;
  const sign = /^asc/i.test(textIn(props, "sortDirection", "sortOrder", "direction") ?? "desc") ? 1 : -1;
  return { ...table, rows: table.rows.toSorted((a, b) => compared(a, b, by, sign)) };
}

/** Compares numerically if both values are numbers, else as texts. */
function compared(a: Row, b: Row, by: string, sign: number): number {
  const [left, right] = [a[by] ?? null, b[by] ?? null];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const [x, y] = [numberOf(left), numberOf(right)];
  return sign * (x !== null && y !== null ? x - y : String(left).localeCompare(String(right)));
}
