// The size limits of datasets. Anything beyond them is refused, and the message contains the limit.

import { createMessage } from "../language/messages.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import type { Fault } from "../protocol/wire/fault.ts";

/** Enough for a hundred thousand rows with a dozen columns. A Durable Object has 128 MB of memory to parse them. */
export const MAX_DATASET_BYTES = 12 * 1024 * 1024;
export const MAX_DATASET_ROWS = 100_000;
export const MAX_DATASET_COLUMNS = 200;
/** Every cell takes memory, also an empty one. */
export const MAX_DATASET_CELLS = 3_000_000;
/** UTF-8 bytes of one cell. */
export const MAX_CELL_BYTES = 32 * 1024;
/** UTF-8 bytes of all texts of a row. A row in SQLite has to stay below two megabytes. */
export const MAX_ROW_BYTES = 1024 * 1024;
/** Maximum length of a column name. */
export const MAX_HEADER_CHARS = 200;
/** Number of rows shown with a dataset. */
export const PREVIEW_ROWS = 20;
/** Maximum characters of JSON of the rows of one result. */
export const MAX_ANSWER_CHARS = 4 * 1024 * 1024;
/** Maximum rows that a join may produce before filtering. */
export const MAX_JOINED_ROWS = 2_000_000;
/** Maximum conditions of one filter. SQLite in a Durable Object binds at most a hundred values. */
export const MAX_CONDITIONS = 40;

/** Returns the fault (`too_large`) for a file beyond `MAX_DATASET_BYTES`. */
export function createTooManyBytesFault(): Fault {
  const limits = { megabytes: MAX_DATASET_BYTES / 1024 / 1024, bytes: MAX_DATASET_BYTES };
  return createFault("too_large", createMessage("dataset.tooManyBytes", limits));
}

/** Returns the fault (`too_large`) for a table beyond `MAX_DATASET_ROWS`. */
export function createTooManyRowsFault(): Fault {
  return createFault("too_large", createMessage("dataset.tooManyRows", { max: MAX_DATASET_ROWS }));
}

/** Returns the fault (`too_large`) for a table beyond `MAX_DATASET_COLUMNS`. */
export function createTooManyColumnsFault(): Fault {
  return createFault("too_large", createMessage("dataset.tooManyColumns", { max: MAX_DATASET_COLUMNS }));
}

/** Throws a `Fault` (`too_large`) if there are more than `MAX_DATASET_CELLS` cells. */
export function checkCellCount(cells: number): void {
  if (cells > MAX_DATASET_CELLS)
    throw createFault("too_large", createMessage("dataset.tooManyCells", { max: MAX_DATASET_CELLS }));
}
