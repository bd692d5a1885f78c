// The order of a table's rows.

import type { PageCell, PageTable } from "../../../protocol/page-table.ts";

export type Order = { readonly column: number; readonly direction: "ascending" | "descending" };
type Row = PageTable["rows"][number];

/** What a press on a column's name makes of the order: up, down, and as the page has it. */
export function nextOrder(order: Order | null, column: number): Order | null {
  if (order?.column !== column) return { column, direction: "ascending" };
  return order.direction === "ascending" ? { column, direction: "descending" } : null;
}

/** Numbers by size, texts as the language has them; gaps are last in either direction. */
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
