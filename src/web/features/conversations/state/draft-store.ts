// Unsent text, one draft per conversation or question. It survives a reload.
//
// Owns one store per key for the lifetime of the page and a copy of each text in `localStorage`, under a name that
// belongs to the signed-in person. The stored text is read once, when the draft is created. Tabs do not share a draft
// while it is open: each keeps its own text, and the last write is stored.
// If storage fails, the draft lasts as long as the page; no function throws.

import { toUserPreferenceName } from "../../../session/preference.ts";

export type DraftStore = {
  /** Returns the text; "" if there is none. */
  readonly get: () => string;
  /** Stores the text and notifies all subscribers of this page; "" removes it from storage. */
  readonly set: (text: string) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

const PREFIX = `orrery.${toUserPreferenceName("draft")}.`;
const drafts = new Map<string, DraftStore>();

/** Returns the draft of a key, always the same object. The key is a conversation id, "new" or `answer.<request id>`. */
export function getDraft(key: string): DraftStore {
  const known = drafts.get(key) ?? createDraftStore(PREFIX + key);
  drafts.set(key, known);
  return known;
}

function createDraftStore(storageKey: string): DraftStore {
  const listeners = new Set<() => void>();
  let text = readStoredText(storageKey) ?? "";
  return {
    get: () => text,
    set(next) {
      text = next;
      storeText(storageKey, next === "" ? null : next);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
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
