// JSON tables: an array of objects, or `{columns, rows}`. Their values are read as the texts of a CSV are.

import * as z from "zod";
import { Fault } from "../protocol/fault.ts";
import { MAX_COLUMNS, MAX_ROWS } from "./limits.ts";
import { broken } from "./place.ts";
import type { RawTable } from "./raw.ts";

const record = z.custom<Readonly<Record<string, unknown>>>((value) => typeof value === "object" && value !== null);
const columns = z.array(z.union([z.string(), z.looseObject({ name: z.string() }).transform((column) => column.name)]));
const framed = z.object({
  name: z.string().optional(),
  columns: columns.optional(),
  rows: z.array(z.union([z.array(z.unknown()), record])),
});

export type JsonTable = RawTable & { readonly name: string | undefined };

/** Throws a `Fault` that names the place, or says which forms there are. */
export function readJsonTable(text: string): JsonTable {
  const json = parse(text);
  const given = framed.safeParse(Array.isArray(json) ? { rows: json } : json).data;
  if (given === undefined) {
    throw new Fault("unprocessable", "Send an array of objects, or an object with `columns` and `rows`.");
  }
  if (given.rows.length > MAX_ROWS) throw new Fault("too_large", `A dataset has at most ${MAX_ROWS} rows.`);
  const header = given.columns ?? namesIn(given.rows);
  if (header.length === 0) throw new Fault("unprocessable", "The table is empty. It has to have a column.");
  const rows = given.rows.map((row, i) => cellsOf(row, header, i));
  return { name: given.name, header, rows, lineOf: (row) => row + 1, prefersCommas: false };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    // It says what was met, and shows what stands around it.
    const { message } = thrown as Error;
    throw new Fault("unprocessable", `This is not JSON: ${message.slice(0, 200)}.`);
  }
}

/** In the order in which they first appear. */
function namesIn(rows: readonly unknown[]): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    if (typeof row === "object" && row !== null && !Array.isArray(row))
      for (const key of Object.keys(row)) names.add(key);
    if (names.size > MAX_COLUMNS) throw new Fault("too_large", `A dataset has at most ${MAX_COLUMNS} columns.`);
  }
  return [...names];
}

function cellsOf(
  row: unknown[] | Record<string, unknown>,
  header: readonly string[],
  index: number,
): (string | null)[] {
  if (!Array.isArray(row)) return header.map((name) => textOf(Object.hasOwn(row, name) ? row[name] : null));
  if (row.length !== header.length) {
    const column = Math.min(row.length, header.length) + 1;
    throw broken({ line: index + 1, column }, `the row has ${row.length} cells, there are ${header.length} columns.`);
  }
  return row.map(textOf);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
