// The policy of an agent for calls with an effect whose arguments come from untrusted text.

/** `ask`: the call needs approval. `trusted`: it runs. `never`: it is refused. */
export const UNTRUSTED_INPUT_POLICIES = ["ask", "trusted", "never"] as const;
export type UntrustedInputPolicy = (typeof UNTRUSTED_INPUT_POLICIES)[number];
