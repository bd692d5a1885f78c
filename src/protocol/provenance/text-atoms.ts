// Splits text into atoms, the units of comparison: words, numbers, and single Chinese or Japanese characters.
//
// Atoms are normalized, so that texts compare equal whatever their case, width, punctuation and invisible characters.

/** A unit of a text. `text` is normalized; `start` and `end` are UTF-16 indexes of the original. */
export type Atom = { readonly text: string; readonly start: number; readonly end: number };

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const IGNORABLE = String.raw`\p{Default_Ignorable_Code_Point}`;
const ATOM = new RegExp(`[${CJK}]${IGNORABLE}*|(?:[[\\p{L}\\p{N}\\p{M}]--[${CJK}]]${IGNORABLE}*)+`, "gv");
const ASCII_ATOM = /[a-z\d]+/g;
const NON_ASCII = /[^\0-\x7f]/;
const IGNORABLES = new RegExp(IGNORABLE, "gu");
const ONLY_CJK = new RegExp(`^[${CJK}]$`, "u");

/** Normalizes text for comparison: compatible forms, lower case, no invisible characters. Indexes change. */
export function normalizeText(text: string): string {
  if (!NON_ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").toLowerCase().replace(IGNORABLES, "");
}

/** Returns the atoms of a text with their positions. */
export function splitAtoms(text: string): Atom[] {
  return Array.from(text.matchAll(ATOM)).flatMap(({ 0: matched, index }) => {
    const start = index;
    const end = index + matched.length;
    // One character may stand for several atoms, such as ½.
    return listAtomTexts(normalizeText(matched)).map((part) => ({ text: part, start, end }));
  });
}

/** Returns the atoms of a normalized text without their positions. */
export function listAtomTexts(normalized: string): string[] {
  return normalized.match(NON_ASCII.test(normalized) ? ATOM : ASCII_ATOM) ?? [];
}

/** True for an atom that is one Chinese or Japanese character. */
export function isCjkAtom(atom: string): boolean {
  return atom.length <= 2 && ONLY_CJK.test(atom);
}
