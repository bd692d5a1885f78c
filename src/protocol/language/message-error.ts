// Errors whose message is for people.

import { Fault } from "../wire/fault.ts";
import type { Language } from "./detect-language.ts";
import { describeFault, formatMessage, type Message } from "./messages.ts";

/**
 * The base class of errors with a message for people. `message` is in English, for logs; `text` is formatted in the
 * language of its reader. A `text` that is a string is foreign and stays unchanged.
 */
export abstract class MessageError extends Error {
  readonly text: Message | string;

  constructor(text: Message | string, options?: ErrorOptions) {
    super(formatMessage("en", text), options);
    this.text = text;
  }
}

/** Formats the message of an error in a language. Errors that are no `Fault` or `MessageError` keep their message. */
export function describeError(error: Error, language: Language): string {
  if (error instanceof Fault) return describeFault(error, language);
  return error instanceof MessageError ? formatMessage(language, error.text) : error.message;
}
