// Parses ranges for random numbers: between 1 and 6 · 1到100之间 · 不超过50 · a die.

import { parseNumeralAt } from "../language/numerals.ts";
import { normalizeCharacters, type TextSpan } from "../language/text-spans.ts";

export type NumberRange = TextSpan & { readonly min: number; readonly max: number };

const NUMBER = String.raw`(?:-|(?:minus|negative) |负)?(?:\d[\d,]{0,24}(?:\.\d{1,20})?|[零〇一二两三四五六七八九十百千万亿]{1,16}|(?:(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)(?:[ -](?=[a-z]))?){1,6})`;
const BETWEEN = new RegExp(
  String.raw`(?:between |from |在|从)?\s{0,2}(${NUMBER})\s{0,2}(?:and|to|through|到|至|和|与|~|～|-|–|\.\.)\s{0,2}(${NUMBER})`,
  "gi",
);
const UP_TO = new RegExp(
  String.raw`(?:up to|no more than|at most|(below|under|less than|小于|低于)|不超过|最大|最多)\s*(${NUMBER})|(${NUMBER})\s*(?:以内|以下|之内)`,
  "i",
);
/** `d20` has 20 sides. */
const DIE = /\b(?:die|dice)\b|(?<![a-z\d])(?:\d{1,2})?d(\d{1,4})\b|骰子|色子/i;
const DIGITS = /(\d|[一二两三四五六七八九])\s*(?:-| )?(?:digits?|位数?)/i;

/** Returns the range in the text, or null. A missing minimum is 1. */
export function parseNumberRange(text: string): NumberRange | null {
  const folded = normalizeCharacters(text);
  for (const match of folded.matchAll(BETWEEN)) {
    const [a, b] = [parseSignedNumber(match[1]), parseSignedNumber(match[2])];
    if (a === null || b === null) continue;
    return { min: Math.min(a, b), max: Math.max(a, b), start: match.index, end: match.index + match[0].length };
  }
  const upTo = UP_TO.exec(folded);
  const limit = parseSignedNumber(upTo?.[2] ?? upTo?.[3]);
  const top = limit === null || upTo?.[1] === undefined ? limit : limit - 1;
  if (upTo !== null && top !== null)
    return { min: Math.min(1, top), max: top, start: upTo.index, end: upTo.index + upTo[0].length };
  const digits = DIGITS.exec(folded);
  const count = parseSignedNumber(digits?.[1]);
  if (digits !== null && count !== null && count <= 15) {
    return { min: 10 ** (count - 1), max: 10 ** count - 1, start: digits.index, end: digits.index + digits[0].length };
  }
  const die = DIE.exec(folded);
  if (die === null) return null;
  return { min: 1, max: Number(die[1] ?? 6), start: die.index, end: die.index + die[0].length };
}

const COUNT =
  /(?<![-–~到至\d])(\d{1,3}|[一二两三四五六七八九十]{1,2})\s*(?:个(?!数字?之)|次(?!方))|\b(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten) (?:(?:(?:different|random|integer|whole) )+(?:numbers|integers|values)|dice|times)\b|(?<![a-z\d])(\d{1,2})(?=d\d)/i;

/** Returns the number of results asked for: `three random numbers`, `生成3个随机数`. 1 by default. */
export function parseDrawCount(text: string): number {
  const match = COUNT.exec(normalizeCharacters(text));
  return Math.max(1, parseSignedNumber(match?.[1] ?? match?.[2] ?? match?.[3]) ?? 1);
}

function parseSignedNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  const sign = /^(?:-|minus |negative |负)/i.exec(text)?.[0] ?? "";
  const isNegative = sign !== "";
  const number = parseNumeralAt(text, sign.length);
  return number === null ? null : Number(number.value) * (isNegative ? -1 : 1);
}
