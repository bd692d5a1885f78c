// How the cells of a page's table read, and which of them its rules point out: the same on paper and on screens.

import type { Block } from "./page.ts";
import { numberText } from "./scale.ts";

export type PageTable = Extract<Block, { type: "table" }>;
export type PageCell = PageTable["rows"][number]["cells"][number];
export type Highlight = PageTable["highlightRules"][number];

/** The style that the first rule to be met gives to a cell. */
export type StyleOf = (cell: PageCell, column: number) => Highlight["style"] | undefined;

export function highlighter({ headers, highlightRules }: PageTable): StyleOf {
  const rules = highlightRules.map((rule) => ({ ...rule, at: columnOf(rule, headers) }));
  return (cell, column) => rules.find((rule) => rule.at === column && isMet(rule, cell))?.style;
}

/** Which columns are numbers, by the first value that there is. */
export function numericColumns({ headers, rows }: PageTable): boolean[] {
  return headers.map((_, i) => typeof rows.find(({ cells }) => (cells[i] ?? null) !== null)?.cells[i] === "number");
}

export function cellText(cell: PageCell, words: { readonly isTrue: string; readonly isFalse: string }): string {
  if (cell === null) return "–";
  if (typeof cell === "boolean") return cell ? words.isTrue : words.isFalse;
  return typeof cell === "number" ? numberText(cell) : cell;
}

function columnOf({ column }: Highlight, headers: readonly string[]): number {
  return typeof column === "number" ? column : headers.indexOf(column);
}

/** Numbers are compared as numbers, also where they stand as text; anything else only for being the same. */
export function isMet({ condition, value }: Pick<Highlight, "condition" | "value">, cell: PageCell): boolean {
  if (cell === null || cell === "") return false;
  const [left, right] = [Number(cell), Number(value)];
  const areNumbers = !Number.isNaN(left) && !Number.isNaN(right) && value !== "";
  switch (condition) {
    case "eq":
      return areNumbers ? left === right : String(cell) === String(value);
    case "neq":
      return areNumbers ? left !== right : String(cell) !== String(value);
    case "lt":
      return areNumbers && left < right;
    case "lte":
      return areNumbers && left <= right;
    case "gt":
      return areNumbers && left > right;
    case "gte":
      return areNumbers && left >= right;
  }
}
