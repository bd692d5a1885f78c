// Positions in an uploaded table, for error messages.

import { createMessage, type MessageKey, type MessageParameters } from "../language/messages.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import type { Fault } from "../protocol/wire/fault.ts";

/** A position in a table, both counted from 1. A column is a cell of its row, not a character. */
export type TablePosition = { readonly line: number; readonly column: number };

/** Returns a `Fault` with this code, whose message `key` has the parameters `line` and `column`, besides `params`. */
export function createPositionFault(
  position: TablePosition,
  key: MessageKey,
  params: MessageParameters = {},
  code: "too_large" | "unprocessable" = "unprocessable",
): Fault {
  return createFault(code, createMessage(key, { ...position, ...params }));
}
