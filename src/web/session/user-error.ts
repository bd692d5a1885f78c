// Converts errors of user actions to messages for the user.

import { CommandRefused } from "../../client/command-outbox.ts";
import { toFault } from "../../protocol/wire/fault.ts";
import { getLanguage, getMessages } from "./language.ts";
import { isUnreachableError } from "./connectivity.ts";

export type UserError = { readonly code: string; readonly message: string; readonly field?: string };

/**
 * Returns code and message of an error: the message of the `CommandRefused` or `Fault`, or a translated message if the
 * server could not be reached. Any other error has the code `internal` and a general message. `field` is the path of
 * the rejected field, if the server named one.
 */
export function toUserError(thrown: unknown): UserError {
  const { code, message, field } = thrown instanceof CommandRefused ? thrown : toFault(thrown);
  const text = isUnreachableError(thrown) ? getMessages(getLanguage(), "common")("unreachable") : message;
  return { code, message: text, ...(field === undefined ? {} : { field }) };
}

/** Removes the prefix `<path>: ` from an error message, for display at that field. Without it, returns the message. */
export function removeFieldPrefix(message: string, path: string | undefined): string {
  return path !== undefined && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}
