// The send options (agent and verification) chosen per conversation.
//
// Owns a module-level map that lives as long as the page and is not stored. The key is the conversation id, or "new"
// for a conversation that has not been created. Every change notifies all subscribers.

import { useSyncExternalStore } from "react";

/** `agent`: empty if the server selects it. `verify`: agents verify their own work. */
export type Choice = { readonly agent: string; readonly verify: boolean };

const AUTOMATIC: Choice = { agent: "", verify: false };
const choices = new Map<string, Choice>();
const listeners = new Set<() => void>();

export const choiceOf = (of: string): Choice => choices.get(of) ?? AUTOMATIC;

export function choose(of: string, choice: Choice): void {
  choices.set(of, choice);
  for (const listener of listeners) listener();
}

export const useChoice = (of: string): Choice => useSyncExternalStore(subscribe, () => choiceOf(of));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
