// CSV for spreadsheets. Text that a spreadsheet would interpret as a formula gets an apostrophe (CSV injection);
// numbers stay unchanged.

import type { Cell, Column } from "../protocol/datasets/dataset.ts";

/** Excel reads a CSV file as UTF-8 only if it begins with this mark. */
const BYTE_ORDER_MARK = "\ufeff";
/** Includes the full-width signs, because some programs treat them as equal. */
const FORMULA = /^[\s"']*[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Formats a CSV file with a header line and CRLF line ends. It begins with a byte order mark. Null is an empty field.
 */
export function formatCsv(columns: readonly Pick<Column, "name">[], rows: Iterable<readonly Cell[]>): string {
  const lines = [formatCsvRow(columns.map(({ name }) => name))];
  for (const row of rows) lines.push(formatCsvRow(row));
  return `${BYTE_ORDER_MARK}${lines.join("\r\n")}\r\n`;
}

function formatCsvRow(cells: readonly Cell[]): string {
  return cells.map(formatCsvField).join(",");
}

function formatCsvField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = escapeFormula(cell);
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escapeFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
