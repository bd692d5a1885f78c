// Limits on Markdown, beyond which rendering would block the browser for too long. Text beyond them is shown
// unformatted.

/** UTF-16 units of a whole text. */
export const MAX_TEXT_CHARS = 200_000;
/** UTF-16 units of a piece. Code blocks are exempt; highlighting has a limit of its own. */
const MAX_PIECE_CHARS = 20_000;
const MAX_LINES = 1_000;
/** Emphasis or bracket markers per piece: the cost of matching them grows faster than their number. */
const MAX_MARKERS = 600;
/** Nested list and quote markers on one line. */
const MAX_NESTING = 16;
/** Rendered pieces of a text; the rest is shown unformatted. */
export const MAX_PIECES = 1_000;
/** Formula delimiters in a whole text, two per formula: a formula costs as much as a page of words. */
const MAX_FORMULA_DELIMITERS = 1_000;
/** UTF-16 units of unformatted text that are shown before the person asks for the rest. */
export const MAX_PLAIN_CHARS = 20_000;
/** Nested elements: the browser's own limits are close to this. */
export const MAX_DEPTH = 60;

/** True if a piece must be shown unformatted. Code blocks are exempt; the caller must recognize them. */
export function exceedsPieceLimits(source: string): boolean {
  if (source.length > MAX_PIECE_CHARS) return true;
  return (
    exceedsCount(source, /\n/g, MAX_LINES) || exceedsCount(source, /[*_~]+/g, MAX_MARKERS) || exceedsNesting(source)
  );
}

/** True if a text has too many formulas to typeset them. */
export function hasTooManyFormulas(text: string): boolean {
  return exceedsCount(text, /\$|\\[([]/g, MAX_FORMULA_DELIMITERS);
}

/**
 * Returns the start of an unformatted text, at most `MAX_PLAIN_CHARS` and about `MAX_LINES`; the text if it is short.
 */
export function truncatePlainText(text: string): string {
  const lines = [...text.slice(0, MAX_PLAIN_CHARS).matchAll(/\n/g)];
  const end = lines[MAX_LINES]?.index ?? MAX_PLAIN_CHARS;
  return text.length <= end ? text : text.slice(0, end).toWellFormed();
}

function exceedsCount(source: string, pattern: RegExp, limit: number): boolean {
  let count = 0;
  for (const _ of source.matchAll(pattern)) if ((count += 1) > limit) return true;
  return false;
}

function exceedsNesting(source: string): boolean {
  const brackets = exceedsCount(source, /[[\]]/g, MAX_MARKERS);
  return brackets || new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)]) ?){${MAX_NESTING}}`, "m").test(source);
}
