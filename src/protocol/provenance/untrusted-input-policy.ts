// The policy of an agent for calls with an effect whose arguments come from untrusted text.

import * as z from "zod/mini";

/** `ask`: the call needs approval. `trusted`: it runs. `never`: it is refused. */
export const untrustedInputPolicySchema = z.enum(["ask", "trusted", "never"]);
export type UntrustedInputPolicy = z.infer<typeof untrustedInputPolicySchema>;
