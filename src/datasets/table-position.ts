// Positions in an uploaded table, for error messages.

import { Fault } from "../protocol/wire/fault.ts";

/** A position in a table, both counted from 1. A column is a cell of its row, not a character. */
export type TablePosition = { readonly line: number; readonly column: number };

/** Returns a `Fault` (`unprocessable`) whose message begins with the position. */
export function createPositionFault({ line, column }: TablePosition, what: string): Fault {
  return new Fault("unprocessable", `Line ${line}, column ${column}: ${what}`);
}
