// CSV for spreadsheets. Text that a spreadsheet would interpret as a formula gets an apostrophe (CSV injection);
// numbers stay unchanged.

import type { Cell, Column } from "./dataset.ts";

/** Excel reads a CSV file as UTF-8 only if it begins with this mark. */
const BYTE_ORDER_MARK = "\ufeff";
/** Includes the full-width signs, because some programs treat them as equal. */
const FORMULA = /^[\s"']*[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Formats a CSV file with a header line and CRLF line ends. It begins with a byte order mark. Null is an empty field.
 */
export function csvOf(columns: readonly Pick<Column, "name">[], rows: Iterable<readonly Cell[]>): string {
  const lines = [line(columns.map(({ name }) => name))];
  for (const row of rows) lines.push(line(row));
  return `${BYTE_ORDER_MARK}${lines.join("\r\n")}\r\n`;
}

function line(cells: readonly Cell[]): string {
  return cells.map(field).join(",");
}

function field(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = harmless(cell);
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function harmless(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
