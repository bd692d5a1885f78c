// The message catalogues of the application: `en.json` and `zh.json`, one sentence per key in ICU MessageFormat
// (https://unicode-org.github.io/icu/userguide/format_parse/messages), grouped into one namespace per feature.
//
// Owns the loaded catalogues; a loaded catalogue stays for the lifetime of the page. Each language is loaded in two
// parts: the namespaces of the first screen, and all others. Messages can be read only after their part was loaded:
// load the initial part before the first render, and all parts before a view other than the first screen renders.
// Concurrent calls share one request. A failed request is repeated by the next call.

import type { IntlMessageFormat } from "intl-messageformat";
import type en from "./en.json";

/** The languages of the application, each with its own name. */
export const LANGUAGES = { en: "English", "zh-CN": "中文" } as const;
export type UiLanguage = keyof typeof LANGUAGES;

export type Catalogue = typeof en;
/** A group of messages that belong to one feature. */
export type MessageNamespace = keyof Catalogue;
/** A key of a message in a namespace of the catalogues. */
export type UiMessageKey<Namespace extends MessageNamespace> = keyof Catalogue[Namespace] & string;

/** Message source, or the parsed message: the build parses messages in advance. */
export type MessageSource = ConstructorParameters<typeof IntlMessageFormat>[0];
type CataloguePart = Partial<Record<MessageNamespace, Readonly<Record<string, MessageSource>>>>;
type CatalogueRequest = () => Promise<{ readonly default: CataloguePart }>;

/** `scripts/precompile-messages.ts` splits the files and parses the messages. */
const INITIAL_PARTS: Readonly<Record<UiLanguage, CatalogueRequest>> = {
  en: () => import("./en.json?initial"),
  "zh-CN": () => import("./zh.json?initial"),
};
const REMAINING_PARTS: Readonly<Record<UiLanguage, CatalogueRequest>> = {
  en: () => import("./en.json?remaining"),
  "zh-CN": () => import("./zh.json?remaining"),
};

const catalogues: Readonly<Record<UiLanguage, CataloguePart>> = { en: {}, "zh-CN": {} };
const requests = new Map<CatalogueRequest, Promise<void>>();

/** Loads the messages of the first screen, at most once. Rejects if the script cannot be loaded. */
export function loadInitialMessages(language: UiLanguage): Promise<void> {
  return loadPart(language, INITIAL_PARTS[language]);
}

/** Loads all messages of a language, at most once. Rejects if a script cannot be loaded. */
export async function loadMessages(language: UiLanguage): Promise<void> {
  await Promise.all([loadInitialMessages(language), loadPart(language, REMAINING_PARTS[language])]);
}

function loadPart(language: UiLanguage, request: CatalogueRequest): Promise<void> {
  const known = requests.get(request);
  if (known !== undefined) return known;
  const pending = request().then(
    ({ default: part }) => void Object.assign(catalogues[language], part),
    (error: unknown) => {
      requests.delete(request);
      throw error;
    },
  );
  requests.set(request, pending);
  return pending;
}

/** Returns the source of a message. Throws an Error if its namespace is not loaded. */
export function getMessageSource<Namespace extends MessageNamespace>(
  language: UiLanguage,
  namespace: Namespace,
  key: UiMessageKey<Namespace>,
): MessageSource {
  const source = catalogues[language][namespace]?.[key];
  if (source === undefined) throw new Error(`The message ${namespace}.${key} is not loaded in ${language}.`);
  return source;
}
