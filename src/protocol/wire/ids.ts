// Ids of the form `<prefix>-<32 hex digits>`. The digits are a random UUID, so ids cannot be guessed or enumerated.
// In the id of a task, the first 19 digits are a digest of its conversation and a mark; the other 13 are random.

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

/** Creates ids. Injected into the core, so that tests can use ids such as `task-1`. */
export type IdFactory = (prefix: IdPrefix) => string;

/** Creates a random id. */
export const createId: IdFactory = (prefix) => `${prefix}-${crypto.randomUUID().replaceAll("-", "")}`;

/** Returns an id with the same digits and another prefix. It can be derived from `id`, so it need not be stored. */
export function deriveId(id: string, prefix: IdPrefix): string {
  return `${prefix}-${id.slice(id.indexOf("-") + 1)}`;
}

/**
 * Returns 16 hex digits that identify a conversation in the ids of its tasks. The algorithm is 64-bit FNV-1a
 * (draft-eastlake-fnv) over the UTF-16 code units. It is not cryptographic.
 */
export function computeConversationDigest(conversationId: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < conversationId.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(conversationId.charCodeAt(i))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}

/** Marks ids with a digest. A random UUID has 8, 9, a or b at this position, so it never has this mark. */
const DIGEST_MARK = "000";

/**
 * Creates the id factory of one conversation. Its task ids begin with the digest of the conversation and the mark; all
 * other ids are random.
 */
export function createIdFactory(conversationId: string): IdFactory {
  const start = `task-${computeConversationDigest(conversationId)}${DIGEST_MARK}`;
  return (prefix) => (prefix === "task" ? start + createId("task").slice(start.length) : createId(prefix));
}

/**
 * Returns the first 16 digits of a task or conversation id, null for ids of another form. They are the digest of the
 * parent conversation if the id belongs to a task or to its sub-conversation, otherwise random.
 */
export function parseConversationDigest(id: string): string | null {
  return /^(?:task|conv)-([0-9a-f]{16})[0-9a-f]{16}$/.exec(id)?.[1] ?? null;
}

/**
 * True for the ids of sub-conversations, and for the task ids with the same digits. A client-chosen id has this form
 * only if built on purpose.
 */
export function isSubConversationId(id: string): boolean {
  return parseConversationDigest(id) !== null && id.startsWith(DIGEST_MARK, "conv-".length + 16);
}
