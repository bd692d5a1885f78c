// Finds the text that a request works on. It is not part of the request: words inside it are not read.

import {
  findQuotations,
  findSpans,
  maskSpans,
  normalizeCharacters,
  removePolitePrefixes,
  type TextSpan,
} from "../../language/text-spans.ts";

const AFTER_COLON =
  /(?:text|sentence|string|phrase|paragraph|words?|characters?|letters?|uppercase|lowercase|case|reversed?|trim|translate|count|summari[sz]e|sort|lines?|of|in|following|(?:reverse|uppercase|lowercase|sort|count|translate|repeat) (?:this|these)|文字|文本|句子|字符串|字数|段话|句话|内容|字|词|行|大写|小写|反转|倒序|翻译|统计|总结|排序|去重|英文|中文)\s*:(?=\s*\S)/gi;

/** Returns the spans of literal text: quotations, and everything behind `count the words:`. */
export function findLiteralSpans(text: string): TextSpan[] {
  const folded = normalizeCharacters(text);
  const quoted = findQuotations(folded);
  const [colon] = findSpans(maskSpans(folded, quoted), AFTER_COLON);
  return colon === undefined ? quoted : [...quoted, { start: colon.end, end: text.length }];
}

export type TextReplacement = { readonly text: string; readonly find: string; readonly replacement: string };

const REPLACE: readonly RegExp[] = [
  /^(?:replace|substitute|change) (?:every |all |the )*(?<find>.+?) (?:with|by|for) (?<replacement>[^:]+?)(?: in)?: ?(?<text>.+)$/dis,
  /^(?:把|将)(?:所有的?)?(?<find>[^中里:]+?)(?:都|全部)?(?:替换|换|改)[成为](?<replacement>[^:]+): *(?<text>.+)$/dis,
  /^(?:replace|substitute|change) (?:every |all |the )*(?<find>.+?) (?:with|by|for) (?<replacement>.+?) in (?<text>.+)$/dis,
  /^in (?<text>.+?),? (?:replace|change) (?:every |all |the )*(?<find>.+?) (?:with|by) (?<replacement>.+)$/dis,
  /^(?:把|将)?(?<text>.+?)(?:里面?|中)的?(?:所有的?)?(?<find>.+?)(?:都|全部)?(?:替换|换|改)[成为](?<replacement>.+)$/dis,
];

/** `replace cat with dog in "the cat"`, `把“你好世界”中的世界换成大家`. */
export function parseReplacement(text: string): TextReplacement | null {
  const words = removePolitePrefixes(text);
  for (const pattern of REPLACE) {
    const { text: whole, find, replacement } = pattern.exec(normalizeCharacters(words))?.indices?.groups ?? {};
    if (whole === undefined || find === undefined || replacement === undefined) continue;
    const cut = ([start, end]: readonly [number, number]) => removeQuotes(words.slice(start, end));
    return { text: cut(whole), find: cut(find), replacement: cut(replacement) };
  }
  return null;
}

/** Removes the quotation marks around a whole text. */
export function removeQuotes(text: string): string {
  const trimmed = text.trim();
  const [quoted, ...others] = findQuotations(trimmed);
  const isWhole = others.length === 0 && quoted?.start === 0 && quoted.end === trimmed.length;
  return isWhole ? quoted.inner : (/^['"]([^'"]+)['"]$/.exec(trimmed)?.[1] ?? trimmed);
}
