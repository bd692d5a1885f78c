// F119. Selects the text of a phrase in the language of the request.

import type { LocalizedText } from "../../protocol/language/detect-language.ts";

/** Returns the Chinese text for tags such as `zh-CN`, and the English one for all other tags. */
export function localize(message: LocalizedText, language: string): string {
  return language.toLowerCase().startsWith("zh") ? message.zh : message.en;
}
