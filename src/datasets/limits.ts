// What a dataset may measure. Beyond any of these it is refused, with the number in the message.

import { Fault } from "../protocol/fault.ts";

/** A hundred thousand rows of a dozen columns. An object has 128 MB to read them in. */
export const MAX_BYTES = 12 * 1024 * 1024;
export const MAX_ROWS = 100_000;
export const MAX_COLUMNS = 200;
/** Each takes memory, however little there is in it. */
export const MAX_CELLS = 3_000_000;
/** UTF-8 bytes of one cell. */
export const MAX_CELL_BYTES = 32 * 1024;
/** UTF-8 bytes of the texts of one row: a stored row has to stay below two megabytes. */
export const MAX_ROW_BYTES = 1024 * 1024;
export const MAX_HEADER_CHARS = 200;
/** Rows that are shown with a dataset. */
export const PREVIEW_ROWS = 20;
/** JSON characters of the rows of one answer. */
export const MAX_ANSWER_CHARS = 4 * 1024 * 1024;
/** Rows that a join may come to before it is filtered. */
export const MAX_JOINED_ROWS = 2_000_000;
/** Conditions of one filter: an object's SQLite binds a hundred values. */
export const MAX_CONDITIONS = 40;

export function tooManyBytes(): Fault {
  return new Fault("too_large", `A dataset has at most ${MAX_BYTES / 1024 / 1024} MB (${MAX_BYTES} bytes).`);
}

export function tooManyRows(): Fault {
  return new Fault("too_large", `A dataset has at most ${MAX_ROWS} rows.`);
}

export function checkCells(cells: number): void {
  if (cells > MAX_CELLS) throw new Fault("too_large", `A dataset has at most ${MAX_CELLS} cells.`);
}
