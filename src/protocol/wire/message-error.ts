// Errors whose message is for people.

import type { Language } from "../../language/detect-language.ts";
import { createMessage, formatMessage, type Message, type MessageKey } from "../../language/messages.ts";
import { Fault, type FaultCode, type FaultDetail } from "./fault.ts";

/**
 * Creates a fault whose message is in English until `describeFault` formats it in the language of its reader. `message`
 * is a message, or the key of one without parameters.
 */
export function createFault(
  code: FaultCode,
  message: MessageKey | Message,
  detail: FaultDetail & { readonly cause?: unknown } = {},
): Fault {
  const text = typeof message === "string" ? createMessage(message) : message;
  return new Fault(code, formatMessage("en", text), { ...detail, text });
}

/**
 * Formats the message of a fault in a language. An `internal` fault gets a general sentence. Faults without a catalogue
 * entry keep their message, and so do faults of a Durable Object of another release, whose entry this release may lack.
 */
export function describeFault(fault: Fault, language: Language): string {
  if (fault.code === "internal") return formatMessage(language, createMessage("internal"));
  if (fault.text === undefined) return fault.message;
  try {
    return formatMessage(language, fault.text);
  } catch {
    return fault.message;
  }
}

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
