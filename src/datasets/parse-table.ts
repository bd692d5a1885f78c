// Parses an uploaded file into a table with typed columns.

import type { Cell, ColumnProfile } from "../protocol/datasets/dataset.ts";
import { createMessage, type Message } from "../language/messages.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import { parseCsvTable } from "./parse-csv.ts";
import { decodeText } from "./decode-text.ts";
import { createColumnNames, removeReferencePrefix } from "./column-names.ts";
import { inferColumn } from "./infer-column.ts";
import { parseJsonTable } from "./parse-json-table.ts";
import {
  MAX_DATASET_BYTES,
  MAX_CELL_BYTES,
  MAX_DATASET_COLUMNS,
  MAX_ROW_BYTES,
  createTooManyBytesFault,
  createTooManyColumnsFault,
} from "./dataset-limits.ts";
import { createPositionFault } from "./table-position.ts";
import { describeColumn } from "./describe-column.ts";
import type { RawTable } from "./raw-table.ts";

export type TableFileKind = "csv" | "json";

/** A parsed file. `notes` are hints for the owner of the dataset. */
export type ParsedTable = {
  /** The name in the file, if any. */
  readonly name: string | undefined;
  readonly columns: readonly ColumnProfile[];
  readonly rows: readonly (readonly Cell[])[];
  /** Size of the file in bytes. */
  readonly size: number;
  readonly notes: readonly Message[];
};

/**
 * Parses a file. `charset` is the encoding that the client sent, if any. Throws a `Fault`: `unprocessable` with line
 * and column for broken input, `too_large` beyond a limit, `unsupported` for files that are not text.
 */
export function parseTable(bytes: Uint8Array, kind: TableFileKind, charset?: string): ParsedTable {
  if (bytes.byteLength > MAX_DATASET_BYTES) throw createTooManyBytesFault();
  const { text, encoding } = decodeText(bytes, charset);
  const raw = kind === "csv" ? { name: undefined, ...parseCsvTable(text) } : parseJsonTable(text);
  const notes = encoding.toLowerCase() === "utf-8" ? [] : [createMessage("datasetNote.encoding", { encoding })];
  return { name: raw.name, size: bytes.byteLength, ...inferTable(raw, notes) };
}

/** Infers the columns and replaces the texts by values in place. */
function inferTable(raw: RawTable, decodingNotes: readonly Message[]): Pick<ParsedTable, "columns" | "rows" | "notes"> {
  if (raw.header.length > MAX_DATASET_COLUMNS) {
    throw createTooManyColumnsFault();
  }
  checkSizes(raw);
  const names = createColumnNames(raw.header);
  const notes = [...decodingNotes];
  // Texts are replaced column by column: a table is large, and texts and values together could exceed the memory.
  const rows: Cell[][] = raw.rows;
  const columns = names.map((name, i) => {
    const texts = rows.map((row) => row[i] as string | null);
    const { type, unit, values, note } = inferColumn(texts, raw.prefersCommas);
    if (note !== undefined) notes.push(createMessage(note.key, { ...note.params, column: name }));
    if (removeReferencePrefix(raw.header[i] ?? "") !== (raw.header[i] ?? "").trim())
      notes.push(createMessage("datasetNote.dollarRemoved", { column: name }));
    for (const [index, row] of rows.entries()) row[i] = values[index] ?? null;
    return describeColumn({ name, type, ...(unit === undefined ? {} : { unit }) }, values);
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
      if (cell.length * 3 > MAX_CELL_BYTES && countUtf8Bytes(cell) > MAX_CELL_BYTES) {
        const position = { line: raw.getFileLine(index), column: i + 1 };
        throw createPositionFault(position, "dataset.cellTooLarge", { max: MAX_CELL_BYTES }, "too_large");
      }
    }
    if (chars * 3 > MAX_ROW_BYTES && countUtf8Bytes(row.join("")) > MAX_ROW_BYTES) {
      const params = { line: raw.getFileLine(index), max: MAX_ROW_BYTES };
      throw createFault("too_large", createMessage("dataset.rowTooLarge", params));
    }
  }
}

const encoder = new TextEncoder();
const countUtf8Bytes = (text: string): number => encoder.encode(text).byteLength;
