// The language of the application, and its messages. Each folder holds its own messages in both languages, in the ICU
// message format, next to the components that show them.
// The language is a preference of this browser. Parsed messages are cached per language for the lifetime of the page.

import { IntlMessageFormat } from "intl-messageformat";
import { useMemo, useSyncExternalStore } from "react";
import { plainly } from "../protocol/visible.ts";
import { preference } from "./preference.ts";

export const LANGUAGES = { en: "English", "zh-CN": "中文" } as const;
export type Language = keyof typeof LANGUAGES;

/** The messages of one folder. Both languages have the same keys. */
export type Words<Name extends string> = { readonly en: Record<Name, string>; readonly "zh-CN": Record<Name, string> };

export type Values = Readonly<Record<string, string | number | Date>>;

/** Formats the message with the given key. */
export type Say<Name extends string> = (name: Name, values?: Values) => string;

const chosen = preference("language");

/** Returns the chosen language; by default the first supported language of the browser, else English. */
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

/** Returns a formatter of `words` in the current language. */
export function useWords<Name extends string>(words: Words<Name>): Say<Name> {
  const language = useLanguage();
  return useMemo(() => sayIn(language, words), [language, words]);
}

/** Returns a formatter of `words` in the given language. */
export function sayIn<Name extends string>(language: Language, words: Words<Name>): Say<Name> {
  return (name, values) => {
    const sentence = words[language][name];
    return values === undefined ? sentence : String(formatOf(sentence, language).format(quoted(values)));
  };
}

/** Escapes invisible characters in string values, so that quoted text cannot change the direction of the message. */
function quoted(values: Values): Values {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === "string" ? plainly(value) : value]));
}

/** Message source or parsed message: the build parses messages in advance. */
type Sentence = ConstructorParameters<typeof IntlMessageFormat>[0];

const formats: Readonly<Record<Language, Map<Sentence, IntlMessageFormat>>> = { en: new Map(), "zh-CN": new Map() };

function formatOf(sentence: Sentence, language: Language): IntlMessageFormat {
  const known = formats[language].get(sentence) ?? new IntlMessageFormat(sentence, language);
  formats[language].set(sentence, known);
  return known;
}
