// The message catalogue of the server: all sentences that it writes for people.
//
// `messages/en.json` and `messages/zh.json`, with the sentences of `agent-messages.ts`, map the same keys to sentences in ICU MessageFormat
// (https://unicode-org.github.io/icu/userguide/format_parse/messages). A message travels as its key and parameters
// (`Message`) until the language of its reader is known, and is formatted once. The module caches parsed sentences per
// isolate.

import { IntlMessageFormat } from "intl-messageformat";
import type { Language } from "./detect-language.ts";
import { AGENT_MESSAGES } from "./agent-messages.ts";
import mainEn from "./messages/en.json" with { type: "json" };
import mainZh from "./messages/zh.json" with { type: "json" };

const en = { ...AGENT_MESSAGES.en, ...mainEn };
const zh = { ...AGENT_MESSAGES.zh, ...mainZh };

export type MessageKey = keyof typeof en;

/**
 * A sentence that is not formatted yet. A parameter may be a message itself, such as the reason of a failure; a list of
 * strings, which becomes an enumeration; or a list of messages, which becomes consecutive sentences.
 */
export type Message = { readonly key: MessageKey; readonly params?: MessageParameters };
export type MessageParameters = Readonly<Record<string, MessageParameter>>;
type MessageParameter = string | number | Message | readonly string[] | readonly Message[];

const CATALOGUES: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = { en, zh };
const LIST_SEPARATORS: Readonly<Record<Language, string>> = { en: ", ", zh: "、" };
const SENTENCE_SEPARATORS: Readonly<Record<Language, string>> = { en: " ", zh: "" };
const parsedMessages: Readonly<Record<Language, Map<MessageKey, IntlMessageFormat>>> = { en: new Map(), zh: new Map() };

/** Creates a message. `params` are the values of the placeholders of its sentence. */
export function createMessage(key: MessageKey, params?: MessageParameters): Message {
  return params === undefined ? { key } : { key, params };
}

/**
 * Formats a message in a language; a list of messages becomes consecutive sentences. Throws an Error if a parameter is
 * missing. Strings are returned unchanged.
 */
export function formatMessage(language: Language, message: Message | readonly Message[] | string): string {
  if (typeof message === "string") return message;
  if (isList(message))
    return message.map((sentence) => formatMessage(language, sentence)).join(SENTENCE_SEPARATORS[language]);
  const { key, params = {} } = message;
  const sentence = CATALOGUES[language][key];
  if (!sentence.includes("{") && !sentence.includes("'")) return sentence;
  const values = Object.entries(params).map(([name, value]) => [name, formatParameter(language, value)] as const);
  return String(parseSentence(language, key).format(Object.fromEntries(values)));
}

function formatParameter(language: Language, value: MessageParameter): string | number {
  if (typeof value !== "object") return value;
  const isEnumeration = isList(value) && value.every((element) => typeof element === "string");
  return isEnumeration
    ? value.join(LIST_SEPARATORS[language])
    : formatMessage(language, value as Message | readonly Message[]);
}

/** `Array.isArray` does not narrow readonly lists. */
function isList<Element>(value: object | readonly Element[]): value is readonly Element[] {
  return Array.isArray(value);
}

/** Formats a message in English, for protocols that do not state the language of their reader. */
export function formatEnglish(key: MessageKey, params?: MessageParameters): string {
  return formatMessage("en", createMessage(key, params));
}

function parseSentence(language: Language, key: MessageKey): IntlMessageFormat {
  const known = parsedMessages[language].get(key);
  if (known !== undefined) return known;
  const parsed = new IntlMessageFormat(CATALOGUES[language][key], language);
  parsedMessages[language].set(key, parsed);
  return parsed;
}
