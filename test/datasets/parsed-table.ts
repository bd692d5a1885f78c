import { parseTable, type TableFileKind, type ParsedTable } from "../../src/datasets/parse-table.ts";
import type { ColumnType } from "../../src/protocol/datasets/dataset.ts";
import { formatMessage } from "../../src/language/messages.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";

export type EnglishTable = Omit<ParsedTable, "notes"> & { readonly notes: readonly string[] };

export const encoder = new TextEncoder();

/** Parses a file. The notes are in English. */
export function readTable(
  file: string | readonly number[] | Uint8Array,
  kind: TableFileKind = "csv",
  charset?: string,
): EnglishTable {
  const bytes = typeof file === "string" ? encoder.encode(file) : Uint8Array.from(file);
  const table = parseTable(bytes, kind, charset);
  return { ...table, notes: table.notes.map((note) => formatMessage("en", note)) };
}

/** Returns the fault that `work` throws. */
export function catchFault(work: () => unknown): Fault {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("No fault was thrown.");
}

export const getNames = ({ columns }: Pick<ParsedTable, "columns">): string[] => columns.map(({ name }) => name);
export const getTypes = ({ columns }: Pick<ParsedTable, "columns">): ColumnType[] => columns.map(({ type }) => type);
