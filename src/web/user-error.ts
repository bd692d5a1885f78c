// Converts errors of user actions to messages for the user.

import { CommandRefused } from "../client/command-outbox.ts";
import { toFault } from "../protocol/wire/fault.ts";
import { getLanguage, sayIn } from "./language.ts";
import { isUnreachableError } from "./shell/connectivity.ts";
import { WORDS } from "./ui/words.ts";

export type UserError = { readonly code: string; readonly message: string; readonly field?: string };

/**
 * Returns the server's message; a translated one if the server is unreachable. `field` is the path of the rejected
 * field.
 */
export function toUserError(thrown: unknown): UserError {
  const { code, message, field } = thrown instanceof CommandRefused ? thrown : toFault(thrown);
  const text = isUnreachableError(thrown) ? sayIn(getLanguage(), WORDS)("unreachable") : message;
  return { code, message: text, ...(field === undefined ? {} : { field }) };
}
