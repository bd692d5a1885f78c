// Ids are `<prefix>-<32 hex digits>`: 128 random bits, so they cannot be guessed or enumerated.

export const ID_PREFIXES = ["conv", "th", "task", "item", "plan", "ask", "reasoning", "call", "cmd", "req"] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** Mints ids. Injected into the core, so that a test reads `task-1` instead of a random string. */
export type Mint = (prefix: IdPrefix) => string;

export const mint: Mint = (prefix) => `${prefix}-${crypto.randomUUID().replaceAll("-", "")}`;

/** The same digits under another prefix: names a companion of `id` that nobody has to store. */
export function companion(id: string, prefix: IdPrefix): string {
  return `${prefix}-${id.slice(id.indexOf("-") + 1)}`;
}
