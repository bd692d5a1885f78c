// Why something that a person did was refused.

import { CommandRefused } from "../client/outbox.ts";
import { toFault } from "../protocol/fault.ts";
import { currentLanguage, sayIn } from "./language.ts";
import { isUnreachable } from "./shell/reach.ts";
import { WORDS } from "./ui/words.ts";

export type Refusal = { readonly code: string; readonly message: string; readonly field?: string };

/** In the words of the server; that there is none is for the application to say. */
export function refusalOf(thrown: unknown): Refusal {
  const { code, message, field } = thrown instanceof CommandRefused ? thrown : toFault(thrown);
  const words = isUnreachable(thrown) ? sayIn(currentLanguage(), WORDS)("unreachable") : message;
  return { code, message: words, ...(field === undefined ? {} : { field }) };
}
