// Finds the text that a request works on. It is not part of the request: words inside it are not read.

import { findQuotations, findSpans, maskSpans, normalizeCharacters, type TextSpan } from "../../language/text-spans.ts";

const AFTER_COLON =
  /(?:text|sentence|words?|characters?|letters?|uppercase|lowercase|reversed?|count|lines?|of|in|(?:reverse|uppercase|lowercase|count|translate) (?:this|these)|文字|文本|句子|段话|句话|内容|字|词|行|大写|小写|反转|倒序|翻译|统计)\s*:(?=\s*\S)/gi;

/** Returns the spans of literal text: quotations, and everything behind `count the words:`. */
export function findLiteralSpans(text: string): TextSpan[] {
  const folded = normalizeCharacters(text);
  const quoted = findQuotations(folded);
  const [colon] = findSpans(maskSpans(folded, quoted), AFTER_COLON);
  return colon === undefined ? quoted : [...quoted, { start: colon.end, end: text.length }];
}

/** Removes the quotation marks around a whole text. */
export function removeQuotes(text: string): string {
  const trimmed = text.trim();
  const [quoted, ...others] = findQuotations(trimmed);
  const isWhole = others.length === 0 && quoted?.start === 0 && quoted.end === trimmed.length;
  return isWhole ? quoted.inner : trimmed;
}
