// Titles of conversations in lists. Until the server has set a title (with the plan or after the first answer), the
// first message that this page has sent is shown instead.
// Owns a map from conversation id to first message for the lifetime of the page; entries are never replaced.

import { useSyncExternalStore } from "react";
import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { escapeHiddenControls } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";

/** UTF-16 units of a message that are kept as a provisional title. */
const MAX_TITLE_CHARS = 200;

let firstMessages: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

/** Remembers the start of the first message of a conversation, trimmed. Later calls for the same id are ignored. */
export function rememberFirstMessage(conversationId: string, message: string): void {
  if (firstMessages.has(conversationId)) return;
  firstMessages = new Map([...firstMessages, [conversationId, message.trim().slice(0, MAX_TITLE_CHARS)]]);
  for (const listener of listeners) listener();
}

/**
 * Returns a function that returns the title of a conversation; without one, its remembered first message, or else
 * "untitled" in the current language. Invisible characters are escaped.
 */
export function useTitleFormatter(): (conversation: Pick<ConversationInfo, "conversation_id" | "title">) => string {
  const t = useMessages("conversations");
  const messages = useSyncExternalStore(subscribe, () => firstMessages);
  return ({ conversation_id, title }) => escapeHiddenControls(title ?? messages.get(conversation_id) ?? t("untitled"));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
