// Earlier results, and the words that refer to them: multiply it by 2 · 把两个结果相加 · the words of that.

import { findQuotations, maskSpans, normalizeCharacters } from "../../language/text-spans.ts";

/** An earlier result and the work that produced it. If there are several, `about` selects one. */
export type EarlierResult = { readonly value: string; readonly about: string };

export type ResultReference = "none" | "last" | "all";

const ALL =
  /\b(?:both|them|their|(?:the|these|those|all) (?:two |three |the )*(?:results|answers|numbers))\b|[两三几]个?(?:结果|答案|数字)|它们|(?:所有|全部|这些)的?(?:结果|答案|数字)/i;
const LAST =
  /\b(?:the|that|this) (?:last |random )?(?:result|answer|number)\b(?! (?:of|between)\b)|\bits\b|(?<!\b(?:is|was|does|will|time|day|date) )\bit\b(?! (?:is|was)\b)|\b(?:of|in|by|with|from|reverse|uppercase|lowercase|count|double) (?:that|this)\b(?! \w)|(?:上面|刚才|得到|生成)的?(?:结果|答案|数字?)|[这那]个?(?:结果|答案|随机数|数字)|(?<![\d零一二三四五六七八九十百千万的)])(?:结果|答案)(?!是)|它(?!们)|其平方|^(?:把|将)随机数/i;

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
const NUMBER = /(?<![\d\w.:/-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\d\w:/年])/gi;

/** Returns the number of a result: the last one of `678 × 8776 = 5950128`. Null if there are several. */
function extractNumber(result: string): string | null {
  const plain = result
    .slice(-MAX_CHARS)
    .replace(MOMENT, "")
    .replace(/(?<=\d),(?=\d{3})/g, "");
  const [number, ...others] = plain.split(/[=≈]/).at(-1)?.match(NUMBER) ?? [];
  return number === undefined || others.length > 0 ? null : number;
}

/** Returns the numbers of the results, oldest first; a single result may be a list, or have one in each line. */
export function collectResultNumbers(results: readonly EarlierResult[]): string[] {
  const [only, ...others] = results;
  if (only !== undefined && others.length === 0) {
    const value = only.value.slice(0, MAX_CHARS);
    const listed = /\[(-?\d[^[\]]*)\]$/.exec(value)?.[1];
    if (listed !== undefined) return listed.split(",").map((one) => one.trim());
    const lines = value.split("\n").map(extractNumber);
    if (lines.length > 1 && lines.every((line) => line !== null)) return lines;
  }
  return results.flatMap(({ value }) => extractNumber(value) ?? []);
}
