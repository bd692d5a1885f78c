// The message catalogue of the server: all sentences that it writes for people.
//
// `messages/en.json` and `messages/zh.json` map the same keys to sentences in ICU MessageFormat
// (https://unicode-org.github.io/icu/userguide/format_parse/messages). A message travels as its key and parameters
// (`Message`) until the language of its reader is known, and is formatted once. The module caches parsed sentences per
// isolate.

import { IntlMessageFormat } from "intl-messageformat";
import { Fault, type FaultCode, type FaultDetail } from "../wire/fault.ts";
import type { Language } from "./detect-language.ts";
import en from "./messages/en.json" with { type: "json" };
import zh from "./messages/zh.json" with { type: "json" };

export type MessageKey = keyof typeof en;

/** A sentence that is not formatted yet. A parameter may be a message itself, such as the reason of a failure. */
export type Message = { readonly key: MessageKey; readonly params?: MessageParams };
export type MessageParams = Readonly<Record<string, string | number | Message>>;

const CATALOGUES: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = { en, zh };
const parsedMessages: Readonly<Record<Language, Map<MessageKey, IntlMessageFormat>>> = { en: new Map(), zh: new Map() };

/** Creates a message. `params` are the values of the placeholders of its sentence. */
export function createMessage(key: MessageKey, params?: MessageParams): Message {
  return params === undefined ? { key } : { key, params };
}

/** Formats a message in a language. Throws an Error if a parameter is missing. Strings are returned unchanged. */
export function formatMessage(language: Language, message: Message | string): string {
  if (typeof message === "string") return message;
  const { key, params = {} } = message;
  const sentence = CATALOGUES[language][key];
  if (!sentence.includes("{") && !sentence.includes("'")) return sentence;
  const values = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "object" ? formatMessage(language, value) : value,
  ]);
  return String(parseSentence(language, key).format(Object.fromEntries(values)));
}

function parseSentence(language: Language, key: MessageKey): IntlMessageFormat {
  const known = parsedMessages[language].get(key);
  if (known !== undefined) return known;
  const parsed = new IntlMessageFormat(CATALOGUES[language][key], language);
  parsedMessages[language].set(key, parsed);
  return parsed;
}

/** Creates a fault whose message is in English until `describeFault` formats it in the language of its reader. */
export function createFault(
  code: FaultCode,
  message: MessageKey | Message,
  detail: FaultDetail & { readonly cause?: unknown } = {},
): Fault {
  const text = typeof message === "string" ? createMessage(message) : message;
  return new Fault(code, formatMessage("en", text), { ...detail, text });
}

/** Formats the message of a fault in a language. Faults without a catalogue entry keep their message. */
export function describeFault(fault: Fault, language: Language): string {
  if (fault.code === "internal") return formatMessage(language, createMessage("internal"));
  return fault.text === undefined ? fault.message : formatMessage(language, fault.text);
}
