// Why something that a person did in a conversation was refused.

import { CommandRefused } from "../client/outbox.ts";
import { toFault } from "../protocol/fault.ts";

export type Refusal = { readonly code: string; readonly message: string; readonly field?: string };

export function refusalOf(thrown: unknown): Refusal {
  const { code, message, field } = thrown instanceof CommandRefused ? thrown : toFault(thrown);
  return { code, message, ...(field === undefined ? {} : { field }) };
}
