// CSV for spreadsheets. A text that a spreadsheet would take for a formula gets an apostrophe; numbers stay numbers.

import type { Cell, Column } from "./dataset.ts";

/** Excel takes CSV for UTF-8 only with this. */
const BYTE_ORDER_MARK = "\ufeff";
/** Also the full-width ones: some programs read them alike. */
const FORMULA = /^[\s"']*[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** A file with a header, in UTF-8 with its mark. */
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
