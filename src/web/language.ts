// Which language the application speaks, and how it says a sentence in it. Each folder keeps its own sentences beside
// what shows them, in both languages, in the ICU message format.

import { IntlMessageFormat } from "intl-messageformat";
import { useMemo, useSyncExternalStore } from "react";
import { plainly } from "../protocol/visible.ts";
import { preference } from "./preference.ts";

export const LANGUAGES = { en: "English", "zh-CN": "中文" } as const;
export type Language = keyof typeof LANGUAGES;

/** The sentences of one part of the application; the Chinese ones have exactly the names of the English. */
export type Words<Name extends string> = { readonly en: Record<Name, string>; readonly "zh-CN": Record<Name, string> };

export type Values = Readonly<Record<string, string | number | Date>>;

/** Says one sentence of a part of the application. */
export type Say<Name extends string> = (name: Name, values?: Values) => string;

const chosen = preference("language");

/** What the person has chosen, or else the first language of the browser that is spoken here. */
export function currentLanguage(): Language {
  const choice = chosen.get();
  if (choice === "en" || choice === "zh-CN") return choice;
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === "zh" || tag === "en");
  return known === "zh" ? "zh-CN" : "en";
}

export const setLanguage = (language: Language): void => chosen.set(language);

export function useLanguage(): Language {
  return useSyncExternalStore(chosen.subscribe, currentLanguage, currentLanguage);
}

/** The sentences of `words` in the language of the moment. */
export function useWords<Name extends string>(words: Words<Name>): Say<Name> {
  const language = useLanguage();
  return useMemo(() => sayIn(language, words), [language, words]);
}

export function sayIn<Name extends string>(language: Language, words: Words<Name>): Say<Name> {
  return (name, values) => {
    const sentence = words[language][name];
    return values === undefined ? sentence : String(formatOf(sentence, language).format(quoted(values)));
  };
}

/** What a sentence quotes does not turn it around. */
function quoted(values: Values): Values {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === "string" ? plainly(value) : value]));
}

/** A sentence is a text, or that text parsed: the build does that beforehand. */
type Sentence = ConstructorParameters<typeof IntlMessageFormat>[0];

const formats: Readonly<Record<Language, Map<Sentence, IntlMessageFormat>>> = { en: new Map(), "zh-CN": new Map() };

function formatOf(sentence: Sentence, language: Language): IntlMessageFormat {
  const known = formats[language].get(sentence) ?? new IntlMessageFormat(sentence, language);
  formats[language].set(sentence, known);
  return known;
}
