// Parses JSON tables: an array of objects, an array of lists whose first list is the header, or `{columns, rows}`.
// Types of values are inferred from their texts, as for CSV.

import * as z from "zod";
import { createMessage } from "../language/messages.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import {
  checkCellCount,
  MAX_DATASET_COLUMNS,
  MAX_DATASET_ROWS,
  createTooManyColumnsFault,
  createTooManyRowsFault,
} from "./dataset-limits.ts";
import { createPositionFault } from "./table-position.ts";
import type { RawTable } from "./raw-table.ts";

const recordSchema = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null,
);
const columnNamesSchema = z.array(
  z.union([z.string(), z.looseObject({ name: z.string() }).transform((column) => column.name)]),
);
const jsonTableSchema = z.object({
  name: z.string().optional(),
  columns: columnNamesSchema.optional(),
  rows: z.array(z.union([z.array(z.unknown()), recordSchema])),
});

/** A raw table with the name in the JSON, if any. */
export type JsonTable = RawTable & { readonly name: string | undefined };

/**
 * Parses a JSON table. Throws a `Fault`: `unprocessable` with the position or the accepted forms, `too_large` beyond a
 * limit.
 */
export function parseJsonTable(text: string): JsonTable {
  const json = parseJsonOrThrow(text);
  const table = jsonTableSchema.safeParse(Array.isArray(json) ? toTableForm(json) : json).data;
  if (table === undefined) {
    throw createFault("unprocessable", "dataset.invalidJsonShape");
  }
  if (table.rows.length > MAX_DATASET_ROWS) throw createTooManyRowsFault();
  if (table.columns === undefined && table.rows.some((row) => Array.isArray(row))) {
    throw createFault("unprocessable", "dataset.headerMissing");
  }
  const header = table.columns ?? collectMemberNames(table.rows);
  if (header.length === 0) throw createFault("unprocessable", "dataset.noColumns");
  checkCellCount(header.length * table.rows.length);
  const firstLine = Array.isArray(json) && table.columns !== undefined ? 2 : 1;
  const rows = table.rows.map((row, i) => toTextCells(row, header, firstLine + i));
  return { name: table.name, header, rows, getFileLine: (row) => firstLine + row, prefersCommas: false };
}

/** Converts a list to the `{columns, rows}` form. */
function toTableForm(list: readonly unknown[]): unknown {
  const [first, ...rows] = list;
  const isHeader = Array.isArray(first) && first.length > 0 && first.every((name) => typeof name === "string");
  return isHeader ? { columns: first, rows } : { rows: list };
}

/** Texts that may contain a number which JavaScript cannot represent exactly. */
const INEXACT = /\d{16}|[eE]\+?\d{3}/;

/** Keeps the source text of such numbers, so that no digit changes. */
function keepInexactSource(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value)) ? value : context.source;
}

function parseJsonOrThrow(text: string): unknown {
  try {
    return JSON.parse(text, INEXACT.test(text) ? keepInexactSource : undefined);
  } catch (thrown) {
    // The engine's message names the unexpected token and quotes its surroundings.
    const { message } = thrown as Error;
    throw createFault("unprocessable", createMessage("dataset.invalidJson", { problem: message.slice(0, 200) }));
  }
}

/** Returns the member names of all objects in the order of their first appearance. */
function collectMemberNames(rows: readonly unknown[]): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    if (typeof row === "object" && row !== null && !Array.isArray(row))
      for (const key of Object.keys(row)) names.add(key);
    if (names.size > MAX_DATASET_COLUMNS) throw createTooManyColumnsFault();
  }
  return [...names];
}

/** Returns the cells of a row in the order of the header. Throws a `Fault` if a list has another length. */
function toTextCells(
  row: unknown[] | Record<string, unknown>,
  header: readonly string[],
  line: number,
): (string | null)[] {
  if (!Array.isArray(row)) return header.map((name) => toCellText(Object.hasOwn(row, name) ? row[name] : null));
  if (row.length !== header.length) {
    const column = Math.min(row.length, header.length) + 1;
    const sizes = { cells: row.length, width: header.length };
    throw createPositionFault({ line, column }, "dataset.wrongCellCount", sizes);
  }
  return row.map(toCellText);
}

function toCellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    // Parsed JSON can be serialized, unless the nesting exhausts the stack.
    throw createFault("unprocessable", "dataset.cellTooDeep");
  }
}
