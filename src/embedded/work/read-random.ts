// Reads draws of random numbers: a random number between 1 and 6 · 生成一个1到100之间的随机数 · roll a d20.

import { parseNumeral } from "../../language/numerals.ts";
import { normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";

export type Draw = { readonly min: number; readonly max: number };

const NUMBER = String.raw`-?(?:\d[\d,]{0,24}|[零一二两三四五六七八九十百千万]{1,16}|(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|fifty|hundred|thousand)\b)`;
const BETWEEN = new RegExp(
  String.raw`(?:between |from |在|从)?\s{0,2}(${NUMBER})\s{0,2}(?:and|to|到|至|和|~|-|–)\s{0,2}(${NUMBER})(?:之间|以内|范围内)?`,
  "i",
);
/** `d20` has 20 sides. */
const DIE = /\b(?:die|dice)\b|(?<![a-z\d])d(\d{1,4})\b|骰子|色子/i;

const DEFAULT_MAX = 100;
const DRAWN = /random|随机|随便|骰|色子|\b(?:die|dice)\b|\bd\d+/i;
const ENGLISH =
  /^(?:(?:tell|give|show|get|generate|create|make|pick|choose|draw|roll|throw)(?: me)?\b ?)?(?:(?:an?|one|some|the|another)\b ?)?(?:(?:random|whole) )*(?:number|integer)?\s*(?: please)?$/i;
const CHINESE =
  /^(?:请|给我|帮我|告诉我|随便|生成|产生|随机|抽取?|选取?|掷|扔|摇|来|要|取|从|在|的|之间|里|中|[1一][个次颗]|个)*(?:随机)*[的整]*数?字?(?:吧|呢)?$/;

/** Returns the range of one draw; null if the text asks for anything else, such as a random word. */
export function readDraw(text: string): Draw | null {
  const words = normalizeCharacters(removePolitePrefixes(text)).replace(/[\s?.。!]+$/, "");
  if (!DRAWN.test(words)) return null;
  const found = findRange(words);
  const rest = words
    .replace(found?.words ?? "", "")
    .replace(/\s+/g, " ")
    .trim();
  if (!ENGLISH.test(rest) && !CHINESE.test(rest.replaceAll(" ", ""))) return null;
  const [a, b] = found?.range ?? [1, DEFAULT_MAX];
  return { min: Math.min(a, b), max: Math.max(a, b) };
}

/** Returns the range in a text and its words; null if there is none. */
function findRange(text: string): { readonly range: readonly [number, number]; readonly words: string } | null {
  const [words, from = "", to = ""] = BETWEEN.exec(text) ?? [];
  if (words !== undefined) return { range: [parseNumeral(from), parseNumeral(to)], words };
  const die = DIE.exec(text);
  return die === null ? null : { range: [1, Number(die[1] ?? 6)], words: die[0] };
}
