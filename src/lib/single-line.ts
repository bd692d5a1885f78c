// One bounded line from the text of another system, for a sentence that quotes it.

import { escapeInvisible } from "./escape-invisible.ts";
import { truncateWithEllipsis } from "./truncate.ts";

/**
 * Joins a text in one line, trims it, escapes its invisible characters, and truncates it to `maxChars` UTF-16 units, the
 * ellipsis included.
 */
export function toSingleLine(text: string, maxChars: number): string {
  // An escape is longer than its character, so the beginning of the text is enough.
  const line = text
    .slice(0, 8 * maxChars)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxChars + 1);
  return truncateWithEllipsis(escapeInvisible(line.toWellFormed()), maxChars - 1);
}
