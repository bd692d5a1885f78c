// Formatting of table cells of a page and evaluation of its highlight rules. The web application and the export use it.

import type { PageBlock } from "../protocol/pages/page.ts";
import { formatNumber } from "./axis-scale.ts";

export type PageTable = Extract<PageBlock, { type: "table" }>;
export type PageCell = PageTable["rows"][number]["cells"][number];
export type HighlightRule = PageTable["highlightRules"][number];

/** Returns the style of a cell, or undefined if no rule matches. `column` is the index of the column. */
export type CellStyler = (cell: PageCell, column: number) => HighlightRule["style"] | undefined;

/** Creates the function that returns the style of a cell: the style of the first matching rule of its column. */
export function createCellStyler({ headers, highlightRules }: PageTable): CellStyler {
  const rules = highlightRules.map((rule) => ({ ...rule, at: findRuleColumn(rule, headers) }));
  return (cell, column) => rules.find((rule) => rule.at === column && matchesHighlightRule(rule, cell))?.style;
}

/** Returns for each column whether its first value that is not null is a number; false for a column without values. */
export function findNumericColumns({ headers, rows }: PageTable): boolean[] {
  return headers.map((_, i) => typeof rows.find(({ cells }) => (cells[i] ?? null) !== null)?.cells[i] === "number");
}

/** Formats a cell: a dash for null, the given words for booleans, and numbers as `formatNumber` does. */
export function formatPageCell(cell: PageCell, words: { readonly isTrue: string; readonly isFalse: string }): string {
  if (cell === null) return "–";
  if (typeof cell === "boolean") return cell ? words.isTrue : words.isFalse;
  return typeof cell === "number" ? formatNumber(cell) : cell;
}

function findRuleColumn({ column }: HighlightRule, headers: readonly string[]): number {
  return typeof column === "number" ? column : headers.indexOf(column);
}

/**
 * True if the cell meets the condition of a rule. If both sides are numbers, also as text, they are compared as
 * numbers; `true` is 1. Otherwise only `eq` and `neq` can be met. An empty cell (null, "") meets no condition.
 */
export function matchesHighlightRule(
  { condition, value }: Pick<HighlightRule, "condition" | "value">,
  cell: PageCell,
): boolean {
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
