// Credentials of a registered agent. The server stores them and never returns them.

import * as z from "zod";

/** Printable ASCII without spaces and line breaks, because it becomes part of a header. */
const secretSchema = z
  .string()
  .min(1)
  .max(4_096)
  .regex(/^[\x21-\x7e]+$/, "must be printable, without spaces");

export const credentialsSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("bearer"), token: secretSchema }),
  /** The card defines where the key is sent. `in` and `name` are used if the card does not. */
  z.strictObject({
    type: z.literal("api_key"),
    key: secretSchema,
    in: z.enum(["header", "query"]).exactOptional(),
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, "use letters, digits, _ and -, at most 64")
      .exactOptional(),
  }),
]);
export type Credentials = z.infer<typeof credentialsSchema>;
