// Command ids outside the body: in the `Idempotency-Key` header, in RPC arguments and in MCP metadata. A repeated
// command with the same id is executed once (T2).

import { commandIdSchema } from "../protocol/wire/commands.ts";
import { parseNamedValue } from "../protocol/wire/fault.ts";

const optionalCommandIdSchema = commandIdSchema.optional();

/**
 * The platform decodes header bytes that are not UTF-8 to this character. Two different ids could become equal, so such
 * ids are refused.
 */
const REPLACEMENT_CHARACTER = "\ufffd";
const headerCommandIdSchema = commandIdSchema
  .refine((id) => !id.includes(REPLACEMENT_CHARACTER), "must be ASCII or UTF-8")
  .optional();

/**
 * Returns the `Idempotency-Key` header; undefined if there is none. Throws `invalid_request` if it is not a valid
 * command id in ASCII or UTF-8.
 */
export function readIdempotencyKey({ headers }: Request): string | undefined {
  return parseNamedValue("idempotency-key", headerCommandIdSchema, headers.get("idempotency-key") ?? undefined);
}

/**
 * Returns the value if it is a valid command id or undefined. Throws `invalid_request` otherwise; `field` is the field
 * of the fault.
 */
export function parseCommandId(field: string, value: unknown): string | undefined {
  return parseNamedValue(field, optionalCommandIdSchema, value);
}
