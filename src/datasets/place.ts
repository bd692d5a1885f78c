// Positions in an uploaded table, for error messages.

import { Fault } from "../protocol/fault.ts";

/** A position in a table, both counted from 1. A column is a cell of its row, not a character. */
export type Place = { readonly line: number; readonly column: number };

/** Returns a `Fault` (`unprocessable`) whose message begins with the position. */
export function broken({ line, column }: Place, what: string): Fault {
  return new Fault("unprocessable", `Line ${line}, column ${column}: ${what}`);
}
