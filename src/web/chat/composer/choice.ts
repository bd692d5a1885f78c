// What a person has chosen for the messages of a conversation.

import { useSyncExternalStore } from "react";

/** `agent`: empty for whoever fits. `verify`: the agents are to check their own work. */
export type Choice = { readonly agent: string; readonly verify: boolean };

const AUTOMATIC: Choice = { agent: "", verify: false };
const choices = new Map<string, Choice>();
const listeners = new Set<() => void>();

/** `of`: the conversation, or "new". Lasts as long as the page. */
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
