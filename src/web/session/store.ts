// A value outside of React that components follow, and the storage of this browser.

import { useSyncExternalStore } from "react";

export type Store<Value> = {
  readonly get: () => Value;
  /** Replaces the value and calls all listeners. */
  readonly set: (value: Value) => void;
  /** Calls the listener after every `set`. Returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
};

/** Creates a store, which lasts as long as its owner holds it. */
export function createStore<Value>(value: Value): Store<Value> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the value. The component renders again when it changes. */
export function useStore<Value>({ subscribe, get }: Pick<Store<Value>, "subscribe" | "get">): Value {
  return useSyncExternalStore(subscribe, get, get);
}

/** Returns the text under a full key of `localStorage`; null if there is none or storage is not available. */
export function readStoredText(storageKey: string): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** Stores a text under a full key of `localStorage`; null removes it. Does nothing if storage is not available. */
export function storeText(storageKey: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, text);
  } catch {
    // Private windows and full storage: the text lasts as long as the page.
  }
}
