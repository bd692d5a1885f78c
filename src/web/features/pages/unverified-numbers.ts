// Finds unverified numbers in text.

/** `end` is exclusive. */
export type UnverifiedRange = { readonly start: number; readonly end: number };

/**
 * Returns the ranges (UTF-16 units) of all occurrences of the numbers in a text, sorted by start. Only whole numbers
 * match: 4.7 is not found in 74.7 or 4.75.
 */
export function findNumbers(text: string, numbers: readonly string[]): UnverifiedRange[] {
  return numbers
    .filter((number) => number !== "")
    .flatMap((number) => findOccurrences(text, number))
    .toSorted((a, b) => a.start - b.start);
}

function findOccurrences(text: string, number: string): UnverifiedRange[] {
  const ranges: UnverifiedRange[] = [];
  for (let start = text.indexOf(number); start >= 0; start = text.indexOf(number, start + 1)) {
    const end = start + number.length;
    const isPart = /[\d][.,]?$/.test(text.slice(0, start)) || /^[.,]?\d/.test(text.slice(end));
    if (!isPart) ranges.push({ start, end });
  }
  return ranges;
}
