// Which tasks a person has opened or folded. It outlives the rows, which come and go while one scrolls.

import { useSyncExternalStore } from "react";

const chosen = new Map<string, boolean>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setFold(taskId: string, isOpen: boolean): void {
  chosen.set(taskId, isOpen);
  for (const listener of listeners) listener();
}

/** What the person has chosen for this task, if anything. */
export function useFold(taskId: string): boolean | undefined {
  return useSyncExternalStore(subscribe, () => chosen.get(taskId));
}
