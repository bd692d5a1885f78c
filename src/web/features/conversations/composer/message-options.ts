// The send options (agent and verification) chosen per conversation.
//
// Owns a module-level map that lives as long as the page and is not stored. The key is the conversation id, or "new"
// for a conversation that has not been created. Every change notifies all subscribers.

import { useSyncExternalStore } from "react";

/** `agent`: the name of the agent that answers; "" if the server selects it. `verify`: agents verify their own work. */
export type MessageOptions = { readonly agent: string; readonly verify: boolean };

const DEFAULT_MESSAGE_OPTIONS: MessageOptions = { agent: "", verify: false };
const optionsByKey = new Map<string, MessageOptions>();
const listeners = new Set<() => void>();

/** Returns the options of a conversation; by default no agent and no verification. */
export const getMessageOptions = (key: string): MessageOptions => optionsByKey.get(key) ?? DEFAULT_MESSAGE_OPTIONS;

/** Replaces the options of a conversation, until the page is reloaded. */
export function setMessageOptions(key: string, choice: MessageOptions): void {
  optionsByKey.set(key, choice);
  for (const listener of listeners) listener();
}

/** Like `getMessageOptions`. The component renders again when the options of the key change. */
export const useMessageOptions = (key: string): MessageOptions =>
  useSyncExternalStore(subscribe, () => getMessageOptions(key));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
