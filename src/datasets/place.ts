import { Fault } from "../protocol/fault.ts";

/** Where a table is broken. Both count from 1; a column is a cell of its row, not a character. */
export type Place = { readonly line: number; readonly column: number };

export function broken({ line, column }: Place, what: string): Fault {
  return new Fault("unprocessable", `Line ${line}, column ${column}: ${what}`);
}
