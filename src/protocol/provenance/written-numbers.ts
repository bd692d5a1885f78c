// Reads the numbers that a text states, in digits and in words. Dates, ordinals and names with digits are not read, and
// neither are number words up to ten.

import { parseNumeralAt } from "../../language/numerals.ts";

/**
 * A number as written, at UTF-16 indexes of its text. `value` is absolute and includes the scale: 3万 is 30,000.
 * `tolerance` follows from the rounding.
 */
export type WrittenNumber = {
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  readonly value: number;
  readonly tolerance: number;
  readonly scale: number;
  /** 100 for a percentage, 1,000 for ‰, otherwise 1. */
  readonly divisor: number;
};

/** Number words up to this value are not read. */
const MAX_UNREAD_WORD_VALUE = 10;

const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const NUMBERED_NOUNS =
  "top|no\\.|number|question|step|unit|chapter|section|table|figure|fig\\.|part|phase|level|option|tier|week|day|grade|form|class|year|group|item|point|lesson|module|page|tab|term|semester|quarter|version";

/** Texts with digits that are not figures. They are masked before numbers are read. */
const NON_FIGURE_PATTERNS: readonly RegExp[] = [
  /https?:\/\/\S+/g,
  // List items and headings with numbers.
  /^[ \t]*(?:[#>*-]+[ \t]*)*\**\d{1,3}[.)、．](?!\d)/gm,
  /[(（][1-9][)）]/g,
  // Dates and times.
  /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?/g,
  /\b\d{1,2}\/\d{1,2}\/\d{4}\b/g,
  /\b(?:19|20)\d{2}[-/](?:0[1-9]|1[0-2]|\d{2})\b(?![-/.]?\d)/g,
  /\d{2,4}\s*(?:年|学年)(?:\s*\d{1,2}\s*月(?:份|\s*\d{1,2}\s*[日号])?)?/g,
  /\d{1,2}\s*月(?:份|\s*\d{1,2}\s*[日号])?/g,
  /\d{1,2}[日号](?!线)/g,
  new RegExp(`\\b${MONTH}\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+\\d{4})?\\b`, "gi"),
  new RegExp(`\\b(?:\\d{1,2}(?:st|nd|rd|th)?\\s+)?${MONTH}\\.?,?\\s+\\d{4}\\b`, "gi"),
  new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}\\b`, "gi"),
  /\b(?:in|since|until|during|year|spring|summer|autumn|fall|winter|(?:end|start|beginning|half|quarter) of)\s+(?:19|20)\d{2}\b/gi,
  /\bfrom\s+(?:19|20)\d{2}\s+to\s+(?:19|20)\d{2}\b/gi,
  /\b(?:Q[1-4]|H[12]|FY)\s*(?:19|20)?\d{0,2}(?:\s+(?:19|20)\d{2})?\b/gi,
  /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?/gi,
  // Ordinals and numbered things.
  /\b\d+(?:st|nd|rd|th)\b/gi,
  /第\s*[\d零〇一二两三四五六七八九十百千]+/g,
  /(?:前|步骤|单元|题|表|图)\s*\d{1,3}(?![\d.]*\s*[%％分])/g,
  new RegExp(`(?<![a-z])(?:${NUMBERED_NOUNS})\\s*#?\\d{1,3}(?![\\d.,]*\\d|\\s*[%％])`, "gi"),
  /#\d+/g,
  // A currency before a number is no part of a name.
  /\b(?:USD|EUR|GBP|CNY|RMB|HKD|JPY|CHF)(?=\s?\d)/gi,
  // Names: 1A, a-001, f1a, P90.
  /(?<![$€£¥\d.])\d{1,2}-?[A-JLN-Z]\b/g,
  /[a-z_][a-z\d_]*(?:-[a-z\d_]+)*/gi,
];

const DIGIT_NUMBER_PATTERN =
  /(?<![\d.])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:\s*(%|％|‰|个百分点|[百千万]?[万亿]|[百千]|[kKM](?![a-zA-Z])))?/g;
const SCALE_WORD_PATTERN = /^\s*(percent|per cent|percentage points?|thousand|million|billion|mn|bn)\b/i;
const SCALE_FACTORS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};

/** Returns the numbers that the text states, in the order of their position. */
export function parseWrittenNumbers(text: string): WrittenNumber[] {
  const plain = toPlainDigits(text);
  const numbers = [...parseDigitNumbers(plain), ...parseWordNumbers(plain)].toSorted((a, b) => a.start - b.start);
  // 3万5千 is one number, and its end is none.
  return numbers
    .filter(({ start }, i) => numbers.slice(Math.max(0, i - 4), i).every((before) => before.end <= start))
    .map((number) => ({ ...number, raw: text.slice(number.start, number.end) }));
}

/** Cheap tests that a text may contain number words, or digits with a scale. */
const NUMBER_WORD_PATTERN =
  /[十百千万亿点]|\b(?:ten|eleven|twelve|\w{3,5}teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)\b/i;
const SCALED_NUMBER_PATTERN = /\d\s*(?:[万亿千kKM]|thousand|million|billion)/;

/**
 * Returns the absolute value of every number that a source text may contain, also in dates and ordinals: a text that
 * repeats it has a source.
 */
