// Suggestions for an unknown name.

/**
 * Returns at most `maxNames` similar names, nearest first. The distance is zero if only case or punctuation differ, and
 * otherwise the smallest of: relative edit distance, containment, and, for Chinese, the share of different characters.
 * If no name is near, returns the first names of the list; [] if that is empty.
 */
export function findSimilarNames(unknownName: string, names: readonly string[], maxNames = 3): string[] {
  const target = normalizeName(unknownName);
  const scored = names
    .map((name, i) => ({ name, i, distance: computeDistance(target, normalizeName(name)) }))
    .toSorted((a, b) => a.distance - b.distance || a.i - b.i);
  const near = scored.filter(({ distance }) => distance <= 0.6);
  return (near.length > 0 ? near : scored.toSorted((a, b) => a.i - b.i)).slice(0, maxNames).map(({ name }) => name);
}

function normalizeName(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{P}\p{S}]+/gu, "");
}

/** Returns a distance from 0 (equal) to 1 (nothing in common). */
function computeDistance(a: string, b: string): number {
  if (a === b) return 0;
  const [first, second] = [[...a].slice(0, 200), [...b].slice(0, 200)];
  const longest = Math.max(first.length, second.length);
  if (first.length === 0 || second.length === 0) return 1;
  const edits = computeEditDistance(first, second) / longest;
  const containment = a.includes(b) || b.includes(a) ? 0.3 * (1 - Math.min(first.length, second.length) / longest) : 1;
  return Math.min(edits, containment, /\p{Script=Han}/u.test(a) ? 1 - computeDiceCoefficient(first, second) : 1);
}

/** Returns the Sørensen–Dice coefficient of the characters of both names. */
function computeDiceCoefficient(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const character of b) left.set(character, (left.get(character) ?? 0) + 1);
  let shared = 0;
  for (const character of a) {
    const count = left.get(character) ?? 0;
    if (count > 0) shared += 1;
    left.set(character, count - 1);
  }
  return (2 * shared) / (a.length + b.length);
}

/** Returns the Levenshtein distance. Uses a single row of the matrix. */
function computeEditDistance(a: readonly string[], b: readonly string[]): number {
  const row = Uint16Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, character] of a.entries()) {
    let diagonal = i;
    row[0] = i + 1;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      row[j] = Math.min(diagonal + (character === b[j - 1] ? 0 : 1), above + 1, (row[j - 1] ?? 0) + 1);
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}
