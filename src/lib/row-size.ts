// The platform's limit for a string, a BLOB or a row in SQLite, in Durable Objects and in D1. The local runtime does not
// enforce it, so every statement is checked before it runs.

import { countBytes } from "./text-size.ts";

/** The maximum size of a row with all its columns, in bytes of UTF-8. */
export const MAX_ROW_BYTES = 2 * 1024 * 1024;

/** The maximum size of one stored value, in bytes of UTF-8: half a row. Larger ones are split, cut or refused before. */
export const MAX_VALUE_BYTES = MAX_ROW_BYTES / 2;

/** Throws the error of the platform if the values that are bound to a statement are together larger than a row. */
export function checkRowSize(values: readonly unknown[]): void {
  const texts = values.filter((value) => typeof value === "string");
  const chars = texts.reduce((sum, { length }) => sum + length, 0);
  // A UTF-16 unit is at most three bytes, so most statements need no count.
  if (chars * 3 <= MAX_ROW_BYTES) return;
  const bytes = chars > MAX_ROW_BYTES ? chars : texts.reduce((sum, text) => sum + countBytes(text), 0);
  if (bytes > MAX_ROW_BYTES) throw new Error("string or blob too big: SQLITE_TOOBIG");
}
