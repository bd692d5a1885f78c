// Numbers that nothing vouches for, found in the text that states them.

export type Place = { readonly start: number; readonly end: number };

/** Where the numbers stand in a text, each as a whole: 4.7 is not in 74.7, nor in 4.75. */
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
