// Reads work on a text: count its words, change its case, reverse it.

import { findQuotations, normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";
import { removeQuotes } from "./literal-text.ts";

export type TextWork =
  | { readonly kind: "count"; readonly text: string }
  | { readonly kind: "change"; readonly operation: TextOperation; readonly text: string };

type TextOperation = "uppercase" | "lowercase" | "titlecase" | "reverse";

const OPERATIONS: readonly (readonly [TextOperation, verb: string, state: string, chinese: string])[] = [
  ["titlecase", "title ?case|capitali[sz]e", "title ?case", "首字母大写"],
  ["uppercase", "upper ?case", "upper ?case(?: letters)?|(?:all )?caps|capitals|capital letters", "大写(?:字母)?"],
  ["lowercase", "lower ?case", "lower ?case(?: letters)?", "小写(?:字母)?"],
  ["reverse", "reverse", "reverse|backwards?", "反转|倒序|倒过来|反过来"],
];

const UNIT = "words?|characters?|lines|sentences";
const UNIT_ZH = "字符|单词|字|词|行|句";
const THING = String.raw`(?:(?:the|this|these|following) )*(?:text|sentence|phrase|string|words?|lines?)(?::| (?=["'“\`]))? ?`;
/** The text, without a noun before it. */
const T = String.raw`(?:${THING}|this:|these:|:)? ?(?<text>.+?)`;
const toPatterns = (sources: readonly string[]): RegExp[] => sources.map((source) => new RegExp(`^${source}$`, "dis"));
const COUNTS = toPatterns([
  `(?:count|how many) (?:the )?(?:number of )?(?:${UNIT})(?: are| are there)?(?: (?:in|of)\\b:?|:) ?${T}`,
  `(?:统计|数一?数|数一下)(?:一下)?(?:下面|以下|这段|这句|的|文字|文本|话)*(?:有?多少|几)?个?(?:${UNIT_ZH})[数个]?: ?(?<text>.+)`,
  `(?:统计|数一?数|数一下|计算)(?:一下)?(?<text>.+?)(?:的|有|里有|中有|里面有|一共有)(?:多少|几)?个?(?:${UNIT_ZH})数?`,
  `(?<text>.+?)(?:里面?|中|一共|共)?有(?:多少|几)个?(?:${UNIT_ZH})`,
]);

const CHANGES = OPERATIONS.map(([operation, verb, state, chinese]) => ({
  operation,
  patterns: toPatterns([
    `(?:convert|change|turn|make|put|transform|write) ${T} (?:(?:to|into|in|as) )?(?:${state})`,
    `(?:${verb}): ?(?<text>.+)`,
    `(?:${verb}) ${T}`,
    `(?:把|将)(?<text>.+?)(?:这个?(?:词|字|句子|文本)|全部|都)?(?:[转变改换]换?[成为]?)?(?:全部)?(?:${chinese})`,
    `(?<text>.+?)(?:转换?[成为]?|变[成为]?)(?:${chinese})`,
  ]),
}));

/** Words for an earlier result, whose text is not here. */
const POINTER =
  /^(?:再|都|全部|然后|it|that|this|them|the (?:result|text|answer)|结果|它|这个?|那个?|(?:上面|刚才)的?(?:结果|内容|文字)?)$/i;
/** Words that an operation on letters does not cover, or that name no text. */
const OTHER =
  /^(?:in|of) |\b(?:letter|word|character)s? of\b|^(?:the )?(?:order of|words (?:in|of)|letters (?:in|of)|vowels|syllables)\b|^(?:this|my|your) (?:sentence|text|message|question)$|^(?:each|every)\b|单词顺序|词序/i;

const ASKED = /count|how many|case|caps|capital|revers|backward|字|词|行|写|反|倒|数/i;

/** Returns the work; null if the text asks for anything else. */
export function readTextWork(request: string): TextWork | null {
  if (!ASKED.test(normalizeCharacters(request))) return null;
  const words = removePolitePrefixes(request).replace(/(?<![:：].*)[?？。]+$/, "");
  const counted = matchText(COUNTS, words);
  if (counted !== null) return { kind: "count", text: counted };
  for (const { operation, patterns } of CHANGES) {
    const text = matchText(patterns, words);
    if (text !== null) return { kind: "change", operation, text };
  }
  return null;
}

/** Returns the text of the first pattern that matches; null if there is none. */
function matchText(patterns: readonly RegExp[], words: string): string | null {
  for (const pattern of patterns) {
    const [start, end] = pattern.exec(normalizeCharacters(words))?.indices?.groups?.["text"] ?? [0, 0];
    const text = words.slice(start, end).trim();
    const isDescribed = /^how many/i.test(words) && /^(?:the|an?|my|your|our) /i.test(text) && !/[:：]/.test(words);
    if (text === "" || OTHER.test(text) || isDescribed) continue;
    if (POINTER.test(normalizeCharacters(text))) return null;
    const bare = removeQuotes(text);
    // Two quotations are two texts, and words beside one are more work.
    if (bare === text && findQuotations(text).length > 0 && !/[:：]\s*$/.test(words.slice(0, start))) continue;
    return bare;
  }
  return null;
}
