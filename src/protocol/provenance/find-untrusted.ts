// Finds the parts of a value that come from untrusted text: the comparison behind every leave.
//
// A part counts if an untrusted text contains it and no trusted text does, and if it is unlikely to be there by chance:
// the whole value, an address or another token with inner punctuation, a name, an id, a number, several words in
// sequence, or a token that encodes such a part.

import { decodeToken, listEncodedTokens } from "./decode-text.ts";
import { isCjkAtom, splitAtoms, type Atom } from "./text-atoms.ts";
import type { TextIndex } from "./text-index.ts";

/** A range of UTF-16 indexes of a value; `end` is exclusive. */
export type ValueSpan = { readonly start: number; readonly end: number };

const MAX_DECODINGS = 2;

/** True if the trusted texts contain a text: in sequence, and literally if it is or contains an address. */
export function isTrusted(text: string, trusted: TextIndex): boolean {
  const atoms = splitAtoms(text);
  const first = atoms[0];
  const last = atoms.at(-1);
  if (first === undefined || last === undefined) return false;
  const inner = text.slice(first.start, last.end);
  if (trusted.containsLiterally(inner)) return true;
  return !JOINED_TOKEN.test(inner) && trusted.contains(atoms.map((atom) => atom.text));
}

/**
 * Returns the spans of `text` that come from `source` and not from the trusted texts, merged and in their order. In
 * `phrases` only, single words, names and short numbers do not count: a description of a tool contains many of them.
 */
export function findUntrustedSpans(
  text: string,
  source: TextIndex,
  trusted: TextIndex,
  { decodings = MAX_DECODINGS, phrases = false }: { readonly decodings?: number; readonly phrases?: boolean } = {},
): ValueSpan[] {
  const atoms = splitAtoms(text);
  const isForeign = ({ start, end }: ValueSpan) => !isTrusted(text.slice(start, end), trusted);
  const whole = phrases ? null : findWhole(text, atoms, source);
  if (whole !== null && isForeign(whole)) return [whole];
  const found = [
    ...findSequences(atoms, source),
    ...listTokens(text).filter((token) => containsToken(source, text.slice(token.start, token.end))),
    ...findNumbers(text, source, trusted, phrases ? 3 : 2),
    ...(phrases ? [] : findNames(text, atoms, source)),
  ].filter(isForeign);
  return mergeSpans([...found, ...findEncoded(text, source, trusted, decodings)]);
}

/** Returns the span of the whole value if the source contains it. Single letters and digits 0 and 1 say too little. */
function findWhole(text: string, atoms: readonly Atom[], source: TextIndex): ValueSpan | null {
  const first = atoms[0];
  const last = atoms.at(-1);
  if (first === undefined || last === undefined) return null;
  const texts = atoms.map((atom) => atom.text);
  const compact = texts.join("");
  if (compact.length < 2 || (/^[a-z]{1,3}$/.test(compact) && /^[a-z]/.test(text.trim()))) return null;
  const isContained = source.contains(texts) || (compact.length >= 8 && source.containsCompact(compact));
  return isContained ? { start: first.start, end: last.end } : null;
}

/** The fewest words, Chinese characters and letters of a sequence that does not occur by chance. */
const MIN_WORDS = 3;
const MIN_CJK_ATOMS = 5;
const MIN_LETTERS = 14;

function findSequences(atoms: readonly Atom[], source: TextIndex): ValueSpan[] {
  const texts = atoms.map((atom) => atom.text);
  const spans: ValueSpan[] = [];
  for (let from = 0; from < texts.length; from++) {
    const length = source.measureSequence(texts, from);
    if (length === 0) continue;
    const sequence = atoms.slice(from, from + length);
    if (isTelling(sequence)) spans.push({ start: atoms[from]?.start ?? 0, end: sequence.at(-1)?.end ?? 0 });
    from += length - MIN_WORDS;
  }
  return spans;
}

function isTelling(sequence: readonly Atom[]): boolean {
  const cjk = sequence.filter(({ text }) => isCjkAtom(text)).length;
  if (cjk >= MIN_CJK_ATOMS) return true;
  const letters = sequence.reduce((sum, { text }) => sum + text.length, 0);
  return sequence.length - cjk >= MIN_WORDS && letters >= MIN_LETTERS;
}

