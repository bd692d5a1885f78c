// Descriptions of agents and tools may hold English followed by Chinese in one text. These functions select a language.

import type { UiLanguage } from "./language.ts";

const BILINGUAL_TEXT = /^([^\p{Script=Han}]+?)[\s/|]+(\p{Script=Han}.*)$/su;
const ENGLISH_PHRASE = /[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/;

/** Returns the part in `language` if the text is English followed by Chinese; otherwise the whole text. */
export function pickLanguage(language: UiLanguage, text: string): string {
  const [, english = "", chinese = ""] = BILINGUAL_TEXT.exec(text) ?? [];
  if (chinese === "" || ENGLISH_PHRASE.test(chinese)) return text;
  return language === "en" ? english.trim() : chinese.trim();
}

/** Returns the texts in `language`, or all of them if none matches. */
export function filterByLanguage(language: UiLanguage, texts: readonly string[]): readonly string[] {
  const matching = texts.filter((text) => /\p{Script=Han}/u.test(text) === (language === "zh-CN"));
  return matching.length === 0 ? texts : matching;
}
