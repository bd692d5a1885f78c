// Reads draws of random numbers: a random number between 1 and 6 · 生成3个1到100之间的随机数 · roll 2d6.

import { parseNumeralAt } from "../../language/numerals.ts";
import { normalizeCharacters, removePolitePrefixes, removeSpan, type TextSpan } from "../../language/text-spans.ts";

type NumberRange = TextSpan & { readonly min: number; readonly max: number };

const NUMBER = String.raw`(?:-|(?:minus|negative) |负)?(?:\d[\d,]{0,24}|[零〇一二两三四五六七八九十百千万亿]{1,16}|(?:(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)(?:[ -](?=[a-z]))?){1,6})`;
const BETWEEN = new RegExp(
  String.raw`(?:between |from |in the range |在|从|介于)?\s{0,2}(${NUMBER})\s{0,2}(?:and|to|through|到|至|和|与|~|～|-|–|\.\.)\s{0,2}(${NUMBER})(?:之间|以内|范围内)?`,
  "gi",
);
const UP_TO = new RegExp(
  String.raw`(?:up to|no more than|at most|(below|under|less than|小于|低于)|不超过|最大|最多)\s*(${NUMBER})|(${NUMBER})\s*(?:以内|之内)`,
  "i",
);
const DIGITS = /(\d|[一二两三四五六七八九])\s*(?:-| )?(?:digits?|位数?)/i;
/** `d20` has 20 sides. */
const DIE = /\b(?:die|dice)\b|(?<![a-z\d])(?:\d{1,2})?d(\d{1,4})\b|骰子|色子/i;

/** Returns the range in the text, or null. A missing minimum is 1. */
function parseNumberRange(text: string): NumberRange | null {
  const folded = normalizeCharacters(text);
  const toRange = (
    min: number,
    max: number,
    { index, 0: all }: RegExpExecArray | (RegExpMatchArray & { index: number }),
  ): NumberRange => ({ min, max, start: index, end: index + all.length });
  for (const match of folded.matchAll(BETWEEN)) {
    const [a, b] = [parseSignedNumber(match[1]), parseSignedNumber(match[2])];
    if (a !== null && b !== null) return toRange(Math.min(a, b), Math.max(a, b), match);
  }
  const upTo = UP_TO.exec(folded);
  const limit = parseSignedNumber(upTo?.[2] ?? upTo?.[3]);
  const top = limit === null || upTo?.[1] === undefined ? limit : limit - 1;
  if (upTo !== null && top !== null) return toRange(Math.min(1, top), top, upTo);
  const digits = DIGITS.exec(folded);
  const count = parseSignedNumber(digits?.[1]);
  if (digits !== null && count !== null && count <= 9) return toRange(10 ** (count - 1), 10 ** count - 1, digits);
  const die = DIE.exec(folded);
  return die === null ? null : toRange(1, Number(die[1] ?? 6), die);
}

const COUNT_WORD = "one|two|three|four|five|six|seven|eight|nine|ten";
const COUNT = new RegExp(
  String.raw`(?<![-–~到至\d])(\d{1,3}|[一二两三四五六七八九十]{1,2})\s*[个次颗](?!数字?之|方)|\b(\d{1,3}|${COUNT_WORD}) (?=(?:(?:random|integer|whole) )*(?:numbers|integers|values|dice|times)\b)|(?<![a-z\d])(\d{1,2})(?=d\d)`,
  "i",
);

/** Returns the number of results asked for: `three random numbers`, `生成3个随机数`. 1 by default. */
function parseDrawCount(text: string): number {
  const match = COUNT.exec(normalizeCharacters(text));
  return Math.max(1, parseSignedNumber(match?.[1] ?? match?.[2] ?? match?.[3]) ?? 1);
}

function parseSignedNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  const sign = /^(?:-|minus |negative |负)/i.exec(text)?.[0] ?? "";
  const number = parseNumeralAt(text, sign.length);
  return number === null ? null : Number(number.value) * (sign === "" ? 1 : -1);
}

export type Draw = { readonly min: number; readonly max: number; readonly count: number };

const DEFAULT_RANGE = { min: 1, max: 100 };
const DRAWN = /random|lucky|随机|随便|幸运|骰|色子|\b(?:die|dice)\b|\d*d\d+/i;
const PICKED = /\b(?:pick|choose|draw|generate|think of) (?:an? |some |\d+ )?(?:integer|number)|[选抽挑].{0,12}数/i;
const ENGLISH =
  /^(?:(?:tell|give|show|get|generate|create|make|pick|choose|draw|roll|throw|produce|think of)(?: me)?\b ?)?(?:(?:an?|one|some|the|another)\b ?)?(?:(?:random|lucky|whole) )*(?:numbers?|integers?)?\s*(?:times|twice)?(?: please)?$/i;
const CHINESE =
  /^(?:请|给我|帮我|告诉我|随便|生成|产生|随机|抽取?|选取?|掷|扔|摇|来|要|取|从|在|的|之间|里|中|[一个次颗])*(?:随机|幸运)*[的整]*数?字?(?:吧|呢)?$/;

/** Returns the range and the number of draws; null if the text asks for anything else, such as a random word. */
export function readDraw(text: string): Draw | null {
  const words = normalizeCharacters(removePolitePrefixes(text)).replace(/[\s?.。!]+$/, "");
  const isCounted = COUNT.test(words);
  const uncounted = words.replace(COUNT, "");
  const range = parseNumberRange(uncounted);
  if (!DRAWN.test(words) && !(range !== null && PICKED.test(words))) return null;
  const rest = (range === null ? uncounted : removeSpan(uncounted, range)).replace(/\s+/g, " ").trim();
  if (!ENGLISH.test(rest) && !CHINESE.test(rest.replaceAll(" ", ""))) return null;
  const { min, max } = range ?? DEFAULT_RANGE;
  return { min, max, count: /\btwice\b/i.test(words) ? 2 : isCounted ? parseDrawCount(words) : 1 };
}
