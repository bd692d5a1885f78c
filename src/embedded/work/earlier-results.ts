// Earlier results, and the words that refer to them: multiply it by 2 · 把两个结果相加 · the words of that.

import { findNumbers } from "../../language/numerals.ts";
import { findQuotations, maskSpans, normalizeCharacters } from "../../language/text-spans.ts";

/** An earlier result and the work that produced it. If it has several numbers, `about` selects one. */
export type EarlierResult = { readonly value: string; readonly about: string };

export type ResultReference = "none" | "last" | "all";

const ALL =
  /\b(?:both|them|those|their|(?:the|these|those|all) (?:two |three |the )*(?:results|answers|numbers))\b|[两三几]个?(?:结果|答案|数字)|它们|(?:所有|全部|这些)的?(?:结果|答案|数字)/i;
const LAST =
  /\b(?:the|that|this) (?:previous |last |random )*(?:result|answer|output|number|value)\b(?! (?:of|between)\b)|\bits\b|(?<!\b(?:is|was|does|will|time|day|date) )\bit\b(?! (?:is|was)\b)|\b(?:of|in|by|with|from|reverse|uppercase|lowercase|count|square|double) (?:that|this)\b(?! \w)|(?:上面|前面|刚才|上一步|之前|得到|生成)的?(?:结果|答案|数字?|值|内容)|[这那]个?(?:结果|答案|随机数|数字)|(?<![\d零一二三四五六七八九十百千万的)])(?:结果|答案)(?!是)|它(?!们)|其(?=平方|立方|字数|长度)|^(?:把|将)随机数/i;

/** Returns the kind of reference in a text, outside quotations. */
export function findReference(text: string): ResultReference {
  const folded = normalizeCharacters(text);
  const words = maskSpans(folded, findQuotations(folded));
  return ALL.test(words) ? "all" : LAST.test(words) ? "last" : "none";
}

/** Longer results are not searched for several numbers; the value of a result is near its end. */
const MAX_CHARS = 2_000;
/** A timestamp with its explanation in brackets; its digits are not operands. */
const MOMENT = /\d{4}-\d{2}-\d{2}T[\d:.+Z-]+(?:\s*\([^()]{0,200}\))?/g;

/** Returns the number of a result: the last one of `678 × 8776 = 5950128`. */
function extractNumber(result: string): string | null {
  const plain = result
    .slice(-MAX_CHARS)
    .replace(MOMENT, "")
    .replace(/(?<=\d),(?=\d{3})/g, "");
  const said = /(?:=|≈|→|是|为|\bis\b|[:：])\s*\**(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\d:/年-])(?!.*(?:=|≈|→))/is.exec(
    plain,
  )?.[1];
  return said ?? plain.match(/(?<![\d\w.:/-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\d\w:/年])/gi)?.at(-1) ?? null;
}

/** Returns the words or the characters of `11 characters, 2 words`, as asked for. */
function extractCount({ value, about }: EarlierResult): string | null {
  const [, characters, words] = /(\d+) ?(?:个字符|characters?)[,，] ?(\d+) ?(?:个词|words?)/.exec(value) ?? [];
  return (/词|\bwords?\b/i.test(about) ? words : characters) ?? null;
}

/** Returns the numbers of the results, oldest first; a single result may hold several. */
export function collectResultNumbers(results: readonly EarlierResult[]): string[] {
  const [only, ...others] = results;
  if (only !== undefined && others.length === 0) {
    const value = only.value.slice(0, MAX_CHARS);
    const listed = /\[(-?\d[^[\]]*)\]$/.exec(value)?.[1];
    if (listed !== undefined) return listed.split(",").map((one) => one.trim());
    const lines = value.split("\n").map(extractNumber);
    if (lines.length > 1 && lines.every((line) => line !== null)) return lines;
    if (/^-?[\d.]+(?:\s*[,，、;；和]\s*-?[\d.]+)+$/.test(value)) return findNumbers(value).map(String);
  }
  return results.flatMap((result) => extractCount(result) ?? extractNumber(result.value) ?? []);
}

/** Returns the text of a result: 144 of `12 × 12 = 144`, `MMXXVI` of `Roman numeral of 2026: MMXXVI`. */
export function extractText({ value, about }: EarlierResult): string {
  const text = value.trim().replace(/\n\(\d+ replaced\)$/, "");
  const [, label = "", rest = ""] = /^([^:：\n]{1,60})[:：]\s*(\S[^\n]*)$/.exec(text) ?? [];
  const [asked, said] = [about, label].map((words) => normalizeCharacters(words).toLowerCase());
  const isLabel = said !== undefined && said !== "" && asked?.includes(said) === true && !asked.includes(`${said}:`);
  return isLabel ? rest : (/^[^\n=≈]{1,200} [=≈] (-?\d\S*)$/.exec(text)?.[1] ?? text);
}
