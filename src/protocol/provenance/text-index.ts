// An index of texts that answers whether a sequence of atoms occurs in them.
//
// It owns the joined atoms of all readings of the texts (`decode-text.ts`), which a separator keeps apart. Two bitmaps of
// hashes answer most negative lookups; a positive one is always confirmed in the joined text.

import { parseNumeralAt } from "../../language/numerals.ts";
import { listReadings } from "./decode-text.ts";
import { listAtomTexts, normalizeText } from "./text-atoms.ts";

/** An atom that no text contains. */
const SEPARATOR = "\u0001";
const SEQUENCE_LENGTH = 3;
/** The shortest text that is searched without regard to the borders of atoms. */
const MIN_COMPACT_CHARS = 6;
const COMPACT_GRAM = 4;

export class TextIndex {
  readonly #normalized: readonly string[];
  readonly #hashes = new Map<string, number>();
  readonly #joined: string;
  readonly #compact: string;
  readonly #sequences: HashBitmap;
  readonly #grams: HashBitmap;
  #numbers: ReadonlySet<number> | undefined;

  constructor(texts: readonly string[]) {
    this.#normalized = texts.flatMap((text) => [text, ...listReadings(text)]).map(collapse);
    const atoms = this.#normalized.flatMap((text) => [...listAtomTexts(text), SEPARATOR]);
    this.#joined = ` ${atoms.join(" ")} `;
    this.#compact = atoms.join("");
    const hashes = Uint32Array.from(atoms, (atom) => this.#addAtom(atom));
    this.#sequences = new HashBitmap(atoms.length);
    for (let at = 0; at + SEQUENCE_LENGTH <= hashes.length; at++) this.#sequences.add(hashSequence(hashes, at));
    this.#grams = new HashBitmap(this.#compact.length);
    for (let at = 0; at + COMPACT_GRAM <= this.#compact.length; at++) this.#grams.add(hashGram(this.#compact, at));
  }

  /** True if the texts contain these atoms in sequence. False for an empty sequence. */
  contains(atoms: readonly string[]): boolean {
    if (atoms.length === 0 || !atoms.every((atom) => this.#hashes.has(atom))) return false;
    if (atoms.length === 1) return true;
    const hashes = Uint32Array.from(atoms, (atom) => this.#hashes.get(atom) ?? 0);
    for (let at = 0; at + SEQUENCE_LENGTH <= hashes.length; at++)
      if (!this.#sequences.has(hashSequence(hashes, at))) return false;
    return this.#joined.includes(` ${atoms.join(" ")} `);
  }

  /** True if the texts contain these characters, whatever separates them. False for short ones. */
  containsCompact(compact: string): boolean {
    if (compact.length < MIN_COMPACT_CHARS) return false;
    for (let at = 0; at + COMPACT_GRAM <= compact.length; at++)
      if (!this.#grams.has(hashGram(compact, at))) return false;
    return this.#compact.includes(compact);
  }

  /** True if the texts contain this text literally, after normalization, and as a whole word. */
  containsLiterally(text: string): boolean {
    const wanted = collapse(text).trim();
    return wanted !== "" && this.#normalized.some((candidate) => containsWhole(candidate, wanted));
  }

  /** Returns how many atoms from `from` on the texts contain in one sequence; 0 if it is shorter than three. */
  measureSequence(atoms: readonly string[], from: number): number {
    if (!this.#mayContainSequence(atoms, from)) return 0;
    const getLength = (length: number) => (this.contains(atoms.slice(from, from + length)) ? length : 0);
    let longest = getLength(Math.min(SEQUENCE_LENGTH, atoms.length - from));
    if (longest < SEQUENCE_LENGTH) return 0;
    let tooLong = atoms.length - from + 1;
    for (let step = longest; longest + step < tooLong; step *= 2) {
      if (getLength(longest + step) === 0) tooLong = longest + step;
      else longest += step;
    }
    while (tooLong - longest > 1) {
      const middle = Math.floor((longest + tooLong) / 2);
      if (getLength(middle) === 0) tooLong = middle;
      else longest = middle;
    }
    return longest;
  }

  /** True if a number with this value is in the texts, in digits or in words. */
  hasNumber(value: number): boolean {
    this.#numbers ??= new Set(this.#normalized.flatMap(listNumbers));
    return this.#numbers.has(value);
  }

  /** Answers for the three atoms from `from` on, without a search. */
  #mayContainSequence(atoms: readonly string[], from: number): boolean {
    const hashes = new Uint32Array(SEQUENCE_LENGTH);
    for (let i = 0; i < SEQUENCE_LENGTH; i++) {
      const hash = this.#hashes.get(atoms[from + i] ?? SEPARATOR);
      if (hash === undefined) return false;
      hashes[i] = hash;
    }
    return this.#sequences.has(hashSequence(hashes, 0));
  }

  #addAtom(atom: string): number {
    let hash = this.#hashes.get(atom);
    if (hash === undefined) this.#hashes.set(atom, (hash = hashText(atom)));
    return hash;
  }
}

/** A set of hashes with few false positives. */
class HashBitmap {
  readonly #bits: Uint8Array;
  readonly #mask: number;

  constructor(expected: number) {
    const size = 2 ** Math.max(10, Math.ceil(Math.log2((expected + 1) * 16)));
    this.#bits = new Uint8Array(size / 8);
    this.#mask = size - 1;
  }

  add(hash: number): void {
    const bit = (hash ^ (hash >>> 15)) & this.#mask;
    this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }

  has(hash: number): boolean {
    const bit = (hash ^ (hash >>> 15)) & this.#mask;
    return ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }
}

function collapse(text: string): string {
  return normalizeText(text).replaceAll(/\s+/g, " ");
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function hashSequence(hashes: Uint32Array, at: number): number {
  let hash = 0;
  for (let i = at; i < at + SEQUENCE_LENGTH; i++) hash = Math.imul(hash ^ (hashes[i] ?? 0), 0x9e3779b1);
  return hash;
}

function hashGram(text: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + COMPACT_GRAM; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x9e3779b1);
  return hash;
}

function containsWhole(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + wanted.length, at + wanted.length + 2);
    if (!continuesBefore(before, wanted) && !continuesAfter(wanted, after)) return true;
  }
  return false;
}

/** True if a word, or an address or number with its inner punctuation, reaches over the border. */
function continuesBefore(before: string, wanted: string): boolean {
  return /^[a-z\d]/.test(wanted) && /(?!\p{Script=Han})[\p{L}\p{N}][@.\-_+]?$/u.test(before);
}

function continuesAfter(wanted: string, after: string): boolean {
  return /[a-z\d]$/.test(wanted) && /^[@.\-_+]?(?!\p{Script=Han})[\p{L}\p{N}]/u.test(after);
}

const NUMBER_START = /(?<![\p{L}\p{N}.,])[\p{L}\p{N}]|\p{Script=Han}/gu;

const SPACED_DIGITS = /(?<!\d)\d(?: \d)+(?!\d)/g;

/** Returns the numbers of a normalized text, also those with spaces between their digits. */
function listNumbers(text: string): number[] {
  const spaced = Array.from(text.matchAll(SPACED_DIGITS), ([digits]) => Number(digits.replaceAll(" ", "")));
  const numerals = Array.from(text.matchAll(NUMBER_START)).flatMap(({ index }) => {
    const numeral = parseNumeralAt(text, index);
    return numeral === null ? [] : [Number(numeral.value)];
  });
  return [...spaced, ...numerals];
}
