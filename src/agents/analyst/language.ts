// F119. Selects the text of a phrase in the language of the request.

import type { Both } from "../../protocol/words/language.ts";

/** Returns the Chinese text for tags such as `zh-CN`, and the English one for all other tags. */
export function inLanguage(words: Both, language: string): string {
  return language.toLowerCase().startsWith("zh") ? words.zh : words.en;
}
