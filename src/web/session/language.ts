// The language of the application, and its messages.
//
// Owns the current language, the language of everything that is shown. It follows the preference of this browser,
// which another tab may change, but only after the messages of the new language are loaded. If loading fails, the
// current language stays. The latest of several changes wins. Parsed messages are cached for the lifetime of the page.

import { IntlMessageFormat } from "intl-messageformat";
import { useMemo } from "react";
import { escapeHiddenControls } from "../../lib/escape-invisible.ts";
import {
  getMessageSource,
  loadMessages,
  type UiMessageKey,
  type MessageNamespace,
  type MessageSource,
  type UiLanguage,
} from "../messages/catalogue.ts";
import { getPreference } from "./preference.ts";
import { createStore, useStore } from "./store.ts";

export { LANGUAGES, loadInitialMessages, loadMessages } from "../messages/catalogue.ts";
export type { UiMessageKey, MessageNamespace, UiLanguage } from "../messages/catalogue.ts";

/** The values of the placeholders of a message, by name. */
type MessageValues = Readonly<Record<string, string | number | Date>>;

/**
 * Formats the message with the given key. Throws an Error if the messages of the language are not loaded or the value
 * of a placeholder is missing.
 */
export type Translate<Namespace extends MessageNamespace> = (
  key: UiMessageKey<Namespace>,
  values?: MessageValues,
) => string;

const languagePreference = getPreference("language");
const currentLanguage = createStore(getPreferredLanguage());
let requestedLanguage = currentLanguage.get();

/** Returns the chosen language; by default the first supported language of the browser, else English. */
function getPreferredLanguage(): UiLanguage {
  const choice = languagePreference.get();
  if (choice === "en" || choice === "zh-CN") return choice;
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === "zh" || tag === "en");
  return known === "zh" ? "zh-CN" : "en";
}

/** Returns the language that is shown; a requested language is current only when its messages are loaded. */
export const getLanguage = (): UiLanguage => currentLanguage.get();

/** Returns the current language. The component renders again when it changes. */
export const useLanguage = (): UiLanguage => useStore(currentLanguage);

/**
 * Loads the messages of a language, shows it, and stores the choice in this browser. Rejects if the messages cannot be
 * loaded; then nothing changes. If it is called again before it resolves, only the latest language is shown and stored.
 */
export async function setLanguage(language: UiLanguage): Promise<void> {
  await showLanguage(language);
  if (requestedLanguage === language) languagePreference.set(language);
}

/** Follows changes of the preference in other tabs, for the lifetime of the page. Call it once. */
export function followLanguage(): void {
  languagePreference.subscribe(() => {
    const language = getPreferredLanguage();
    // If the messages cannot be loaded, this tab keeps its language.
    if (language !== requestedLanguage) showLanguage(language).catch(() => undefined);
  });
}

async function showLanguage(language: UiLanguage): Promise<void> {
  requestedLanguage = language;
  try {
    await loadMessages(language);
  } catch (error) {
    if (requestedLanguage === language) requestedLanguage = getLanguage();
    throw error;
  }
  if (requestedLanguage === language && getLanguage() !== language) currentLanguage.set(language);
}

/** Returns a formatter of the messages of a namespace in the current language; the same until the language changes. */
export function useMessages<Namespace extends MessageNamespace>(namespace: Namespace): Translate<Namespace> {
  const language = useLanguage();
  return useMemo(() => getMessages(language, namespace), [language, namespace]);
}

/** Returns a formatter of the messages of a namespace. The formatter throws an Error if they are not loaded. */
export function getMessages<Namespace extends MessageNamespace>(
  language: UiLanguage,
  namespace: Namespace,
): Translate<Namespace> {
  return (key, values) => formatMessageSource(getMessageSource(language, namespace, key), language, values);
}

/**
 * Formats a message; a plain text is returned as it is. Invisible characters in string values are escaped. Throws an
 * Error if the value of a placeholder is missing. `source` is parsed once per language.
 */
export function formatMessageSource(source: MessageSource, language: UiLanguage, values?: MessageValues): string {
  if (typeof source === "string" && !/[{']/.test(source)) return source;
  return String(getMessageFormat(source, language).format(escapeInvisibleValues(values ?? {})));
}

/** Escapes invisible characters in string values, so that quoted text cannot change the direction of the message. */
function escapeInvisibleValues(values: MessageValues): MessageValues {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? escapeHiddenControls(value) : value]),
  );
}

const messageFormats: Readonly<Record<UiLanguage, Map<MessageSource, IntlMessageFormat>>> = {
  en: new Map(),
  "zh-CN": new Map(),
};

function getMessageFormat(source: MessageSource, language: UiLanguage): IntlMessageFormat {
  const known = messageFormats[language].get(source) ?? new IntlMessageFormat(source, language);
  messageFormats[language].set(source, known);
  return known;
}
