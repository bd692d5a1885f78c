import { readTable, type FileKind, type Table } from "../../src/datasets/table.ts";
import type { ColumnType } from "../../src/protocol/dataset.ts";
import { Fault } from "../../src/protocol/fault.ts";

export const encoder = new TextEncoder();

export function read(file: string | readonly number[] | Uint8Array, kind: FileKind = "csv", charset?: string): Table {
  const bytes = typeof file === "string" ? encoder.encode(file) : Uint8Array.from(file);
  return readTable(bytes, kind, charset);
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

export const names = ({ columns }: Table): string[] => columns.map(({ name }) => name);
export const types = ({ columns }: Table): ColumnType[] => columns.map(({ type }) => type);
