// Sorting of table rows.

import type { PageCell, PageTable } from "../../../../pages/page-table.ts";

export type TableOrder = { readonly column: number; readonly direction: "ascending" | "descending" };
type SortableRow = PageTable["rows"][number];

/** Returns the next order after a click on a column: ascending, descending, then unsorted (null). */
export function getNextOrder(order: TableOrder | null, column: number): TableOrder | null {
  if (order?.column !== column) return { column, direction: "ascending" };
  return order.direction === "ascending" ? { column, direction: "descending" } : null;
}

/**
 * Returns the rows sorted by one column: numbers by value and texts by the rules of the language, empty cells last in
 * both directions. Without an order, returns `rows` itself.
 */
export function sortRows(
  rows: readonly SortableRow[],
  order: TableOrder | null,
  language: string,
): readonly SortableRow[] {
  if (order === null) return rows;
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = order.direction === "ascending" ? 1 : -1;
  return rows.toSorted(({ cells: a }, { cells: b }) => {
    const [left, right] = [a[order.column] ?? null, b[order.column] ?? null];
    if (isEmptyCell(left) || isEmptyCell(right)) return Number(isEmptyCell(left)) - Number(isEmptyCell(right));
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * compare(String(left), String(right));
  });
}

const isEmptyCell = (cell: PageCell): boolean => cell === null || cell === "";
