// Command ids outside the body: in the `Idempotency-Key` header, in RPC arguments and in MCP metadata. A repeated
// command with the same id is executed once (T2).

import { commandIdSchema } from "../protocol/commands.ts";
import { parseAt } from "../protocol/fault.ts";

const optional = commandIdSchema.optional();

/**
 * The platform decodes header bytes that are not UTF-8 to this character. Two different ids could become equal, so such
 * ids are refused.
 */
const unread = "\ufffd";
const inHeader = commandIdSchema.refine((id) => !id.includes(unread), "must be ASCII or UTF-8").optional();

/** Returns the `Idempotency-Key` header, or undefined. Throws `invalid_request` if it is not a valid command id. */
export function idempotencyKeyOf({ headers }: Request): string | undefined {
  return parseAt("idempotency-key", inHeader, headers.get("idempotency-key") ?? undefined);
}

/**
 * Validates an optional command id. Throws `invalid_request`; `field` is the field of the fault, such as `commandId`.
 */
export function commandIdAt(place: string, given: unknown): string | undefined {
  return parseAt(place, optional, given);
}
