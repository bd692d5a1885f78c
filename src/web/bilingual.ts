// Descriptions of agents and tools may hold English followed by Chinese in one text. These functions select a language.

import type { Language } from "./language.ts";

const TWICE = /^([^\p{Script=Han}]+?)[\s/|]+(\p{Script=Han}.*)$/su;
const ENGLISH = /[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/;

/** Returns the part in `language` if the text is English followed by Chinese; otherwise the whole text. */
export function halfFor(language: Language, text: string): string {
  const [, english = "", chinese = ""] = TWICE.exec(text) ?? [];
  if (chinese === "" || ENGLISH.test(chinese)) return text;
  return language === "en" ? english.trim() : chinese.trim();
}

/** Returns the texts in `language`, or all of them if none matches. */
export function onlyIn(language: Language, texts: readonly string[]): readonly string[] {
  const own = texts.filter((text) => /\p{Script=Han}/u.test(text) === (language === "zh-CN"));
  return own.length === 0 ? texts : own;
}
