// Titles of conversations in lists. Until the server has set a title (with the plan or after the first answer), the
// first message that this page has sent is shown instead.
// Owns a map from conversation id to first message for the lifetime of the page; entries are never replaced.

import { useSyncExternalStore } from "react";
import type { Conversation } from "../../protocol/conversation.ts";
import { plainly } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { WORDS } from "./words.ts";

/** UTF-16 units of a message that are kept as a provisional title. */
const MAX_CHARS = 200;

let heard: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

/** Remembers the first message of a new conversation; later calls for the same id are ignored. */
export function hearFirst(conversationId: string, message: string): void {
  if (heard.has(conversationId)) return;
  heard = new Map([...heard, [conversationId, message.trim().slice(0, MAX_CHARS)]]);
  for (const listener of listeners) listener();
}

/** Returns a function that formats the title of a conversation for display. */
export function useTitleOf(): (conversation: Pick<Conversation, "conversation_id" | "title">) => string {
  const say = useWords(WORDS);
  const firsts = useSyncExternalStore(subscribe, () => heard);
  return ({ conversation_id, title }) => plainly(title ?? firsts.get(conversation_id) ?? say("untitled"));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
