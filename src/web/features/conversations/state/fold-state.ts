// The tasks and items that a person has opened or folded.
//
// Owns a module-level map by task id or item id that lives as long as the page. It is outside of the rows because rows
// are unmounted while the person scrolls. Every change notifies all subscribers.

import { useSyncExternalStore } from "react";

const openById = new Map<string, boolean>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Records that the person has opened or folded a task or item. */
export function setFold(id: string, isOpen: boolean): void {
  openById.set(id, isOpen);
  for (const listener of listeners) listener();
}

/** Returns true or false if the person has opened or folded the task or item, otherwise undefined. */
export function useFold(id: string): boolean | undefined {
  const get = () => openById.get(id);
  return useSyncExternalStore(subscribe, get, get);
}
