import type { Both } from "../../protocol/words/language.ts";

/** F119. The words in the language that was asked for, a tag such as `zh-CN`; English for every other. */
export function inLanguage(words: Both, language: string): string {
  return language.toLowerCase().startsWith("zh") ? words.zh : words.en;
}
