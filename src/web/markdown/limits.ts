// What is not worth being read as Markdown: texts that would take the reader's browser too long.

/** Characters of a whole text. */
export const MAX_TEXT = 200_000;
/** Of one piece of it; code is cheap, and has a limit of its own for its colours. */
const MAX_PIECE = 20_000;
const MAX_LINES = 1_000;
/** Signs that may open or close something: what they cost together grows much faster than their number. */
const MAX_SIGNS = 600;
/** Lists and quotes in each other, on one line. */
const MAX_NESTING = 16;
/** Pieces of a text that are laid out; what comes after them stands as it was written. */
export const MAX_PIECES = 1_000;
/** Signs of formulas in a whole text, two for each: a formula costs as much as a page of words. */
const MAX_FORMULA_SIGNS = 1_000;
/** As much of what stands as it was written as is shown before somebody asks for more. */
export const MAX_PLAIN = 20_000;
/** Elements in each other, of which the browser's own limits are not far away. */
export const MAX_DEPTH = 60;

/** Whether a piece is shown as it was written. */
export function isTooMuch(source: string): boolean {
  if (source.length > MAX_PIECE) return true;
  return countOf(source, /\n/g, MAX_LINES) || countOf(source, /[*_~]+/g, MAX_SIGNS) || isNested(source);
}

/** Whether a text has more formulas than are worth being set. */
export function hasTooManyFormulas(text: string): boolean {
  return countOf(text, /\$|\\[([]/g, MAX_FORMULA_SIGNS);
}

/** How much of a plain text is shown at first: few characters, and few lines. */
export function beginningOf(text: string): string {
  const lines = [...text.slice(0, MAX_PLAIN).matchAll(/\n/g)];
  const end = lines[MAX_LINES]?.index ?? MAX_PLAIN;
  return text.length <= end ? text : text.slice(0, end).toWellFormed();
}

function countOf(source: string, pattern: RegExp, most: number): boolean {
  let count = 0;
  for (const _ of source.matchAll(pattern)) if ((count += 1) > most) return true;
  return false;
}

function isNested(source: string): boolean {
  const brackets = countOf(source, /[[\]]/g, MAX_SIGNS);
  return brackets || new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)]) ?){${MAX_NESTING}}`, "m").test(source);
}
