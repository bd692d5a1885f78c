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

/** A text with its parts that are compared. It is parsed once and compared with many sources. */
export type ParsedValue = {
  readonly text: string;
  readonly atoms: readonly Atom[];
  /** The normalized texts of the atoms. */
  readonly words: readonly string[];
  readonly tokens: readonly Token[];
  readonly numbers: readonly NumberSpan[];
  readonly names: readonly Atom[];
  /** Tokens that may encode text, with their readings. */
  readonly encoded: readonly (ValueSpan & { readonly readings: readonly ParsedValue[] })[];
};

type Token = ValueSpan & { readonly words: readonly string[]; readonly isId: boolean };
type NumberSpan = ValueSpan & { readonly value: number };

/** The number of encodings inside one another that are decoded. */
const MAX_DECODINGS = 2;

/** Parses a text for the comparison. */
export function parseValue(text: string, decodings = MAX_DECODINGS): ParsedValue {
  const atoms = splitAtoms(text);
  const encoded =
    decodings === 0
      ? []
      : listEncodedTokens(text).flatMap(({ start, end, text: token }) => {
          const readings = decodeToken(token).map((reading) => parseValue(reading, decodings - 1));
          return readings.length === 0 ? [] : [{ start, end, readings }];
        });
  const words = atoms.map((atom) => atom.text);
  return {
    text,
    atoms,
    words,
    tokens: listTokens(text),
    numbers: listNumbers(text),
    names: listNames(text, atoms),
    encoded,
  };
}

/** True if the trusted texts contain a text: in sequence, and literally if it is or contains an address. */
export function isTrusted({ text, atoms, words }: ParsedValue, trusted: TextIndex): boolean {
  const span = getExtent(atoms);
  if (span === null) return false;
  const inner = text.slice(span.start, span.end);
  if (trusted.containsLiterally(inner)) return true;
  return !JOINED_TOKEN.test(inner) && trusted.contains(words);
}

/**
 * Returns the spans of a value that come from `source` and not from the trusted texts, merged and in their order. In
 * `phrases` only, single words, names and short numbers do not count.
 */
export function findUntrustedSpans(
  value: ParsedValue,
  source: TextIndex,
  trusted: TextIndex,
  { phrases = false }: { readonly phrases?: boolean } = {},
): ValueSpan[] {
  const { text, tokens, numbers, names, encoded } = value;
  const isForeign = ({ start, end }: ValueSpan) => !isTrusted(parseValue(text.slice(start, end), 0), trusted);
  const whole = phrases ? null : findWhole(value, source);
  if (whole !== null && isForeign(whole)) return [whole];
  const found = [
    ...findSequences(value, source),
    ...tokens.filter((token) => containsToken(source, token)),
    ...numbers.filter(({ value: number, start, end }) => {
      const isTelling = end - start >= (phrases ? 3 : 2);
      return isTelling && source.hasNumber(number) && !trusted.hasNumber(number);
    }),
    ...(phrases ? [] : names.filter((name) => source.contains([name.text]))),
  ].filter(isForeign);
  const hidden = encoded.filter(({ readings }) =>
    readings.some((reading) => !isTrusted(reading, trusted) && findUntrustedSpans(reading, source, trusted).length > 0),
  );
  return mergeSpans([...found, ...hidden]);
}

function getExtent(atoms: readonly Atom[]): ValueSpan | null {
  const first = atoms[0];
  const last = atoms.at(-1);
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end };
}

/** Returns the span of the whole value if the source contains it. Short words in small letters say too little. */
function findWhole({ text, atoms, words }: ParsedValue, source: TextIndex): ValueSpan | null {
  const compact = words.join("");
  if (compact.length < 2 || (/^[a-z]{1,3}$/.test(compact) && /^[a-z]/.test(text.trim()))) return null;
  const isContained =
    source.contains(words) || (compact.length >= MIN_COMPACT_CHARS && source.containsCompact(compact));
  return isContained ? getExtent(atoms) : null;
}

/** The fewest characters that are compared without the spaces and punctuation between them. */
const MIN_COMPACT_CHARS = 8;
/** The fewest words, Chinese characters and letters of a sequence that does not occur by chance. */
const MIN_WORDS = 3;
const MIN_CJK_ATOMS = 5;
const MIN_LETTERS = 14;

function findSequences({ atoms, words }: ParsedValue, source: TextIndex): ValueSpan[] {
  const spans: ValueSpan[] = [];
  for (let from = 0; from < words.length; from++) {
    const length = source.measureSequence(words, from);
    if (length === 0) continue;
    const sequence = atoms.slice(from, from + length);
    const extent = getExtent(sequence);
    if (extent !== null && isTelling(sequence)) spans.push(extent);
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
const DATE = /^\d{1,4}([-.]\d{1,2}){1,2}/;
const MIN_LONG_WORD_CHARS = 12;
const MIN_PART_CHARS = 6;

/** Returns the tokens with inner punctuation, their parts, long words, and ids of letters and digits. */
function listTokens(text: string): Token[] {
  return Array.from(text.matchAll(/[^\s，。；：、！？“”（）《》]+/g)).flatMap(({ 0: raw, index }) => {
    const content = raw.replace(TOKEN_EDGES, "");
    const start = index + (content === "" ? 0 : raw.indexOf(content));
    const token = createToken(content, start);
    if (!JOINED_TOKEN.test(content)) return token.isId || content.length >= MIN_LONG_WORD_CHARS ? [token] : [];
    const parts = Array.from(content.matchAll(/[^/?&=#:,;<>()"'|\\[\]{}]+/g)).flatMap(({ 0: part, index: at }) =>
      part.length >= MIN_PART_CHARS && !DATE.test(part) ? [createToken(part, start + at)] : [],
    );
    return [token, ...parts];
  });
}

function createToken(content: string, start: number): Token {
  const isId = content.length >= 4 && /^(?=.*\d)(?=.*[a-z])[a-z\d]+$/i.test(content);
  return { start, end: start + content.length, words: splitAtoms(content).map((atom) => atom.text), isId };
}

function containsToken(source: TextIndex, { words, isId }: Token): boolean {
  const compact = words.join("");
  if ((isId || compact.length >= MIN_PART_CHARS) && source.contains(words)) return true;
  return compact.length >= MIN_COMPACT_CHARS && source.containsCompact(compact);
}

const NUMBER = /(?<![\p{L}\p{N}][@._\-/:+~%=&?#,]?)\d[\d,.]*(?<![,.])(?![@._\-/:+~=&?#]?[\p{L}\p{N}])/gu;

/** Returns the standalone numbers: not those inside a date, a time or an address. */
function listNumbers(text: string): NumberSpan[] {
  return Array.from(text.matchAll(NUMBER), ({ 0: digits, index }) => ({
    start: index,
    end: index + digits.length,
    value: Number(digits.replaceAll(",", "")),
  }));
}

/** Returns the capitalized words inside a sentence, and words in capitals. */
function listNames(text: string, atoms: readonly Atom[]): Atom[] {
  return atoms.filter(({ start, end }) => {
    const word = text.slice(start, end);
    if (/^\p{Lu}{5,}$/u.test(word)) return true;
    return (
      /^\p{Lu}\p{L}{3,}$/u.test(word) &&
      /[\p{L}\p{N},]["'“(]?\s+["'“(]?$/u.test(text.slice(Math.max(0, start - 8), start))
    );
  });
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
