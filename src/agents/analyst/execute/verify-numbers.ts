// Verifies the numbers in a generated text: each one has to come from a tool or from the request. Dates, ordinals and
// names with digits are not checked, and neither are number words up to ten.

import { parseNumeralAt } from "../../../language/numerals.ts";

/** Absolute values in ascending order. */
export type KnownNumbers = Float64Array;

/** A number as written. `tolerance` is the tolerance that follows from its rounding. */
type WrittenNumber = {
  readonly raw: string;
  readonly value: number;
  readonly tolerance: number;
  readonly isPercent: boolean;
};

/** Maximum number of values that are visited. */
const MAX_VALUES = 500_000;
/** Maximum characters read from one text. */
const MAX_TEXT_CHARS = 20_000;
/** Number words up to this value are not checked. */
const MAX_UNCHECKED_WORD_VALUE = 10;

const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const NUMBERED_NOUNS =
  "top|no\\.|number|question|step|unit|chapter|section|table|figure|fig\\.|part|phase|level|option|tier|week|day|grade|form|class|year|group|item|point|lesson|module|page|tab|term|semester|quarter|version";

/** Texts with digits that are not figures. They are masked before numbers are read. */
const NON_FIGURE_PATTERNS: readonly RegExp[] = [
  /https?:\/\/\S+/g,
  // List items and headings with numbers.
  /^[ \t]*(?:[#>*-]+[ \t]*)*\**\d{1,3}[.)、．](?!\d)/gm,
  /[(（]\d{1,2}[)）]/g,
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
  /\b(?:in|since|until|by|from|of|to|during|year|spring|summer|autumn|fall|winter)\s+(?:19|20)\d{2}\b/gi,
  /\b(?:Q[1-4]|H[12]|FY)\s*(?:19|20)?\d{0,2}(?:\s+(?:19|20)\d{2})?\b/gi,
  /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?/gi,
  // Ordinals and numbered things.
  /\b\d+(?:st|nd|rd|th)\b/gi,
  /第\s*[\d零〇一二两三四五六七八九十百千]+/g,
  /(?:前|步骤|单元|题|表|图)\s*\d{1,3}(?![\d.]*\s*[%％分])/g,
  new RegExp(`(?<![a-z])(?:${NUMBERED_NOUNS})\\s*#?\\d{1,3}(?![\\d.,]*\\d|\\s*[%％])`, "gi"),
  /#\d+/g,
  // Names: 1A, a-001, f1a, P90.
  /(?<![$€£¥\d.])\d{1,2}-?[A-JLN-Z]\b/g,
  /[a-z_][a-z\d_]*(?:-[a-z\d_]+)*/gi,
];

const DIGIT_NUMBER_PATTERN =
  /(?<![\d.])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:\s*(%|％|‰|个百分点|万|亿|千|[kKM](?![a-zA-Z])))?/g;
const SCALE_WORD_PATTERN = /^\s*(percent|per cent|percentage points?|thousand|million|billion)\b/i;
const SCALE_FACTORS: Readonly<Record<string, number>> = {
  k: 1e3,
  千: 1e3,
  thousand: 1e3,
  万: 1e4,
  m: 1e6,
  million: 1e6,
  亿: 1e8,
  billion: 1e9,
};

/**
 * Returns the numbers in the text that match no known number, as written and each once. Signs are ignored. A number
 * matches within its rounding; a percentage also matches the share it stands for.
 */
export function findUnverifiedNumbers(text: string, known: KnownNumbers): string[] {
  const plain = toHalfWidth(text);
  const wrong = [...parseDigitNumbers(plain), ...parseWordNumbers(plain)].filter((number) => !isKnown(number, known));
  return [...new Set(wrong.map(({ raw }) => raw))];
}

/**
 * Returns the absolute values of all numbers in JSON values: numbers, numbers in texts and member names, and the
 * lengths of lists. Stops after 500,000 values, and reads at most 20,000 characters of each text.
 */
export function collectKnownNumbers(...values: readonly unknown[]): KnownNumbers {
  const numbers = new Set<number>();
  const seenTexts = new Set<string>();
  const queue: unknown[] = [...values];
  for (let seen = 0; queue.length > 0 && seen < MAX_VALUES; seen++) {
    const value = queue.pop();
    if (typeof value === "number" && Number.isFinite(value)) numbers.add(Math.abs(value));
    else if (typeof value === "string") {
      if (seenTexts.has(value)) continue;
      seenTexts.add(value);
      for (const number of parseAllNumbers(value)) numbers.add(number);
    } else if (Array.isArray(value)) {
      numbers.add(value.length);
      for (const member of value as unknown[]) queue.push(member);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) queue.push(name, member);
    }
  }
  return Float64Array.from(numbers).sort();
}

