// Ids as callers give them: over a binding an id may be anything at all.

import * as z from "zod";

/** Clients may choose the ids of their conversations; every other id is given out here. */
const CONVERSATION_ID = /^[A-Za-z0-9_-]{1,128}$/;

export const conversationIdSchema = z.string().regex(CONVERSATION_ID, "use letters, digits, _ and -, at most 128");

export function isConversationId(id: unknown): id is string {
  return isOfForm(id, CONVERSATION_ID);
}

/** A task's, or that of the schedule that it is. */
export function isTaskId(id: unknown): id is string {
  return isOfForm(id, /^task-[0-9a-f]{32}$/);
}

/** False for what can name nothing. */
export function isOfForm(id: unknown, form: RegExp): id is string {
  return typeof id === "string" && form.test(id);
}