/** A token with punctuation between letters or digits: an address, a URL, a path, a time, an id. */
const JOINED_TOKEN = /[\p{L}\p{N}][@._\-/:+~%=&?#\\]+[\p{L}\p{N}]/u;
const TOKEN_EDGES = /^[\s"'([{<,;]+|[\s"')\]}>,;.!?:]+$/g;

/** Returns the tokens with inner punctuation, their parts, long words, and ids of letters and digits. */
function listTokens(text: string): ValueSpan[] {
  return Array.from(text.matchAll(/[^\s，。；：、！？“”（）《》]+/g)).flatMap(({ 0: raw, index }) => {
    const token = trimToken({ start: index, end: index + raw.length }, text);
    const content = text.slice(token.start, token.end);
    if (!JOINED_TOKEN.test(content)) return isId(content) || content.length >= 12 ? [token] : [];
    const parts = Array.from(content.matchAll(/[^/?&=#:,;<>()"'|\\[\]{}]+/g), ({ 0: part, index: at }) => ({
      start: token.start + at,
      end: token.start + at + part.length,
    }));
    return [
      token,
      ...parts.filter(
        ({ start, end }) => end - start >= 6 && !/^\d{1,4}([-.]\d{1,2}){1,2}/.test(text.slice(start, end)),
      ),
    ];
  });
}

function trimToken({ start, end }: ValueSpan, text: string): ValueSpan {
  const raw = text.slice(start, end);
  const content = raw.replace(TOKEN_EDGES, "");
  const at = content === "" ? 0 : raw.indexOf(content);
  return { start: start + at, end: start + at + content.length };
}

function isId(token: string): boolean {
  return token.length >= 4 && /^(?=.*\d)(?=.*[a-z])[a-z\d]+$/i.test(token);
}

function containsToken(source: TextIndex, token: string): boolean {
  const texts = splitAtoms(token).map((atom) => atom.text);
  const compact = texts.join("");
  if (compact.length < 4) return false;
  return (
    (source.contains(texts) && (compact.length >= 6 || isId(token))) ||
    (compact.length >= 8 && source.containsCompact(compact))
  );
}

const NUMBER = /(?<![\p{L}\p{N}][@._\-/:+~%=&?#,]?)\d[\d,.]*(?<![,.])(?![@._\-/:+~=&?#]?[\p{L}\p{N}])/gu;

/** Returns the standalone numbers of at least `minDigits` digits with the value of a number in the source. */
function findNumbers(text: string, source: TextIndex, trusted: TextIndex, minDigits: number): ValueSpan[] {
  return Array.from(text.matchAll(NUMBER)).flatMap(({ 0: digits, index }) => {
    const value = Number(digits.replaceAll(",", ""));
    if (digits.length < minDigits || !source.hasNumber(value) || trusted.hasNumber(value)) return [];
    return [{ start: index, end: index + digits.length }];
  });
}

/** Returns the capitalized words inside a sentence, and words in capitals, which the source contains. */
function findNames(text: string, atoms: readonly Atom[], source: TextIndex): ValueSpan[] {
  return atoms.filter(({ text: atom, start, end }) => {
    const word = text.slice(start, end);
    const isName = /^\p{Lu}\p{L}{3,}$/u.test(word) && /[\p{L}\p{N},]["'“(]?\s+["'“(]?$/u.test(text.slice(0, start));
    return (isName || /^\p{Lu}{5,}$/u.test(word)) && source.contains([atom]);
  });
}

/** Returns the tokens that encode text of the source. */
function findEncoded(text: string, source: TextIndex, trusted: TextIndex, decodings: number): ValueSpan[] {
  if (decodings === 0) return [];
  return listEncodedTokens(text).filter((token) =>
    decodeToken(token.text).some(
      (decoded) =>
        !isTrusted(decoded, trusted) &&
        findUntrustedSpans(decoded, source, trusted, { decodings: decodings - 1 }).length > 0,
    ),
  );
}

/** Merges overlapping spans. */
function mergeSpans(spans: readonly ValueSpan[]): ValueSpan[] {
  const merged: ValueSpan[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) merged.push({ start, end });
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return merged;
}
