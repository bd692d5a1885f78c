// Parses an uploaded file into a table with typed columns.

import type { Cell, DescribedColumn } from "../protocol/dataset.ts";
import { Fault } from "../protocol/fault.ts";
import { readCsv } from "./csv.ts";
import { decode } from "./decode.ts";
import { columnNames, withoutReference } from "./headers.ts";
import { typed } from "./infer.ts";
import { readJsonTable } from "./json.ts";
import { MAX_BYTES, MAX_CELL_BYTES, MAX_COLUMNS, MAX_ROW_BYTES, tooManyBytes } from "./limits.ts";
import { broken } from "./place.ts";
import { described } from "./profile.ts";
import type { RawTable } from "./raw.ts";

export type FileKind = "csv" | "json";

/** A parsed file. `notes` are hints for the owner of the dataset. */
export type Table = {
  /** The name in the file, if any. */
  readonly name: string | undefined;
  readonly columns: readonly DescribedColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Size of the file in bytes. */
  readonly size: number;
  readonly notes: readonly string[];
};

/**
 * Parses a file. `charset` is the encoding that the client sent, if any. Throws a `Fault`: `unprocessable` with line
 * and column for broken input, `too_large` beyond a limit, `unsupported` for files that are not text.
 */
export function readTable(bytes: Uint8Array, kind: FileKind, charset?: string): Table {
  if (bytes.byteLength > MAX_BYTES) throw tooManyBytes();
  const { text, encoding } = decode(bytes, charset);
  const raw = kind === "csv" ? { name: undefined, ...readCsv(text) } : readJsonTable(text);
  const notes = encoding.toLowerCase() === "utf-8" ? [] : [`It was read as ${encoding}.`];
  return { name: raw.name, size: bytes.byteLength, ...tableOf(raw, notes) };
}

/** Infers the columns and replaces the texts by values in place. */
function tableOf(raw: RawTable, said: readonly string[]): Pick<Table, "columns" | "rows" | "notes"> {
  if (raw.header.length > MAX_COLUMNS) {
    throw new Fault("too_large", `A dataset has at most ${MAX_COLUMNS} columns, this one has ${raw.header.length}.`);
  }
  checkSizes(raw);
  const names = columnNames(raw.header);
  const notes = [...said];
  // Texts are replaced column by column: a table is large, and texts and values together could exceed the memory.
  const rows: Cell[][] = raw.rows;
  const columns = names.map((name, i) => {
    const texts = rows.map((row) => row[i] as string | null);
    const { type, unit, values, note } = typed(texts, raw.prefersCommas);
    if (note !== undefined) notes.push(`Column "${name}" ${note}`);
    if (withoutReference(raw.header[i] ?? "") !== (raw.header[i] ?? "").trim())
      notes.push(`Column "${name}" has lost its "$": the name stands for something else.`);
    for (const [index, row] of rows.entries()) row[i] = values[index] ?? null;
    return described({ name, type, ...(unit === undefined ? {} : { unit }) }, values);
  });
  return { columns, rows, notes };
}

/**
 * Throws a `Fault` (`too_large`) for a cell or row beyond its byte limit. Counts bytes only if the characters could
 * exceed it.
 */
function checkSizes(raw: RawTable): void {
  for (const [index, row] of raw.rows.entries()) {
    let chars = 0;
    for (const [i, cell] of row.entries()) {
      if (cell === null) continue;
      chars += cell.length;
      if (cell.length * 3 > MAX_CELL_BYTES && bytesOf(cell) > MAX_CELL_BYTES) {
        const place = { line: raw.lineOf(index), column: i + 1 };
        throw new Fault("too_large", broken(place, `a cell has at most ${MAX_CELL_BYTES} bytes.`).message);
      }
    }
    if (chars * 3 > MAX_ROW_BYTES && bytesOf(row.join("")) > MAX_ROW_BYTES) {
      throw new Fault("too_large", `Line ${raw.lineOf(index)}: a row has at most ${MAX_ROW_BYTES} bytes.`);
    }
  }
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).byteLength;
