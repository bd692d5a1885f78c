import { parseTable, type TableFileKind, type ParsedTable } from "../../src/datasets/parse-table.ts";
import type { ColumnType } from "../../src/protocol/datasets/dataset.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";

export const encoder = new TextEncoder();

export function read(
  file: string | readonly number[] | Uint8Array,
  kind: TableFileKind = "csv",
  charset?: string,
): ParsedTable {
  const bytes = typeof file === "string" ? encoder.encode(file) : Uint8Array.from(file);
  return parseTable(bytes, kind, charset);
}

/** What a table is refused with. */
export function faultOf(work: () => unknown): Fault {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("Nothing was refused");
}

export const names = ({ columns }: ParsedTable): string[] => columns.map(({ name }) => name);
export const types = ({ columns }: ParsedTable): ColumnType[] => columns.map(({ type }) => type);
