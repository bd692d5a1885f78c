// Reads work on a text: count its words, change its case, reverse, trim, sort or replace.

import { findQuotations, normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";
import { parseReplacement, removeQuotes, type TextReplacement } from "./literal-text.ts";

/** The text is null if the work is on the last result: count its words · 再转大写. */
export type TextWork =
  | { readonly kind: "count"; readonly text: string | null }
  | { readonly kind: "change"; readonly operation: TextOperation; readonly text: string | null }
  | ({ readonly kind: "replace" } & TextReplacement);

type TextOperation = "uppercase" | "lowercase" | "titlecase" | "reverse" | "trim" | "sort_lines" | "unique_lines";

const OPERATIONS: readonly (readonly [TextOperation, verb: string, state: string, chinese: string])[] = [
  ["titlecase", "title ?case|capitali[sz]e", "title ?case", "首字母大写"],
  ["uppercase", "upper ?case", "upper ?cased?(?: letters)?|(?:all )?caps|capitals|capital letters", "大写(?:字母)?"],
  ["lowercase", "lower ?case", "lower ?cased?(?: letters)?", "小写(?:字母)?"],
  ["reverse", "reverse", "reverse|backwards?", "反转|倒序|逆序|颠倒|倒过来|反过来"],
  ["trim", "trim", "▢", "去(?:掉|除)?(?:首尾|两端|多余)的?空[格白]"],
  ["unique_lines", "dedup(?:licate)?|remove duplicate lines (?:in|from)", "▢", "去重"],
  ["sort_lines", "sort(?: alphabetically)?", "▢", "排个?序|按字母排序"],
];

const UNIT = "words?|characters?|chars|lines|sentences";
const UNIT_ZH = "字符|单词|字|词|行|句";
const THING = String.raw`(?:(?:the|this|these|following) )*(?:text|sentence|phrase|string|words?|lines?)(?::| (?=["'“\`]))? ?`;
/** The text, without a noun before it. */
const T = String.raw`(?:${THING}|this:|these:|:)? ?(?<text>.+?)`;
const toPatterns = (sources: readonly string[]): RegExp[] => sources.map((source) => new RegExp(`^${source}$`, "dis"));
const COUNTS = toPatterns([
  `(?:count|how many) (?:the )?(?:number of )?(?:${UNIT})(?: and (?:the )?(?:${UNIT}))?(?: are| are there)?(?: (?:in|of|from)\\b:?|:) ?${T}`,
  `how many (?:${UNIT}) does ${T} have`,
  `(?:the )?(?:word|character|line) count (?:of|for|in) ${T}`,
  `(?:统计|数一?数|数一下)(?:一下)?(?:下面|以下|这段|这句|的|文字|文本|话)*(?:有?多少|几)?个?(?:${UNIT_ZH})[数个]?: ?(?<text>.+)`,
  `(?:统计|数一?数|数一下|计算)(?:一下)?(?<text>.+?)(?:的|有|里有|中有|里面有|一共有)(?:多少|几)?个?(?:${UNIT_ZH})数?`,
  `(?<text>.+?)(?:里面?|中|一共|共)?有(?:多少|几)个?(?:${UNIT_ZH})`,
]);
const COUNTS_LAST = new RegExp(
  `^(?:count )?(?:its|the) (?:${UNIT})$|^count (?:it|that)$|^(?:统计|数一?数|数一下)(?:一下)?(?:它的?|结果的?)?(?:${UNIT_ZH})数?$`,
  "i",
);

const CHANGES = OPERATIONS.map(([operation, verb, state, chinese]) => ({
  operation,
  patterns: toPatterns([
    `(?:convert|change|turn|make|put|transform|write|show|print|say|spell) ${T} (?:(?:to|into|in|as) )?(?:${state})`,
    `(?:${verb}|put in (?:${state})): ?(?<text>.+)`,
    `(?:${verb})(?: ${T})`,
    `(?<text>.+?) (?:in|to|into) (?:${state})`,
    `(?:把|将)(?<text>.+?)(?:这个?(?:词|字|句子|文本)|全部|都)?(?:[转变改换]换?[成为]?)?(?:全部)?(?:${chinese})`,
    `(?:${chinese})(?:一下)?:? ?(?<text>.+)`,
    `(?<text>.+?)(?:转换?[成为]?|变[成为]?)(?:${chinese})`,
  ]),
  last: new RegExp(
    `^(?:${verb})(?: (?:it|that|the result))?$|^(?:make|turn|convert|change) (?:it|that|the result) (?:(?:to|into) )?(?:${state})$|^(?:把|将)?(?:它|结果|文字|文本)?(?:全部|都)?(?:转换?[成为]?|变[成为]?)?(?:${chinese})$`,
    "i",
  ),
}));

const POINTER =
  /^(?:it|that|this|them|the (?:result|text|output|answer)|结果|它|这个?|那个?|(?:上面|刚才)的?(?:结果|内容|文字)?|(?:所有|全部)的?结果|两个结果|all (?:the )?results)$/i;
/** Words that a text operation of letters does not cover, or that name no text. */
const OTHER =
  /^(?:in|of) |\b(?:letter|word|character)s? of\b|^(?:the )?(?:order of|words (?:in|of)|letters (?:in|of)|vowels|syllables)\b|^(?:this|my|your) (?:sentence|text|message|question)$|^(?:each|every)\b|单词顺序|词序/i;
const OTHER_ORDER =
  /\b(?:de|a)scending\b|by length|[降升]序|从[大高小低]到|按长度|^(?:[\s,、]|-?\d+(?:\.\d+)?|and\b|和)+$/i;

const ASKED =
  /count|how many|case|caps|capital|revers|backward|trim|sort|dup|replac|substitut|change|字|词|行|写|反|倒|逆|颠|空|重|排|换|改|数/i;

/** Returns the work; null if the text asks for anything else. */
export function readTextWork(request: string): TextWork | null {
  if (!ASKED.test(normalizeCharacters(request))) return null;
  const words = removePolitePrefixes(request).replace(/(?<![:：].*)[?？。]+$/, "");
  // A result that was inserted behind the request: 再转大写: "cba".
  const [, head, inserted] = /^(.+?): ("[^"]*")$/s.exec(words) ?? [];
  if (head !== undefined && inserted !== undefined) {
    const work = readTextWork(head);
    if (work !== null && work.kind !== "replace" && work.text === null)
      return { ...work, text: removeQuotes(inserted) };
  }
  const replacement = parseReplacement(words);
  if (replacement !== null) return { kind: "replace", ...replacement };
  const plain = normalizeCharacters(words)
    .replace(/^(?:再|然后|接着|and|then|now)\s*/i, "")
    .trim();
  if (COUNTS_LAST.test(plain)) return { kind: "count", text: null };
  const counted = matchText(COUNTS, words);
  if (counted !== undefined) return { kind: "count", text: counted };
  for (const { operation, patterns, last } of CHANGES) {
    if (last.test(plain)) return { kind: "change", operation, text: null };
    const text = matchText(patterns, words);
    if (text === undefined) continue;
    if (operation !== "sort_lines") return { kind: "change", operation, text };
    const lines = text === null || OTHER_ORDER.test(text) ? null : splitLines(text);
    return lines === null ? null : { kind: "change", operation, text: lines };
  }
  return null;
}

/** Returns the text of the first pattern that matches; null for a reference, undefined if there is none. */
function matchText(patterns: readonly RegExp[], words: string): string | null | undefined {
  for (const pattern of patterns) {
    const [start, end] = pattern.exec(normalizeCharacters(words))?.indices?.groups?.["text"] ?? [0, 0];
    const text = words.slice(start, end).trim();
    if (
      text === "" ||
      OTHER.test(text) ||
      (/^how many/i.test(words) && /^(?:the|an?|my|your|our) /i.test(text) && !/[:：]/.test(words))
    )
      continue;
    if (POINTER.test(normalizeCharacters(text))) return null;
    const bare = removeQuotes(text);
    // Two quotations are two texts, and words beside one are more work.
    if (bare === text && findQuotations(text).length > 0 && !/[:：]\s*$/.test(words.slice(0, start))) continue;
    return bare;
  }
  return undefined;
}

/** `sort pear, apple and fig`: one item per line; null if there is only one. */
function splitLines(text: string): string | null {
  if (text.includes("\n")) return text;
  const items = text
    .split(/\s*[,，、;；]\s*(?:and |和)?|\s+and\s+|(?<=^[^,，、;；]*)\s+(?=[^,，、;；]*$)/)
    .filter((item) => item !== "");
  return items.length < 2 ? null : items.join("\n");
}