/** Cheap tests that a text may contain number words, or digits with a scale. */
const NUMBER_WORD_PATTERN =
  /[十百千万亿点]|\b(?:ten|eleven|twelve|\w{3,5}teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)\b/i;
const SCALED_NUMBER_PATTERN = /\d\s*(?:[万亿千kKM]|thousand|million|billion)/;

/**
 * Returns every number that the text may contain. It accepts more than `parseDigitNumbers`, because extra known numbers
 * do little harm.
 */
function parseAllNumbers(text: string): number[] {
  const plain = toHalfWidth(text.slice(0, MAX_TEXT_CHARS));
  const digits = [...plain.matchAll(/(?<![a-z_]-?|[\d.])\d+(?:,\d{3})*(?:\.\d+)?/gi)].map(([raw]) =>
    Number(raw.replaceAll(",", "")),
  );
  const scaled = SCALED_NUMBER_PATTERN.test(plain) ? parseDigitNumbers(plain) : [];
  const words = NUMBER_WORD_PATTERN.test(plain) ? parseWordNumbers(plain) : [];
  return [...digits, ...[...scaled, ...words].map(({ value }) => value)];
}

/** Converts full-width digits and signs. A full-width comma stays, because it is not part of a number. */
function toHalfWidth(text: string): string {
  return text.replace(/[０-９．％]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));
}

/** Returns the numbers written in digits, with their scale and percent sign. */
function parseDigitNumbers(text: string): WrittenNumber[] {
  const figures = NON_FIGURE_PATTERNS.reduce((rest, pattern) => rest.replace(pattern, maskMatch), text);
  return [...figures.matchAll(DIGIT_NUMBER_PATTERN)].map((match) => {
    const [matchedText, integer = "", fraction = "", sign = ""] = match;
    const at = match.index + matchedText.length;
    // Words after a number are masked together with the names, so they are read from the original text.
    const word =
      sign === "" ? (SCALE_WORD_PATTERN.exec(text.slice(at, at + 24))?.[1] ?? "").toLowerCase() : sign.toLowerCase();
    const scale = SCALE_FACTORS[word] ?? 1;
    const value = Number(integer.replaceAll(",", "") + fraction) * scale;
    const tolerance = 0.5 * 10 ** -Math.max(0, fraction.length - 1) * scale;
    return { raw: matchedText.trim(), value, tolerance, isPercent: /^(?:%|％|‰|percent|per cent)/.test(word) };
  });
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
    const raw = text.slice(at, parsed.end);
    if (isQuantity(text, at, parsed.end)) {
      const value = Math.abs(Number(parsed.value));
      const decimals = parsed.value.split(".")[1]?.length ?? 0;
      const isPercent =
        text.slice(0, at).endsWith("百分之") || /^\s*(?:percent|per cent|%)/i.test(text.slice(parsed.end));
      if (value > MAX_UNCHECKED_WORD_VALUE || decimals > 0)
        numbers.push({ raw, value, tolerance: 0.5 * 10 ** -decimals, isPercent });
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

/** True if the number, its share, or all parts of a list such as `58,85,72` are known. */
function isKnown(number: WrittenNumber, known: KnownNumbers): boolean {
  const { value, tolerance, raw } = number;
  if (containsNear(known, value, tolerance)) return true;
  if (number.isPercent && containsNear(known, value / 100, tolerance / 100)) return true;
  const parts = raw.split(",");
  return parts.length > 1 && parts.every((part) => containsNear(known, Number.parseFloat(part), 0.5));
}

/** Searches the sorted list for a value within the tolerance. */
function containsNear(known: KnownNumbers, value: number, tolerance: number): boolean {
  const margin = tolerance + Math.abs(value) * 1e-9;
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((known[middle] ?? 0) < value - margin) low = middle + 1;
    else high = middle;
  }
  const next = known[low];
  return next !== undefined && next <= value + margin;
}
