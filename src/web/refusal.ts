// Converts errors of user actions to messages for the user.

import { CommandRefused } from "../client/outbox.ts";
import { toFault } from "../protocol/fault.ts";
import { currentLanguage, sayIn } from "./language.ts";
import { isUnreachable } from "./shell/reach.ts";
import { WORDS } from "./ui/words.ts";

export type Refusal = { readonly code: string; readonly message: string; readonly field?: string };

/**
 * Returns the server's message; a translated one if the server is unreachable. `field` is the path of the rejected
 * field.
 */
export function refusalOf(thrown: unknown): Refusal {
  const { code, message, field } = thrown instanceof CommandRefused ? thrown : toFault(thrown);
  const words = isUnreachable(thrown) ? sayIn(currentLanguage(), WORDS)("unreachable") : message;
  return { code, message: words, ...(field === undefined ? {} : { field }) };
}
