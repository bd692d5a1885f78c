import * as z from "zod";
import { commandIdSchema } from "../protocol/commands.ts";
import { parseWith } from "../protocol/fault.ts";

/** The id of a command that stands outside its body. Throws a `Fault` that names the place, as `idempotency-key`. */
export function commandIdAt(place: string, given: unknown): string | undefined {
  return parseWith(z.object({ [place]: commandIdSchema.optional() }), { [place]: given })[place];
}
