// Parses CSV files: RFC 4180, other separators, any line ends, and Excel's first line `sep=;`.

import Papa from "papaparse";
import { createFault } from "../protocol/wire/message-error.ts";
import type { Fault } from "../protocol/wire/fault.ts";
import { checkCellCount, MAX_DATASET_ROWS, createTooManyRowsFault } from "./dataset-limits.ts";
import { createPositionFault } from "./table-position.ts";
import type { RawTable } from "./raw-table.ts";

const SEPARATORS = [",", ";", "\t"];
/** Size of the sample that the separator is detected from. */
const SAMPLE_CHARS = 128 * 1024;
const SAMPLE_ROWS = 50;

/**
 * Parses a CSV text whose first filled row is the header. Blank rows are skipped; empty columns at the end are removed.
 * Throws a `Fault`: `unprocessable` with line and column for broken input, or for a text without a filled row;
 * `too_large` beyond a limit.
 */
export function parseCsvTable(source: string): RawTable {
  const named = /^sep=([,;\t|])\n/.exec(source.slice(0, 8).replace("\r", ""))?.[1];
  const text = source.replaceAll(/\r\n?/g, "\n");
  const skipped = named === undefined ? 0 : text.indexOf("\n") + 1;
  const body = text.slice(skipped);
  const delimiter = named ?? detectSeparator(body);
  // Checked before parsing. Separators within quotes are counted too, which only matters near the limit.
  checkCellCount(countCharacter(delimiter, body));
  const { data, errors, meta } = Papa.parse<string[]>(body, {
    delimiter,
    newline: "\n",
    preview: MAX_DATASET_ROWS * 2 + 2,
  });
  const firstLine = named === undefined ? 1 : 2;
  // Blank lines count towards this limit: rows after the last parsed line must not be lost silently.
  if (meta.truncated) throw createTooManyRowsFault();
  const quote = errors.find((error) => error.type === "Quotes");
  if (quote !== undefined) throw createQuoteFault(body, quote.index ?? 0, quote.code, meta.delimiter, firstLine);
  const { header, rows, lines } = collectRows(data, firstLine, body.includes('"'));
  removeEmptyTrailingColumns(header, rows);
  return { header, rows, getFileLine: (row) => lines[row] ?? firstLine, prefersCommas: meta.delimiter === ";" };
}

/**
 * Returns the header and the filled rows, each with its line in the file. Only quoted cells can span several lines.
 * Throws a `Fault` for a row of another width, too many rows, or no filled row.
 */
function collectRows(data: readonly string[][], firstLine: number, hasQuotes: boolean) {
  const [rows, lines]: [string[][], number[]] = [[], []];
  let header: string[] | undefined;
  let nextLine = firstLine;
  for (const row of data) {
    const line = nextLine;
    nextLine += 1 + (hasQuotes ? row.reduce((count, cell) => count + countCharacter("\n", cell), 0) : 0);
    if (isBlankRow(row)) continue;
    if (header === undefined) {
      header = row;
      continue;
    }
    checkWidth(row, header, line);
    lines.push(line);
    if (rows.push(row) > MAX_DATASET_ROWS) throw createTooManyRowsFault();
  }
  if (header === undefined) throw createFault("unprocessable", "dataset.empty");
  return { header, rows, lines };
}

/** Returns the separator that splits the first rows most evenly, or a comma if no separator splits them. */
function detectSeparator(text: string): string {
  const start = text.slice(0, SAMPLE_CHARS);
  const scored = SEPARATORS.map((separator) => {
    const sample = Papa.parse<string[]>(start, { delimiter: separator, newline: "\n", preview: SAMPLE_ROWS }).data;
    // The last row of the sample may be incomplete.
    const rows = sample.slice(0, Math.max(1, sample.length - 1)).filter((row) => !isBlankRow(row));
    const width = rows[0]?.length ?? 0;
    const even = rows.filter((row) => row.length === width).length / Math.max(1, rows.length);
    return { separator, width, score: width < 2 ? -1 : even };
  });
  const [best] = scored.toSorted((a, b) => b.score - a.score || b.width - a.width);
  return best === undefined || best.score < 0 ? "," : best.separator;
}

function countCharacter(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** Removes trailing columns without a name and without values, as a separator at the end of every line creates them. */
function removeEmptyTrailingColumns(header: string[], rows: readonly string[][]): void {
  const isEmpty = (row: readonly string[]) => row.at(-1)?.trim() === "";
  while (header.length > 1 && isEmpty(header) && rows.every(isEmpty)) {
    header.pop();
    for (const row of rows) row.pop();
  }
}

function isBlankRow(row: readonly string[]): boolean {
  return row.every((cell) => cell.trim() === "");
}

/**
 * Checks that the row has as many cells as the header and removes empty extra cells. Throws a `Fault` with line and
 * column.
 */
function checkWidth(row: string[], header: readonly string[], line: number): void {
  const width = header.length;
  if (row.length < width) {
    const name = header[row.length]?.trim() ?? "";
    const position = { line, column: row.length + 1 };
    throw createPositionFault(position, "dataset.cellMissing", { cells: row.length, width, name });
  }
  const extra = row.findIndex((cell, i) => i >= width && cell.trim() !== "");
  if (extra >= 0) {
    throw createPositionFault({ line, column: extra + 1 }, "dataset.extraCell", { cells: row.length, width });
  }
  row.length = width;
}

/** Returns the fault for an unclosed or misplaced quote. */
function createQuoteFault(text: string, index: number, code: string, delimiter: string, firstLine: number): Fault {
  const before = text.slice(0, index);
  const line = firstLine + countCharacter("\n", before);
  // The text before the quote is complete, so the number of cells in its last row is the column.
  const [row = [""]] = Papa.parse<string[]>(before, { delimiter, newline: "\n" }).data.slice(-1);
  const key = code === "MissingQuotes" ? "dataset.unclosedQuote" : "dataset.misplacedQuote";
  return createPositionFault({ line, column: row.length }, key);
}
