// F119. Formats messages in the language of a request.

import { toCatalogueLanguage } from "../../language/accept-language.ts";
import { describeError } from "../../protocol/wire/message-error.ts";
import { createMessage, formatMessage, type Message, type MessageKey } from "../../language/messages.ts";

/**
 * Formats a message, or that of a key without parameters, for a language tag such as `zh-CN`; in English for languages
 * without a catalogue.
 */
export function localize(message: MessageKey | Message, languageTag: string): string {
  const language = toCatalogueLanguage(languageTag) ?? "en";
  return formatMessage(language, typeof message === "string" ? createMessage(message) : message);
}

/**
 * Formats the message of an error that is meant for people, as `localize` does; a plain text message stays as it is.
 */
export function localizeError(error: Error, languageTag: string): string {
  return describeError(error, toCatalogueLanguage(languageTag) ?? "en");
}
