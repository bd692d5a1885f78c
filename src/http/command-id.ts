import { commandIdSchema } from "../protocol/commands.ts";
import { parseAt } from "../protocol/fault.ts";

const optional = commandIdSchema.optional();

/** The id of a command that stands outside its body. Throws a `Fault` that names the place, as `idempotency-key`. */
export function commandIdAt(place: string, given: unknown): string | undefined {
  return parseAt(place, optional, given);
}
