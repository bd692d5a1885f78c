// What lists call a conversation. As long as it has no title it goes by what was said first in it, where this page has
// heard that: a title comes with the plan, or with the end of the first answer.

import { useSyncExternalStore } from "react";
import type { Conversation } from "../../protocol/conversation.ts";
import { plainly } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { WORDS } from "./words.ts";

/** More of a message no list shows. */
const MAX_CHARS = 200;

let heard: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

export function hearFirst(conversationId: string, message: string): void {
  if (heard.has(conversationId)) return;
  heard = new Map([...heard, [conversationId, message.trim().slice(0, MAX_CHARS)]]);
  for (const listener of listeners) listener();
}

export function useTitleOf(): (conversation: Pick<Conversation, "conversation_id" | "title">) => string {
  const say = useWords(WORDS);
  const firsts = useSyncExternalStore(subscribe, () => heard);
  return ({ conversation_id, title }) => plainly(title ?? firsts.get(conversation_id) ?? say("untitled"));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
