// Sorting of table rows.

import type { PageCell, PageTable } from "../../../protocol/page-table.ts";

export type Order = { readonly column: number; readonly direction: "ascending" | "descending" };
type Row = PageTable["rows"][number];

/** Returns the next order after a click on a column: ascending, descending, then unsorted (null). */
export function nextOrder(order: Order | null, column: number): Order | null {
  if (order?.column !== column) return { column, direction: "ascending" };
  return order.direction === "ascending" ? { column, direction: "descending" } : null;
}

/** Sorts numbers by value and texts by the rules of the language; empty cells are last in both directions. */
export function sorted(rows: readonly Row[], order: Order | null, language: string): readonly Row[] {
  if (order === null) return rows;
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = order.direction === "ascending" ? 1 : -1;
  return rows.toSorted(({ cells: a }, { cells: b }) => {
    const [left, right] = [a[order.column] ?? null, b[order.column] ?? null];
    if (isGap(left) || isGap(right)) return Number(isGap(left)) - Number(isGap(right));
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * compare(String(left), String(right));
  });
}

const isGap = (cell: PageCell): boolean => cell === null || cell === "";
