// Finds unverified numbers in text.

export type Place = { readonly start: number; readonly end: number };

/**
 * Returns the ranges of the numbers in a text, sorted by start. Only whole numbers match: 4.7 is not found in 74.7 or
 * 4.75.
 */
export function placesOf(text: string, numbers: readonly string[]): Place[] {
  return numbers
    .filter((number) => number !== "")
    .flatMap((number) => occurrencesOf(text, number))
    .toSorted((a, b) => a.start - b.start);
}

function occurrencesOf(text: string, number: string): Place[] {
  const places: Place[] = [];
  for (let start = text.indexOf(number); start >= 0; start = text.indexOf(number, start + 1)) {
    const end = start + number.length;
    const isPart = /[\d][.,]?$/.test(text.slice(0, start)) || /^[.,]?\d/.test(text.slice(end));
    if (!isPart) places.push({ start, end });
  }
  return places;
}
