// The language of the application, and its messages. Each folder holds its own messages in both languages, in the ICU
// message format, next to the components that show them.
// The language is a preference of this browser. Parsed messages are cached per language for the lifetime of the page.

import { IntlMessageFormat } from "intl-messageformat";
import { useMemo, useSyncExternalStore } from "react";
import { escapeHiddenControls } from "../protocol/text/escape-invisible.ts";
import { getPreference } from "./preference.ts";

export const LANGUAGES = { en: "English", "zh-CN": "中文" } as const;
export type UiLanguage = keyof typeof LANGUAGES;

/** The messages of one folder. Both languages have the same keys. */
export type Words<Name extends string> = { readonly en: Record<Name, string>; readonly "zh-CN": Record<Name, string> };

export type MessageValues = Readonly<Record<string, string | number | Date>>;

/** Formats the message with the given key. */
export type Say<Name extends string> = (name: Name, values?: MessageValues) => string;

const languagePreference = getPreference("language");

/** Returns the chosen language; by default the first supported language of the browser, else English. */
export function getLanguage(): UiLanguage {
  const choice = languagePreference.get();
  if (choice === "en" || choice === "zh-CN") return choice;
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === "zh" || tag === "en");
  return known === "zh" ? "zh-CN" : "en";
}

export const setLanguage = (language: UiLanguage): void => languagePreference.set(language);

export function useLanguage(): UiLanguage {
  return useSyncExternalStore(languagePreference.subscribe, getLanguage, getLanguage);
}

/** Returns a formatter of `words` in the current language. */
export function useWords<Name extends string>(words: Words<Name>): Say<Name> {
  const language = useLanguage();
  return useMemo(() => sayIn(language, words), [language, words]);
}

/** Returns a formatter of `words` in the given language. */
export function sayIn<Name extends string>(language: UiLanguage, words: Words<Name>): Say<Name> {
  return (name, values) => {
    const source = words[language][name];
    return values === undefined
      ? source
      : String(getMessageFormat(source, language).format(escapeInvisibleValues(values)));
  };
}

/** Escapes invisible characters in string values, so that quoted text cannot change the direction of the message. */
function escapeInvisibleValues(values: MessageValues): MessageValues {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? escapeHiddenControls(value) : value]),
  );
}

/** Message source or parsed message: the build parses messages in advance. */
type MessageSource = ConstructorParameters<typeof IntlMessageFormat>[0];

const messageFormats: Readonly<Record<UiLanguage, Map<MessageSource, IntlMessageFormat>>> = {
  en: new Map(),
  "zh-CN": new Map(),
};

function getMessageFormat(source: MessageSource, language: UiLanguage): IntlMessageFormat {
  const known = messageFormats[language].get(source) ?? new IntlMessageFormat(source, language);
  messageFormats[language].set(source, known);
  return known;
}
