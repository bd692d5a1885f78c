// Reads draws of random numbers: a random number between 1 and 6 · 生成3个1到100之间的随机数 · roll 2d6.

import { parseNumeralAt } from "../../language/numerals.ts";
import { normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";

export type Draw = { readonly min: number; readonly max: number; readonly count: number };

const NUMBER = String.raw`-?(?:\d[\d,]{0,24}|[零一二两三四五六七八九十百千万]{1,16}|(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|fifty|hundred|thousand)\b)`;
const BETWEEN = new RegExp(
  String.raw`(?:between |from |在|从)?\s{0,2}(${NUMBER})\s{0,2}(?:and|to|到|至|和|~|-|–)\s{0,2}(${NUMBER})(?:之间|以内|范围内)?`,
  "i",
);
const UP_TO = new RegExp(String.raw`(?:up to|at most|不超过)\s*(${NUMBER})|(${NUMBER})\s*(?:以内|之内)`, "i");
/** `d20` has 20 sides. */
const DIE = /\b(?:die|dice)\b|(?<![a-z\d])(?:\d{1,2})?d(\d{1,4})\b|骰子|色子/i;

const COUNT = new RegExp(
  String.raw`(?<![-–~到至\d])(\d{1,3}|[一二两三四五六七八九十]{1,2})\s*[个次颗](?!数字?之)|\b(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten) (?=(?:(?:random|whole) )*(?:numbers|integers|dice|times)\b)|(?<![a-z\d])(\d{1,2})(?=d\d)`,
  "i",
);

const DEFAULT_MAX = 100;
const DRAWN = /random|随机|随便|骰|色子|\b(?:die|dice)\b|\d*d\d+/i;
const ENGLISH =
  /^(?:(?:tell|give|show|get|generate|create|make|pick|choose|draw|roll|throw)(?: me)?\b ?)?(?:(?:an?|one|some|the|another)\b ?)?(?:(?:random|whole) )*(?:numbers?|integers?)?\s*(?:times|twice)?(?: please)?$/i;
const CHINESE =
  /^(?:请|给我|帮我|告诉我|随便|生成|产生|随机|抽取?|选取?|掷|扔|摇|来|要|取|从|在|的|之间|里|中|[一个次颗])*(?:随机)*[的整]*数?字?(?:吧|呢)?$/;

/** Returns the range and the number of draws; null if the text asks for anything else, such as a random word. */
export function readDraw(text: string): Draw | null {
  const words = normalizeCharacters(removePolitePrefixes(text)).replace(/[\s?.。!]+$/, "");
  if (!DRAWN.test(words)) return null;
  const counted = COUNT.exec(words);
  const uncounted = words.replace(COUNT, "");
  const found = findRange(uncounted);
  const rest = uncounted
    .replace(found?.words ?? "", "")
    .replace(/\s+/g, " ")
    .trim();
  if (!ENGLISH.test(rest) && !CHINESE.test(rest.replaceAll(" ", ""))) return null;
  const count = parseNumber(counted?.slice(1).find((group) => group !== undefined)) || 1;
  const [a, b] = found?.range ?? [1, DEFAULT_MAX];
  return { min: Math.min(a, b), max: Math.max(a, b), count: /\btwice\b/i.test(words) ? 2 : count };
}

/** Returns the range in a text and its words. A missing minimum is 1. */
function findRange(text: string): { readonly range: readonly [number, number]; readonly words: string } | null {
  const between = BETWEEN.exec(text);
  if (between !== null) return { range: [parseNumber(between[1]), parseNumber(between[2])], words: between[0] };
  const upTo = UP_TO.exec(text);
  if (upTo !== null) return { range: [1, parseNumber(upTo[1] ?? upTo[2])], words: upTo[0] };
  const die = DIE.exec(text);
  return die === null ? null : { range: [1, Number(die[1] ?? 6)], words: die[0] };
}

function parseNumber(text = ""): number {
  const sign = text.startsWith("-") ? 1 : 0;
  return Number(parseNumeralAt(text, sign)?.value ?? 0) * (sign === 1 ? -1 : 1);
}
