// What the server knows of agents and tools is read by models and people, and some of it is said twice: in English, then in
// Chinese.

import type { Language } from "./language.ts";

const TWICE = /^([^\p{Script=Han}]+?)[\s/|]+(\p{Script=Han}.*)$/su;
const ENGLISH = /[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/;

/** The half of a text that is said twice which is in this language; any other text as it is. */
export function halfFor(language: Language, text: string): string {
  const [, english = "", chinese = ""] = TWICE.exec(text) ?? [];
  if (chinese === "" || ENGLISH.test(chinese)) return text;
  return language === "en" ? english.trim() : chinese.trim();
}

/** Those in this language; all of them where there are none. */
export function onlyIn(language: Language, texts: readonly string[]): readonly string[] {
  const own = texts.filter((text) => /\p{Script=Han}/u.test(text) === (language === "zh-CN"));
  return own.length === 0 ? texts : own;
}
