// Parser of numbers in digits, Chinese and English: 1,234.5 · 3万 · 一百二十三 · twenty-one · two hundred and five.

/**
 * A number in a text: its value as text for `Number`, such as `-3.5` or `1e5`, and the index after its last character.
 */
export type ParsedNumeral = { readonly value: string; readonly end: number };

const CHINESE_DIGITS = "零一二三四五六七八九";
const CHINESE_UNITS = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1_000],
  ["万", 10_000],
  ["亿", 100_000_000],
]);

const SMALL = new Map(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
    "sixteen seventeen eighteen nineteen"
  )
    .split(" ")
    .map((word, value) => [word, value]),
);
const TENS = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, i) => [word, (i + 2) * 10]),
);
const SCALES = new Map([
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
]);

const DIGITS = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?(?:e[+-]?\d{1,3}(?![\da-z]))?/iy;
const SCALE_AFTER_DIGITS = /\s*(hundred|thousand|million|billion)\b/iy;
const CHINESE_NUMBER =
  /(?:负)?(?:\d+(?:\.\d+)?[百千万亿][零〇一二两三四五六七八九十百千万亿\d]{0,40}|[零〇一二两三四五六七八九十百千万亿]{1,40}(?:点[零〇一二两三四五六七八九]{1,40})?)/y;
/** 一 in words that are not numbers: 一下, 一起 … */
const DETERMINER = /一(?:[下些起样般定切直遍次旦边段句篇首]|共)/y;
const WORD = /[a-z]+/iy;

/** Parses the number that starts exactly at index `at`, without a minus sign. Returns null if none starts there. */
export function parseNumeralAt(text: string, at: number): ParsedNumeral | null {
  return parseChineseNumeral(text, at) ?? parseDigits(text, at) ?? parseEnglishNumeral(text, at);
}

/** Parses the number with which the text starts, also after a minus sign; NaN if it starts with none. */
export function parseNumeral(text: string): number {
  const isNegative = text.startsWith("-");
  const value = Number(parseNumeralAt(text.toLowerCase(), isNegative ? 1 : 0)?.value ?? Number.NaN);
  return isNegative ? -value : value;
}

function parseDigits(text: string, at: number): ParsedNumeral | null {
  DIGITS.lastIndex = at;
  const digits = DIGITS.exec(text)?.[0];
  if (digits === undefined) return null;
  const value = digits.replaceAll(",", "");
  const end = at + digits.length;
  SCALE_AFTER_DIGITS.lastIndex = end;
  const scale = SCALE_AFTER_DIGITS.exec(text);
  if (scale === null) return { value, end };
  const word = (scale[1] ?? "").toLowerCase();
  const factor = word === "hundred" ? 100 : (SCALES.get(word) ?? 1);
  return { value: String(Number(value) * factor), end: end + scale[0].length };
}

function parseChineseNumeral(text: string, at: number): ParsedNumeral | null {
  DETERMINER.lastIndex = at;
  if (DETERMINER.test(text)) return null;
  CHINESE_NUMBER.lastIndex = at;
  const match = CHINESE_NUMBER.exec(text)?.[0];
  if (match === undefined) return null;
  const value = computeChineseValue(match.replace("负", ""));
  return value === null ? null : { value: `${match.startsWith("负") ? "-" : ""}${value}`, end: at + match.length };
}

/** Returns the value of a Chinese numeral: 一百二十三 → 123, 三点五 → 3.5, 二〇二六 → 2026, 3万5千 → 35000. */
function computeChineseValue(numeral: string): string | null {
  const [integerPart = "", fraction] = numeral.split("点");
  const digit = (char: string) => CHINESE_DIGITS.indexOf(char === "〇" ? "零" : char === "两" ? "二" : char);
  const decimals = fraction === undefined ? "" : `.${[...fraction].map(digit).join("")}`;
  if (!/[十百千万亿]/.test(integerPart)) return [...integerPart].map(digit).join("") + decimals;
  let total = 0;
  let section = 0;
  let current: number | null = null;
  let lastUnit = 1;
  for (const [token] of integerPart.matchAll(/\d+(?:\.\d+)?|[^\d]/g)) {
    const unit = CHINESE_UNITS.get(token);
    if (unit === undefined) {
      current = /\d/.test(token) ? Number(token) : digit(token);
      if (current === 0) lastUnit = 1;
    } else if (unit >= 10_000) {
      total = (total + section + (current ?? (section + total === 0 ? 1 : 0))) * unit;
      [section, current, lastUnit] = [0, null, unit];
    } else {
      section += (current ?? 1) * unit;
      [current, lastUnit] = [null, unit];
    }
  }
  // 三百五 is 350: a bare digit after a unit is multiplied by the next smaller unit.
  const rest = (current ?? 0) * (lastUnit >= 100 && current !== null ? lastUnit / 10 : 1);
  const value = total + section + rest;
  return Number.isFinite(value) ? String(Math.round(value * 1e6) / 1e6) + decimals : null;
}

function parseEnglishNumeral(text: string, at: number): ParsedNumeral | null {
  let total = 0;
  let section: number | null = null;
  let end = at;
  let position = at;
  for (;;) {
    WORD.lastIndex = position;
    const word = WORD.exec(text)?.[0].toLowerCase();
    if (word === undefined) break;
    const after = position + word.length;
    const value = SMALL.get(word) ?? TENS.get(word);
    const scale = SCALES.get(word);
    if (value !== undefined) {
      if (section !== null && !canContinueNumber(section, value)) break;
      section = (section ?? 0) + value;
    } else if (word === "hundred" && section !== null) section *= 100;
    else if (scale !== undefined && section !== null) {
      total += section * scale;
      section = 0;
    } else if (
      (word === "a" || word === "an") &&
      section === null &&
      /^\s+(?:hundred|thousand|million|billion)\b/i.test(text.slice(after, after + 12))
    ) {
      section = 1;
    } else if (
      word === "and" &&
      section !== null &&
      (section % 100 === 0 || section === 0) &&
      section + total >= 100 &&
      isNumberNext(text, after)
    ) {
      position = after + 1;
      continue;
    } else break;
    end = after;
    position = end + (/[\s-]/.test(text[end] ?? "") ? 1 : 0);
  }
  if (section === null) return null;
  const decimals = /^ point((?: (?:zero|one|two|three|four|five|six|seven|eight|nine)\b)+)/i.exec(
    text.slice(end, end + 120),
  );
  const digits = (decimals?.[1] ?? "")
    .trim()
    .toLowerCase()
    .split(" ")
    .map((word) => SMALL.get(word) ?? "")
    .join("");
  return { value: `${total + section}${digits === "" ? "" : `.${digits}`}`, end: end + (decimals?.[0].length ?? 0) };
}

/** True if a number word continues the number: twenty + one, two hundred + five, but not one + two. */
function canContinueNumber(section: number, value: number): boolean {
  if (section === 0) return true;
  return section % 100 === 0 || (section % 10 === 0 && section % 100 >= 20 && value < 10);
}

function isNumberNext(text: string, at: number): boolean {
  WORD.lastIndex = at + 1;
  const word = WORD.exec(text)?.[0].toLowerCase() ?? "";
  return SMALL.has(word) || TENS.has(word);
}
