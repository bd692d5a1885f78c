import { commandIdSchema } from "../protocol/commands.ts";
import { parseAt } from "../protocol/fault.ts";

const optional = commandIdSchema.optional();

/** Headers that are not UTF-8 are read with this in each place that is not, and so two ids would be one. */
const unread = "\ufffd";
const inHeader = commandIdSchema.refine((id) => !id.includes(unread), "must be ASCII or UTF-8").optional();

/** As `commandIdAt`, of a request's `Idempotency-Key`. */
export function idempotencyKeyOf({ headers }: Request): string | undefined {
  return parseAt("idempotency-key", inHeader, headers.get("idempotency-key") ?? undefined);
}

/** The id of a command that stands outside its body. Throws a `Fault` that names the place, as `idempotency-key`. */
export function commandIdAt(place: string, given: unknown): string | undefined {
  return parseAt(place, optional, given);
}