export function parseAllNumbers(text: string): number[] {
  const plain = toPlainDigits(text);
  const digits = [...plain.matchAll(/(?<![a-z_]-?|[\d.])\d+(?:,\d{3})*(?:\.\d+)?/gi)].flatMap(([raw]) =>
    // 100,200 may be one number or a list of two.
    [raw.replaceAll(",", ""), ...(raw.includes(",") ? raw.split(",") : [])].map(Number),
  );
  const scaled = SCALED_NUMBER_PATTERN.test(plain) ? parseDigitNumbers(plain) : [];
  const words = NUMBER_WORD_PATTERN.test(plain) ? parseWordNumbers(plain) : [];
  return [...digits, ...[...scaled, ...words].map(({ value }) => value)];
}

/**
 * Converts full-width digits and signs, and typographic thousands separators to commas; the length stays. A full-width
 * comma stays, because it is not part of a number.
 */
function toPlainDigits(text: string): string {
  return text
    .replace(/[０-９．％]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/(?<=\d)[\u00a0\u2009\u202f’](?=\d{3}(?!\d))/g, ",");
}

/** Returns the numbers written in digits, with their scale and percent sign. */
function parseDigitNumbers(text: string): WrittenNumber[] {
  const figures = NON_FIGURE_PATTERNS.reduce((rest, pattern) => rest.replace(pattern, maskMatch), text);
  return [...figures.matchAll(DIGIT_NUMBER_PATTERN)].map((match) => {
    const [matchedText, integer = "", fraction = "", sign = ""] = match;
    const { index: start } = match;
    const end = start + matchedText.length;
    const compound = /[百千万亿]$/.test(sign) ? parseNumeralAt(text, start) : null;
    if (compound !== null && compound.end > end) {
      const value = Number(compound.value);
      return { raw: "", start, end: compound.end, value, tolerance: 0.5, scale: 1, divisor: 1 };
    }
    // Words after a number are masked together with the names, so they are read from the original text.
    const words = sign === "" ? SCALE_WORD_PATTERN.exec(text.slice(end, end + 24)) : null;
    const unit = (words?.[1] ?? sign).toLowerCase();
    const scale = getScale(unit);
    const value = Number(integer.replaceAll(",", "") + fraction) * scale;
    const tolerance = 0.5 * 10 ** -Math.max(0, fraction.length - 1) * scale;
    const divisor = getDivisor(unit, text.slice(Math.max(0, start - 3), start));
    return { raw: "", start, end: end + (words?.[0].length ?? 0), value, tolerance, scale, divisor };
  });
}

/** Returns the factor of a unit after digits: 1e6 for `million`, 1e4 for 万; 1 for other units. */
export function getScale(unit: string): number {
  if (/^[百千万亿]+$/.test(unit)) return Number(parseNumeralAt(`1${unit}`, 0)?.value ?? 1);
  return SCALE_FACTORS[unit] ?? 1;
}

function getDivisor(unit: string, before: string): number {
  if (unit === "‰") return 1_000;
  return /^(?:[%％]|percent$|per cent$)/.test(unit) || before.endsWith("百分之") ? 100 : 1;
}

/** Masks a match with the same number of characters, so that indexes stay valid. Keeps a scale letter after digits. */
function maskMatch(match: string, ...rest: readonly unknown[]): string {
  const [offset, fullText] = rest
    .filter((argument) => typeof argument === "number" || typeof argument === "string")
    .slice(-2) as [number, string];
  if (/^[kKM]$/.test(match) && /\d\s?$/.test(fullText.slice(0, offset))) return match;
  return match.replace(/[^\n]/g, "\u0001");
}

/** Returns the numbers written in words: 七十四, 百分之七十四点二, seventy-four. */
function parseWordNumbers(text: string): WrittenNumber[] {
  const numbers: WrittenNumber[] = [];
  for (let at = 0; at < text.length;) {
    const parsed = isNumberStart(text, at) ? parseNumeralAt(text, at) : null;
    if (parsed === null || parsed.end <= at) {
      at++;
      continue;
    }
    if (isQuantity(text, at, parsed.end)) {
      const value = Math.abs(Number(parsed.value));
      const decimals = parsed.value.split(".")[1]?.length ?? 0;
      const unit = /^\s*(percent|per cent|%)/i.exec(text.slice(parsed.end, parsed.end + 12))?.[1] ?? "";
      const divisor = getDivisor(unit.toLowerCase(), text.slice(Math.max(0, at - 3), at));
      if (value > MAX_UNREAD_WORD_VALUE || decimals > 0)
        numbers.push({
          raw: "",
          start: at,
          end: parsed.end,
          value,
          tolerance: 0.5 * 10 ** -decimals,
          scale: 1,
          divisor,
        });
    }
    at = parsed.end;
  }
  return numbers;
}

const HAN_NUMERAL = /[零〇一二两三四五六七八九十百千万亿]/;

function isNumberStart(text: string, at: number): boolean {
  const [before = "", char = ""] = [text[at - 1], text[at]];
  return HAN_NUMERAL.test(char) || (/[a-z]/i.test(char) && !/[a-z\d]/i.test(before));
}

/**
 * True if the numerals count something. Chinese numerals need at least two characters, and dates, ordinals, fractions
 * and idioms do not count.
 */
function isQuantity(text: string, at: number, end: number): boolean {
  const raw = text.slice(at, end);
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(end, end + 3)];
  if (!HAN_NUMERAL.test(raw)) return true;
  if (!/[一二两三四五六七八九]/.test(raw) || !/[十百千万亿点]/.test(raw) || raw.length < 2) return false;
  if (/[第几数]$/.test(before) || /^(?:分之|[月日号年]|几|多分)/.test(after)) return false;
  return !/^一(?:千万|百分)$/.test(raw);
}
