// Finds references to earlier results: multiply it by 2 · 把结果乘以2 · the words of that.

import { readArithmetic } from "./read-arithmetic.ts";
import { maskSpans, normalizeCharacters, findQuotations } from "../language/text-spans.ts";

export type ResultReference = "none" | "last" | "all";

const ALL_EN =
  /\b(?:both(?: of them| results| numbers)?|(?:the|these|those|all) (?:two |three |the |of )*(?:results|answers|outputs|numbers)|all of (?:them|it|that)|them|those)\b(?! (?:is|are)\b)/i;
const ALL_ZH =
  /[两三几]个?(?:结果|答案|数字|数(?![字学据])|值)|两者|它们|(?:所有|全部|这些|以上)的?(?:结果|答案|数字|内容)/;
const LAST_EN =
  /\b(?:the|that|this|your|its) (?:previous |last |above |final |random |first )*(?:result|answer|output|number|value|sum|product|outcome|response)\b(?! (?:of|between)\b)|\bits\b|(?<=\bdoes )it(?= (?:have|contain))|(?<!\b(?:is|was|does|will|did|would|has|make|makes|find|think|about|time|day|date) )\bit\b(?! (?:is|was|takes?|be|will|rains?|now)\b)|(?:\b(?:of|in|by|with|from|to|on|and|for|reverse|uppercase|lowercase|convert|translate|multiply|double|square|halve|repeat|count|trim|sum|take|divide|add|turn|make|do|is)\s+)(?:that|this)\b(?! (?:is|was|the|there|you|i|it|we|they|morning|week|month|year|time|day|evening|afternoon|text|sentence|phrase|string|paragraph|word)\b)/i;
const LAST_ZH =
  /(?:上面|前面|刚才|刚刚|上一步|上一个|之前|上次|上述|以上|得到|得出|算出|所得|生成|查到|返回|输出)的?(?:结果|答案|数字?|值|内容|文本|随机数|时间)|(?:这|那|该|此)个?(?:结果|答案|随机数|数字|数(?!学)|值|内容)|(?<![\d零一二三四五六七八九十百千万亿的)])(?:结果|答案|得数)(?!是什么|是多少|呢|怎)|它(?!们)|其(?=平方|立方|字数|长度|结果|大写|小写)|(?<=把|将)(?:随机数|时间|日期)(?=[加减乘除转反变翻])/;

/** Returns the kind of reference in a text. */
export function findReference(text: string): ResultReference {
  const folded = normalizeCharacters(text);
  const words = maskSpans(folded, findQuotations(folded));
  if (ALL_EN.test(words) || ALL_ZH.test(words)) return "all";
  if (LAST_EN.test(words) || LAST_ZH.test(words)) return "last";
  return readArithmetic(words).some(({ refersBack }) => refersBack) ? "last" : "none";
}

/** The value of a result is near its end; only that part is searched. */
const MAX_RESULT_CHARS = 2_000;

/** A timestamp with its explanation in brackets; its digits are not operands. */
const MOMENT = /\d{4}-\d{2}-\d{2}T[\d:.+Z-]+(?:\s*\([^()]{0,200}\))?/g;

/** Returns the number of an earlier result: the last one of `678 × 8776 = 5950128`. */
export function extractNumber(result: string): string | null {
  const plain = result
    .slice(-MAX_RESULT_CHARS)
    .replace(MOMENT, "")
    .replace(/(?<=\d),(?=\d{3})/g, "");
  const said = /(?:=|≈|→|是|为|\bis\b|[:：])\s*\**(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\d:/年-])(?!.*(?:=|≈|→))/is.exec(
    plain,
  )?.[1];
  return said ?? plain.match(/(?<![\d\w.:/-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\d\w:/年])/gi)?.at(-1) ?? null;
}

const EQUATION = /^[^\n=≈]{1,200} [=≈] (-?\d\S*)$/;

/**
 * Returns the text of a result: 144 of `12 × 12 = 144`, `MMXXVI` of `Roman numeral of 2026: MMXXVI` if the request
 * contains the label. A text that was given with its colon keeps it.
 */
export function extractText(value: string, about: string): string {
  const [, label = "", text = ""] = /^([^:：\n]{1,60})[:：]\s*(\S[^\n]*)$/.exec(value.trim()) ?? [];
  const [asked, said] = [normalizeCharacters(about).toLowerCase(), normalizeCharacters(label).toLowerCase()];
  return said !== "" && asked.includes(said) && !asked.includes(`${said}:`)
    ? text
    : (EQUATION.exec(value.trim())?.[1] ?? value.replace(/\n\(\d+ replaced\)$/, ""));
}

/** Replaces the reference in a text. */
export function replaceReference(text: string, replacement: string): string {
  const folded = normalizeCharacters(text);
  const match = LAST_ZH.exec(folded) ?? LAST_EN.exec(folded) ?? ALL_ZH.exec(folded) ?? ALL_EN.exec(folded);
  if (match === null) return text;
  const leading = /^[a-z]+\s+(?=(?:that|this)$)/i.exec(match[0])?.[0].length ?? 0;
  const possessive = /^(?:its|其)$/i.test(match[0]);
  const head = text.slice(0, match.index + leading);
  const tail = text.slice(match.index + match[0].length);
  return possessive ? `${head}the${tail.replace(/[?.!]*$/, "")} of ${replacement}` : `${head}${replacement}${tail}`;
}
