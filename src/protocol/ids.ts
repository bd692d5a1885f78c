// Ids are `<prefix>-<32 hex digits>`: 128 random bits, so they cannot be guessed or enumerated.

export const ID_PREFIXES = [
  "conv",
  "th",
  "task",
  "item",
  "plan",
  "ask",
  "reasoning",
  "call",
  "cmd",
  "req",
  "page",
  "link",
  "data",
  "inst",
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** Mints ids. Injected into the core, so that a test reads `task-1` instead of a random string. */
export type Mint = (prefix: IdPrefix) => string;

export const mint: Mint = (prefix) => `${prefix}-${crypto.randomUUID().replaceAll("-", "")}`;

/** The same digits under another prefix: names a companion of `id` that nobody has to store. */
export function companion(id: string, prefix: IdPrefix): string {
  return `${prefix}-${id.slice(id.indexOf("-") + 1)}`;
}

/**
 * Sixteen hex digits that stand for a conversation in the ids of its tasks, so that a task leads back to
 * it without a register. FNV-1a, 64 bits (draft-eastlake-fnv), over the UTF-16 code units.
 */
export function digestOf(conversationId: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < conversationId.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(conversationId.charCodeAt(i))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}

/** In the id of a task, where a random UUID has 8, 9, a or b: so the id of its companion is not taken for a random one. */
const MARK = "000";

/** A mint for what happens in one conversation: its tasks carry its digest. */
export function mintWithin(conversationId: string): Mint {
  const start = `task-${digestOf(conversationId)}${MARK}`;
  return (prefix) => (prefix === "task" ? start + mint("task").slice(start.length) : mint(prefix));
}

/** The digest in the id of a task, or of the sub-conversation that is its companion; null in any other id. */
export function digestIn(id: string): string | null {
  return /^(?:task|conv)-([0-9a-f]{16})[0-9a-f]{16}$/.exec(id)?.[1] ?? null;
}

/** True for the id of a sub-conversation that was made here, and hardly ever for one that a client has chosen. */
export function isOfSubConversation(id: string): boolean {
  return digestIn(id) !== null && id.startsWith(MARK, "conv-".length + 16);
}
