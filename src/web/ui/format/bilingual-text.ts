// Descriptions of agents and tools may hold English followed by Chinese in one text. These functions select a language.

import type { UiLanguage } from "../../session/language.ts";

const BILINGUAL_TEXT = /^([^\p{Script=Han}]+?)[\s/|]+(\p{Script=Han}.*)$/su;
const ENGLISH_PHRASE = /[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/;

/**
 * Returns the part in `language`, trimmed, if the text is English, then white space, `/` or `|`, then Chinese. Returns
 * the whole text otherwise, and if the second part contains three English words in a row.
 */
export function pickLanguage(language: UiLanguage, text: string): string {
  const [, english = "", chinese = ""] = BILINGUAL_TEXT.exec(text) ?? [];
  if (chinese === "" || ENGLISH_PHRASE.test(chinese)) return text;
  return language === "en" ? english.trim() : chinese.trim();
}

/**
 * Returns the texts in `language`, or all if there are none. A text with a Han character is Chinese, others English.
 */
export function filterByLanguage(language: UiLanguage, texts: readonly string[]): readonly string[] {
  const matching = texts.filter((text) => /\p{Script=Han}/u.test(text) === (language === "zh-CN"));
  return matching.length === 0 ? texts : matching;
}
