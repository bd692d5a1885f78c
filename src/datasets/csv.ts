// CSV as people's programs write it: RFC 4180, other separators, any line ends, and Excel's first line `sep=;`.

import Papa from "papaparse";
import { Fault } from "../protocol/fault.ts";
import { checkCells, MAX_ROWS, tooManyRows } from "./limits.ts";
import { broken } from "./place.ts";
import type { RawTable } from "./raw.ts";

const SEPARATORS = [",", ";", "\t"];
/** What is looked at to find out which it is. */
const SAMPLE_CHARS = 128 * 1024;
const SAMPLE_ROWS = 50;

/** Reads a table whose first row is its header. Throws a `Fault` that names line and column of what is broken. */
export function readCsv(source: string): RawTable {
  const named = /^sep=([,;\t|])\n/.exec(source.slice(0, 8).replace("\r", ""))?.[1];
  const text = source.replaceAll(/\r\n?/g, "\n");
  const skipped = named === undefined ? 0 : text.indexOf("\n") + 1;
  const body = text.slice(skipped);
  const delimiter = named ?? separatorOf(body);
  // Before they are cut apart. Those within quotes are counted too; there are never so many.
  checkCells(countOf(delimiter, body));
  const { data, errors, meta } = Papa.parse<string[]>(body, {
    delimiter,
    newline: "\n",
    preview: MAX_ROWS * 2 + 2,
  });
  const firstLine = named === undefined ? 1 : 2;
  // Blank lines count here: what lies behind the last line that was read must not be lost in silence.
  if (meta.truncated) throw tooManyRows();
  const quote = errors.find((error) => error.type === "Quotes");
  if (quote !== undefined) throw brokenQuote(body, quote.index ?? 0, quote.code, meta.delimiter, firstLine);
  const filled = data.findIndex((row) => !isBlank(row));
  const header = data[filled];
  if (header === undefined)
    throw new Fault("unprocessable", "The table is empty. Its first row has to name its columns.");
  const lineOf = (row: number): number => firstLine + linesBefore(data, row);
  const rows: string[][] = [];
  for (let i = filled + 1; i < data.length; i++) {
    const row = data[i];
    if (row === undefined || isBlank(row)) continue;
    checkWidth(row, header, () => lineOf(i));
    rows.push(row);
    if (rows.length > MAX_ROWS) throw tooManyRows();
  }
  dropEmptyEnd(header, rows);
  // Which line a row stands on is asked only when something is wrong with it.
  const lineOfRow = (index: number): number => {
    let seen = -1;
    for (let i = filled + 1; i < data.length; i++) if (!isBlank(data[i] ?? []) && ++seen === index) return lineOf(i);
    return lineOf(data.length);
  };
  return { header, rows, lineOf: lineOfRow, prefersCommas: meta.delimiter === ";" };
}

/** The one that cuts the first rows most evenly; a table of one column has none, so any will do. */
function separatorOf(text: string): string {
  const start = text.slice(0, SAMPLE_CHARS);
  const scored = SEPARATORS.map((separator) => {
    const sample = Papa.parse<string[]>(start, { delimiter: separator, newline: "\n", preview: SAMPLE_ROWS }).data;
    // The last row may have been cut.
    const rows = sample.slice(0, Math.max(1, sample.length - 1)).filter((row) => !isBlank(row));
    const width = rows[0]?.length ?? 0;
    const even = rows.filter((row) => row.length === width).length / Math.max(1, rows.length);
    return { separator, width, score: width < 2 ? -1 : even };
  });
  const [best] = scored.toSorted((a, b) => b.score - a.score || b.width - a.width);
  return best === undefined || best.score < 0 ? "," : best.separator;
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** Columns without a name and without a value, as a separator at the end of every line makes them. */
function dropEmptyEnd(header: string[], rows: readonly string[][]): void {
  const isEmpty = (row: readonly string[]) => row.at(-1)?.trim() === "";
  while (header.length > 1 && isEmpty(header) && rows.every(isEmpty)) {
    header.pop();
    for (const row of rows) row.pop();
  }
}

function isBlank(row: readonly string[]): boolean {
  return row.every((cell) => cell.trim() === "");
}

/** Cells beyond the header are left out if there is nothing in them; some programs end every line with a separator. */
function checkWidth(row: string[], header: readonly string[], line: () => number): void {
  const width = header.length;
  if (row.length < width) {
    const what = `the row has ${row.length} cells, the header has ${width}. "${header[row.length]?.trim()}" is missing.`;
    throw broken({ line: line(), column: row.length + 1 }, what);
  }
  const extra = row.findIndex((cell, i) => i >= width && cell.trim() !== "");
  if (extra >= 0) {
    const what = `the row has ${row.length} cells, the header has ${width}. Put cells that hold the separator into quotes.`;
    throw broken({ line: line(), column: extra + 1 }, what);
  }
  row.length = width;
}

/** Lines that the rows before this one take; a cell in quotes may hold some. */
function linesBefore(rows: readonly (readonly string[])[], row: number): number {
  let lines = 0;
  for (let i = 0; i < row; i++) {
    lines += 1;
    for (const cell of rows[i] ?? []) for (const character of cell) if (character === "\n") lines += 1;
  }
  return lines;
}

function brokenQuote(text: string, index: number, code: string, delimiter: string, firstLine: number): Fault {
  const before = text.slice(0, index);
  const line = firstLine + (before.match(/\n/g)?.length ?? 0);
  // What stands before the quote is whole: its last row has as many cells as there are before this one.
  const [row = [""]] = Papa.parse<string[]>(before, { delimiter, newline: "\n" }).data.slice(-1);
  const what =
    code === "MissingQuotes"
      ? "the quote that begins here is never closed."
      : "after a closing quote there has to be a separator. Write a quote within quotes twice.";
  return broken({ line, column: row.length }, what);
}
