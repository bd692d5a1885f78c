// Which tasks and steps a person has opened or folded. It outlives the rows, which come and go while one scrolls.

import { useSyncExternalStore } from "react";

const chosen = new Map<string, boolean>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setFold(id: string, isOpen: boolean): void {
  chosen.set(id, isOpen);
  for (const listener of listeners) listener();
}

/** What the person has chosen for this task or item, if anything. */
export function useFold(id: string): boolean | undefined {
  const get = () => chosen.get(id);
  return useSyncExternalStore(subscribe, get, get);
}
