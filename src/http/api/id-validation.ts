// Validates ids from callers. Over RPC an id may be any value.

import * as z from "zod";

/**
 * Bytes of the URL-encoded user id. It is part of the names of Durable Objects, which the platform limits to 1,024
 * bytes.
 */
const MAX_USER_BYTES = 800;
/** Clients may choose conversation ids. All other ids are created by the server. */
const CONVERSATION_ID = /^[A-Za-z0-9_-]{1,128}$/;

export const conversationIdSchema = z.string().regex(CONVERSATION_ID, "use letters, digits, _ and -, at most 128");

/** True for the form of a conversation id, whether or not the conversation exists. */
export function isConversationId(id: unknown): id is string {
  return matchesIdFormat(id, CONVERSATION_ID);
}

/** True for the form of a task id. The id of a schedule is the id of its task. */
export function isTaskId(id: unknown): id is string {
  return matchesIdFormat(id, /^task-[0-9a-f]{32}$/);
}

/** True if the value is a string that matches the pattern. Other values cannot identify anything. */
export function matchesIdFormat(id: unknown, pattern: RegExp): id is string {
  return typeof id === "string" && pattern.test(id);
}

/**
 * True if the value can be a user id: a well-formed string that is not empty, has no control characters and has at most
 * 800 bytes when it is URL-encoded.
 */
export function isUserId(user: unknown): user is string {
  if (typeof user !== "string" || user === "" || !user.isWellFormed() || /\p{Cc}/u.test(user)) return false;
  return encodeURIComponent(user).length <= MAX_USER_BYTES;
}
